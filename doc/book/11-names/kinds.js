const fs = require('node:fs');

// In one callback of poll everything is scheduled at once; what has run when is the answer.
fs.readFile(__filename, function onRead() {
  setTimeout(() => console.log('setTimeout: a macrotask, phase timers'), 500);
  setImmediate(() => console.log('setImmediate: a macrotask, phase check'));
  fs.stat(__filename, () => console.log('fs.stat: a macrotask, phase poll'));
  (async () => {
    await null;
    console.log('await: a microtask');
  })();
  Promise.resolve().then(() => console.log('then: a microtask'));
  Promise.resolve().finally(() => console.log('finally: a microtask'));
  queueMicrotask(() => console.log('queueMicrotask: a microtask'));
  process.nextTick(() => console.log('nextTick: neither; a tick'));
  new Promise(() => console.log('new Promise: neither; at once'));
});
