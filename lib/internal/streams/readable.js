'use strict';

// Readable: a buffer between a source (_read and push) and a reader, who pulls ('readable' and read), lets it flow
// ('data'), pipes it, or iterates. What is told when is part of Node's interface: each `nextTick` here is deliberate.

const { codes, AbortError, aggregateTwoErrors } = require('internal/errors');
const { validateObject } = require('internal/validators');
const { Stream, prependListener } = require('internal/streams/legacy');
const { getHighWaterMark, getDefaultHighWaterMark } = require('internal/streams/state');
const destroyImpl = require('internal/streams/destroy');
const { eos } = require('internal/streams/end_of_stream');
const { addAbortSignal } = require('internal/streams/add_abort_signal');
const { Buffer } = require('buffer');

const kPaused = Symbol('kPaused');
const nop = () => {};
const { errorOrDestroy } = destroyImpl;
const kMaxHighWaterMark = 0x40000000;

class ReadableState {
  constructor(options, stream, isDuplex) {
    this.objectMode = !!(options?.objectMode || (isDuplex && options?.readableObjectMode));
    this.highWaterMark = options ? getHighWaterMark(this, options, 'readableHighWaterMark', isDuplex) : getDefaultHighWaterMark(false);
    this.buffer = [];
    this.bufferIndex = 0;
    this.length = 0;
    this.pipes = [];
    this.flowing = null;
    this.ended = false;
    this.endEmitted = false;
    this.reading = false;
    this.constructed = true;
    this.sync = true;
    this.needReadable = false;
    this.emittedReadable = false;
    this.readableListening = false;
    this.resumeScheduled = false;
    this.errorEmitted = false;
    this.emitClose = !(options?.emitClose === false);
    this.autoDestroy = !(options?.autoDestroy === false);
    this.destroyed = false;
    this.errored = null;
    this.closed = false;
    this.closeEmitted = false;
    this.defaultEncoding = 'utf8';
    if (options?.defaultEncoding != null && options.defaultEncoding !== 'utf8' && options.defaultEncoding !== 'utf-8') {
      if (!Buffer.isEncoding(options.defaultEncoding)) throw new codes.ERR_UNKNOWN_ENCODING(options.defaultEncoding);
      this.defaultEncoding = options.defaultEncoding;
    }
    this.awaitDrainWriters = null;
    this.multiAwaitDrain = false;
    this.readingMore = false;
    this.dataEmitted = false;
    this.decoder = null;
    this.encoding = null;
    this[kPaused] = null;
    this.readable = undefined;
    if (options?.encoding) {
      const { StringDecoder } = require('string_decoder');
      this.decoder = new StringDecoder(options.encoding);
      this.encoding = options.encoding;
    }
  }

  get paused() {
    return this[kPaused] === true;
  }

  get pipesCount() {
    return this.pipes.length;
  }
}

function Readable(options) {
  if (!(this instanceof Readable)) return new Readable(options);
  this._events ??= { close: undefined, error: undefined, data: undefined, end: undefined, readable: undefined };
  const isDuplex = this instanceof require('internal/streams/duplex');
  this._readableState = new ReadableState(options, this, isDuplex);
  if (options) {
    if (typeof options.read === 'function') this._read = options.read;
    if (typeof options.destroy === 'function') this._destroy = options.destroy;
    if (typeof options.construct === 'function') this._construct = options.construct;
    if (options.signal && !isDuplex) addAbortSignal(options.signal, this);
  }
  Stream.call(this, options);
  if (this._construct != null) {
    destroyImpl.construct(this, () => {
      if (this._readableState.needReadable) maybeReadMore(this, this._readableState);
    });
  }
}
Object.setPrototypeOf(Readable.prototype, Stream.prototype);
Object.setPrototypeOf(Readable, Stream);
module.exports = Readable;
Readable.ReadableState = ReadableState;

Readable.prototype.destroy = destroyImpl.destroy;
Readable.prototype._undestroy = destroyImpl.undestroy;
Readable.prototype._destroy = function (err, callback) {
  callback(err);
};
Readable.prototype[Symbol.for('nodejs.rejection')] = function (err) {
  this.destroy(err);
};
Readable.prototype[Symbol.asyncDispose] = function () {
  let error;
  if (!this.destroyed) {
    error = this.readableEnded ? null : new AbortError();
    this.destroy(error);
  }
  return new Promise((resolve, reject) => eos(this, (err) => (err && err !== error ? reject(err) : resolve(null))));
};

// ---------------------------------------------------------------- giving to the stream

Readable.prototype.push = function (chunk, encoding) {
  return addChunkChecked(this, chunk, encoding, false);
};

Readable.prototype.unshift = function (chunk, encoding) {
  return addChunkChecked(this, chunk, encoding, true);
};

function addChunkChecked(stream, chunk, encoding, front) {
  const state = stream._readableState;
  if (chunk === null) {
    state.reading = false;
    onEofChunk(stream, state);
    return false;
  }
  if (!state.objectMode) {
    if (typeof chunk === 'string') {
      encoding ||= state.defaultEncoding;
      if (state.encoding !== encoding) {
        if (front && state.encoding) {
          chunk = Buffer.from(chunk, encoding).toString(state.encoding);
        } else {
          chunk = Buffer.from(chunk, encoding);
          encoding = '';
        }
      }
    } else if (chunk instanceof Buffer) {
      encoding = '';
    } else if (ArrayBuffer.isView(chunk)) {
      chunk = toBuffer(chunk);
      encoding = '';
    } else if (chunk !== undefined) {
      errorOrDestroy(stream, new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk));
      return false;
    }
  }
  if (chunk !== undefined && (state.objectMode || chunk.length > 0)) {
    if (front) {
      if (state.endEmitted) errorOrDestroy(stream, new codes.ERR_STREAM_UNSHIFT_AFTER_END_EVENT());
      else if (state.destroyed || state.errored) return false;
      else addChunk(stream, state, chunk, true);
    } else if (state.ended) {
      errorOrDestroy(stream, new codes.ERR_STREAM_PUSH_AFTER_EOF());
    } else if (state.destroyed || state.errored) {
      return false;
    } else {
      state.reading = false;
      if (state.decoder && !encoding) {
        chunk = state.decoder.write(chunk);
        if (state.objectMode || chunk.length !== 0) addChunk(stream, state, chunk, false);
        else maybeReadMore(stream, state);
      } else {
        addChunk(stream, state, chunk, false);
      }
    }
  } else if (state.objectMode && chunk === undefined) {
    // undefined is a value in object mode, but it says nothing: it only ends this reading.
    if (!front) {
      state.reading = false;
      if (!state.ended) addChunk(stream, state, chunk, false);
    }
  } else if (!front) {
    state.reading = false;
    maybeReadMore(stream, state);
  }
  // More is welcome while the buffer is below its mark; an empty buffer always takes one.
  return !state.ended && (state.length < state.highWaterMark || state.length === 0);
}

function toBuffer(view) {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}

function addChunk(stream, state, chunk, front) {
  if (state.flowing && state.length === 0 && !state.sync && stream.listenerCount('data') > 0) {
    // The reader waits for it: past the buffer.
    if (state.multiAwaitDrain) state.awaitDrainWriters.clear();
    else state.awaitDrainWriters = null;
    state.dataEmitted = true;
    stream.emit('data', chunk);
  } else {
    state.length += state.objectMode ? 1 : chunk.length;
    if (front) {
      if (state.bufferIndex > 0) state.buffer[--state.bufferIndex] = chunk;
      else state.buffer.unshift(chunk);
    } else {
      state.buffer.push(chunk);
    }
    if (state.needReadable) emitReadable(stream);
  }
  maybeReadMore(stream, state);
}

function onEofChunk(stream, state) {
  if (state.ended) return;
  if (state.decoder) {
    const chunk = state.decoder.end();
    if (chunk?.length) {
      state.buffer.push(chunk);
      state.length += state.objectMode ? 1 : chunk.length;
    }
  }
  state.ended = true;
  if (state.sync) {
    emitReadable(stream);
  } else {
    state.needReadable = false;
    state.emittedReadable = true;
    emitReadableNT(stream);
  }
}

Readable.prototype.isPaused = function () {
  const state = this._readableState;
  return state[kPaused] === true || state.flowing === false;
};

Readable.prototype.setEncoding = function (encoding) {
  const { StringDecoder } = require('string_decoder');
  const decoder = new StringDecoder(encoding);
  const state = this._readableState;
  state.decoder = decoder;
  state.encoding = decoder.encoding;
  // What is buffered already becomes text, too.
  let content = '';
  for (let i = state.bufferIndex; i < state.buffer.length; i++) content += decoder.write(state.buffer[i]);
  if (state.ended) content += decoder.end();
  state.buffer.length = 0;
  state.bufferIndex = 0;
  if (content !== '') state.buffer.push(content);
  state.length = content.length;
  return this;
};

// ---------------------------------------------------------------- taking from the stream

function computeNewHighWaterMark(n) {
  if (n > kMaxHighWaterMark) throw new codes.ERR_OUT_OF_RANGE('size', '<= 1GiB', n);
  n--;
  n |= n >>> 1;
  n |= n >>> 2;
  n |= n >>> 4;
  n |= n >>> 8;
  n |= n >>> 16;
  return n + 1;
}

function howMuchToRead(n, state) {
  if (n <= 0 || (state.length === 0 && state.ended)) return 0;
  if (state.objectMode) return 1;
  if (n !== n) {
    // Without a size, one chunk as it came: nothing is copied together. Text is all there is.
    if (state.length && (state.flowing || !state.decoder)) return state.buffer[state.bufferIndex].length;
    return state.length;
  }
  if (n <= state.length) return n;
  return state.ended ? state.length : 0;
}

Readable.prototype.read = function (n) {
  if (n === undefined) n = NaN;
  else if (!Number.isInteger(n)) n = Number.parseInt(n, 10);
  const state = this._readableState;
  const asked = n;
  if (n > state.highWaterMark) state.highWaterMark = computeNewHighWaterMark(n);
  if (n !== 0) state.emittedReadable = false;
  if (n === 0 && state.needReadable &&
      ((state.highWaterMark !== 0 ? state.length >= state.highWaterMark : state.length > 0) || state.ended)) {
    if (state.length === 0 && state.ended) endReadable(this);
    else emitReadable(this);
    return null;
  }
  n = howMuchToRead(n, state);
  if (n === 0 && state.ended) {
    if (state.length === 0) endReadable(this);
    return null;
  }
  let doRead = state.needReadable;
  if (state.length === 0 || state.length - n < state.highWaterMark) doRead = true;
  if (state.ended || state.reading || state.destroyed || state.errored || !state.constructed) {
    doRead = false;
  } else if (doRead) {
    state.reading = true;
    state.sync = true;
    if (state.length === 0) state.needReadable = true;
    try {
      this._read(state.highWaterMark);
    } catch (err) {
      errorOrDestroy(this, err);
    }
    state.sync = false;
    // A source that gave at once may have changed what there is to take.
    if (!state.reading) n = howMuchToRead(asked, state);
  }
  const ret = n > 0 ? fromList(n, state) : null;
  if (ret === null) {
    state.needReadable = state.length <= state.highWaterMark;
    n = 0;
  } else {
    state.length -= n;
    if (state.multiAwaitDrain) state.awaitDrainWriters.clear();
    else state.awaitDrainWriters = null;
  }
  if (state.length === 0) {
    if (!state.ended) state.needReadable = true;
    if (asked !== n && state.ended) endReadable(this);
  }
  if (ret !== null && !state.errorEmitted && !state.closeEmitted) {
    state.dataEmitted = true;
    this.emit('data', ret);
  }
  return ret;
};

function fromList(n, state) {
  if (state.length === 0) return null;
  const { buffer } = state;
  let ret;
  if (state.objectMode) {
    ret = buffer[state.bufferIndex];
    buffer[state.bufferIndex++] = null;
  } else if (!n || n >= state.length) {
    if (buffer.length - state.bufferIndex === 1) {
      ret = buffer[state.bufferIndex];
    } else if (state.decoder) {
      ret = '';
      for (let i = state.bufferIndex; i < buffer.length; i++) ret += buffer[i];
    } else {
      ret = Buffer.concat(state.bufferIndex === 0 ? buffer : buffer.slice(state.bufferIndex), state.length);
    }
    buffer.length = 0;
    state.bufferIndex = 0;
    return ret;
  } else {
    ret = takePart(n, state);
  }
  if (state.bufferIndex === buffer.length) {
    buffer.length = 0;
    state.bufferIndex = 0;
  } else if (state.bufferIndex > 1024) {
    buffer.splice(0, state.bufferIndex);
    state.bufferIndex = 0;
  }
  return ret;
}

// n bytes or characters, from as many chunks as it takes.
function takePart(n, state) {
  const { buffer } = state;
  const first = buffer[state.bufferIndex];
  if (n < first.length) {
    buffer[state.bufferIndex] = first.slice(n);
    return first.slice(0, n);
  }
  if (n === first.length) {
    buffer[state.bufferIndex++] = null;
    return first;
  }
  if (state.decoder) {
    let text = '';
    while (n > 0) {
      const chunk = buffer[state.bufferIndex];
      if (n < chunk.length) {
        text += chunk.slice(0, n);
        buffer[state.bufferIndex] = chunk.slice(n);
        break;
      }
      text += chunk;
      n -= chunk.length;
      buffer[state.bufferIndex++] = null;
    }
    return text;
  }
  const bytes = Buffer.allocUnsafe(n);
  let at = 0;
  while (at < n) {
    const chunk = buffer[state.bufferIndex];
    const left = n - at;
    if (left < chunk.length) {
      bytes.set(new Uint8Array(chunk.buffer, chunk.byteOffset, left), at);
      buffer[state.bufferIndex] = chunk.subarray(left);
      break;
    }
    bytes.set(chunk, at);
    at += chunk.length;
    buffer[state.bufferIndex++] = null;
  }
  return bytes;
}

function emitReadable(stream) {
  const state = stream._readableState;
  state.needReadable = false;
  if (!state.emittedReadable) {
    state.emittedReadable = true;
    process.nextTick(emitReadableNT, stream);
  }
}

function emitReadableNT(stream) {
  const state = stream._readableState;
  if (!state.destroyed && !state.errored && (state.length || state.ended)) {
    stream.emit('readable');
    state.emittedReadable = false;
  }
  // Another 'readable' is wanted if nothing flows, more may come and there is room.
  state.needReadable = !state.flowing && !state.ended && state.length <= state.highWaterMark;
  flow(stream);
}

// Reads ahead until the mark, in a tick of its own.
function maybeReadMore(stream, state) {
  if (!state.readingMore && state.constructed) {
    state.readingMore = true;
    process.nextTick(maybeReadMoreNT, stream, state);
  }
}

function maybeReadMoreNT(stream, state) {
  while (!state.reading && !state.ended &&
         (state.length < state.highWaterMark || (state.flowing && state.length === 0))) {
    const before = state.length;
    stream.read(0);
    if (before === state.length) break;
  }
  state.readingMore = false;
}

Readable.prototype._read = function (n) {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_read()');
};

// ---------------------------------------------------------------- pipe

Readable.prototype.pipe = function (dest, pipeOpts) {
  const src = this;
  const state = this._readableState;
  if (state.pipes.length === 1 && !state.multiAwaitDrain) {
    state.multiAwaitDrain = true;
    state.awaitDrainWriters = new Set(state.awaitDrainWriters ? [state.awaitDrainWriters] : []);
  }
  state.pipes.push(dest);
  const doEnd = (!pipeOpts || pipeOpts.end !== false) && dest !== process.stdout && dest !== process.stderr;
  const endFn = doEnd ? onend : unpipe;
  if (state.endEmitted) process.nextTick(endFn);
  else src.once('end', endFn);

  dest.on('unpipe', onunpipe);
  function onunpipe(readable, unpipeInfo) {
    if (readable === src && unpipeInfo && unpipeInfo.hasUnpiped === false) {
      unpipeInfo.hasUnpiped = true;
      cleanup();
    }
  }
  function onend() {
    dest.end();
  }
  let ondrain;
  let cleanedUp = false;
  function cleanup() {
    dest.removeListener('close', onclose);
    dest.removeListener('finish', onfinish);
    if (ondrain) dest.removeListener('drain', ondrain);
    dest.removeListener('error', onerror);
    dest.removeListener('unpipe', onunpipe);
    src.removeListener('end', onend);
    src.removeListener('end', unpipe);
    src.removeListener('data', ondata);
    cleanedUp = true;
    // Somebody may be waiting for a drain that nobody would hear any more.
    if (ondrain && state.awaitDrainWriters && (!dest._writableState || dest._writableState.needDrain)) ondrain();
  }
  function pause() {
    if (!cleanedUp) {
      if (state.pipes.length === 1 && state.pipes[0] === dest) {
        state.awaitDrainWriters = dest;
        state.multiAwaitDrain = false;
      } else if (state.pipes.length > 1 && state.pipes.includes(dest)) {
        state.awaitDrainWriters.add(dest);
      }
      src.pause();
    }
    if (!ondrain) {
      ondrain = pipeOnDrain(src, dest);
      dest.on('drain', ondrain);
    }
  }
  src.on('data', ondata);
  function ondata(chunk) {
    try {
      if (dest.write(chunk) === false) pause();
    } catch (error) {
      dest.destroy(error);
    }
  }
  function onerror(er) {
    unpipe();
    dest.removeListener('error', onerror);
    if (dest.listenerCount('error') === 0) {
      const s = dest._writableState || dest._readableState;
      if (s && !s.errorEmitted) errorOrDestroy(dest, er);
      else dest.emit('error', er);
    }
  }
  prependListener(dest, 'error', onerror);
  function onclose() {
    dest.removeListener('finish', onfinish);
    unpipe();
  }
  dest.once('close', onclose);
  function onfinish() {
    dest.removeListener('close', onclose);
    unpipe();
  }
  dest.once('finish', onfinish);
  function unpipe() {
    src.unpipe(dest);
  }
  dest.emit('pipe', src);
  if (dest.writableNeedDrain === true) pause();
  else if (!state.flowing) src.resume();
  return dest;
};

function pipeOnDrain(src, dest) {
  return function () {
    const state = src._readableState;
    if (state.awaitDrainWriters === dest) {
      state.awaitDrainWriters = null;
    } else if (state.multiAwaitDrain) {
      state.awaitDrainWriters.delete(dest);
    }
    if ((!state.awaitDrainWriters || state.awaitDrainWriters.size === 0) && src.listenerCount('data')) src.resume();
  };
}

Readable.prototype.unpipe = function (dest) {
  const state = this._readableState;
  const unpipeInfo = { hasUnpiped: false };
  if (state.pipes.length === 0) return this;
  if (!dest) {
    const dests = state.pipes;
    state.pipes = [];
    this.pause();
    for (let i = 0; i < dests.length; i++) dests[i].emit('unpipe', this, { hasUnpiped: false });
    return this;
  }
  const index = state.pipes.indexOf(dest);
  if (index === -1) return this;
  state.pipes.splice(index, 1);
  if (state.pipes.length === 0) this.pause();
  dest.emit('unpipe', this, unpipeInfo);
  return this;
};

// ---------------------------------------------------------------- listeners, flowing, pausing

Readable.prototype.on = function (event, fn) {
  const result = Stream.prototype.on.call(this, event, fn);
  const state = this._readableState;
  if (event === 'data') {
    state.readableListening = this.listenerCount('readable') > 0;
    if (state.flowing !== false) this.resume();
  } else if (event === 'readable') {
    if (!state.endEmitted && !state.readableListening) {
      state.readableListening = state.needReadable = true;
      state.flowing = false;
      state.emittedReadable = false;
      if (state.length) emitReadable(this);
      else if (!state.reading) process.nextTick(readNothingNT, this);
    }
  }
  return result;
};
Readable.prototype.addListener = Readable.prototype.on;

Readable.prototype.removeListener = function (event, fn) {
  const result = Stream.prototype.removeListener.call(this, event, fn);
  // 'readable' may be removed and added again at once: look at it in the next tick.
  if (event === 'readable') process.nextTick(updateReadableListening, this);
  return result;
};
Readable.prototype.off = Readable.prototype.removeListener;

Readable.prototype.removeAllListeners = function (event) {
  const result = Stream.prototype.removeAllListeners.apply(this, arguments);
  if (event === 'readable' || event === undefined) process.nextTick(updateReadableListening, this);
  return result;
};

function updateReadableListening(self) {
  const state = self._readableState;
  state.readableListening = self.listenerCount('readable') > 0;
  if (state.resumeScheduled && state[kPaused] === false) {
    state.flowing = true;
  } else if (self.listenerCount('data') > 0) {
    self.resume();
  } else if (!state.readableListening) {
    state.flowing = null;
  }
}

function readNothingNT(self) {
  self.read(0);
}

Readable.prototype.resume = function () {
  const state = this._readableState;
  if (state.destroyed) return this;
  if (!state.flowing) {
    // With a 'readable' listener it is that one who reads.
    state.flowing = !state.readableListening;
    if (!state.resumeScheduled) {
      state.resumeScheduled = true;
      process.nextTick(resumeNT, this, state);
    }
  }
  state[kPaused] = false;
  return this;
};

function resumeNT(stream, state) {
  if (!state.reading) stream.read(0);
  state.resumeScheduled = false;
  stream.emit('resume');
  flow(stream);
  if (state.flowing && !state.reading) stream.read(0);
}

Readable.prototype.pause = function () {
  const state = this._readableState;
  if (state.destroyed) return this;
  if (state.flowing !== false) {
    state.flowing = false;
    this.emit('pause');
  }
  state[kPaused] = true;
  return this;
};

function flow(stream) {
  const state = stream._readableState;
  while (state.flowing && stream.read() !== null);
}

// An old stream as the source.
Readable.prototype.wrap = function (stream) {
  let paused = false;
  stream.on('data', (chunk) => {
    if (!this.push(chunk) && stream.pause) {
      paused = true;
      stream.pause();
    }
  });
  stream.on('end', () => {
    this.push(null);
  });
  stream.on('error', (err) => {
    errorOrDestroy(this, err);
  });
  stream.on('close', () => {
    this.destroy();
  });
  stream.on('destroy', () => {
    this.destroy();
  });
  this._read = () => {
    if (paused && stream.resume) {
      paused = false;
      stream.resume();
    }
  };
  for (const key of Object.keys(stream)) {
    if (this[key] === undefined && typeof stream[key] === 'function') this[key] = stream[key].bind(stream);
  }
  return this;
};

// ---------------------------------------------------------------- iteration

Readable.prototype[Symbol.asyncIterator] = function () {
  return streamToAsyncIterator(this);
};

Readable.prototype.iterator = function (options) {
  if (options !== undefined) validateObject(options, 'options');
  return streamToAsyncIterator(this, options);
};

function streamToAsyncIterator(stream, options) {
  if (typeof stream.read !== 'function') stream = Readable.wrap(stream, { objectMode: true });
  const iterator = createAsyncIterator(stream, options);
  iterator.stream = stream;
  return iterator;
}

async function* createAsyncIterator(stream, options) {
  let callback = nop;
  function next(resolve) {
    if (this === stream) {
      callback();
      callback = nop;
    } else {
      callback = resolve;
    }
  }
  stream.on('readable', next);
  let error;
  const cleanup = eos(stream, { writable: false, [eos.kNoBind]: true }, (err) => {
    error = err ? aggregateTwoErrors(error, err) : null;
    callback();
    callback = nop;
  });
  try {
    for (;;) {
      const chunk = stream.destroyed ? null : stream.read();
      if (chunk !== null) yield chunk;
      else if (error) throw error;
      else if (error === null) return;
      else await new Promise(next);
    }
  } catch (err) {
    error = aggregateTwoErrors(error, err);
    throw error;
  } finally {
    if ((error || options?.destroyOnReturn !== false) && (error === undefined || stream._readableState.autoDestroy)) {
      destroyImpl.destroyer(stream, null);
    } else {
      stream.off('readable', next);
      cleanup();
    }
  }
}

// ---------------------------------------------------------------- properties

Object.defineProperties(Readable.prototype, {
  readable: {
    __proto__: null,
    get() {
      const r = this._readableState;
      return !!r && r.readable !== false && !r.destroyed && !r.errorEmitted && !r.endEmitted;
    },
    set(value) {
      if (this._readableState) this._readableState.readable = !!value;
    },
  },
  readableDidRead: { __proto__: null, enumerable: false, get() { return this._readableState.dataEmitted; } },
  readableAborted: {
    __proto__: null,
    enumerable: false,
    get() {
      const s = this._readableState;
      return !!(s.readable !== false && (s.destroyed || s.errored) && !s.endEmitted);
    },
  },
  readableHighWaterMark: { __proto__: null, enumerable: false, get() { return this._readableState.highWaterMark; } },
  readableBuffer: { __proto__: null, enumerable: false, get() { return this._readableState?.buffer; } },
  readableFlowing: {
    __proto__: null,
    enumerable: false,
    get() {
      return this._readableState.flowing;
    },
    set(value) {
      if (this._readableState) this._readableState.flowing = value;
    },
  },
  readableLength: { __proto__: null, enumerable: false, get() { return this._readableState.length; } },
  readableObjectMode: { __proto__: null, enumerable: false, get() { return this._readableState ? this._readableState.objectMode : false; } },
  readableEncoding: { __proto__: null, enumerable: false, get() { return this._readableState ? this._readableState.encoding : null; } },
  errored: { __proto__: null, enumerable: false, get() { return this._readableState ? this._readableState.errored : null; } },
  closed: { __proto__: null, get() { return this._readableState ? this._readableState.closed : false; } },
  destroyed: {
    __proto__: null,
    enumerable: false,
    get() {
      return this._readableState ? this._readableState.destroyed : false;
    },
    set(value) {
      if (this._readableState) this._readableState.destroyed = value;
    },
  },
  readableEnded: { __proto__: null, enumerable: false, get() { return this._readableState ? this._readableState.endEmitted : false; } },
});
Readable._fromList = fromList;

function endReadable(stream) {
  const state = stream._readableState;
  if (!state.endEmitted) {
    state.ended = true;
    process.nextTick(endReadableNT, state, stream);
  }
}

function endReadableNT(state, stream) {
  if (state.errored || state.closeEmitted || state.endEmitted || state.length !== 0) return;
  state.endEmitted = true;
  stream.emit('end');
  if (stream.writable && stream.allowHalfOpen === false) {
    process.nextTick(endWritableNT, stream);
  } else if (state.autoDestroy) {
    const w = stream._writableState;
    const both = !w || (w.autoDestroy && (w.finished || w.writable === false));
    if (both) stream.destroy();
  }
}

function endWritableNT(stream) {
  if (stream.writable && !stream.writableEnded && !stream.destroyed) stream.end();
}

Readable.from = function (iterable, opts) {
  return require('internal/streams/from')(Readable, iterable, opts);
};

Readable.fromWeb = function (readableStream, options) {
  return require('internal/webstreams/adapters').newStreamReadableFromReadableStream(readableStream, options);
};

Readable.toWeb = function (streamReadable, options) {
  return require('internal/webstreams/adapters').newReadableStreamFromStreamReadable(streamReadable, options);
};

Readable.wrap = function (src, options) {
  return new Readable({
    objectMode: src.readableObjectMode ?? src.objectMode ?? true,
    ...options,
    destroy(err, callback) {
      destroyImpl.destroyer(src, err);
      callback(err);
    },
  }).wrap(src);
};
