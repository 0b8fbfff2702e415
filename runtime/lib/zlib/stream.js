'use strict';

// ZlibBase: a Transform over an engine. A written chunk becomes one or more steps on a thread; the output of each step
// is pushed; if the reader's buffer is full, the next step waits until it asks for more. Flushes are empty chunks in
// the queue of writes, with their kind.

const { Transform, finished } = require('stream');
const { codes } = require('internal/errors');
const { steady } = require('internal/zlib/engine');
const constants = require('internal/zlib/constants');
const { settingsFor, number } = require('internal/zlib/settings');
const { stepThrough } = require('internal/zlib/whole');

const flushKinds = new WeakMap(); // of the chunks that are flushes
const kHeld = Symbol('held step'); // goes on when the reader asks for more
const kMostFlush = Symbol('highest kind of flush');
const kClosedBinding = 'zlib binding closed';

function ZlibBase(format, options) {
  const settings = settingsFor(format, options);
  Reflect.apply(Transform, this, [
    {
      autoDestroy: true,
      ...options,
      encoding: undefined,
      objectMode: false,
      readableObjectMode: false,
      writableObjectMode: false,
    },
  ]);
  Object.assign(this, {
    bytesWritten: 0,
    _handle: settings.engine,
    _writeState: settings.engine.state,
    _outBuffer: Buffer.allocUnsafe(settings.chunkSize),
    _outOffset: 0,
    _chunkSize: settings.chunkSize,
    _defaultFlushFlag: settings.flush,
    _finishFlushFlag: settings.finishFlush,
    _defaultFullFlushFlag: settings.flushes.full,
    _info: settings.info,
    _maxOutputLength: settings.maxOutputLength,
    _rejectGarbageAfterEnd: settings.rejectGarbageAfterEnd,
    _mode: settings.mode,
  });
  if (settings.level !== undefined) {
    this._level = settings.level;
    this._strategy = settings.strategy;
  }
  this[kHeld] = undefined;
  this[kMostFlush] = settings.flushes.most;
}
Object.setPrototypeOf(ZlibBase.prototype, Transform.prototype);
Object.setPrototypeOf(ZlibBase, Transform);

Object.defineProperty(ZlibBase.prototype, '_closed', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    return !this._handle;
  },
});

ZlibBase.prototype.reset = function () {
  if (!this._handle) throw new codes.ERR_INTERNAL_ASSERTION(kClosedBinding);
  if (!this._handle.reset()) this.destroy(this._handle.failure);
};

ZlibBase.prototype._flush = function (callback) {
  this._transform(Buffer.alloc(0), '', callback);
};

// _flush does everything.
ZlibBase.prototype._final = function (callback) {
  callback();
};

ZlibBase.prototype.flush = function (kind, callback) {
  if (typeof kind === 'function') {
    callback = kind;
    kind = undefined;
  }
  kind = number(kind, 'kind', 0, this[kMostFlush], this._defaultFullFlushFlag);
  if (this.writableFinished) {
    if (callback) process.nextTick(callback);
  } else if (this.writableEnded) {
    if (callback) this.once('end', callback);
  } else {
    const marker = Buffer.alloc(0);
    flushKinds.set(marker, kind);
    this.write(marker, '', callback);
  }
};

ZlibBase.prototype.close = function (callback) {
  if (callback) finished(this, callback);
  this.destroy();
};

ZlibBase.prototype._destroy = function (error, callback) {
  this._handle?.close();
  this._handle = null;
  callback(error);
};

ZlibBase.prototype._transform = function (chunk, encoding, callback) {
  const kind = flushKinds.get(chunk);
  const isLast = this.writableEnded && this.writableLength === chunk.byteLength;
  const flush = kind ?? this._defaultFlushFlag;
  this._processChunk(chunk, isLast ? Math.max(flush, this._finishFlushFlag) : flush, callback);
};

ZlibBase.prototype._read = function () {
  const step = this[kHeld];
  if (step === undefined) {
    Reflect.apply(Transform.prototype._read, this, []);
    return;
  }
  this[kHeld] = undefined;
  step();
};

// Without a callback: synchronous, and the end of the stream. Packages call it so.
ZlibBase.prototype._processChunk = function (chunk, flush, callback) {
  if (typeof callback !== 'function') {
    const { _chunkSize: chunkSize, _outOffset: offset } = this;
    if (offset > chunkSize) throw new codes.ERR_OUT_OF_RANGE('_outOffset', `<= ${chunkSize}`, offset);
    const output = stepThrough(this._handle, chunk, flush, {
      chunkSize,
      maxOutputLength: this._maxOutputLength,
      rejectGarbageAfterEnd: this._rejectGarbageAfterEnd,
    });
    this.bytesWritten += output.consumed;
    this._handle.close();
    this._handle = null;
    return output.joined;
  }
  if (!this._handle) {
    process.nextTick(callback);
    return undefined;
  }
  new Passage(this, chunk, flush, callback).step();
  return undefined;
};

// One chunk on its way through the engine.
class Passage {
  #stream;
  #engine;
  #chunk;
  #flush;
  #callback;
  #at = 0;
  #left;

  constructor(stream, chunk, flush, callback) {
    this.#stream = stream;
    this.#engine = stream._handle;
    this.#chunk = steady(chunk);
    this.#left = chunk.byteLength;
    this.#flush = flush;
    this.#callback = callback;
  }

  step() {
    const stream = this.#stream;
    if (stream.destroyed) {
      this.#callback();
      return;
    }
    const room = stream._chunkSize - stream._outOffset;
    const input = [this.#chunk, this.#at, this.#left];
    this.#engine.write(this.#flush, ...input, stream._outBuffer, stream._outOffset, room, () => this.#arrive(room));
  }

  #arrive(room) {
    const stream = this.#stream;
    if (stream.destroyed) {
      stream._outBuffer = null;
      this.#callback();
      return;
    }
    const failure = this.#engine.failure;
    if (failure !== undefined) {
      stream.destroy(failure);
      return;
    }
    const [roomLeft, left] = this.#engine.state;
    stream.bytesWritten += this.#left - left;
    this.#at += this.#left - left;
    this.#left = left;
    const isEnough = this.#deliver(room - roomLeft);
    if (stream.destroyed) this.#callback();
    else if (roomLeft === 0) this.#goOn(isEnough);
    else if (left > 0) this.#endBeforeInput();
    else this.#callback();
  }

  // Whether the reader's buffer is full.
  #deliver(length) {
    const stream = this.#stream;
    let isEnough = false;
    if (length > 0) {
      isEnough = !stream.push(stream._outBuffer.subarray(stream._outOffset, stream._outOffset + length));
      stream._outOffset += length;
    }
    if (stream._outOffset >= stream._chunkSize) {
      stream._outOffset = 0;
      stream._outBuffer = Buffer.allocUnsafe(stream._chunkSize);
    }
    return isEnough;
  }

  // The output was filled: there may be more.
  #goOn(isEnough) {
    if (isEnough) this.#stream[kHeld] = () => this.step();
    else this.step();
  }

  // The compressed stream has ended, and more data follows.
  #endBeforeInput() {
    const stream = this.#stream;
    if (stream._rejectGarbageAfterEnd) {
      stream.destroy(new codes.ERR_TRAILING_JUNK_AFTER_STREAM_END());
      return;
    }
    stream.push(null);
    this.#callback();
  }
}

// ---- methods of the zlib family only ----

function Zlib(format, options) {
  Reflect.apply(ZlibBase, this, [format, options]);
}
Object.setPrototypeOf(Zlib.prototype, ZlibBase.prototype);
Object.setPrototypeOf(Zlib, ZlibBase);

Zlib.prototype.params = function (level, strategy, callback) {
  number(level, 'level', constants.Z_MIN_LEVEL, constants.Z_MAX_LEVEL);
  number(strategy, 'strategy', constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED);
  if (this._level === level && this._strategy === strategy) {
    if (callback) process.nextTick(callback);
    return;
  }
  // Data that was written before is compressed with the old settings.
  this.flush(constants.Z_SYNC_FLUSH, (...args) => {
    if (!this._handle) throw new codes.ERR_INTERNAL_ASSERTION(kClosedBinding);
    if (!this._handle.params(level, strategy)) {
      this.destroy(this._handle.failure);
      return;
    }
    this._level = level;
    this._strategy = strategy;
    callback?.(args[0] ?? undefined);
  });
};

function Brotli(format, options) {
  Reflect.apply(ZlibBase, this, [format, options]);
}
Object.setPrototypeOf(Brotli.prototype, Zlib.prototype);
Object.setPrototypeOf(Brotli, Zlib);

function Zstd(format, options) {
  Reflect.apply(ZlibBase, this, [format, options]);
}
Object.setPrototypeOf(Zstd.prototype, ZlibBase.prototype);
Object.setPrototypeOf(Zstd, ZlibBase);

module.exports = { bases: { zlib: Zlib, brotli: Brotli, zstd: Zstd } };
