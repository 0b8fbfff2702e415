'use strict';

// events.on: an asynchronous iterator over events, and the queue of events that nobody asked for yet.
//
// First in, first out, without moving entries: read entries at the front are removed when they are the larger part.

const { codes, AbortError } = require('internal/errors');
const { validateAbortSignal, validateInteger, validateObject } = require('internal/validators');
const { Subscription } = require('internal/events/subscription');

class Queue {
  #items = [];
  #front = 0;

  get size() {
    return this.#items.length - this.#front;
  }

  push(item) {
    this.#items.push(item);
  }

  shift() {
    const item = this.#items[this.#front];
    this.#items[this.#front++] = undefined;
    if (this.#front === this.#items.length || (this.#front > 1024 && this.#front * 2 > this.#items.length)) {
      this.#items.splice(0, this.#front);
      this.#front = 0;
    }
    return item;
  }
}

// events.on: an asynchronous iterator over the events of an emitter. At any time either events wait for a reader or
// readers wait for an event; with high and low water marks the emitter is paused while too many events wait.

const waterMarks = Symbol.for('nodejs.watermarkData');
const firstArgumentOnly = Symbol.for('nodejs.kFirstEventParam');
const AsyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

class EventStream {
  #emitter;
  #low;
  #high;
  #events = new Queue();
  #readers = new Queue();
  #subscription = new Subscription();
  #failure; // { error }, until it has been read
  #over = false;
  #paused = false;

  constructor(emitter, event, options, low, high) {
    this.#emitter = emitter;
    this.#low = low;
    this.#high = high;
    const { signal } = options;
    const arrive = options[firstArgumentOnly] ? (value) => this.#arrive(value) : (...args) => this.#arrive(args);
    this.#subscription.add(emitter, event, arrive);
    if (event !== 'error' && typeof emitter.on === 'function')
      this.#subscription.add(emitter, 'error', (error) => this.fail(error));
    for (const name of options.close ?? []) this.#subscription.add(emitter, name, () => this.end());
    if (signal) {
      this.#subscription.add(
        signal,
        'abort',
        () => this.fail(new AbortError(undefined, { cause: signal.reason })),
        true,
      );
    }
  }

  #arrive(value) {
    if (this.#readers.size > 0) {
      this.#readers.shift().resolve({ done: false, value });
      return;
    }
    this.#events.push(value);
    if (!this.#paused && this.#events.size > this.#high) {
      this.#paused = true;
      this.#emitter.pause();
    }
  }

  // Events that came before the end are read before it is reported.
  read() {
    if (this.#events.size > 0) {
      const value = this.#events.shift();
      if (this.#paused && this.#events.size < this.#low) {
        this.#emitter.resume();
        this.#paused = false;
      }
      return Promise.resolve({ done: false, value });
    }
    if (this.#failure !== undefined) {
      const { error } = this.#failure;
      this.#failure = undefined;
      return Promise.reject(error);
    }
    if (this.#over) return this.end();
    const reader = Promise.withResolvers();
    this.#readers.push(reader);
    return reader.promise;
  }

  fail(error) {
    if (this.#readers.size > 0) this.#readers.shift().reject(error);
    else this.#failure = { error };
    this.end();
  }

  end() {
    this.#subscription.end();
    this.#over = true;
    const result = { done: true, value: undefined };
    while (this.#readers.size > 0) this.#readers.shift().resolve(result);
    return Promise.resolve(result);
  }

  get marks() {
    const stream = this;
    return {
      get size() {
        return stream.#events.size;
      },
      get low() {
        return stream.#low;
      },
      get high() {
        return stream.#high;
      },
      get isPaused() {
        return stream.#paused;
      },
    };
  }
}

function on(emitter, event, options) {
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  // The documentation of some versions spells these options differently.
  const {
    highWaterMark: high = options.highWatermark ?? Number.MAX_SAFE_INTEGER,
    lowWaterMark: low = options.lowWatermark ?? 1,
  } = options;
  validateInteger(high, 'options.highWaterMark', 1);
  validateInteger(low, 'options.lowWaterMark', 1);
  const stream = new EventStream(emitter, event, options, low, high);
  return Object.setPrototypeOf(
    {
      next: () => stream.read(),
      return: () => stream.end(),
      throw(error) {
        if (!(error instanceof Error))
          throw new codes.ERR_INVALID_ARG_TYPE('EventEmitter.AsyncIterator', 'Error', error);
        stream.fail(error);
      },
      [Symbol.asyncIterator]() {
        return this;
      },
      [waterMarks]: stream.marks,
    },
    AsyncIteratorPrototype,
  );
}

module.exports = { on };
