'use strict';

// stream.compose: several streams as one Duplex, which writes to the first of them and reads from the last. Functions
// at the ends become streams (Duplex.from); the package handles chains with web streams at an end.

const { codes, AbortError } = require('internal/errors');
const Duplex = require('internal/streams/duplex');
const part = (name) => require(`internal/deps/readable-stream/lib/internal/streams/${name}`);
const whenOver = part('end-of-stream');
const { destroyer } = part('destroy');
const { isNodeStream, isReadable, isTransformStream, isWebStream, isWritable } = part('utils');

class Composition extends Duplex {
  #head;
  #tail;
  #isWorking = true; // the pipeline inside
  #whenDrained;
  #whenEnded;
  #whenOver;

  constructor(streams) {
    const head = streams[0];
    const tail = streams.at(-1);
    super({
      writableObjectMode: Boolean(head.writableObjectMode),
      readableObjectMode: Boolean(tail.readableObjectMode),
      writable: Boolean(isWritable(head)),
      readable: Boolean(isReadable(tail)),
    });
    this.#head = head;
    this.#tail = tail;
  }

  static of(streams) {
    const composition = new Composition(streams);
    composition.#connect(streams);
    return composition;
  }

  #connect(streams) {
    const [head, tail] = [this.#head, this.#tail];
    const [writes, reads] = [isWritable(head), isReadable(tail)];
    require('stream').pipeline(streams, (error) => this.#over(error, writes || reads));
    if (writes) {
      head.on('drain', () => this.#call('drained'));
      whenOver(tail, () => this.#call('ended'));
    }
    if (!reads) return;
    tail.on('data', (chunk) => {
      if (!this.push(chunk)) tail.pause();
    });
    tail.on('end', () => this.push(null));
  }

  // The caller waits for that.
  #call(event) {
    const callback = event === 'drained' ? this.#whenDrained : this.#whenEnded;
    if (event === 'drained') this.#whenDrained = undefined;
    else this.#whenEnded = undefined;
    callback?.();
  }

  #over(error, isUsed) {
    this.#isWorking = false;
    const callback = this.#whenOver;
    this.#whenOver = undefined;
    if (callback !== undefined) callback(error);
    else if (error) this.destroy(error);
    else if (!isUsed) this.destroy();
  }

  _write(chunk, encoding, done) {
    if (this.#head.write(chunk, encoding)) done();
    else this.#whenDrained = done;
  }

  _final(done) {
    this.#head.end();
    this.#whenEnded = done;
  }

  _read() {
    this.#tail.resume();
  }

  _destroy(error, done) {
    this.#whenDrained = this.#whenEnded = undefined;
    const reason = error ?? (this.#isWorking ? new AbortError() : null);
    destroyer(this.#tail, reason);
    if (this.#isWorking) this.#whenOver = done;
    else done(reason);
  }
}

function compose(...streams) {
  if (streams.length === 0) throw new codes.ERR_MISSING_ARGS('streams');
  if (streams.length === 1) return Duplex.from(streams[0]);
  const given = [...streams];
  const last = streams.length - 1;
  for (const i of [0, last]) if (typeof streams[i] === 'function') streams[i] = Duplex.from(streams[i]);
  streams.forEach((stream, i) => {
    if (!isNodeStream(stream) && !isWebStream(stream)) return;
    if (i < last && !isReadable(stream) && !isTransformStream(stream)) {
      throw new codes.ERR_INVALID_ARG_VALUE(`streams[${i}]`, given[i], 'must be readable');
    }
    if (i > 0 && !isWritable(stream) && !isTransformStream(stream)) {
      throw new codes.ERR_INVALID_ARG_VALUE(`streams[${i}]`, given[i], 'must be writable');
    }
  });
  return isNodeStream(streams[0]) && isNodeStream(streams[last])
    ? Composition.of(streams)
    : part('package-compose')(...given);
}

module.exports = { compose };
