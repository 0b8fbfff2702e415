'use strict';

// Calls a program's function (of a test or a hook), with a promise or with a callback, until it ends, its timeout is
// over or it is aborted.

const { codes, AbortError } = require('internal/errors');

// Programs may replace these by mocks.
const setAlarm = setTimeout;
const clearAlarm = clearTimeout;

const failure = (cause, type) => new codes.ERR_TEST_FAILURE(cause, type);
const isFailure = (error) => error?.code === 'ERR_TEST_FAILURE';

// A function with one parameter more than it is given gets a callback.
function call(fn, self, args, onSecondCall) {
  if (fn.length <= args.length) return Reflect.apply(fn, self, args);
  const { promise, resolve, reject } = Promise.withResolvers();
  let calls = 0;
  const done = (error) => {
    if (++calls === 1) return error ? reject(error) : resolve();
    const twice = failure('callback invoked multiple times', 'multipleCallbackInvocations');
    if (calls === 2) onSecondCall(twice);
  };
  const result = Reflect.apply(fn, self, [...args, done]);
  if (typeof result?.then !== 'function') return promise;
  promise.catch(() => {});
  throw failure('passed a callback but also returned a Promise', 'callbackAndPromisePresent');
}

// What can end a call from outside. `stopped` rejects then; nothing refers to it afterwards.
class Limit {
  #alarm;
  #signals = [];
  #stop = Promise.withResolvers();

  constructor(timeout, signals, words) {
    this.#stop.promise.catch(() => {});
    if (timeout !== Infinity) {
      this.#alarm = setAlarm(
        () => this.stop(failure(`${words} timed out after ${timeout}ms`, 'testTimeoutFailure'), true),
        timeout,
      );
    }
    for (const signal of signals) {
      if (signal === undefined) continue;
      const hear = () => this.stop(aborted(signal), true);
      signal.addEventListener('abort', hear, { once: true });
      this.#signals.push([signal, hear]);
    }
  }

  cancelled = false;

  get stopped() {
    return this.#stop.promise;
  }

  stop(error, cancels) {
    this.cancelled ||= cancels;
    this.#stop.reject(error);
  }

  lift() {
    clearAlarm(this.#alarm);
    for (const [signal, hear] of this.#signals) signal.removeEventListener('abort', hear);
  }
}

function aborted(signal) {
  const { reason } = signal;
  return failure(reason instanceof Error ? reason : new AbortError(undefined, { cause: reason }), 'testAborted');
}

module.exports = { call, Limit, failure, isFailure, aborted, setAlarm, clearAlarm };
