'use strict';

// Writable: writes go to _write (or _writev) one at a time, the rest waits in a buffer; 'drain' when it is empty again,
// 'finish' when all is written after end(). Callbacks of synchronous writes come in a later tick, together.

const { codes } = require('internal/errors');
const { Stream } = require('internal/streams/legacy');
const { getHighWaterMark, getDefaultHighWaterMark } = require('internal/streams/state');
const destroyImpl = require('internal/streams/destroy');
const { addAbortSignal } = require('internal/streams/add_abort_signal');
const { eos } = require('internal/streams/end_of_stream');
const { Buffer } = require('buffer');

const { errorOrDestroy } = destroyImpl;
const kOnFinished = Symbol('kOnFinished');
function nop() {}

class WritableState {
  constructor(options, stream, isDuplex) {
    this.objectMode = !!(options?.objectMode || (isDuplex && options?.writableObjectMode));
    this.highWaterMark = options ? getHighWaterMark(this, options, 'writableHighWaterMark', isDuplex) : getDefaultHighWaterMark(false);
    this.finalCalled = false;
    this.needDrain = false;
    this.ending = false;
    this.ended = false;
    this.finished = false;
    this.destroyed = false;
    this.decodeStrings = !(options?.decodeStrings === false);
    this.defaultEncoding = 'utf8';
    if (options?.defaultEncoding != null && options.defaultEncoding !== 'utf8' && options.defaultEncoding !== 'utf-8') {
      if (!Buffer.isEncoding(options.defaultEncoding)) throw new codes.ERR_UNKNOWN_ENCODING(options.defaultEncoding);
      this.defaultEncoding = options.defaultEncoding;
    }
    this.length = 0;
    this.writing = false;
    this.corked = 0;
    this.sync = true;
    this.bufferProcessing = false;
    this.onwrite = onwrite.bind(undefined, stream);
    this.writecb = null;
    this.writelen = 0;
    this.afterWriteTickInfo = null;
    this.afterWriteTickPending = false;
    this.buffered = [];
    this.bufferedIndex = 0;
    this.allBuffers = true;
    this.allNoop = true;
    this.pendingcb = 0;
    this.constructed = true;
    this.prefinished = false;
    this.errorEmitted = false;
    this.emitClose = !(options?.emitClose === false);
    this.autoDestroy = !(options?.autoDestroy === false);
    this.errored = null;
    this.closed = false;
    this.closeEmitted = false;
    this.writable = undefined;
    this[kOnFinished] = [];
  }

  getBuffer() {
    return this.buffered.slice(this.bufferedIndex);
  }

  get bufferedRequestCount() {
    return this.buffered.length - this.bufferedIndex;
  }
}

function resetBuffer(state) {
  state.buffered = [];
  state.bufferedIndex = 0;
  state.allBuffers = true;
  state.allNoop = true;
}

function Writable(options) {
  if (!(this instanceof Writable)) return new Writable(options);
  this._events ??= { close: undefined, error: undefined, prefinish: undefined, finish: undefined, drain: undefined };
  const isDuplex = this instanceof require('internal/streams/duplex');
  this._writableState = new WritableState(options, this, isDuplex);
  if (options) {
    if (typeof options.write === 'function') this._write = options.write;
    if (typeof options.writev === 'function') this._writev = options.writev;
    if (typeof options.destroy === 'function') this._destroy = options.destroy;
    if (typeof options.final === 'function') this._final = options.final;
    if (typeof options.construct === 'function') this._construct = options.construct;
    if (options.signal) addAbortSignal(options.signal, this);
  }
  Stream.call(this, options);
  if (this._construct != null) {
    destroyImpl.construct(this, () => {
      const state = this._writableState;
      if (!state.writing) clearBuffer(this, state);
      finishMaybe(this, state);
    });
  }
}
Object.setPrototypeOf(Writable.prototype, Stream.prototype);
Object.setPrototypeOf(Writable, Stream);
module.exports = Writable;
Writable.WritableState = WritableState;
Writable.finishMaybe = finishMaybe;

Object.defineProperty(Writable, Symbol.hasInstance, {
  __proto__: null,
  value(object) {
    if (Function.prototype[Symbol.hasInstance].call(this, object)) return true;
    if (this !== Writable) return false;
    return object?._writableState instanceof WritableState;
  },
});

Writable.prototype.pipe = function () {
  errorOrDestroy(this, new codes.ERR_STREAM_CANNOT_PIPE());
};

function unknownEncoding(encoding) {
  const shown = typeof encoding === 'string' ? encoding : require('internal/util/inspect').inspect(encoding);
  return new codes.ERR_UNKNOWN_ENCODING(shown);
}

function toBuffer(view) {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}

function writeChecked(stream, chunk, encoding, callback) {
  const state = stream._writableState;
  if (callback == null || typeof callback !== 'function') callback = nop;
  if (chunk === null) throw new codes.ERR_STREAM_NULL_VALUES();
  if (!state.objectMode) {
    if (!encoding) {
      encoding = state.defaultEncoding;
    } else if (!Buffer.isEncoding(encoding) && (encoding !== 'buffer' || typeof chunk === 'string')) {
      throw unknownEncoding(encoding);
    }
    if (typeof chunk === 'string') {
      if (state.decodeStrings !== false) {
        chunk = Buffer.from(chunk, encoding);
        encoding = 'buffer';
      }
    } else if (chunk instanceof Buffer) {
      encoding = 'buffer';
    } else if (ArrayBuffer.isView(chunk)) {
      chunk = toBuffer(chunk);
      encoding = 'buffer';
    } else {
      throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
    }
  }
  let err;
  if (state.ending) err = new codes.ERR_STREAM_WRITE_AFTER_END();
  else if (state.destroyed) err = new codes.ERR_STREAM_DESTROYED('write');
  if (err) {
    process.nextTick(callback, err);
    errorOrDestroy(stream, err, true);
    return err;
  }
  state.pendingcb++;
  return writeOrBuffer(stream, state, chunk, encoding, callback);
}

Writable.prototype.write = function (chunk, encoding, callback) {
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  return writeChecked(this, chunk, encoding, callback) === true;
};

Writable.prototype.cork = function () {
  this._writableState.corked++;
};

Writable.prototype.uncork = function () {
  const state = this._writableState;
  if (state.corked) {
    state.corked--;
    if (!state.writing) clearBuffer(this, state);
  }
};

Writable.prototype.setDefaultEncoding = function setDefaultEncoding(encoding) {
  if (typeof encoding === 'string') encoding = encoding.toLowerCase();
  if (!Buffer.isEncoding(encoding)) throw unknownEncoding(encoding);
  this._writableState.defaultEncoding = encoding;
  return this;
};

function writeOrBuffer(stream, state, chunk, encoding, callback) {
  const length = state.objectMode ? 1 : chunk.length;
  state.length += length;
  const below = state.length < state.highWaterMark;
  if (!below) state.needDrain = true;
  if (state.writing || state.corked || state.errored || !state.constructed) {
    state.buffered.push({ chunk, encoding, callback });
    if (state.allBuffers && encoding !== 'buffer') state.allBuffers = false;
    if (state.allNoop && callback !== nop) state.allNoop = false;
  } else {
    state.writelen = length;
    state.writecb = callback;
    state.writing = true;
    state.sync = true;
    stream._write(chunk, encoding, state.onwrite);
    state.sync = false;
  }
  // No, if it is full, and no, if nothing more will be taken.
  return below && !state.errored && !state.destroyed;
}

function doWrite(stream, state, isVector, length, chunk, encoding, callback) {
  state.writelen = length;
  state.writecb = callback;
  state.writing = true;
  state.sync = true;
  if (state.destroyed) state.onwrite(new codes.ERR_STREAM_DESTROYED('write'));
  else if (isVector) stream._writev(chunk, state.onwrite);
  else stream._write(chunk, encoding, state.onwrite);
  state.sync = false;
}

function onwriteError(stream, state, err, callback) {
  --state.pendingcb;
  callback(err);
  // What waits in the buffer will never be written.
  errorBuffer(state);
  errorOrDestroy(stream, err);
}

function onwrite(stream, err) {
  const state = stream._writableState;
  const { sync, writecb: callback } = state;
  if (typeof callback !== 'function') {
    errorOrDestroy(stream, new codes.ERR_MULTIPLE_CALLBACK());
    return;
  }
  state.writing = false;
  state.writecb = null;
  state.length -= state.writelen;
  state.writelen = 0;
  if (err) {
    void err.stack;
    if (!state.errored) state.errored = err;
    if (stream._readableState && !stream._readableState.errored) stream._readableState.errored = err;
    if (sync) process.nextTick(onwriteError, stream, state, err, callback);
    else onwriteError(stream, state, err, callback);
    return;
  }
  if (state.buffered.length > state.bufferedIndex) clearBuffer(stream, state);
  if (sync) {
    const needDrain = state.needDrain && state.length === 0;
    if (callback === nop) {
      // Nobody waits for this write: a tick is needed only for 'drain'.
      if (!state.afterWriteTickPending && (needDrain || state.destroyed)) {
        state.afterWriteTickPending = true;
        process.nextTick(afterWrite, stream, state, 1, callback);
      } else {
        state.pendingcb--;
        if (state.ending) finishMaybe(stream, state, true);
      }
    } else if (state.afterWriteTickInfo !== null && state.afterWriteTickInfo.callback === callback) {
      state.afterWriteTickInfo.count++;
    } else {
      state.afterWriteTickInfo = { count: 1, callback, stream, state };
      process.nextTick(afterWriteTick, state.afterWriteTickInfo);
    }
  } else {
    afterWrite(stream, state, 1, callback);
  }
}

function afterWriteTick(info) {
  info.state.afterWriteTickInfo = null;
  afterWrite(info.stream, info.state, info.count, info.callback);
}

function afterWrite(stream, state, count, callback) {
  state.afterWriteTickPending = false;
  if (!state.ending && !state.destroyed && state.length === 0 && state.needDrain) {
    state.needDrain = false;
    stream.emit('drain');
  }
  while (count-- > 0) {
    state.pendingcb--;
    callback(null);
  }
  if (state.destroyed) errorBuffer(state);
  finishMaybe(stream, state);
}

function errorBuffer(state) {
  if (state.writing) return;
  for (let n = state.bufferedIndex; n < state.buffered.length; ++n) {
    const { chunk, callback } = state.buffered[n];
    state.length -= state.objectMode ? 1 : chunk.length;
    callback(state.errored ?? new codes.ERR_STREAM_DESTROYED('write'));
  }
  const waiting = state[kOnFinished].splice(0);
  for (let i = 0; i < waiting.length; i++) waiting[i](state.errored ?? new codes.ERR_STREAM_DESTROYED('end'));
  resetBuffer(state);
}

function clearBuffer(stream, state) {
  if (state.corked || state.bufferProcessing || state.destroyed || !state.constructed) return;
  const { buffered, bufferedIndex, objectMode } = state;
  const count = buffered.length - bufferedIndex;
  if (!count) return;
  let i = bufferedIndex;
  state.bufferProcessing = true;
  if (count > 1 && stream._writev) {
    state.pendingcb -= count - 1;
    const callback = state.allNoop ? nop : (err) => {
      for (let n = i; n < buffered.length; ++n) buffered[n].callback(err);
    };
    const chunks = state.allNoop && i === 0 ? buffered : buffered.slice(i);
    chunks.allBuffers = state.allBuffers;
    doWrite(stream, state, true, state.length, chunks, '', callback);
    resetBuffer(state);
  } else {
    do {
      const { chunk, encoding, callback } = buffered[i];
      buffered[i++] = null;
      doWrite(stream, state, false, objectMode ? 1 : chunk.length, chunk, encoding, callback);
    } while (i < buffered.length && !state.writing);
    if (i === buffered.length) {
      resetBuffer(state);
    } else if (i > 256) {
      buffered.splice(0, i);
      state.bufferedIndex = 0;
    } else {
      state.bufferedIndex = i;
    }
  }
  state.bufferProcessing = false;
}

Writable.prototype._write = function (chunk, encoding, callback) {
  if (this._writev) this._writev([{ chunk, encoding }], callback);
  else throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_write()');
};
Writable.prototype._writev = null;

Writable.prototype.end = function (chunk, encoding, callback) {
  const state = this._writableState;
  if (typeof chunk === 'function') {
    callback = chunk;
    chunk = null;
    encoding = null;
  } else if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  let err;
  if (chunk !== null && chunk !== undefined) {
    const result = writeChecked(this, chunk, encoding);
    if (result instanceof Error) err = result;
  }
  if (state.corked) {
    state.corked = 1;
    this.uncork();
  }
  if (err) {
    // Told already.
  } else if (!state.errored && !state.ending) {
    // Whatever fails now, the stream was ended.
    state.ending = true;
    finishMaybe(this, state, true);
    state.ended = true;
  } else if (state.finished) {
    err = new codes.ERR_STREAM_ALREADY_FINISHED('end');
  } else if (state.destroyed) {
    err = new codes.ERR_STREAM_DESTROYED('end');
  }
  if (typeof callback === 'function') {
    if (err) process.nextTick(callback, err);
    else if (state.errored) process.nextTick(callback, state.errored);
    else if (state.finished) process.nextTick(callback);
    else state[kOnFinished].push(callback);
  }
  return this;
};

function needFinish(state) {
  return state.ending && !state.destroyed && state.constructed && state.length === 0 && !state.errored && state.buffered.length === 0 &&
    !state.finished && !state.writing && !state.errorEmitted && !state.closeEmitted;
}

function callFinal(stream, state) {
  let called = false;
  function onFinish(err) {
    if (called) {
      errorOrDestroy(stream, err ?? new codes.ERR_MULTIPLE_CALLBACK());
      return;
    }
    called = true;
    state.pendingcb--;
    if (err) {
      const waiting = state[kOnFinished].splice(0);
      for (let i = 0; i < waiting.length; i++) waiting[i](err);
      errorOrDestroy(stream, err, state.sync);
    } else if (needFinish(state)) {
      state.prefinished = true;
      stream.emit('prefinish');
      // One more tick, so that whoever writes in 'prefinish' or in the callback is heard.
      state.pendingcb++;
      process.nextTick(finish, stream, state);
    }
  }
  state.sync = true;
  state.pendingcb++;
  try {
    stream._final(onFinish);
  } catch (err) {
    onFinish(err);
  }
  state.sync = false;
}

function prefinish(stream, state) {
  if (state.prefinished || state.finalCalled) return;
  if (typeof stream._final === 'function' && !state.destroyed) {
    state.finalCalled = true;
    callFinal(stream, state);
  } else {
    state.prefinished = true;
    stream.emit('prefinish');
  }
}

function finishMaybe(stream, state, sync) {
  if (!needFinish(state)) return;
  prefinish(stream, state);
  if (state.pendingcb !== 0) return;
  if (sync) {
    state.pendingcb++;
    process.nextTick(finishNT, stream, state);
  } else if (needFinish(state)) {
    state.pendingcb++;
    finish(stream, state);
  }
}

function finishNT(stream, state) {
  if (needFinish(state)) finish(stream, state);
  else state.pendingcb--;
}

function finish(stream, state) {
  state.pendingcb--;
  state.finished = true;
  const waiting = state[kOnFinished].splice(0);
  for (let i = 0; i < waiting.length; i++) waiting[i](null);
  stream.emit('finish');
  if (state.autoDestroy) {
    const r = stream._readableState;
    const both = !r || (r.autoDestroy && (r.endEmitted || r.readable === false));
    if (both) stream.destroy();
  }
}

Object.defineProperties(Writable.prototype, {
  closed: { __proto__: null, get() { return this._writableState ? this._writableState.closed : false; } },
  destroyed: {
    __proto__: null,
    get() {
      return this._writableState ? this._writableState.destroyed : false;
    },
    set(value) {
      if (this._writableState) this._writableState.destroyed = value;
    },
  },
  writable: {
    __proto__: null,
    get() {
      const w = this._writableState;
      return !!w && w.writable !== false && !w.destroyed && !w.errored && !w.ending && !w.ended;
    },
    set(value) {
      if (this._writableState) this._writableState.writable = !!value;
    },
  },
  writableFinished: { __proto__: null, get() { return this._writableState ? this._writableState.finished : false; } },
  writableObjectMode: { __proto__: null, get() { return this._writableState ? this._writableState.objectMode : false; } },
  writableBuffer: { __proto__: null, get() { return this._writableState?.getBuffer(); } },
  writableEnded: { __proto__: null, get() { return this._writableState ? this._writableState.ending : false; } },
  writableNeedDrain: {
    __proto__: null,
    get() {
      const w = this._writableState;
      return w ? !w.destroyed && !w.ending && w.needDrain : false;
    },
  },
  writableHighWaterMark: { __proto__: null, get() { return this._writableState?.highWaterMark; } },
  writableCorked: { __proto__: null, get() { return this._writableState ? this._writableState.corked : 0; } },
  writableLength: { __proto__: null, get() { return this._writableState?.length; } },
  errored: { __proto__: null, enumerable: false, get() { return this._writableState ? this._writableState.errored : null; } },
  writableAborted: {
    __proto__: null,
    enumerable: false,
    get() {
      const w = this._writableState;
      return !!(w.writable !== false && (w.destroyed || w.errored) && !w.finished);
    },
  },
});

Writable.prototype.destroy = function (err, callback) {
  const state = this._writableState;
  // What waits in the buffer is told in the next tick.
  if (!state.destroyed && (state.bufferedIndex < state.buffered.length || state[kOnFinished].length)) process.nextTick(errorBuffer, state);
  destroyImpl.destroy.call(this, err, callback);
  return this;
};
Writable.prototype._undestroy = destroyImpl.undestroy;
Writable.prototype._destroy = function (err, callback) {
  callback(err);
};
Writable.prototype[Symbol.for('nodejs.rejection')] = function (err) {
  this.destroy(err);
};
Writable.prototype[Symbol.asyncDispose] = async function () {
  let error;
  if (!this.destroyed) {
    error = this.writableFinished ? null : new (require('internal/errors').AbortError)();
    this.destroy(error);
  }
  await new Promise((resolve, reject) => eos(this, (err) => (err && err.name !== 'AbortError' ? reject(err) : resolve(null))));
};

Writable.fromWeb = function (writableStream, options) {
  return require('internal/webstreams/adapters').newStreamWritableFromWritableStream(writableStream, options);
};

Writable.toWeb = function (streamWritable) {
  return require('internal/webstreams/adapters').newWritableStreamFromStreamWritable(streamWritable);
};
