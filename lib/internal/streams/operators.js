'use strict';

// What a Readable can do like an array: map, filter, reduce and so on, each a stream or a promise.

const { codes, AbortError } = require('internal/errors');
const { validateAbortSignal, validateInteger, validateObject, validateFunction } = require('internal/validators');
const { finished } = require('internal/streams/end_of_stream');

const kEmpty = Symbol('kEmpty');
const kEof = Symbol('kEof');

function checkOptions(options) {
  if (options != null) validateObject(options, 'options');
  if (options?.signal != null) validateAbortSignal(options.signal, 'options.signal');
}

function checkAborted(options) {
  if (options?.signal?.aborted) throw new AbortError(undefined, { cause: options.signal.reason });
}

function map(fn, options) {
  validateFunction(fn, 'fn');
  checkOptions(options);
  let concurrency = 1;
  if (options?.concurrency != null) concurrency = Math.floor(options.concurrency);
  let highWaterMark = concurrency - 1;
  if (options?.highWaterMark != null) highWaterMark = Math.floor(options.highWaterMark);
  validateInteger(concurrency, 'options.concurrency', 1);
  validateInteger(highWaterMark, 'options.highWaterMark', 0);
  highWaterMark += concurrency;

  return async function* () {
    const { AbortSignal } = require('internal/abort_controller');
    const signal = AbortSignal.any([options?.signal].filter(Boolean));
    const stream = this;
    const queue = [];
    const signalOptions = { signal };
    let next;
    let resume;
    let done = false;
    let count = 0;
    function onCatch() {
      done = true;
      afterItem();
    }
    function afterItem() {
      count -= 1;
      maybeResume();
    }
    function maybeResume() {
      if (resume && !done && count < concurrency && queue.length < highWaterMark) {
        resume();
        resume = null;
      }
    }
    async function pump() {
      try {
        for await (let value of stream) {
          if (done) return;
          if (signal.aborted) throw new AbortError();
          try {
            value = fn(value, signalOptions);
            if (value === kEmpty) continue;
            value = Promise.resolve(value);
          } catch (err) {
            value = Promise.reject(err);
          }
          count += 1;
          value.then(afterItem, onCatch);
          queue.push(value);
          if (next) {
            next();
            next = null;
          }
          if (!done && (queue.length >= highWaterMark || count >= concurrency)) {
            await new Promise((resolve) => {
              resume = resolve;
            });
          }
        }
        queue.push(kEof);
      } catch (err) {
        const value = Promise.reject(err);
        value.then(afterItem, onCatch);
        queue.push(value);
      } finally {
        done = true;
        if (next) {
          next();
          next = null;
        }
      }
    }
    pump();
    try {
      for (;;) {
        while (queue.length > 0) {
          const value = await queue[0];
          if (value === kEof) return;
          if (signal.aborted) throw new AbortError();
          if (value !== kEmpty) yield value;
          queue.shift();
          maybeResume();
        }
        await new Promise((resolve) => {
          next = resolve;
        });
      }
    } finally {
      done = true;
      if (resume) {
        resume();
        resume = null;
      }
    }
  }.call(this);
}

async function some(fn, options) {
  for await (const unused of filter.call(this, fn, options)) {
    void unused;
    return true;
  }
  return false;
}

async function every(fn, options) {
  validateFunction(fn, 'fn');
  return !(await some.call(this, async (...args) => !(await fn(...args)), options));
}

async function find(fn, options) {
  for await (const result of filter.call(this, fn, options)) return result;
  return undefined;
}

async function forEach(fn, options) {
  validateFunction(fn, 'fn');
  async function forEachFn(value, opts) {
    await fn(value, opts);
    return kEmpty;
  }
  for await (const unused of map.call(this, forEachFn, options)) void unused;
}

function filter(fn, options) {
  validateFunction(fn, 'fn');
  async function filterFn(value, opts) {
    if (await fn(value, opts)) return value;
    return kEmpty;
  }
  return map.call(this, filterFn, options);
}

async function reduce(reducer, initialValue, options) {
  validateFunction(reducer, 'reducer');
  checkOptions(options);
  let hasInitialValue = arguments.length > 1;
  if (options?.signal?.aborted) {
    const err = new AbortError(undefined, { cause: options.signal.reason });
    this.once('error', () => {});
    await finished(this.destroy(err));
    throw err;
  }
  const { AbortController } = require('internal/abort_controller');
  const ac = new AbortController();
  const { signal } = ac;
  if (options?.signal) options.signal.addEventListener('abort', () => ac.abort(), { once: true });
  let gotAny = false;
  try {
    for await (const value of this) {
      gotAny = true;
      if (options?.signal?.aborted) throw new AbortError();
      if (!hasInitialValue) {
        initialValue = value;
        hasInitialValue = true;
      } else {
        initialValue = await reducer(initialValue, value, { signal });
      }
    }
    if (!gotAny && !hasInitialValue) {
      const err = new codes.ERR_MISSING_ARGS('reduce');
      err.message = 'Reduce of an empty stream requires an initial value';
      throw err;
    }
  } finally {
    ac.abort();
  }
  return initialValue;
}

async function toArray(options) {
  checkOptions(options);
  const result = [];
  for await (const value of this) {
    checkAborted(options);
    result.push(value);
  }
  return result;
}

function flatMap(fn, options) {
  const values = map.call(this, fn, options);
  return async function* () {
    for await (const value of values) yield* value;
  }.call(this);
}

function toIntegerOrInfinity(number) {
  number = Number(number);
  if (Number.isNaN(number)) return 0;
  if (number < 0) throw new codes.ERR_OUT_OF_RANGE('number', '>= 0', number);
  return number;
}

function drop(number, options) {
  checkOptions(options);
  number = toIntegerOrInfinity(number);
  return async function* () {
    checkAborted(options);
    for await (const value of this) {
      checkAborted(options);
      if (number-- <= 0) yield value;
    }
  }.call(this);
}

function take(number, options) {
  checkOptions(options);
  number = toIntegerOrInfinity(number);
  return async function* () {
    checkAborted(options);
    for await (const value of this) {
      checkAborted(options);
      if (number-- > 0) yield value;
      // No more is asked of the source than is wanted.
      if (number <= 0) return;
    }
  }.call(this);
}

function compose(stream, options) {
  if (options != null) validateObject(options, 'options');
  if (options?.signal != null) validateAbortSignal(options.signal, 'options.signal');
  const { isNodeStream, isWritable } = require('internal/streams/utils');
  if (isNodeStream(stream) && !isWritable(stream)) throw new codes.ERR_INVALID_ARG_VALUE('stream', stream, 'must be writable');
  const composed = require('internal/streams/compose')(this, stream);
  if (options?.signal) require('internal/streams/add_abort_signal').addAbortSignalNoValidate(options.signal, composed);
  return composed;
}

module.exports = {
  streamReturningOperators: { drop, filter, flatMap, map, take, compose },
  promiseReturningOperators: { every, forEach, reduce, toArray, some, find },
};
