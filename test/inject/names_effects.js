'use strict';
// What a program can observe of itself: with names and without, it must print the same.
const assert = require('assert');
const events = require('events');
const fs = require('fs');
const util = require('util');

const clean = (text) => text.replaceAll(__dirname, '.').replace(/\b0x[0-9a-f]+/g, '0x');
const show = (...values) => console.log(...values.map((value) => (typeof value === 'string' ? clean(value) : value)));

show(process.env.NODE_OPTIONS, process.execArgv, Object.keys(require.cache).length, module.children.length, require.main === module);
for (const name of Object.keys(fs)) if (typeof fs[name] === 'function') show(name, fs[name].name, fs[name].length, Object.keys(fs[name]).join());
show(events.prototype.emit.name, events.prototype.emit.length, Object.getOwnPropertyDescriptor(events.prototype, 'emit').enumerable);
try {
  fs.stat(5, () => {});
} catch (error) {
  show(error.stack);
}
try {
  fs.stat(__filename);
} catch (error) {
  show(error.stack);
}
const promise = Promise.resolve(5).then((value) => value + 1);
promise.then(() => show('promise', util.inspect(promise, { showHidden: true })));
// One after the other: the order in which two files are read is not promised.
const steps = [
  (next) =>
    fs.stat(__filename, function (error, stats) {
      show('stat', this === globalThis || this === undefined, error, stats.isFile(), arguments.length, new Error('in a callback of fs').stack);
      next();
    }),
  (next) =>
    fs.readFile('nowhere', (error) => {
      show('readFile', error.code, new Error('here').stack);
      next();
    }),
  (next) => fs.exists(__filename, (found) => next(show('exists', found))),
  (next) => util.promisify(fs.exists)(__filename).then((found) => next(show('promisified', found))),
  (next) => util.promisify(fs.read)(fs.openSync(__filename), Buffer.alloc(4), 0, 4, 0).then((result) => next(show('read', util.inspect(result)))),
  (next) => {
    const order = [];
    setImmediate(() => order.push('immediate'));
    process.nextTick(() => order.push('tick'));
    queueMicrotask(() => order.push('microtask'));
    Promise.resolve().then(() => order.push('reaction'));
    setTimeout(() => next(show(order.join())), 20);
  },
  () => {
    if (process.argv[2] === 'throw') fs.stat(__filename, () => undefined.property);
    if (process.argv[2] === 'reject') emitter.on('reject', () => Promise.reject(new Error('rejected'))).emit('reject');
  },
];
const emitter = new events();
emitter.once('event', function (...values) {
  show('event', this === emitter, values.length, new Error('in a listener').stack);
});
show(emitter.emit('event', 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), emitter.emit('event'));
assert.throws(() => emitter.emit('error', new Error('nobody listens')), /nobody listens/);
emitter.on('throws', () => {
  throw new Error('thrown by a listener');
});
try {
  emitter.emit('throws');
} catch (error) {
  show(error.stack);
}
(async () => {
  await null;
  show(new Error('after await').stack);
  for (const step of steps) await new Promise(step);
})();
