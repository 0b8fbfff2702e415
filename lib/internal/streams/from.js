'use strict';

// Readable.from: an iterable, synchronous or not, as the source.

const { codes } = require('internal/errors');
const { Buffer } = require('buffer');

function from(Readable, iterable, opts) {
  if (typeof iterable === 'string' || iterable instanceof Buffer) {
    return new Readable({
      objectMode: true,
      ...opts,
      read() {
        this.push(iterable);
        this.push(null);
      },
    });
  }
  let iterator;
  let isAsync;
  if (iterable?.[Symbol.asyncIterator]) {
    isAsync = true;
    iterator = iterable[Symbol.asyncIterator]();
  } else if (iterable?.[Symbol.iterator]) {
    isAsync = false;
    iterator = iterable[Symbol.iterator]();
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('iterable', ['Iterable'], iterable);
  }
  const readable = new Readable({ objectMode: true, highWaterMark: 1, ...opts });
  let reading = false;
  let isAsyncValues = false;
  readable._read = function () {
    if (!reading) {
      reading = true;
      if (isAsync) nextAsync();
      else if (isAsyncValues) nextSyncWithAsyncValues();
      else nextSync();
    }
  };
  // What the options' own destroy lets go of may be what the iterator waits for.
  const ownDestroy = opts?.destroy;
  readable._destroy = function (error, callback) {
    if (typeof ownDestroy === 'function') Reflect.apply(ownDestroy, readable, [error, () => {}]);
    close(error).then(
      () => process.nextTick(callback, error),
      (err) => process.nextTick(callback, err || error));
  };
  async function close(error) {
    const hadError = error !== undefined && error !== null;
    const hasThrow = typeof iterator.throw === 'function';
    if (hadError && hasThrow) {
      const { value, done } = await iterator.throw(error);
      await value;
      if (done) return;
    }
    if (typeof iterator.return === 'function') {
      const { value } = await iterator.return();
      await value;
    }
  }
  function nextSync() {
    for (;;) {
      try {
        const { value, done } = iterator.next();
        if (done) {
          readable.push(null);
          return;
        }
        if (value && typeof value.then === 'function') {
          // From here on the values are promises.
          isAsyncValues = true;
          nextSyncWithAsyncValues(value);
          return;
        }
        if (value === null) {
          reading = false;
          throw new codes.ERR_STREAM_NULL_VALUES();
        }
        if (readable.push(value)) continue;
        reading = false;
      } catch (err) {
        readable.destroy(err);
      }
      break;
    }
  }
  async function nextSyncWithAsyncValues(pending) {
    for (;;) {
      try {
        let value = pending;
        pending = undefined;
        if (value === undefined) {
          const step = iterator.next();
          if (step.done) {
            readable.push(null);
            return;
          }
          value = step.value;
        }
        const result = value && typeof value.then === 'function' ? await value : value;
        if (result === null) {
          reading = false;
          throw new codes.ERR_STREAM_NULL_VALUES();
        }
        if (readable.push(result)) continue;
        reading = false;
      } catch (err) {
        readable.destroy(err);
      }
      break;
    }
  }
  async function nextAsync() {
    for (;;) {
      try {
        const { value, done } = await iterator.next();
        if (done) {
          readable.push(null);
          return;
        }
        if (value === null) {
          reading = false;
          throw new codes.ERR_STREAM_NULL_VALUES();
        }
        if (readable.push(value)) continue;
        reading = false;
      } catch (err) {
        readable.destroy(err);
      }
      break;
    }
  }
  return readable;
}

module.exports = from;
