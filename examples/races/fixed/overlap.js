'use strict';
// A race: work that is done every 200 ms, and takes longer than that. An interval does not wait for the end of an async function: the next round
// begins while the last one is under way.
//
//   rota fuzz examples/races/overlap.js

const assert = require('assert');
const fs = require('fs');

let rounds = 0;
let running = 0;

async function synchronize() {
  assert.strictEqual(++running, 1, 'two rounds at once');
  await fs.promises.readFile(__filename);
  await fs.promises.stat(__filename);
  running--;
}

setTimeout(async function next() {
  await synchronize();
  if (++rounds < 4) setTimeout(next, 200);
}, 200);
