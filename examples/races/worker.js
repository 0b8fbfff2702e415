'use strict';
// A race: messages of a worker on two ports. The worker tells its result on one port and then that it is done on another. Each port keeps
// its order; between two ports there is none.
//
//   rota fuzz examples/races/worker.js

const assert = require('assert');
const { MessageChannel, Worker } = require('worker_threads');

const code = `
  const { parentPort } = require('worker_threads');
  parentPort.once('message', ({ results }) => {
    results.postMessage(6 * 7);
    setTimeout(() => parentPort.postMessage('done'), 50);
  });`;

const { port1, port2 } = new MessageChannel();
const worker = new Worker(code, { eval: true });
let result;
port1.on('message', (value) => { result = value; });
worker.on('message', () => {
  port1.close();
  worker.terminate();
  assert.strictEqual(result, 42, 'done without a result');
});
worker.postMessage({ results: port2 }, [port2]);
