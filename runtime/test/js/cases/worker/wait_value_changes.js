'use strict';
// A thread in Atomics.wait sleeps on when the value changes: only a notify wakes it. One notify wakes one thread.
const { Worker, isMainThread, workerData, parentPort } = require('worker_threads');

if (!isMainThread) {
  for (let round = 0; round < 2; round++) {
    let answer = 'not-equal';
    while (answer === 'not-equal') answer = Atomics.wait(workerData, 0, Atomics.load(workerData, 0));
    parentPort.postMessage([answer, Atomics.load(workerData, 1)]);
  }
  return;
}

const view = new Int32Array(new SharedArrayBuffer(8));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const heard = [];
const workers = [1, 2].map(() => new Worker(__filename, { workerData: view }).on('message', (message) => heard.push(message)));

(async () => {
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('online', resolve))));
  await sleep(300); // they sleep, as a rule
  Atomics.store(view, 0, 7);
  await sleep(150);
  Atomics.store(view, 1, 1);
  for (let count = 1; count <= 4; count++) {
    while (Atomics.notify(view, 0, 1) === 0) await sleep(1);
    while (heard.length < count) await sleep(1);
    await sleep(60);
    console.log(heard.length);
  }
  console.log(heard);
})();
