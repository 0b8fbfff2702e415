'use strict';

// The end of an env, in the main thread and in a worker: hooks, the last one first; then live objects are finalized.

const { Worker, isMainThread } = require('worker_threads');
const path = isMainThread ? process.argv[2].replace('ending', 'lifetime') : require('worker_threads').workerData;
const addon = require(path);
require('fs').writeSync(1, `loads ${addon.loads()}\n`);
globalThis.kept = {};
addon.atEnd(globalThis.kept);
if (isMainThread) {
  const worker = new Worker(__filename, { workerData: path });
  worker.on('exit', (code) => {
    console.log('worker', code);
    delete require.cache[path];
    console.log('again', require(path).loads(), require(path) !== addon, addon.loads());
  });
  process.on('exit', () => console.log('exit event'));
}
