'use strict';

// The readable side of a stream, known as its `_readableState`: the chunks that wait to be read, and the state towards
// the source and the readers.
//
// There are two modes. In flowing mode chunks are emitted as 'data' as they arrive; in paused mode a reader gets
// 'readable' and calls read(). Meanwhile the stream reads ahead, in ticks of its own, up to its high-water mark. The
// flags have the names that programs read:
//
//   reading          _read was called and the source has not pushed yet
//   sync             a push now is within that call, or before the first
//   needReadable     'readable' is to be emitted when data arrives
//   emittedReadable  'readable' is planned, and nothing was read since

const { StringDecoder } = require('string_decoder');
const { codes } = require('internal/errors');
const { construct, fail } = require('internal/streams/life_cycle');
const { waterMark } = require('internal/streams/properties');

const kLargestMark = 2 ** 30;
const kNone = Object.freeze([]); // many streams never keep a chunk, and most have no destination

class ReadableState {
  // State of the stream's life (see life.js).
  constructed = true;
  errored = null;
  destroyed = false;
  closed = false;
  errorEmitted = false;
  closeEmitted = false;
  autoDestroy = true;
  emitClose = true;

  objectMode = false;
  highWaterMark = 0;
  defaultEncoding = 'utf8';
  encoding = null;
  decoder = null;

  buffer = kNone; // the chunks; those before bufferIndex are gone
  bufferIndex = 0;
  length = 0; // bytes, characters or objects

  reading = false;
  readingMore = false;
  sync = true;
  needReadable = false;
  emittedReadable = false;
  readableListening = false;
  dataListening = false; // there is a listener for 'data'; removeAllListeners() does not change it
  flowing = null; // null: neither flowing nor paused was asked for
  paused = false;
  resumeScheduled = false;
  dataEmitted = false;
  ended = false;
  endEmitted = false;
  readable = undefined; // false: there is no such side

  pipes = kNone;
  awaitDrainWriters = null; // the destination that is full, or a set of them
  multiAwaitDrain = false;

  #stream;
  #wasAsked = false; // _read was called
  #hasUntoldEnd = false; // it ended before that, and before anybody wished to hear 'readable'

  constructor(options, stream, isDuplex) {
    this.#stream = stream;
    this.objectMode = Boolean(options && (options.objectMode || (isDuplex && options.readableObjectMode)));
    this.highWaterMark = waterMark(this.objectMode, options, isDuplex ? 'readableHighWaterMark' : undefined);
    if (!options) return;
    if (options.emitClose === false) this.emitClose = false;
    if (options.autoDestroy === false) this.autoDestroy = false;
    const { defaultEncoding, encoding } = options;
    if (defaultEncoding != null && defaultEncoding !== 'utf8' && defaultEncoding !== 'utf-8') {
      if (!Buffer.isEncoding(defaultEncoding)) throw new codes.ERR_UNKNOWN_ENCODING(defaultEncoding);
      this.defaultEncoding = defaultEncoding;
    }
    if (encoding) {
      this.decoder = new StringDecoder(encoding);
      this.encoding = encoding;
    }
  }

  get pipesCount() {
    return this.pipes.length;
  }

  get hasRoom() {
    return !this.ended && (this.length < this.highWaterMark || this.length === 0);
  }

  // ---- chunks in ----

  // A chunk from the source. `isDecoded`: text that needs no decoder.
  push(chunk, isDecoded) {
    if (this.ended) {
      fail(this.#stream, new codes.ERR_STREAM_PUSH_AFTER_EOF());
      return false;
    }
    if (this.destroyed || this.errored) return false;
    this.reading = false;
    if (this.decoder !== null && !isDecoded) {
      chunk = this.decoder.write(chunk);
      if (!this.objectMode && chunk.length === 0) {
        this.readAhead();
        return this.hasRoom;
      }
    }
    this.#add(chunk, false);
    return this.hasRoom;
  }

  // A chunk that a reader gives back (unshift).
  unshift(chunk) {
    if (this.endEmitted) {
      fail(this.#stream, new codes.ERR_STREAM_UNSHIFT_AFTER_END_EVENT());
      return false;
    }
    if (this.destroyed || this.errored) return false;
    this.#add(chunk, true);
    return this.hasRoom;
  }

  #add(chunk, isFirst) {
    const stream = this.#stream;
    if (this.flowing && this.length === 0 && !this.sync && this.dataListening) {
      this.forgetWriters();
      this.dataEmitted = true;
      stream.emit('data', chunk);
    } else {
      this.length += this.objectMode ? 1 : chunk.length;
      if (this.buffer === kNone) this.buffer = [chunk];
      else if (!isFirst) this.buffer.push(chunk);
      else if (this.bufferIndex > 0) this.buffer[--this.bufferIndex] = chunk;
      else this.buffer.unshift(chunk);
      if (this.needReadable) this.announce();
    }
    this.readAhead();
  }

  // The source has ended.
  close() {
    this.reading = false;
    if (this.ended) return;
    const rest = this.decoder === null ? '' : this.decoder.end();
    if (rest.length > 0) {
      if (this.buffer === kNone) this.buffer = [rest];
      else this.buffer.push(rest);
      this.length += this.objectMode ? 1 : rest.length;
    }
    this.ended = true;
    if (!this.sync) {
      this.needReadable = false;
      this.emittedReadable = true;
      this.#tellReadable();
    } else if (this.#wasAsked || this.readableListening) {
      this.announce();
    } else {
      this.#hasUntoldEnd = true;
    }
  }

  decodeWith(encoding) {
    const decoder = new StringDecoder(encoding);
    this.decoder = decoder;
    this.encoding = decoder.encoding;
    let text = '';
    for (let i = this.bufferIndex; i < this.buffer.length; i++) text += decoder.write(this.buffer[i]);
    if (this.ended) text += decoder.end();
    this.buffer = text === '' ? [] : [text];
    this.bufferIndex = 0;
    this.length = text.length;
  }

  // ---- chunks out ----

  // How much a read of `wanted` gets; NaN: everything that is buffered.
  #portion(wanted) {
    if (this.length === 0 || wanted <= 0) return 0;
    if (this.objectMode) return 1;
    if (Number.isNaN(wanted))
      return this.decoder !== null && !this.flowing ? this.length : this.buffer[this.bufferIndex].length;
    if (wanted <= this.length) return wanted;
    return this.ended ? this.length : 0;
  }

  read(wanted) {
    if (wanted > this.highWaterMark) this.#raiseMark(wanted);
    if (wanted !== 0) {
      this.emittedReadable = false;
    } else if (this.needReadable && (this.ended || this.#isFull)) {
      if (this.length === 0) this.#endSoon();
      else this.announce();
      return null;
    }
    let portion = this.#portion(wanted);
    if (portion === 0 && this.ended) {
      if (this.length === 0) this.#endSoon();
      return null;
    }
    if ((this.needReadable || this.length === 0 || this.length - portion < this.highWaterMark) && this.#askSource())
      portion = this.#portion(wanted);
    let chunk = null;
    if (portion > 0) {
      chunk = this.#take(portion);
      this.forgetWriters();
    } else {
      this.needReadable = this.length <= this.highWaterMark;
    }
    if (this.length === 0) {
      if (!this.ended) this.needReadable = true;
      else if (wanted !== portion) this.#endSoon();
    }
    if (chunk !== null && !this.errorEmitted && !this.closeEmitted) {
      this.dataEmitted = true;
      this.#stream.emit('data', chunk);
    }
    return chunk;
  }

  get #isFull() {
    return this.highWaterMark === 0 ? this.length > 0 : this.length >= this.highWaterMark;
  }

  // A large read must not need many small ones.
  #raiseMark(wanted) {
    if (wanted === Infinity) return;
    if (wanted > kLargestMark) throw new codes.ERR_OUT_OF_RANGE('size', '<= 1GiB', wanted);
    this.highWaterMark = 2 ** Math.ceil(Math.log2(wanted));
  }

  // Whether the source has pushed within the call.
  #askSource() {
    if (this.reading || this.ended || this.destroyed || this.errored || !this.constructed) return false;
    this.reading = true;
    this.sync = true;
    this.#wasAsked = true;
    if (this.length === 0) this.needReadable = true;
    try {
      this.#stream._read(this.highWaterMark);
    } catch (error) {
      fail(this.#stream, error);
    }
    this.sync = false;
    return !this.reading;
  }

  #take(portion) {
    const chunk = takeOut(this, portion);
    this.length -= portion;
    return chunk;
  }

  // ---- events for readers ----

  // 'readable' is emitted in the next tick, once.
  announce() {
    this.needReadable = false;
    if (this.emittedReadable) return;
    this.emittedReadable = true;
    process.nextTick(() => this.#tellReadable());
  }

  #tellReadable() {
    if (!this.destroyed && !this.errored && (this.length > 0 || this.ended)) {
      this.#stream.emit('readable');
      this.emittedReadable = false;
    }
    if (!this.flowing && !this.ended && this.length <= this.highWaterMark) this.needReadable = true;
    this.flow();
  }

  flow() {
    const stream = this.#stream;
    while (this.flowing && stream.read() !== null);
  }

  resume() {
    if (!this.flowing) {
      this.flowing = !this.readableListening;
      this.resumeSoon();
    }
    this.paused = false;
  }

  resumeSoon() {
    if (this.resumeScheduled) return;
    this.resumeScheduled = true;
    process.nextTick(() => {
      if (!this.reading) this.#stream.read(0);
      this.resumeScheduled = false;
      this.#stream.emit('resume');
      this.flow();
      if (this.flowing && !this.reading) this.#stream.read(0);
    });
  }

  // Reads ahead, until the mark is reached or the source is asynchronous.
  readAhead() {
    if (this.readingMore || this.reading || !this.constructed) return;
    this.readingMore = true;
    process.nextTick(() => {
      let before;
      do {
        before = this.length;
        if (this.reading || this.ended || (this.length >= this.highWaterMark && !(this.flowing && this.length === 0)))
          break;
        this.#stream.read(0);
      } while (this.length !== before);
      this.readingMore = false;
    });
  }

  // The first listener for 'readable' was added.
  listen() {
    if (this.endEmitted || this.readableListening) return;
    this.readableListening = true;
    this.needReadable = true;
    this.flowing = false;
    this.emittedReadable = false;
    if (this.length > 0 || this.#hasUntoldEnd) this.announce();
    if (this.length === 0 && !this.reading) process.nextTick((stream) => stream.read(0), this.#stream);
  }

  // A listener for 'readable' was removed: the data may flow now.
  listenersChanged() {
    this.readableListening = this.#stream.listenerCount('readable') > 0;
    if (this.resumeScheduled && !this.paused) this.flowing = true;
    else if (this.dataListening) this.#stream.resume();
    else if (!this.readableListening) this.flowing = null;
  }

  // Destinations that were full after the last chunk are checked again.
  forgetWriters() {
    if (this.multiAwaitDrain) this.awaitDrainWriters.clear();
    else this.awaitDrainWriters = null;
  }

  // ---- the end ----

  #endSoon() {
    if (this.endEmitted) return;
    this.ended = true;
    process.nextTick(() => this.#end());
  }

  #end() {
    if (this.endEmitted || this.errored || this.closeEmitted || this.length > 0) return;
    this.endEmitted = true;
    const stream = this.#stream;
    stream.emit('end');
    if (stream.writable && stream.allowHalfOpen === false) {
      process.nextTick(() => {
        if (stream.writable && !stream.writableEnded && !stream.destroyed) stream.end();
      });
    } else if (this.autoDestroy) {
      const writable = stream._writableState;
      if (!writable || (writable.autoDestroy && (writable.finished || writable.writable === false))) stream.destroy();
    }
  }

  // ---- life ----

  whenConstructed() {
    construct(this.#stream, () => {
      if (this.needReadable) this.readAhead();
    });
  }

  // Resets the state, for _undestroy.
  begin() {
    this.reading = false;
    this.ended = this.endEmitted = this.readable === false;
  }
}

// Takes `portion` (bytes, characters, or one object) from the chunks of `state`, joined if necessary.
function takeOut(state, portion) {
  const { buffer } = state;
  const first = buffer[state.bufferIndex];
  if (state.objectMode || first.length === portion) {
    forgetChunk(state);
    return first;
  }
  if (first.length > portion) {
    buffer[state.bufferIndex] = first.slice(portion);
    return first.slice(0, portion);
  }
  const parts = [];
  let missing = portion;
  while (missing > 0) {
    const part = takeOut(state, Math.min(missing, buffer[state.bufferIndex].length));
    parts.push(part);
    missing -= part.length;
  }
  return state.decoder !== null ? parts.join('') : Buffer.concat(parts, portion);
}

// The slots of removed chunks are released now and then, all at once.
function forgetChunk(state) {
  const { buffer } = state;
  buffer[state.bufferIndex++] = null;
  if (state.bufferIndex === buffer.length) {
    buffer.length = 0;
    state.bufferIndex = 0;
  } else if (state.bufferIndex > 1024) {
    buffer.splice(0, state.bufferIndex);
    state.bufferIndex = 0;
  }
}

// Gives a new stream its readable side, with the methods that the options implement.
function attachReadable(stream, options, isDuplex) {
  stream._readableState = new ReadableState(options, stream, isDuplex);
  if (!options) return;
  if (typeof options.read === 'function') stream._read = options.read;
  if (typeof options.destroy === 'function') stream._destroy = options.destroy;
  if (typeof options.construct === 'function') stream._construct = options.construct;
}

module.exports = { ReadableState, attachReadable, takeOut };
