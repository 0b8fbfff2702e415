'use strict';
// A race: a wake-up that is lost. The consumer looks, finds nothing, writes that it is idle, and waits from then on. What is produced while it writes
// wakes nobody.
//
//   rota fuzz examples/races/wakeup.js

const assert = require('assert');
const fs = require('fs');

const queue = [];
let wake;
let taken = 0;

async function consume() {
  while (taken < 2) {
    if (queue.shift() !== undefined) {
      taken++;
      continue;
    }
    await fs.promises.access(__filename); // says that it is idle
    await new Promise((resolve) => { wake = resolve; });
  }
}

function produce() {
  queue.push({});
  wake?.();
  wake = undefined;
}

consume();
setTimeout(produce, 100);
setTimeout(produce, 300);
process.on('exit', () => assert.strictEqual(taken, 2, 'a wake-up was lost'));
