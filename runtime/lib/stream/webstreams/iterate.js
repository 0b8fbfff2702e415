'use strict';

// ReadableStream.prototype.values, which `for await` uses. The package's own chains each step to the one before, which
// takes three jobs. Node does so only for the first step and while a step is under way: if a chunk is there, the next
// one takes a single job.

const { apply } = Reflect;
const asyncIterator = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

function make(ReadableStream, Reader) {
  const { getReader, values: checked } = ReadableStream.prototype;
  const { cancel, read, releaseLock } = Reader.prototype;

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
      if (this.#isStarted && this.#current === undefined) return this.#read();
      this.#isStarted = true;
      const step = () => this.#read();
      this.#current = (this.#current ?? Promise.resolve()).then(step, step);
      return this.#current;
    }

    return(value) {
      this.#isStarted = true;
      const step = () => this.#end(value);
      return this.#current === undefined ? step() : (this.#current = this.#current.then(step, step));
    }

    #release() {
      this.#isDone = true;
      apply(releaseLock, this.#reader, []);
    }

    #read() {
      if (this.#isDone) return Promise.resolve({ done: true, value: undefined });
      const { _state: state, _readableStreamController: controller } = this.#stream;
      const isThere = state !== 'readable' || controller._queue.length > 0;
      const promise = apply(read, this.#reader, []);
      if (isThere) {
        this.#current = undefined;
        if (state !== 'readable') this.#release();
        return promise;
      }
      this.#current ??= promise;
      const over = (result) => {
        this.#current = undefined;
        if (result?.done !== false) this.#release();
      };
      promise.then(over, () => over());
      return promise;
    }

    #end(value) {
      this.#current = undefined;
      if (this.#isDone) return Promise.resolve({ done: true, value });
      const cancelled = this.#preventCancel ? undefined : apply(cancel, this.#reader, [value]);
      this.#release();
      return cancelled === undefined
        ? Promise.resolve({ done: true, value })
        : cancelled.then(() => ({ done: true, value }));
    }
  }

  return {
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
  }.values;
}

module.exports = { make };
