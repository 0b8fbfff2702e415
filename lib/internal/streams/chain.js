'use strict';

// stream.pipeline for parts that are all streams of Node: each is piped into the next, and all of them live and die together.
//
// Every stream is watched on the side(s) that the chain uses. The first failure destroys whoever is not through yet; the
// callback comes a tick after the last of them has told its end, also after a failure: then nothing is left behind. A chain
// with functions, iterables or web streams in it is the package's affair.

const { codes, AbortError } = require('internal/errors');
const { validateAbortSignal } = require('internal/validators');
const part = (name) => require(`internal/deps/readable-stream/lib/internal/streams/${name}`);
const whenOver = part('end-of-stream');
const { destroyer } = part('destroy');
const { isNodeStream, isReadableFinished } = part('utils');

const isPremature = (error) => error?.code === 'ERR_STREAM_PREMATURE_CLOSE';

// A stream of the chain. It is through when all sides of it that the chain uses are over, or when it is closed; one that the chain
// does not end is none of its business.
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
    // It stays: errors that come when all is over are nobody's.
    this.#listener = (error) => {
      if (error?.name !== 'AbortError' && !isPremature(error)) fail(error);
    };
    stream.on('error', this.#listener);
  }

  // From now on it is its user's.
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
  #waiting = 0; // sides that have not told their end
  #isOver = false;
  #error;
  #unwatch = [];

  constructor(streams, callback, { signal, end } = {}) {
    this.#callback = callback;
    const fail = (error) => this.#fail(error);
    const last = streams.length - 1;
    streams.forEach((stream, i) => {
      // What is joined by now stays so.
      if (streams[i + 1]?.destroyed) throw new codes.ERR_STREAM_UNABLE_TO_PIPE();
      const ends = i < last || end !== false; // otherwise it is left as it is
      this.#members.push(new Member(stream, ends ? { readable: i < last, writable: i > 0 } : undefined, fail));
      if (i > 0) this.#join(this.#members[i - 1], this.#members[i], ends);
    });
    if (signal !== undefined) this.#obey(signal);
  }

  #join(from, to, ends) {
    const { stream: source } = from;
    const { stream: sink } = to;
    let isEnded = false;
    sink.once('close', () => {
      if (!isEnded) this.#fail(new codes.ERR_STREAM_PREMATURE_CLOSE());
    });
    source.pipe(sink, { end: false });
    this.#watch(from, { readable: true, writable: false });
    if (ends) this.#watch(to, { readable: false, writable: true });
    const end = () => {
      isEnded = true;
      if (ends) sink.end();
    };
    // Whose end is over already does not tell of it again.
    if (isReadableFinished(source)) process.nextTick(end);
    else source.once('end', end);
  }

  #watch({ stream }, sides) {
    this.#waiting++;
    this.#unwatch.push(whenOver(stream, sides, (error) => {
      const state = stream._readableState;
      // A source may close before it has told its end.
      if (isPremature(error) && sides.readable && state?.ended && !state.errored && !state.errorEmitted) {
        const told = (late) => {
          stream.removeListener('end', told).removeListener('error', told);
          this.#tell(late);
        };
        stream.once('end', told).once('error', told);
      } else {
        this.#tell(error);
      }
    }));
  }

  #tell(error) {
    this.#waiting--;
    if (error) this.#fail(error);
    // Destroying the others may have made the last of them tell, within #fail.
    if (this.#waiting === 0 && !this.#isOver) this.#conclude();
  }

  // That a stream closed too early is often only the consequence of another's error, which is the better one to tell.
  #fail(error) {
    if (this.#isOver) return;
    if (this.#error === undefined || isPremature(this.#error)) this.#error = error;
    for (const member of this.#members) member.destroy(this.#error);
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
    // Who is not through now never will be.
    for (const member of this.#members) member.destroy(this.#error ?? new codes.ERR_STREAM_DESTROYED('pipe'));
    process.nextTick(() => {
      for (const unwatch of this.#unwatch) unwatch();
      // Who can read the last one has it from now on.
      const last = this.#members.at(-1);
      if (this.#error === undefined && last.stream.readable) last.release();
      this.#callback(this.#error);
    });
  }
}

// Takes what it can; what it cannot is passed on to the package's pipeline.
function pipelineBefore(packages) {
  return function pipeline(...streams) {
    const list = streams.length === 2 && Array.isArray(streams[0]) ? streams[0] : streams.slice(0, -1);
    const callback = streams.at(-1);
    if (typeof callback !== 'function' || list.length < 2 || !list.every(isNodeStream)) return Reflect.apply(packages, this, streams);
    new Chain(list, callback);
    return list.at(-1);
  };
}

// The same as a promise. Options may stand behind the streams.
function promisedBefore(packages) {
  return function pipeline(...streams) {
    const last = streams.at(-1);
    const options = last !== null && typeof last === 'object' && !isNodeStream(last) && ('signal' in last || 'end' in last) ? last : undefined;
    const list = options === undefined ? streams : streams.slice(0, -1);
    if (list.length < 2 || !list.every(isNodeStream)) return Reflect.apply(packages, this, streams);
    return new Promise((resolve, reject) => {
      if (options?.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
      new Chain(list, (error) => (error ? reject(error) : resolve()), options);
    });
  };
}

module.exports = { pipelineBefore, promisedBefore };
