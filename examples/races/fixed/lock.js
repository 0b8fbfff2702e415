'use strict';
// A race: a lock that is released twice. Who holds it for more than a second loses it, and another gets it; when the first is done
// after all, it releases what is no longer its own, and a third comes in beside the second.
//
//   rota fuzz examples/races/lock.js

const assert = require('assert');
const fs = require('fs/promises');

let locked = false;
const queue = [];

async function lock() {
  if (locked) await new Promise((resolve) => queue.push(resolve));
  locked = true;
}

// The next one gets the lock as it is: nobody comes in between.
function release() {
  if (queue.length > 0) queue.shift()();
  else locked = false;
}

let inside = 0;

async function work(steps) {
  await lock();
  let mine = true;
  const timer = setTimeout(() => {
    mine = false;
    inside--;
    release();
  }, 1000);
  assert.strictEqual(++inside, 1, 'two are inside');
  for (let i = 0; i < steps; i++) await fs.stat(__filename);
  clearTimeout(timer);
  if (!mine) return;
  inside--;
  release();
}

work(1);
work(4);
work(1);
