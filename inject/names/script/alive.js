'use strict';
// What keeps the loop alive: timers, immediates and workers, each with the stack of the function that has made it
// (names.h).

const { native, process, builtin } = require('./host.js');
const { rememberMakers } = require('./trampolines.js');

const { createHook } = builtin('async_hooks');
const channels = builtin('diagnostics_channel');
const { inspect } = builtin('util');

const FEW = 1000;

// Each with the stack.
const timers = new Map();
const immediates = new Map();
const workers = new Map();
const most = new Map([
  [timers, FEW],
  [immediates, FEW],
]);

// A promise of timers/promises stands for its timer or immediate, which nobody else knows. A handler would change what
// becomes of it if it fails.
function isOver(timer) {
  if (timer instanceof Promise) return !/^Promise \{\s*<pending>/.test(inspect(timer));
  return timer._destroyed || !timer.hasRef();
}

function remember(timer, stack, by) {
  const all = by === 'setImmediate' ? immediates : timers;
  all.set(timer, stack);
  if (all.size < most.get(all)) return;
  for (const each of all.keys()) if (isOver(each)) all.delete(each);
  most.set(all, Math.max(FEW, all.size * 2));
}

// ---- lists ----

// A promise's resolve, and what is bound, have no place.
function placeOf(callback) {
  const place = native.place(callback);
  return place.startsWith(':') ? 'native' : place;
}

// The program may have put a getter there.
function titleOf(callback) {
  try {
    return `${String(callback.name) || '(anonymous)'} (${placeOf(callback)})`;
  } catch {
    return '(anonymous)';
  }
}

function titleOfTimer({ _onTimeout: callback, _idleTimeout: ms, _repeat: repeats }) {
  if (callback === undefined) return 'timeout of timers/promises';
  return `${repeats === null ? 'timeout' : 'interval'} ${titleOf(callback)} of ${ms} ms`;
}

function titleOfImmediate({ _onImmediate: callback }) {
  return `immediate ${callback === undefined ? 'of timers/promises' : titleOf(callback)}`;
}

function list(all, title) {
  let text = '';
  for (const [each, stack] of all) if (!isOver(each)) text += `  ${title(each)}\n${stack}`;
  return text;
}

const listTimers = () => list(timers, titleOfTimer);
const listImmediates = () => list(immediates, titleOfImmediate);

function listWorkers() {
  let text = '';
  for (const [worker, stack] of workers) if (worker.threadId >= 0) text += `  worker ${worker.threadId}\n${stack}`;
  return text;
}

// ---- workers ----

function rememberWorker({ worker }) {
  for (const each of workers.keys()) if (each.threadId < 0) workers.delete(each);
  workers.set(worker, native.maker());
}

// Node 18 has no such channel. Its handle of a worker is without onexit when the worker is over.
function onInit(id, type, trigger, handle) {
  if (type !== 'WORKER') return;
  const worker = {
    get threadId() {
      return handle.onexit === null ? -1 : handle.threadId;
    },
  };
  rememberWorker({ worker });
}

function watchAlive() {
  rememberMakers();
  if (Number.parseInt(process.versions.node) < 20) createHook({ init: onInit }).enable();
  else channels.subscribe('worker_threads', rememberWorker);
  native.makers({ remember, listTimers, listImmediates, listWorkers });
}

module.exports = { watchAlive };
