'use strict';

// node:timers/promises

const timers = require('internal/timers');
const { AbortError, codes } = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateObject, validateNumber } = require('internal/validators');

function check(options) {
  validateObject(options, 'options');
  const { signal, ref = true } = options;
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  validateBoolean(ref, 'options.ref');
  return { signal, ref };
}

// A promise for a timer that an AbortSignal may cut short.
function wait(options, begin, clear) {
  let signal;
  let ref;
  try {
    ({ signal, ref } = check(options));
  } catch (error) {
    return Promise.reject(error);
  }
  if (signal?.aborted) return Promise.reject(new AbortError(undefined, { cause: signal.reason }));
  let onAbort;
  const promise = new Promise((resolve, reject) => {
    const handle = begin(resolve);
    if (!ref) handle.unref();
    if (signal) {
      onAbort = () => {
        clear(handle);
        reject(new AbortError(undefined, { cause: signal.reason }));
      };
      signal.addEventListener('abort', onAbort);
    }
  });
  return onAbort === undefined ? promise : promise.finally(() => signal.removeEventListener('abort', onAbort));
}

function setTimeout(after, value, options = {}) {
  try {
    if (after !== undefined) validateNumber(after, 'delay');
  } catch (error) {
    return Promise.reject(error);
  }
  return wait(options, (resolve) => timers.setTimeout(resolve, after, value), timers.clearTimeout);
}

function setImmediate(value, options = {}) {
  return wait(options, (resolve) => timers.setImmediate(resolve, value), timers.clearImmediate);
}

async function* setInterval(after, value, options = {}) {
  if (after !== undefined) validateNumber(after, 'delay');
  const { signal, ref } = check(options);
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  let onCancel;
  let notYielded = 0;
  let wake;
  const interval = timers.setInterval(() => {
    notYielded++;
    if (wake) {
      wake();
      wake = undefined;
    }
  }, after);
  if (!ref) interval.unref();
  try {
    if (signal) {
      onCancel = () => {
        timers.clearInterval(interval);
        if (wake) {
          wake(Promise.reject(new AbortError(undefined, { cause: signal.reason })));
          wake = undefined;
        }
      };
      signal.addEventListener('abort', onCancel, { once: true });
    }
    while (!signal?.aborted) {
      if (notYielded === 0) await new Promise((resolve) => { wake = resolve; });
      for (; notYielded > 0; notYielded--) yield value;
    }
    throw new AbortError(undefined, { cause: signal?.reason });
  } finally {
    timers.clearInterval(interval);
    signal?.removeEventListener('abort', onCancel);
  }
}

class Scheduler {
  constructor() {
    throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }
  yield() {
    if (!(this instanceof Scheduler)) throw new codes.ERR_INVALID_THIS('Scheduler');
    return setImmediate();
  }
  wait(delay, options) {
    if (!(this instanceof Scheduler)) throw new codes.ERR_INVALID_THIS('Scheduler');
    return setTimeout(delay, undefined, options);
  }
}

module.exports = { setTimeout, setImmediate, setInterval, scheduler: Object.create(Scheduler.prototype) };
