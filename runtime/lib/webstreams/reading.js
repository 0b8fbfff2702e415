'use strict';

// Reading web streams: iteration, ReadableStream.from, and the end of a stream.
//
// ReadableStream.prototype.values, which `for await` uses. The package's own chains each step to the one before, which
// takes three jobs. Node does so only for the first step and while a step is under way: if a chunk is there, the next
// one takes a single job.

const { codes } = require('internal/errors');
const web = require('internal/deps/web-streams');

const { apply } = Reflect;
const asyncIterator = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

const { ReadableStream } = web;
const { getReader, values: checked } = ReadableStream.prototype;
const { cancel, read, releaseLock } = web.ReadableStreamDefaultReader.prototype;

class Steps {
  #stream;
  #reader;
  #preventCancel;
  #isStarted = false;
  #isDone = false;
  #current; // a step that is under way

  constructor(stream, preventCancel) {
    this.#stream = stream;
    this.#reader = apply(getReader, stream, []);
    this.#preventCancel = preventCancel;
  }

  next() {
    if (this.#isStarted && this.#current === undefined) return this.#read(true);
    this.#isStarted = true;
    const step = () => this.#read();
    this.#current = (this.#current ?? Promise.resolve()).then(step, step);
    return this.#current;
  }

  return(value) {
    this.#isStarted = true;
    const step = () => this.#end(value);
    this.#current = this.#current === undefined ? step() : this.#current.then(step, step);
    return this.#current;
  }

  #release() {
    this.#isDone = true;
    apply(releaseLock, this.#reader, []);
  }

  // A chunk that comes while it is read, and not in a job of its own, ends the step before it is noted as the one
  // that is under way, if it `isFirst`: then the next step follows it, as if it were still under way.
  #read(isFirst) {
    if (this.#isDone) return Promise.resolve({ done: true, value: undefined });
    const { _state: state, _readableStreamController: controller } = this.#stream;
    const isThere = state !== 'readable' || controller._queue.length > 0;
    const promise = apply(read, this.#reader, []);
    if (isThere) {
      this.#current = undefined;
      if (state !== 'readable') this.#release();
      return promise;
    }
    const isOver = this.#reader._readRequests.length === 0;
    if (!isOver) this.#current ??= promise;
    else this.#current = isFirst ? promise : undefined;
    const over = (result) => {
      if (!isOver) this.#current = undefined;
      if (result?.done !== false) this.#release();
    };
    promise.then(over, () => over());
    return promise;
  }

  #end(value) {
    if (this.#isDone) return Promise.resolve({ done: true, value });
    const cancelled = this.#preventCancel ? undefined : apply(cancel, this.#reader, [value]);
    this.#release();
    return cancelled === undefined
      ? Promise.resolve({ done: true, value })
      : cancelled.then(() => ({ done: true, value }));
  }
}

const { values } = {
  values(options = undefined) {
    if (this?._readableStreamController === undefined) return apply(checked, this, []); // tells what is wrong
    if (options !== undefined && options !== null) require('internal/validators').validateObject(options, 'options');
    const steps = new Steps(this, Boolean(options?.preventCancel));
    return {
      __proto__: asyncIterator,
      next() {
        return steps.next();
      },
      return(value) {
        return steps.return(value);
      },
    };
  },
};

// ReadableStream.from, which takes as many jobs as Node's: a result of the iterator takes one, and a value that is an
// object another one, since it may be a promise. While reads wait, the iterator is asked again at once.

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

function iteratorOf(iterable) {
  const method = iterable[Symbol.asyncIterator] ?? iterable[Symbol.iterator];
  if (typeof method !== 'function')
    throw new codes.ERR_ARG_NOT_ITERABLE(require('internal/util/inspect').inspect(iterable));
  const iterator = Reflect.apply(method, iterable, []);
  if (!isObject(iterator)) throw new codes.ERR_INVALID_STATE.TypeError('The iterator method must return an object');
  return iterator;
}

function checkResult(result, name) {
  if (isObject(result)) return;
  throw new codes.ERR_INVALID_STATE.TypeError(
    `The promise returned by the iterator.${name}() method must fulfill with an object`,
  );
}

const { from } = {
  from(iterable) {
    const iterator = iteratorOf(iterable);
    const { next } = iterator;
    let stream;

    // Answers the waiting reads, then resolves. An error ends the stream at once.
    async function pull(controller) {
      try {
        do {
          let result;
          try {
            result = Reflect.apply(next, iterator, []);
          } catch (error) {
            result = Promise.reject(error);
          }
          result = await result;
          checkResult(result, 'next');
          if (result.done) {
            controller.close();
            return;
          }
          const { value } = result;
          controller.enqueue(isObject(value) ? await value : value);
        } while (stream._reader?._readRequests?.length > 0);
      } catch (error) {
        controller.error(error);
      }
    }

    stream = new ReadableStream({ pull }, { highWaterMark: 0 });
    // A function `cancel` of a source takes two jobs more.
    stream._readableStreamController._cancelAlgorithm = (reason) => {
      const end = iterator.return;
      if (end === undefined) return Promise.resolve();
      try {
        const result = Promise.resolve(Reflect.apply(end, iterator, [reason]));
        return result.then((ended) => checkResult(ended, 'return'));
      } catch (error) {
        return Promise.reject(error);
      }
    };
    return stream;
  },
};

// A promise of the end of a web stream, locked or not. The implementation keeps its state in `_state`; an accessor on
// the prototype observes every change of it.

const kClosed = Symbol('kClosed');
const kState = Symbol('kState');

function watch(prototype) {
  Object.defineProperty(prototype, '_state', {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      return this[kState];
    },
    set(value) {
      if (this[kState] === undefined) {
        Object.defineProperty(this, kState, {
          __proto__: null,
          value,
          writable: true,
          enumerable: false,
          configurable: true,
        });
      } else {
        this[kState] = value;
      }
      const closed = this[kClosed];
      if (closed !== undefined) settle(this, closed);
    },
  });
}

function settle(stream, closed) {
  if (stream._state === 'closed') closed.resolve();
  // The error is stored after the state is set.
  else if (stream._state === 'errored') queueMicrotask(() => closed.reject(stream._storedError));
}

function closedOf(stream) {
  if (stream.readable !== undefined && stream.writable !== undefined && stream[kState] === undefined) {
    return Promise.all([closedOf(stream.readable), closedOf(stream.writable)]);
  }
  if (stream[kClosed] === undefined) {
    const closed = Promise.withResolvers();
    Object.defineProperty(stream, kClosed, { __proto__: null, value: closed, enumerable: false });
    closed.promise.catch(() => {});
    settle(stream, closed);
  }
  return stream[kClosed].promise;
}

module.exports = { values, from, watch, closedOf };
