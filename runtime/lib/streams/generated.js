'use strict';

// Duplex.from(function): written chunks are the function's source to iterate; values that it yields can be read. A
// function that returns a promise only reads. When the stream is destroyed, its source ends.

const { codes, AbortError } = require('internal/errors');
const Duplex = require('internal/streams/duplex');
const part = (name) => require(`internal/deps/readable-stream/lib/internal/streams/${name}`);

// The chunks between the writer and the function, one at a time.
class Intake {
  #aborting = new AbortController();
  #next = Promise.withResolvers();

  get signal() {
    return this.#aborting.signal;
  }

  write = (chunk, encoding, done) => this.#next.resolve({ chunk, done });

  end = (done) => this.#next.resolve({ isEnd: true, done });

  abort() {
    this.#aborting.abort();
    this.#next.resolve({ isEnd: true });
  }

  async *chunks() {
    for (;;) {
      const { chunk, isEnd, done } = await this.#next.promise;
      this.#next = Promise.withResolvers();
      if (done !== undefined) process.nextTick(done);
      if (isEnd) return;
      if (this.signal.aborted) throw new AbortError(undefined, { cause: this.signal.reason });
      yield chunk;
    }
  }
}

function fromIterable(iterable, intake) {
  const stream = part('from')(Duplex, iterable, { objectMode: true, write: intake.write, final: intake.end });
  const { _destroy: finish } = stream;
  stream._destroy = function (error, done) {
    intake.abort();
    finish.call(this, error, done);
  };
  return stream;
}

function fromPromise(promise, intake) {
  let stream;
  const outcome = promise.then((value) => {
    if (value != null) throw new codes.ERR_INVALID_RETURN_VALUE('nully', 'body', value);
  });
  outcome.catch((error) => part('destroy').destroyer(stream, error));
  stream = new Duplex({
    objectMode: true,
    readable: false,
    write: intake.write,
    final(done) {
      intake.end(() =>
        outcome.then(
          () => process.nextTick(done, null),
          (error) => process.nextTick(done, error),
        ),
      );
    },
    destroy(error, done) {
      intake.abort();
      done(error);
    },
  });
  return stream;
}

function duplexFromFunction(body) {
  const intake = new Intake();
  const result = body(intake.chunks(), { signal: intake.signal });
  if (part('utils').isIterable(result)) return fromIterable(result, intake);
  if (typeof result?.then === 'function') return fromPromise(result, intake);
  throw new codes.ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or AsyncFunction', 'body', result);
}

module.exports = { duplexFromFunction };
