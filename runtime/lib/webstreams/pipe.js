'use strict';

// ReadableStream.prototype.pipeTo and pipeThrough, which take as many jobs as Node's.
//
// Chunks that are in the source's queue are written at once, as long as the destination has room; it says itself when
// it has room again (`_onRoom`, see runtime/tools/web-streams). A chunk that is not there yet is asked for, and written
// a job after it came; so is each chunk of bytes. A pipe that ends waits for its last write, for a single job.

const { codes } = require('internal/errors');
const { validateAbortSignal, validateObject } = require('internal/validators');

const web = require('internal/deps/web-streams');

const { apply } = Reflect;
const nothing = () => {};

const { ReadableStream, WritableStream, ReadableByteStreamController, readWith } = web;
const { ReadableStreamDefaultReader: Reader, WritableStreamDefaultWriter: Writer } = web;
const { cancel, releaseLock: releaseReader } = Reader.prototype;
const { abort, close, write, releaseLock: releaseWriter } = Writer.prototype;

const isReadable = (value) => value?._readableStreamController !== undefined && value instanceof ReadableStream;
const isWritable = (value) => value?._writableStreamController !== undefined && value instanceof WritableStream;
const isClosing = (stream) => stream._closeRequest !== undefined || stream._inFlightCloseRequest !== undefined;

class Pipe {
  #source;
  #destination;
  #options;
  #reader;
  #writer;
  #isOver = false;
  #isAsking = false; // for a chunk that is not there yet
  #lastWrite = Promise.resolve();
  #result = Promise.withResolvers();
  #onAbort = () => this.#stopBySignal();

  constructor(source, destination, options) {
    this.#source = source;
    this.#destination = destination;
    this.#options = options;
    this.#reader = new Reader(source);
    this.#writer = new Writer(destination);
    source._disturbed = true;
  }

  start() {
    const { signal } = this.#options;
    if (signal?.aborted) {
      this.#stopBySignal();
    } else {
      signal?.addEventListener('abort', this.#onAbort);
      this.#destination._onRoom = () => this.#step();
      this.#step();
      this.#watch();
    }
    return this.#result.promise;
  }

  #watch() {
    const [source, destination] = [this.#source, this.#destination];
    if (source._state === 'errored') this.#sourceFailed(source._storedError);
    if (destination._state === 'errored') this.#destinationFailed(destination._storedError);
    if (source._state === 'closed') this.#sourceClosed();
    if (isClosing(destination) || destination._state === 'closed') {
      this.#destinationFailed(new codes.ERR_INVALID_STATE.TypeError('Destination WritableStream is closed'));
    }
    if (this.#isOver) return;
    this.#reader._closedPromise.then(
      () => this.#sourceClosed(),
      (error) => this.#sourceFailed(error),
    );
    this.#writer._closedPromise.then(nothing, (error) => this.#destinationFailed(error));
  }

  #step() {
    const [source, destination] = [this.#source, this.#destination];
    if (this.#isAsking) return;
    while (!this.#isOver && !destination._backpressure) {
      if (source._state !== 'readable') return;
      const controller = source._readableStreamController;
      if (controller instanceof ReadableByteStreamController || controller._queue.length === 0) {
        this.#ask();
        return;
      }
      readWith(this.#reader, { _chunkSteps: (chunk) => this.#write(chunk) });
      // Node finds out in a later job that the destination has failed, and takes a chunk in each.
      if (destination._state !== 'writable') return void queueMicrotask(() => this.#step());
    }
  }

  #ask() {
    const isOver = () => {
      this.#isAsking = false;
    };
    this.#isAsking = true;
    readWith(this.#reader, {
      _chunkSteps: (chunk) =>
        queueMicrotask(() => {
          isOver();
          this.#write(chunk);
          this.#step();
        }),
      _closeSteps: isOver,
      _errorSteps: isOver,
    });
  }

  #write(chunk) {
    this.#lastWrite = apply(write, this.#writer, [chunk]);
    this.#lastWrite.then(nothing, nothing);
  }

  #sourceFailed(error) {
    const { preventAbort } = this.#options;
    this.#stop(preventAbort ? undefined : () => apply(abort, this.#writer, [error]), [error]);
  }

  #destinationFailed(error) {
    const { preventCancel } = this.#options;
    this.#stop(preventCancel ? undefined : () => apply(cancel, this.#reader, [error]), [error]);
  }

  #sourceClosed() {
    this.#stop(this.#options.preventClose ? undefined : () => this.#close());
  }

  #close() {
    const { _state: state, _storedError: error } = this.#destination;
    if (isClosing(this.#destination) || state === 'closed') return Promise.resolve();
    return state === 'errored' ? Promise.reject(error) : apply(close, this.#writer, []);
  }

  #stopBySignal() {
    const { signal, preventAbort, preventCancel } = this.#options;
    const { reason } = signal;
    const actions = [];
    if (!preventAbort) actions.push(() => this.#unless('writable', this.#destination, abort, this.#writer, reason));
    if (!preventCancel) actions.push(() => this.#unless('readable', this.#source, cancel, this.#reader, reason));
    this.#stop(() => all(actions), [reason]);
  }

  #unless(open, stream, end, lock, reason) {
    return stream._state === open ? apply(end, lock, [reason]) : Promise.resolve();
  }

  // `failure` is an array with the error, which may be undefined.
  #stop(action, failure) {
    if (this.#isOver) return;
    this.#isOver = true;
    const act = () => {
      if (action === undefined) {
        this.#finish(failure);
      } else {
        action().then(
          () => this.#finish(failure),
          (error) => this.#finish([error]),
        );
      }
    };
    if (this.#destination._state === 'writable' && !isClosing(this.#destination)) this.#lastWrite.then(act, act);
    else act();
  }

  #finish(failure) {
    this.#destination._onRoom = undefined;
    apply(releaseWriter, this.#writer, []);
    apply(releaseReader, this.#reader, []);
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
    if (failure === undefined) this.#result.resolve();
    else this.#result.reject(failure[0]);
  }
}

function checked(source, destination, options) {
  validateObject(options, 'options');
  const { preventAbort, preventCancel, preventClose, signal } = options;
  validateAbortSignal(signal, 'options.signal');
  if (source.locked) throw new codes.ERR_INVALID_STATE.TypeError('The ReadableStream is locked');
  if (destination.locked) throw new codes.ERR_INVALID_STATE.TypeError('The WritableStream is locked');
  return {
    preventAbort: Boolean(preventAbort),
    preventCancel: Boolean(preventCancel),
    preventClose: Boolean(preventClose),
    signal,
  };
}

function checkWritable(value) {
  if (!isWritable(value)) throw new codes.ERR_INVALID_ARG_TYPE('transform.writable', 'WritableStream', value);
}

// The result of all actions, when they began together: two jobs later than Promise.all, as in Node.
function all(actions) {
  const begun = actions.map((begin) => {
    const promise = begin();
    return new Promise((resolve, reject) => promise.then(resolve, reject));
  });
  return new Promise((resolve, reject) => Promise.all(begun).then(resolve, reject));
}

module.exports = {
  pipeTo(destination, options) {
    try {
      if (!isReadable(this)) throw new codes.ERR_INVALID_THIS('ReadableStream');
      checkWritable(destination);
      return new Pipe(this, destination, checked(this, destination, options ?? {})).start();
    } catch (error) {
      return Promise.reject(error);
    }
  },
  pipeThrough(transform, options) {
    if (!isReadable(this)) throw new codes.ERR_INVALID_THIS('ReadableStream');
    const { readable, writable } = transform ?? {};
    if (!isReadable(readable)) throw new codes.ERR_INVALID_ARG_TYPE('transform.readable', 'ReadableStream', readable);
    checkWritable(writable);
    new Pipe(this, writable, checked(this, writable, options ?? {})).start().catch(nothing);
    return readable;
  },
};
