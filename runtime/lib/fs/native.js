'use strict';

// Between fs and its binding: callbacks are kept here by a number, which is all that C knows of them, and negative
// results become errors.

const binding = internalBinding('fs');
const asyncContext = require('internal/async/context');
const hooks = require('internal/trace/hooks');

const words = binding.stats;
const callbacks = [];
const contexts = [];
const resources = []; // only while asynchronous identities are tracked
const notes = []; // only while causes are traced
const free = [];
const watchers = new Map();

// The type of asynchronous resource of the next request.
let nextType = 'FSREQCALLBACK';
function nextIs(type) {
  if (asyncContext.tracker !== null) nextType = type;
  isAwaited = type === 'FSREQPROMISE';
}

// The next request settles a promise: a trace shows it under the name of the function that awaits it.
let isAwaited = false;
function nextIsAwaited() {
  isAwaited = true;
}

// Keeps the callback; C knows its number.
function keepCallback(callback) {
  const id = free.length > 0 ? free.pop() : callbacks.length;
  callbacks[id] = callback;
  contexts[id] = asyncContext.current;
  if (asyncContext.tracker !== null) {
    resources[id] = {};
    asyncContext.tracker.create(nextType, resources[id]);
    nextType = 'FSREQCALLBACK';
  }
  if (hooks.note !== null) notes[id] = hooks.note(isAwaited);
  isAwaited = false;
  return id;
}

// The request will not complete.
function release(id) {
  callbacks[id] = undefined;
  contexts[id] = undefined;
  if (resources[id] !== undefined) {
    asyncContext.tracker?.destroy(resources[id]);
    resources[id] = undefined;
  }
  free.push(id);
}

function complete(id, result, value) {
  const callback = callbacks[id];
  asyncContext.current = contexts[id];
  callbacks[id] = undefined;
  contexts[id] = undefined;
  free.push(id);
  if (hooks.begins !== null) hooks.begins(notes[id]);
  const resource = resources[id];
  if (resource === undefined) {
    callback(result, value);
  } else {
    resources[id] = undefined;
    asyncContext.tracker.enter(resource);
    callback(result, value);
    asyncContext.tracker.leave();
    asyncContext.tracker.destroy(resource);
  }
  asyncContext.current = undefined;
}

function onEvent(id, status, events, name) {
  watchers.get(id)?.(status, events, name);
}

// Files were read whole, together: the first one comes with the call, the others by nextFile. Between two callbacks,
// this drains as C does after a single callback.
function onFile(id, result, value, hasMore) {
  complete(id, result, value);
  if (!hasMore) return;
  const { drainBefore } = require('internal/process/task_queues');
  const { kMicrotasks } = require('internal/shared').drain;
  if (drainBefore(onNextFiles) !== kMicrotasks) onNextFiles();
}

function onNextFiles() {
  const { drainBefore } = require('internal/process/task_queues');
  const { kMicrotasks } = require('internal/shared').drain;
  for (;;) {
    const value = binding.nextFile();
    const hasMore = words[2] !== 0;
    complete(words[0], words[1], value);
    if (!hasMore || drainBefore(onNextFiles) === kMicrotasks) return;
  }
}

binding.setCallbacks({ complete, event: onEvent, file: onFile });

// start(operation, callback(result, value), ...arguments): asynchronous, through the loop. An operation that cannot
// begin also fails later. An operation that is not permitted throws.
function start(operation, callback, a, b, c, d, e) {
  const id = keepCallback(callback);
  let err;
  try {
    err = operation(id, a, b, c, d, e);
  } catch (error) {
    release(id);
    throw error;
  }
  if (err !== undefined) process.nextTick(complete, id, err);
}

let errorMap;
function describe(errno) {
  errorMap ??= internalBinding('uv').getErrorMap();
  return errorMap.get(errno) ?? ['UNKNOWN', `unknown error ${errno}`];
}

function fsError(errno, syscall, path, dest) {
  const [code, text] = describe(errno);
  let message = `${code}: ${text}, ${syscall}`;
  if (path !== undefined) message += ` '${path}'`;
  if (dest !== undefined) message += ` -> '${dest}'`;
  const error = new Error(message);
  error.errno = errno;
  error.code = code;
  error.syscall = syscall;
  if (path !== undefined) error.path = typeof path === 'string' ? path : `${path}`;
  if (dest !== undefined) error.dest = typeof dest === 'string' ? dest : `${dest}`;
  return error;
}

// The error of an operation that was asynchronous: no code of the program is on the stack, and as in Node it has no
// frames at all.
function lateError(errno, syscall, path, dest) {
  const { stackTraceLimit } = Error;
  const isChanged = Reflect.set(Error, 'stackTraceLimit', 0); // not if the program has frozen it
  const error = fsError(errno, syscall, path, dest);
  if (isChanged) Error.stackTraceLimit = stackTraceLimit;
  else error.stack = `Error: ${error.message}`;
  return error;
}

// The result of a synchronous operation, or its error thrown.
function check(result, syscall, path, dest) {
  if (typeof result === 'number' && result < 0) throw fsError(result, syscall, path, dest);
  return result;
}

// How many requests are in progress.
const pendingCount = () => callbacks.length - free.length;

module.exports = {
  pendingCount,
  binding,
  start,
  nextIs,
  nextIsAwaited,
  fsError,
  lateError,
  check,
  describe,
  watchers,
};
