'use strict';

// terminate() ends a thread whatever it is doing, and no code of it runs any more.

const { Worker } = require('worker_threads');

const busy = {
  'a loop': 'for (;;);',
  'a loop that catches everything': 'for (;;) { try { for (;;); } catch { says("caught"); } finally { says("finally"); } }',
  'awaits': '(async () => { for (;;) await null; })()',
  'awaits that catch': '(async () => { for (;;) { try { await Promise.reject(1); } catch {} } })()',
  'reactions': '(function next() { Promise.resolve().then(next); })()',
  'microtasks': '(function next() { queueMicrotask(next); })()',
  'ticks': '(function next() { process.nextTick(next); })()',
  'ticks and awaits': '(async () => { for (;;) { await null; await new Promise((done) => process.nextTick(done)); } })()',
  'immediates': '(function next() { setImmediate(next); })()',
  'a native that calls back': 'const list = Array.from({ length: 1000 }, (_, i) => -i); for (;;) list.sort((a, b) => a - b);',
  'a wait': 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
  'a wait with a limit': 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1e9)',
  'a wait that would be caught': 'try { Atomics.wait(new BigInt64Array(new SharedArrayBuffer(8)), 0, 0n); } catch { says("caught"); }',
  'a worker of its own that waits': 'new (require("worker_threads").Worker)(' +
    '"Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)", { eval: true })',
  'nothing': 'setInterval(() => {}, 1e6)',
};

(async () => {
  for (const [name, code] of Object.entries(busy)) {
    const worker = new Worker(`const { parentPort } = require('worker_threads'); const says = (what) => parentPort.postMessage(what);
      process.on('exit', () => says('exit')); says('begins'); ${code}`, { eval: true });
    const said = [];
    await new Promise((resolve) => worker.on('message', (what) => { said.push(what); resolve(); }));
    await new Promise((resolve) => setTimeout(resolve, 40));
    worker.on('error', (error) => said.push(error));
    const events = [];
    worker.on('exit', (exitCode) => events.push(exitCode));
    const result = await worker.terminate();
    console.log(name, result, events, said);
  }
})();
