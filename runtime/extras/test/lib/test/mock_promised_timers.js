'use strict';

// node:timers/promises while timers are mocked: promises that the mocked clock settles.

const { AbortError } = require('internal/errors');
const { validateAbortSignal, validateObject } = require('internal/validators');

class PromisedTimers {
  #add;
  #clear;

  // `add` takes a callback, a delay and whether it repeats, and returns the argument for `clear`.
  constructor(add, clear) {
    this.#add = add;
    this.#clear = clear;
  }

  // [name of the API, object, property, replacement]
  replacements() {
    const module = require('timers/promises');
    const after = (delay, value, options) => this.#once(delay, value, options);
    return [
      ['setTimeout', module, 'setTimeout', after],
      ['setImmediate', module, 'setImmediate', (value, options) => this.#once(0, value, options)],
      ['setInterval', module, 'setInterval', (delay, value, options) => this.#repeatedly(delay, value, options)],
      ['scheduler.wait', module.scheduler, 'wait', (delay, options) => this.#once(delay, undefined, options)],
    ];
  }

  #once(delay, value, options = {}) {
    const { promise, resolve, reject } = Promise.withResolvers();
    try {
      validateObject(options, 'options');
      validateAbortSignal(options.signal, 'options.signal');
    } catch (error) {
      return Promise.reject(error);
    }
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(new AbortError(undefined, { cause: signal.reason }));
    const timer = this.#add(
      () => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      },
      delay,
      false,
    );
    const abort = () => {
      this.#clear(timer);
      reject(new AbortError(undefined, { cause: signal.reason }));
    };
    signal?.addEventListener('abort', abort, { once: true });
    return promise;
  }

  async *#repeatedly(delay, value, options = {}) {
    validateObject(options, 'options');
    validateAbortSignal(options.signal, 'options.signal');
    const { signal } = options;
    let due = 0;
    let wake = () => {};
    const timer = this.#add(
      () => {
        due++;
        wake();
      },
      delay,
      true,
    );
    const abort = () => wake();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      for (;;) {
        if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
        if (due === 0)
          await new Promise((resolve) => {
            wake = resolve;
          });
        for (; due > 0; due--) yield value;
      }
    } finally {
      this.#clear(timer);
      signal?.removeEventListener('abort', abort);
    }
  }
}

module.exports = { PromisedTimers };
