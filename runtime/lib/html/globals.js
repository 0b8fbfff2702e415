'use strict';

// What a program finds with --loop=html: the browser's globals that schedule something, in the place of Node's or
// beside them.

const { isWorker } = internalBinding('runtime');
const { sources, newTask, queue, queueTask } = require('internal/html/event_loop');
const window = require('internal/html/window');
const timers = require('internal/html/timers');

function define(name, value) {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
}

function lazily(names, id) {
  for (const name of names) internalBinding('runtime').lazily(name, () => require(id)[name], true);
}

// ---- setImmediate, which no browser has: a task like any other ----

const immediates = new Map();
let lastImmediate = 0;

function setImmediate(callback, ...args) {
  require('internal/validators').validateFunction(callback, 'callback');
  const id = ++lastImmediate;
  const task = newTask(() => {
    if (immediates.delete(id)) callback(...args);
  }, callback);
  immediates.set(id, task);
  queue(sources.immediate, task);
  return id;
}

function clearImmediate(id) {
  immediates.delete(id);
}

// ---- results of what happens in parallel ----

// The promise is settled by a task of that source.
function settledBy(source, promise) {
  return new Promise((resolve, reject) => {
    promise.then(
      (value) => queueTask(source, () => resolve(value)),
      (error) => queueTask(source, () => reject(error)),
    );
  });
}

function around(object, name, source) {
  const original = object[name];
  const { [name]: replaced } = {
    [name](...args) {
      return settledBy(source, Reflect.apply(original, this, args));
    },
  };
  Object.defineProperty(object, name, { ...Object.getOwnPropertyDescriptor(object, name), value: replaced });
}

function installFetch() {
  internalBinding('runtime').lazily(
    'fetch',
    () => {
      const { fetch } = require('internal/fetch');
      return { fetch: (...args) => settledBy(sources.networking, fetch(...args)) }.fetch;
    },
    true,
  );
}

function installBlob() {
  internalBinding('runtime').lazily('Blob', () => {
    const { Blob } = require('buffer');
    for (const name of ['text', 'arrayBuffer', 'bytes'])
      if (name in Blob.prototype) around(Blob.prototype, name, sources.file);
    return Blob;
  });
}

function install() {
  window.install(define);
  for (const name of Object.keys(timers)) define(name, timers[name]);
  define('setImmediate', setImmediate);
  define('clearImmediate', clearImmediate);
  lazily(['requestAnimationFrame', 'cancelAnimationFrame'], 'internal/html/frames');
  lazily(['requestIdleCallback', 'cancelIdleCallback', 'IdleDeadline'], 'internal/html/frames');
  lazily(['Scheduler', 'scheduler'], 'internal/html/scheduler');
  lazily(['PromiseRejectionEvent'], 'internal/html/rejections');
  if (!isWorker) lazily(['postMessage'], 'internal/html/messages');
  installFetch();
  installBlob();
}

module.exports = { install };
