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
