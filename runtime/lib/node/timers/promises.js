'use strict';

// node:timers/promises: timers as promises. Each wait is one object, which a timer or an abort ends.

const timers = require('internal/timers');
const immediates = require('internal/timers/immediates');
const { codes, AbortError } = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateNumber, validateObject } = require('internal/validators');

function checked(options) {
  validateObject(options, 'options');
  const { signal, ref = true } = options;
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  validateBoolean(ref, 'options.ref');
  return { signal, ref };
}

const abortOf = (signal) => new AbortError(undefined, { cause: signal.reason });

// start(done) begins the wait; cancel(timer) ends it early.
function wait(options, start, cancel) {
  let signal;
  let ref;
  try {
    ({ signal, ref } = checked(options));
  } catch (error) {
    return Promise.reject(error);
  }
  if (signal?.aborted) return Promise.reject(abortOf(signal));
  const { promise, resolve, reject } = Promise.withResolvers();
  const timer = start(resolve);
  if (!ref) timer.unref();
  if (signal !== undefined) {
    const { kResistStopPropagation } = require('internal/event_target');
    const give = () => {
      cancel(timer);
      reject(abortOf(signal));
    };
    signal.addEventListener('abort', give, { __proto__: null, once: true, [kResistStopPropagation]: true });
    // With a signal, the promise settles five jobs later than without: this is part of Node's order, however the wait
    // ends.
    return promise
      .then()
      .finally(() => signal.removeEventListener('abort', give))
      .then();
  }
  return promise;
}

function setTimeout(delay, value, options = {}) {
  if (delay !== undefined) {
    try {
      validateNumber(delay, 'delay');
    } catch (error) {
      return Promise.reject(error);
    }
  }
  return wait(options, (done) => timers.setTimeout(done, delay, value), timers.clearTimeout);
}

function setImmediate(value, options = {}) {
  return wait(options, (done) => immediates.setImmediate(done, value), immediates.clearImmediate);
}

async function* setInterval(delay, value, options = {}) {
  if (delay !== undefined) validateNumber(delay, 'delay');
  const { signal, ref } = checked(options);
  if (signal?.aborted) throw abortOf(signal);
  let due = 0; // ticks of the interval that were not taken
  let wake = null; // the taker that waits
  const rouse = () => {
    wake?.();
    wake = null;
  };
  const timer = timers.setInterval(() => {
    due++;
    rouse();
  }, delay);
  if (!ref) timer.unref();
  const { addAbortListener } = require('events');
  const listening =
    signal === undefined
      ? undefined
      : addAbortListener(signal, () => {
          timers.clearInterval(timer);
          rouse();
        });
  try {
    for (;;) {
      if (due === 0 && !signal?.aborted) {
        await new Promise((resolve) => {
          wake = resolve;
        });
        // An abort settles a waiting promise two jobs later than a tick of the interval does.
        if (due === 0) await Promise.resolve().then();
      }
      for (; due > 0; due--) yield value;
      if (signal?.aborted) throw abortOf(signal);
    }
  } finally {
    timers.clearInterval(timer);
    listening?.[Symbol.dispose]();
  }
}

const isScheduler = Symbol('kScheduler');

class Scheduler {
  constructor() {
    throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }

  static #check(scheduler) {
    if (!scheduler?.[isScheduler]) throw new codes.ERR_INVALID_THIS('Scheduler');
  }

  yield() {
    Scheduler.#check(this);
    return setImmediate();
  }

  wait(delay, options) {
    Scheduler.#check(this);
    return setTimeout(delay, undefined, options);
  }
}

const scheduler = Object.create(Scheduler.prototype);
scheduler[isScheduler] = true;

for (const [fn, length] of [
  [setTimeout, 2],
  [setImmediate, 1],
  [setInterval, 2],
])
  Object.defineProperty(fn, 'length', { value: length });

module.exports = { setTimeout, setImmediate, setInterval, scheduler };
