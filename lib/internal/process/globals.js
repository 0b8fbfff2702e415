'use strict';

// The global names. Each is an accessor that loads its module when first read and then becomes a plain property.

function define(target, name, value, enumerable = false) {
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable });
}

function defineLazy(target, name, load, enumerable = false) {
  Object.defineProperty(target, name, {
    get() {
      const value = load();
      define(target, name, value, enumerable);
      return value;
    },
    set(value) {
      define(target, name, value, enumerable);
    },
    configurable: true,
    enumerable,
  });
}

const lazyGlobals = {
  events: ['internal/event_target', ['Event', 'EventTarget', 'CustomEvent']],
  abort: ['internal/abort_controller', ['AbortController', 'AbortSignal']],
  url: ['internal/url', ['URL', 'URLSearchParams']],
  encoding: ['internal/encoding', ['TextEncoder', 'TextDecoder']],
  buffer: ['buffer', ['Blob', 'File', 'atob', 'btoa']],
  dom: ['internal/dom_exception', ['DOMException']],
  streams: ['stream/web', ['ReadableStream', 'ReadableStreamDefaultReader', 'ReadableStreamBYOBReader', 'ReadableStreamBYOBRequest',
    'ReadableByteStreamController', 'ReadableStreamDefaultController', 'TransformStream', 'TransformStreamDefaultController',
    'WritableStream', 'WritableStreamDefaultController', 'WritableStreamDefaultWriter', 'ByteLengthQueuingStrategy',
    'CountQueuingStrategy', 'TextEncoderStream', 'TextDecoderStream', 'CompressionStream', 'DecompressionStream']],
  messaging: ['internal/messaging', ['MessageChannel', 'MessagePort', 'MessageEvent', 'BroadcastChannel']],
  performance: ['perf_hooks', ['PerformanceEntry', 'PerformanceMark', 'PerformanceMeasure', 'PerformanceObserver',
    'PerformanceObserverEntryList', 'PerformanceResourceTiming', 'Performance']],
};

// Enough to print with, where the console module is left out.
function plainConsole() {
  const { writeSync } = internalBinding('stdio');
  const print = (fd) => (...args) => { writeSync(fd, `${require('internal/util/inspect').format(...args)}\n`); };
  return { log: print(1), info: print(1), debug: print(1), error: print(2), warn: print(2) };
}

function install(target, process) {
  const timers = require('internal/timers');
  const { queueMicrotask } = require('internal/process/task_queues');
  define(target, 'global', target);
  Object.defineProperty(target, Symbol.toStringTag, { value: 'global', writable: false, enumerable: false, configurable: true });
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate']) {
    define(target, name, timers[name], true);
  }
  define(target, 'queueMicrotask', queueMicrotask, true);
  const { promisify } = { promisify: Symbol.for('nodejs.util.promisify.custom') };
  Object.defineProperty(timers.setTimeout, promisify, { enumerable: true, get: () => require('timers/promises').setTimeout });
  Object.defineProperty(timers.setImmediate, promisify, { enumerable: true, get: () => require('timers/promises').setImmediate });

  let currentProcess = process;
  Object.defineProperty(target, 'process', {
    get: () => currentProcess,
    set(value) { currentProcess = value; },
    enumerable: false,
    configurable: true,
  });
  const available = internalBinding('runtime').builtinSet;
  if (available.has('buffer')) {
    let currentBuffer;
    Object.defineProperty(target, 'Buffer', {
      get: () => (currentBuffer ??= require('buffer').Buffer),
      set(value) { currentBuffer = value; },
      enumerable: false,
      configurable: true,
    });
  }
  for (const [id, names] of Object.values(lazyGlobals)) {
    if (!available.has(id)) continue;
    for (const name of names) defineLazy(target, name, () => require(id)[name]);
  }
  if (available.has('perf_hooks')) defineLazy(target, 'performance', () => require('perf_hooks').performance, true);
  if (available.has('internal/structured_clone')) {
    defineLazy(target, 'structuredClone', () => require('internal/structured_clone').structuredClone, true);
  }
  if (available.has('internal/navigator')) defineLazy(target, 'navigator', () => require('internal/navigator').navigator);
  if (available.has('crypto')) defineLazy(target, 'crypto', () => require('crypto').webcrypto, true);
  defineLazy(target, 'console', () => (available.has('console') ? require('console') : plainConsole()));
  if (process.execArgv.includes('--expose-gc') || process.execArgv.includes('--expose_gc')) {
    define(target, 'gc', () => internalBinding('util').collect());
  }
}

module.exports = { install };
