'use strict';

// stream.pipeline: streams that are piped into each other, and functions and iterables whose values are written into
// them; an error of one destroys all of them.
//
// Every stream is observed on the side(s) that the chain uses. The first failure destroys all streams that are not
// finished yet; the callback is called a tick after the last of them has ended, also after a failure: then nothing is
// left open. A chain with web streams is handled by the package.

const { codes, AbortError, aggregateTwoErrors } = require('internal/errors');
const { validateAbortSignal } = require('internal/validators');
const part = (name) => require(`internal/deps/readable-stream/lib/internal/streams/${name}`);
const whenOver = part('end-of-stream');
const { destroyer } = part('destroy');
const { isIterable, isNodeStream, isReadableFinished, isWebStream } = part('utils');

const isPremature = (error) => error?.code === 'ERR_STREAM_PREMATURE_CLOSE';
const isAbort = (error) => error?.name === 'AbortError';
// Whether one error is more useful than another, which may be only its consequence.
const tellsMore = (error, other) =>
  other === undefined || isPremature(other) || (isAbort(other) && !isAbort(error) && !isPremature(error));

// A stream of the chain. It is finished when all its sides that the chain uses are over, or when it is closed; a stream
// that the chain does not end is not counted.
class Member {
  #isThrough = false;
  #unwatch;
  #listener;

  constructor(stream, sides, fail) {
    this.stream = stream;
    if (sides === undefined) {
      this.#isThrough = true;
    } else {
      stream.on('close', () => {
        this.#isThrough = true;
      });
      this.#unwatch = whenOver(stream, sides, (error) => {
        this.#isThrough = !error;
      });
    }
    // This listener stays: errors that come after the end are ignored.
    this.#listener = (error) => {
      if (!isAbort(error) && !isPremature(error)) fail(error);
    };
    stream.on('error', this.#listener);
  }

  // From now on its user owns it.
  release() {
    this.#unwatch?.();
    this.stream.removeListener('error', this.#listener);
  }

  destroy(error) {
    if (this.#isThrough) return;
    this.#isThrough = true;
    destroyer(this.stream, error);
  }
}

class Chain {
  #members = [];
  #callback;
  #waiting = 0; // streams that have not ended
  #isOver = false;
  #error;
  #value; // of a function at the end
  #unwatch = [];
  #ends;
  #aborting; // for functions, which hear of the end by a signal
  #current; // what comes out of the stages so far: a stream, or something else to iterate

  constructor(stages, callback, { signal, end } = {}) {
    this.#callback = callback;
    this.#ends = end !== false;
    const last = stages.length - 1;
    stages.forEach((stage, i) => {
      // Streams that are connected by now stay so.
      if (isNodeStream(stages[i + 1]) && stages[i + 1].destroyed) throw new codes.ERR_STREAM_UNABLE_TO_PIPE();
      if (typeof stage === 'function') this.#callFunction(stage, i, last);
      else if (i === 0 && isIterable(stage) && !isNodeStream(stage)) this.#current = stage;
      else this.#addStream(isNodeStream(stage) ? stage : require('stream').Duplex.from(stage), i, last);
    });
    if (signal !== undefined) this.#obey(signal);
  }

  // The result of pipeline: the stream with which the program can go on.
  get result() {
    return this.#current;
  }

  #enlist(stream, sides) {
    this.#members.push(new Member(stream, sides, (error) => this.#fail(error)));
  }

  #addStream(stream, i, last) {
    const ends = i < last || this.#ends; // otherwise it is left as it is
    const before = this.#current;
    this.#enlist(stream, ends ? { readable: i < last, writable: i > 0 } : undefined);
    this.#current = stream;
    if (i === 0) return;
    if (isNodeStream(before)) this.#join(before, stream, ends);
    else this.#writeAll(before, stream, ends);
  }

  // ---- functions ----

  #callFunction(stage, i, last) {
    this.#aborting ??= new AbortController();
    const { signal } = this.#aborting;
    if (i === 0) {
      this.#current = stage({ signal });
      if (!isIterable(this.#current))
        throw new codes.ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or Stream', 'source', this.#current);
      return;
    }
    const result = stage(this.#current, { signal });
    if (i === last) {
      this.#collect(result);
    } else {
      if (!isIterable(result, true))
        throw new codes.ERR_INVALID_RETURN_VALUE('AsyncIterable', `transform[${i - 1}]`, result);
      this.#current = result;
    }
  }

  // The last function returns a promise, or an iterable, which becomes a stream.
  #collect(result) {
    const isPromise = typeof result?.then === 'function';
    if (!isPromise && !isIterable(result, true))
      throw new codes.ERR_INVALID_RETURN_VALUE('AsyncIterable or Promise', 'destination', result);
    const out = new (require('stream').PassThrough)({ objectMode: true });
    this.#enlist(out, { readable: false, writable: true });
    this.#current = out;
    if (!isPromise) {
      this.#writeAll(result, out, this.#ends);
      return;
    }
    this.#waiting++;
    result.then(
      (value) => {
        this.#value = value;
        if (value != null) out.write(value);
        if (this.#ends) out.end();
        process.nextTick(() => this.#tell());
      },
      (error) => {
        out.destroy(error);
        process.nextTick(() => this.#tell(error));
      },
    );
  }

  // Writes the values of an iterable, as fast as the destination accepts them.
  async #writeAll(iterable, sink, ends) {
    this.#waiting++;
    let failure;
    let wake = () => {};
    const moved = (error) => {
      failure ??= error;
      wake();
    };
    const rest = () =>
      new Promise((resolve, reject) => {
        wake = () => (failure ? reject(failure) : resolve());
        if (failure) wake();
      });
    sink.on('drain', moved);
    const unwatch = whenOver(sink, { readable: false }, moved);
    try {
      if (sink.writableNeedDrain) await rest();
      for await (const chunk of iterable) if (!sink.write(chunk)) await rest();
      if (ends) {
        sink.end();
        await rest();
      }
      this.#tell();
    } catch (error) {
      this.#tell(aggregateTwoErrors(failure, error));
    } finally {
      unwatch();
      sink.removeListener('drain', moved);
    }
  }

  // ---- streams ----

  #join(source, sink, ends) {
    let isEnded = false;
    sink.once('close', () => {
      if (!isEnded) this.#fail(new codes.ERR_STREAM_PREMATURE_CLOSE());
    });
    source.pipe(sink, { end: false });
    this.#watch(source, { readable: true, writable: false });
    if (ends) this.#watch(sink, { readable: false, writable: true });
    const end = () => {
      isEnded = true;
      if (ends) sink.end();
    };
    // A side that has already ended does not emit its end again.
    if (isReadableFinished(source)) process.nextTick(end);
    else source.once('end', end);
  }

  #watch(stream, sides) {
    this.#waiting++;
    this.#unwatch.push(
      whenOver(stream, sides, (error) => {
        const state = stream._readableState;
        // A source may close before it has emitted its end.
        if (isPremature(error) && sides.readable && state?.ended && !state.errored && !state.errorEmitted) {
          const told = (late) => {
            stream.removeListener('end', told).removeListener('error', told);
            this.#tell(late);
          };
          stream.once('end', told).once('error', told);
        } else {
          this.#tell(error);
        }
      }),
    );
  }

  #tell(error) {
    this.#waiting--;
    if (error) this.#fail(error);
    // Destroying the others may have ended the last of them, within #fail.
    if (this.#waiting === 0 && !this.#isOver) this.#conclude();
  }

  #fail(error) {
    if (this.#isOver) return;
    if (tellsMore(error, this.#error)) this.#error = error;
    for (const member of this.#members) member.destroy(this.#error);
    this.#aborting?.abort();
  }

  #obey(signal) {
    const abort = () => this.#fail(new AbortError(undefined, { cause: signal.reason }));
    if (signal.aborted) {
      process.nextTick(abort);
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    this.#unwatch.push(() => signal.removeEventListener('abort', abort));
  }

  #conclude() {
    this.#isOver = true;
    // A stream that is not finished now will never be.
    for (const member of this.#members) member.destroy(this.#error ?? new codes.ERR_STREAM_DESTROYED('pipe'));
    this.#aborting?.abort();
    process.nextTick(() => {
      for (const unwatch of this.#unwatch) unwatch();
      // If the last stream is readable, the program owns it from now on.
      const last = this.#members.at(-1);
      if (this.#error === undefined && last.stream.readable) last.release();
      this.#callback(this.#error, this.#value);
    });
  }
}

const isStage = (value) =>
  typeof value === 'function' || (!isWebStream(value) && (isNodeStream(value) || isIterable(value)));

// Pipelines with web streams, and invalid ones, are passed on to the package's pipeline.
function pipelineBefore(packages) {
  return function pipeline(...streams) {
    const list = streams.length === 2 && Array.isArray(streams[0]) ? streams[0] : streams.slice(0, -1);
    const callback = streams.at(-1);
    if (typeof callback !== 'function' || list.length < 2 || !list.every(isStage))
      return Reflect.apply(packages, this, streams);
    return new Chain(list, callback).result;
  };
}

const isOptions = (value) =>
  value !== null && typeof value === 'object' && !isNodeStream(value) && !isIterable(value) && !isWebStream(value);

// The same as a promise. Options may follow the streams.
function promisedBefore(packages) {
  return function pipeline(...streams) {
    const options = isOptions(streams.at(-1)) ? streams.at(-1) : undefined;
    const list = options === undefined ? streams : streams.slice(0, -1);
    if (list.length < 2 || !list.every(isStage)) return Reflect.apply(packages, this, streams);
    return new Promise((resolve, reject) => {
      if (options?.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
      new Chain(list, (error, value) => (error ? reject(error) : resolve(value)), options);
    });
  };
}

module.exports = { pipelineBefore, promisedBefore };
