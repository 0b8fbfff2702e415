'use strict';

// The async iterator of a Readable. Requests are resolved in their order: a buffered chunk is returned at once, without
// a generator; a request that comes too early waits for 'readable' or the end, and reads after the pending ticks.

const { aggregateTwoErrors } = require('internal/errors');
const whenFinished = require('internal/streams/finished');
const { destroyer } = require('internal/deps/readable-stream/lib/internal/streams/destroy');

const asyncIterator = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}.prototype));
const given = (value) => ({ done: false, value });
const over = (value) => ({ done: true, value });

class Walk {
  #stream;
  #destroys;
  #requests = []; // those that wait, and those behind them
  #isBegun = false;
  #isOver = false;
  #isUnwrapping = false;
  #outcome; // undefined while the stream goes on, null at its end, or its error
  #wake = () => {
    if (this.#requests.length > 0) queueMicrotask(() => this.#serve());
  };
  #unwatch;

  constructor(stream, options) {
    this.#stream = stream;
    this.#destroys = options?.destroyOnReturn !== false;
  }

  ask(kind, value) {
    const { promise, resolve, reject } = Promise.withResolvers();
    this.#requests.push({ kind, value, resolve, reject });
    if (this.#requests.length === 1) this.#serve();
    return promise;
  }

  #serve() {
    while (!this.#isUnwrapping && this.#requests.length > 0 && this.#answer(this.#requests[0])) this.#requests.shift();
  }

  // Whether the request could be resolved.
  #answer({ kind, value, resolve, reject }) {
    if (kind === 'next' && !this.#isOver) return this.#next(resolve, reject);
    if (kind === 'throw') {
      if (!this.#isOver) this.#leave(aggregateTwoErrors(this.#outcome, value));
      reject(value);
    } else {
      if (!this.#isOver) this.#leave(this.#outcome);
      resolve(over(value));
    }
    return true;
  }

  #next(resolve, reject) {
    const stream = this.#stream;
    if (!this.#isBegun) this.#begin();
    const chunk = stream.destroyed ? null : stream.read();
    if (chunk !== null) {
      if (typeof chunk.then === 'function') this.#unwrap(chunk, resolve, reject);
      else resolve(given(chunk));
      return true;
    }
    const outcome = this.#outcome;
    if (outcome === undefined) return false;
    this.#leave(outcome);
    if (outcome === null) resolve(over(undefined));
    else reject(outcome);
    return true;
  }

  // A chunk that is a promise is awaited; the requests after this one wait, too.
  #unwrap(chunk, resolve, reject) {
    this.#isUnwrapping = true;
    Promise.resolve(chunk)
      .then(
        (value) => resolve(given(value)),
        (error) => {
          if (!this.#isOver) this.#leave(error);
          reject(error);
        },
      )
      .then(() => {
        this.#isUnwrapping = false;
        this.#serve();
      });
  }

  #begin() {
    this.#isBegun = true;
    this.#stream.on('readable', this.#wake);
    this.#unwatch = whenFinished(this.#stream, { writable: false }, (error) => {
      this.#outcome = error ? aggregateTwoErrors(this.#outcome, error) : null;
      this.#wake();
    });
  }

  // Stops reading from the stream. A stream that was never read is left as it is.
  #leave(outcome) {
    this.#isOver = true;
    if (!this.#isBegun) return;
    if ((outcome || this.#destroys) && (outcome === undefined || this.#stream._readableState.autoDestroy)) {
      destroyer(this.#stream, null);
    } else {
      this.#stream.off('readable', this.#wake);
      this.#unwatch();
    }
  }
}

function iterate(source, options) {
  // An old-style stream has no such state.
  const stream =
    typeof source.read === 'function' ? source : require('stream').Readable.wrap(source, { objectMode: true });
  const walk = new Walk(stream, options);
  return {
    __proto__: asyncIterator,
    next: () => walk.ask('next'),
    return: (value) => walk.ask('return', value),
    throw: (error) => walk.ask('throw', error),
    stream,
  };
}

module.exports = { iterate };
