'use strict';
// A race: messages of a worker on two ports. The worker tells its result on one port and then that it is done on another. Each port keeps
// its order; between two ports there is none.
//
//   rota fuzz examples/races/worker.js

const assert = require('assert');
const { Worker } = require('worker_threads');

const code = `
  const { parentPort } = require('worker_threads');
  parentPort.once('message', () => {
    parentPort.postMessage(6 * 7);
    setTimeout(() => parentPort.postMessage('done'), 50);
  });`;

const worker = new Worker(code, { eval: true });
let result;
worker.on('message', (value) => {
  if (value !== 'done') {
    result = value;
    return;
  }
  worker.terminate();
  assert.strictEqual(result, 42, 'done without a result');
});
worker.postMessage({});
