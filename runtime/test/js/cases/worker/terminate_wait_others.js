'use strict';

// A thread that waits is ended; another one that waits for the same word does not notice.

const { Worker } = require('worker_threads');

const words = new Int32Array(new SharedArrayBuffer(8));
const code = `const { workerData: words, parentPort } = require('worker_threads');
  parentPort.postMessage('waits');
  parentPort.postMessage(Atomics.wait(words, 0, 0) + ' ' + Atomics.load(words, 0));`;

const start = () => new Promise((resolve) => {
  const worker = new Worker(code, { eval: true, workerData: words });
  worker.once('message', () => resolve(worker));
});

(async () => {
  const workers = [await start(), await start(), await start()];
  await new Promise((resolve) => setTimeout(resolve, 100));
  workers[0].on('message', (what) => console.log('the first says', what));
  const others = workers.slice(1).map((worker) => new Promise((resolve) => worker.once('message', resolve)));
  console.log('ended', await workers[0].terminate());
  await new Promise((resolve) => setTimeout(resolve, 100));
  Atomics.store(words, 0, 5);
  console.log('notified', Atomics.notify(words, 0));
  console.log(await Promise.all(others));
})();
