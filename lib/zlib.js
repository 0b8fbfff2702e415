'use strict';

// node:zlib. Every stream is a Transform around a native stream that takes steps: asynchronous ones on the pool for the
// streams, synchronous ones for the functions whose names end so.

const { codes, E } = require('internal/errors');
const { checkRangesOrGetDefault, validateFunction, validateUint32 } = require('internal/validators');
const { isArrayBufferView, isAnyArrayBuffer, isUint8Array } = require('internal/util/types');
const { Buffer, kMaxLength } = require('buffer');
const { Transform, finished } = require('stream');
const constants = require('internal/zlib_constants');
const asyncContext = require('internal/async_context');
const assert = (value, message) => {
  if (!value) require('assert')(value, message);
};

const binding = internalBinding('zlib');

const {
  BROTLI_DECODE, BROTLI_ENCODE, BROTLI_OPERATION_EMIT_METADATA, BROTLI_OPERATION_FINISH, BROTLI_OPERATION_FLUSH,
  BROTLI_OPERATION_PROCESS, DEFLATE, DEFLATERAW, GUNZIP, GZIP, INFLATE, INFLATERAW, UNZIP, ZSTD_COMPRESS, ZSTD_DECOMPRESS,
  ZSTD_e_continue, ZSTD_e_end, ZSTD_e_flush, Z_BLOCK, Z_DEFAULT_CHUNK, Z_DEFAULT_COMPRESSION, Z_DEFAULT_MEMLEVEL,
  Z_DEFAULT_STRATEGY, Z_DEFAULT_WINDOWBITS, Z_FINISH, Z_FIXED, Z_FULL_FLUSH, Z_MAX_CHUNK, Z_MAX_LEVEL, Z_MAX_MEMLEVEL,
  Z_MAX_WINDOWBITS, Z_MIN_CHUNK, Z_MIN_LEVEL, Z_MIN_MEMLEVEL, Z_MIN_WINDOWBITS, Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH,
} = constants;

for (const [code, message, Base] of [
  ['ERR_BROTLI_INVALID_PARAM', '%s is not a valid Brotli parameter', RangeError],
  ['ERR_ZSTD_INVALID_PARAM', '%s is not a valid zstd parameter', RangeError],
  ['ERR_ZLIB_INITIALIZATION_FAILED', 'Initialization failed', Error],
  ['ERR_TRAILING_JUNK_AFTER_STREAM_END', 'Trailing junk found after the end of the compressed stream', TypeError],
]) {
  if (codes[code] === undefined) E(code, message, Base);
}

const returnCodes = {
  Z_OK: 0, Z_STREAM_END: 1, Z_NEED_DICT: 2, Z_ERRNO: -1, Z_STREAM_ERROR: -2, Z_DATA_ERROR: -3, Z_MEM_ERROR: -4, Z_BUF_ERROR: -5,
  Z_VERSION_ERROR: -6,
};
for (const name of Object.keys(returnCodes)) returnCodes[returnCodes[name]] = name;

const zstdErrors = new Map(Object.keys(constants).filter((name) => name.startsWith('ZSTD_error_')).map((name) => [constants[name], name]));

const brotliErrors = new Map(Object.keys(constants).filter((name) => name.startsWith('BROTLI_DECODER_ERROR_')).map((name) => [constants[name], name]));

const kFlushFlag = Symbol('kFlushFlag');
const kError = Symbol('kError');
const kHandle = Symbol('kHandle');
const kState = Symbol('kState');
const kBusy = Symbol('kBusy');

// ---------------------------------------------------------------- steps

const pending = new Map();
let lastId = 0;

binding.setCallback((id) => {
  const { done, context, stream } = pending.get(id);
  pending.delete(id);
  stream[kBusy] = false;
  asyncContext.current = context;
  done();
  asyncContext.current = undefined;
});

function makeError(handle) {
  const [errno, message, code] = binding.error(handle);
  const error = new Error(message);
  error.errno = errno;
  if (code === undefined) error.code = returnCodes[errno];
  else if (code === 'ZSTD') error.code = zstdErrors.get(errno) ?? 'ZSTD_error_GENERIC';
  else if (code.startsWith('ERR_') || code.startsWith('Z_')) error.code = code;
  else error.code = `ERR_${brotliErrors.get(errno)?.slice('BROTLI_DECODER'.length) ?? code}`;
  return error;
}

// ---------------------------------------------------------------- the base of all streams

const zlibDefaults = { flush: Z_NO_FLUSH, finishFlush: Z_FINISH, fullFlush: Z_FULL_FLUSH, max: Z_BLOCK };
const brotliDefaults = {
  flush: BROTLI_OPERATION_PROCESS, finishFlush: BROTLI_OPERATION_FINISH, fullFlush: BROTLI_OPERATION_FLUSH, max: BROTLI_OPERATION_EMIT_METADATA,
};
const zstdDefaults = { flush: ZSTD_e_continue, finishFlush: ZSTD_e_end, fullFlush: ZSTD_e_flush, max: ZSTD_e_end };

function ZlibBase(options, mode, handle, { flush, finishFlush, fullFlush, max }) {
  let chunkSize = Z_DEFAULT_CHUNK;
  let maxOutputLength = kMaxLength;
  if (options) {
    chunkSize = options.chunkSize;
    if (chunkSize !== undefined && chunkSize === chunkSize) {
      validateFinite2(chunkSize, 'options.chunkSize');
      if (chunkSize < Z_MIN_CHUNK) throw new codes.ERR_OUT_OF_RANGE('options.chunkSize', `>= ${Z_MIN_CHUNK}`, chunkSize);
    } else {
      chunkSize = Z_DEFAULT_CHUNK;
    }
    flush = checkRangesOrGetDefault(options.flush, 'options.flush', Z_NO_FLUSH, max, flush);
    finishFlush = checkRangesOrGetDefault(options.finishFlush, 'options.finishFlush', Z_NO_FLUSH, max, finishFlush);
    maxOutputLength = checkRangesOrGetDefault(options.maxOutputLength, 'options.maxOutputLength', 1, kMaxLength, kMaxLength);
    if (options.encoding || options.objectMode || options.writableObjectMode) {
      options = { ...options, encoding: null, objectMode: false, writableObjectMode: false };
    }
  }
  Reflect.apply(Transform, this, [{ autoDestroy: true, ...options }]);
  this[kError] = null;
  this.bytesWritten = 0;
  this[kHandle] = handle;
  this._outBuffer = Buffer.allocUnsafe(chunkSize);
  this._outOffset = 0;
  this._chunkSize = chunkSize;
  this._defaultFlushFlag = flush;
  this._finishFlushFlag = finishFlush;
  this._defaultFullFlushFlag = fullFlush;
  this._maxFlush = max;
  this._info = options?.info;
  this._maxOutputLength = maxOutputLength;
  this._rejectGarbageAfterEnd = options?.rejectGarbageAfterEnd === true;
  this._mode = mode;
}
Object.setPrototypeOf(ZlibBase.prototype, Transform.prototype);
Object.setPrototypeOf(ZlibBase, Transform);

function validateFinite2(value, name) {
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', value);
  if (!Number.isFinite(value)) throw new codes.ERR_OUT_OF_RANGE(name, 'a finite number', value);
}

Object.defineProperty(ZlibBase.prototype, '_closed', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    return !this[kHandle];
  },
});

Object.defineProperty(ZlibBase.prototype, '_handle', {
  __proto__: null,
  configurable: true,
  get() {
    const handle = this[kHandle];
    if (handle) {
      handle.reset ??= () => this.reset();
      handle.close ??= () => binding.close(handle);
    }
    return handle;
  },
  set(value) {
    this[kHandle] = value;
  },
});

ZlibBase.prototype.reset = function() {
  assert(this[kHandle], 'zlib binding closed');
  if (this[kBusy]) throw new Error('Cannot reset zlib stream while a write is in progress');
  if (!binding.reset(this[kHandle])) this.destroy(makeError(this[kHandle]));
  return undefined;
};

ZlibBase.prototype._flush = function(callback) {
  this._transform(Buffer.alloc(0), '', callback);
};

ZlibBase.prototype._final = function(callback) {
  callback();
};

// Asking for a flush is writing an empty chunk that says which.
const flushBuffers = new Map();
function flushBuffer(kind) {
  let buffer = flushBuffers.get(kind);
  if (buffer === undefined) {
    buffer = Buffer.alloc(0);
    buffer[kFlushFlag] = kind;
    flushBuffers.set(kind, buffer);
  }
  return buffer;
}

ZlibBase.prototype.flush = function(kind, callback) {
  if (typeof kind === 'function' || (kind === undefined && !callback)) {
    callback = kind;
    kind = this._defaultFullFlushFlag;
  }
  kind = checkRangesOrGetDefault(kind, 'kind', 0, this._maxFlush, this._defaultFullFlushFlag);
  if (this.writableFinished) {
    if (callback) process.nextTick(callback);
  } else if (this.writableEnded) {
    if (callback) this.once('end', callback);
  } else {
    this.write(flushBuffer(kind), '', callback);
  }
};

ZlibBase.prototype.close = function(callback) {
  if (callback) finished(this, callback);
  this.destroy();
};

ZlibBase.prototype._destroy = function(error, callback) {
  closeHandle(this);
  callback(error);
};

function closeHandle(stream) {
  if (!stream[kHandle]) return;
  binding.close(stream[kHandle]);
  stream[kHandle] = null;
}

ZlibBase.prototype._transform = function(chunk, encoding, callback) {
  let flushFlag = this._defaultFlushFlag;
  if (typeof chunk[kFlushFlag] === 'number') {
    flushFlag = chunk[kFlushFlag];
  } else {
    if (this.writableEnded && this.writableLength === chunk.byteLength) flushFlag = maxFlush(this, flushFlag);
  }
  processChunk(this, chunk, flushFlag, callback);
};

// The order of zlib's flush values is not that of what they do.
const flushStrength = { [Z_NO_FLUSH]: 0, [Z_BLOCK]: 1, [Z_PARTIAL_FLUSH]: 2, [Z_SYNC_FLUSH]: 3, [Z_FULL_FLUSH]: 4, [Z_FINISH]: 5 };
function maxFlush(stream, flag) {
  const last = stream._finishFlushFlag;
  if (stream._mode >= BROTLI_DECODE) return last;
  return flushStrength[flag] > flushStrength[last] ? flag : last;
}

ZlibBase.prototype._processChunk = function(chunk, flushFlag, callback) {
  if (typeof callback === 'function') processChunk(this, chunk, flushFlag, callback);
  else return processChunkSync(this, chunk, flushFlag);
};

function nextOutput(stream) {
  if (stream._outOffset >= stream._chunkSize) {
    stream._outBuffer = Buffer.allocUnsafe(stream._chunkSize);
    stream._outOffset = 0;
  }
}

function processChunk(stream, chunk, flushFlag, callback) {
  let handle = stream[kHandle];
  if (!handle) {
    process.nextTick(callback);
    return;
  }
  let inOffset = 0;
  let inLength = chunk.byteLength;
  const step = () => {
    nextOutput(stream);
    const room = stream._chunkSize - stream._outOffset;
    const id = ++lastId;
    stream[kBusy] = true;
    pending.set(id, { stream, context: asyncContext.current, done: () => after(room) });
    binding.write(handle, id, flushFlag, chunk, inOffset, inLength, stream._outBuffer, stream._outOffset, room);
  };
  const after = (room) => {
    if (stream.destroyed || stream[kHandle] !== handle) {
      callback();
      return;
    }
    if (binding.error(handle) !== undefined) {
      const error = makeError(handle);
      stream[kError] = error.errno;
      closeHandle(stream);
      stream.destroy(error);
      return;
    }
    const [outLeft, inLeft] = stream[kState];
    const consumed = inLength - inLeft;
    stream.bytesWritten += consumed;
    const have = room - outLeft;
    let wantsMore = true;
    if (have > 0) {
      const part = stream._outBuffer.slice(stream._outOffset, stream._outOffset + have);
      stream._outOffset += have;
      wantsMore = stream.push(part);
    }
    handle = stream[kHandle];
    if (stream.destroyed || !handle) {
      callback();
      return;
    }
    if (outLeft === 0) {
      inOffset += consumed;
      inLength = inLeft;
      if (wantsMore) {
        step();
        return;
      }
      // There is more to come, but nobody to take it: the next read goes on.
      const read = stream._read;
      stream._read = function(n) {
        stream._read = read;
        if (stream[kHandle]) step();
        Reflect.apply(read, stream, [n]);
      };
      return;
    }
    if (inLeft > 0) {
      // There was room for more output, yet the rest of the input was not wanted: it lies behind the stream's end.
      if (stream._rejectGarbageAfterEnd) {
        stream.destroy(new codes.ERR_TRAILING_JUNK_AFTER_STREAM_END());
        return;
      }
      stream.push(null);
    }
    callback();
  };
  step();
}

// What a view really has: its properties may have been replaced.
const getLength = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), 'byteLength').get;
const getViewLength = Object.getOwnPropertyDescriptor(DataView.prototype, 'byteLength').get;
function trueLength(view) {
  return Reflect.apply(view instanceof DataView ? getViewLength : getLength, view, []);
}

function processChunkSync(stream, chunk, flushFlag) {
  const handle = stream[kHandle];
  assert(handle, 'zlib binding closed');
  let inOffset = 0;
  let inLength = chunk.byteLength;
  const parts = [];
  let total = 0;
  let inputRead = 0;
  for (;;) {
    nextOutput(stream);
    const room = stream._chunkSize - stream._outOffset;
    if (room < 0 || inLength > trueLength(chunk)) {
      closeHandle(stream);
      throw new codes.ERR_OUT_OF_RANGE('byteLength', `<= ${trueLength(chunk)}`, inLength);
    }
    if (!binding.write(handle, -1, flushFlag, chunk, inOffset, inLength, stream._outBuffer, stream._outOffset, room)) {
      const error = makeError(handle);
      closeHandle(stream);
      throw error;
    }
    const [outLeft, inLeft] = stream[kState];
    const consumed = inLength - inLeft;
    inputRead += consumed;
    const have = room - outLeft;
    if (have > 0) {
      parts.push(stream._outBuffer.slice(stream._outOffset, stream._outOffset + have));
      stream._outOffset += have;
      total += have;
      if (total > stream._maxOutputLength) {
        closeHandle(stream);
        throw new codes.ERR_BUFFER_TOO_LARGE(stream._maxOutputLength);
      }
    }
    if (outLeft !== 0) {
      if (inLeft > 0 && stream._rejectGarbageAfterEnd) {
        closeHandle(stream);
        throw new codes.ERR_TRAILING_JUNK_AFTER_STREAM_END();
      }
      break;
    }
    inOffset += consumed;
    inLength = inLeft;
  }
  stream.bytesWritten = inputRead;
  closeHandle(stream);
  if (total === 0) return Buffer.alloc(0);
  return parts.length === 1 && total === parts[0].length ? parts[0] : Buffer.concat(parts, total);
}

// ---------------------------------------------------------------- zlib

function Zlib(options, mode) {
  let windowBits = Z_DEFAULT_WINDOWBITS;
  let level = Z_DEFAULT_COMPRESSION;
  let memLevel = Z_DEFAULT_MEMLEVEL;
  let strategy = Z_DEFAULT_STRATEGY;
  let dictionary;
  if (options) {
    // Reading can take the size of the window from the stream: 0 asks for that.
    if ((options.windowBits == null || options.windowBits === 0) && (mode === INFLATE || mode === GUNZIP || mode === UNZIP)) {
      windowBits = 0;
    } else {
      // Gzip knows no window of 8 bits.
      const min = Z_MIN_WINDOWBITS + (mode === GZIP ? 1 : 0);
      windowBits = checkRangesOrGetDefault(options.windowBits, 'options.windowBits', min, Z_MAX_WINDOWBITS, Z_DEFAULT_WINDOWBITS);
    }
    level = checkRangesOrGetDefault(options.level, 'options.level', Z_MIN_LEVEL, Z_MAX_LEVEL, Z_DEFAULT_COMPRESSION);
    memLevel = checkRangesOrGetDefault(options.memLevel, 'options.memLevel', Z_MIN_MEMLEVEL, Z_MAX_MEMLEVEL, Z_DEFAULT_MEMLEVEL);
    strategy = checkRangesOrGetDefault(options.strategy, 'options.strategy', Z_DEFAULT_STRATEGY, Z_FIXED, Z_DEFAULT_STRATEGY);
    dictionary = options.dictionary;
    if (dictionary !== undefined && !isArrayBufferView(dictionary)) {
      if (isAnyArrayBuffer(dictionary)) dictionary = Buffer.from(dictionary);
      else throw new codes.ERR_INVALID_ARG_TYPE('options.dictionary', ['Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], dictionary);
    }
  }
  const state = new Uint32Array(2);
  const handle = binding.create(mode, state);
  // zlib writes a window of 8 bits without a header as one of 9.
  binding.init(handle, mode === DEFLATERAW && windowBits === 8 ? 9 : windowBits, level, memLevel, strategy, dictionary);
  Reflect.apply(ZlibBase, this, [options, mode, handle, zlibDefaults]);
  this[kState] = state;
  this._level = level;
  this._strategy = strategy;
}
Object.setPrototypeOf(Zlib.prototype, ZlibBase.prototype);
Object.setPrototypeOf(Zlib, ZlibBase);

Zlib.prototype.params = function(level, strategy, callback) {
  level = checkRequired(level, 'level', Z_MIN_LEVEL, Z_MAX_LEVEL);
  strategy = checkRequired(strategy, 'strategy', Z_DEFAULT_STRATEGY, Z_FIXED);
  if (this._level === level && this._strategy === strategy) {
    process.nextTick(callback);
    return;
  }
  // What was written so far is to be compressed the old way.
  this.flush(Z_SYNC_FLUSH, () => {
    if (this.destroyed) return;
    const handle = this[kHandle];
    assert(handle, 'zlib binding closed');
    if (!binding.params(handle, level, strategy)) {
      this.destroy(makeError(handle));
      return;
    }
    this._level = level;
    this._strategy = strategy;
    if (callback) callback();
  });
};

function checkRequired(value, name, min, max) {
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', value);
  if (!Number.isFinite(value)) throw new codes.ERR_OUT_OF_RANGE(name, 'a finite number', value);
  if (value < min || value > max) throw new codes.ERR_OUT_OF_RANGE(name, `>= ${min} and <= ${max}`, value);
  return value;
}

const deprecations = new Set();
function withoutNew(name, code, make) {
  if (!deprecations.has(code + name)) {
    deprecations.add(code + name);
    process.emitWarning(`Instantiating ${name} without the 'new' keyword has been deprecated.`, 'DeprecationWarning', code);
  }
  return make();
}

function defineStream(name, Base, mode) {
  const Stream = { [name]: function(options) {
    if (!(this instanceof Stream)) return withoutNew(name, 'DEP0184', () => new Stream(options));
    Reflect.apply(Base, this, [options, mode]);
  } }[name];
  Object.setPrototypeOf(Stream.prototype, Base.prototype);
  Object.setPrototypeOf(Stream, Base);
  return Stream;
}

const Deflate = defineStream('Deflate', Zlib, DEFLATE);
const Inflate = defineStream('Inflate', Zlib, INFLATE);
const Gzip = defineStream('Gzip', Zlib, GZIP);
const Gunzip = defineStream('Gunzip', Zlib, GUNZIP);
const DeflateRaw = defineStream('DeflateRaw', Zlib, DEFLATERAW);
const InflateRaw = defineStream('InflateRaw', Zlib, INFLATERAW);
const Unzip = defineStream('Unzip', Zlib, UNZIP);

// ---------------------------------------------------------------- brotli and zstd

const brotliMax = Math.max(...Object.keys(constants).filter((name) => name.startsWith('BROTLI_PARAM_')).map((name) => constants[name]));

function Brotli(options, mode) {
  assert(mode === BROTLI_DECODE || mode === BROTLI_ENCODE);
  const params = new Uint32Array(brotliMax + 1).fill(-1);
  if (options?.dictionary !== undefined) throw new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('options.dictionary of brotli');
  if (options?.params) {
    for (const original of Object.keys(options.params)) {
      const key = +original;
      if (Number.isNaN(key) || key < 0 || key > brotliMax || params[key] !== 4294967295) throw new codes.ERR_BROTLI_INVALID_PARAM(original);
      const value = options.params[original];
      if (typeof value !== 'number' && typeof value !== 'boolean') throw new codes.ERR_INVALID_ARG_TYPE('options.params[key]', 'number', value);
      params[key] = value;
    }
  }
  const state = new Uint32Array(2);
  const handle = binding.create(mode, state);
  if (!binding.initBrotli(handle, params)) throw new codes.ERR_ZLIB_INITIALIZATION_FAILED();
  Reflect.apply(ZlibBase, this, [options, mode, handle, brotliDefaults]);
  this[kState] = state;
}
Object.setPrototypeOf(Brotli.prototype, Zlib.prototype);
Object.setPrototypeOf(Brotli, Zlib);

const BrotliCompress = defineStream('BrotliCompress', Brotli, BROTLI_ENCODE);
const BrotliDecompress = defineStream('BrotliDecompress', Brotli, BROTLI_DECODE);

const highest = (prefix) => Math.max(...Object.keys(constants).filter((name) => name.startsWith(prefix)).map((name) => constants[name]));
const zstdMax = { [ZSTD_COMPRESS]: highest('ZSTD_c_'), [ZSTD_DECOMPRESS]: highest('ZSTD_d_') };

function Zstd(options, mode) {
  const pairs = [];
  const seen = new Set();
  if (options?.params) {
    for (const original of Object.keys(options.params)) {
      const key = +original;
      if (Number.isNaN(key) || key < 0 || key > zstdMax[mode] || seen.has(key)) throw new codes.ERR_ZSTD_INVALID_PARAM(original);
      const value = options.params[original];
      if (typeof value !== 'number' && typeof value !== 'boolean') throw new codes.ERR_INVALID_ARG_TYPE('options.params[key]', 'number', value);
      seen.add(key);
      pairs.push(key, value);
    }
  }
  let dictionary = options?.dictionary;
  if (dictionary !== undefined && !isArrayBufferView(dictionary)) {
    if (isAnyArrayBuffer(dictionary)) dictionary = Buffer.from(dictionary);
    else throw new codes.ERR_INVALID_ARG_TYPE('options.dictionary', ['Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], dictionary);
  }
  const pledged = options?.pledgedSrcSize;
  if (pledged !== undefined) require('internal/validators').validateInteger(pledged, 'options.pledgedSrcSize', 0);
  const state = new Uint32Array(2);
  const handle = binding.create(mode, state);
  const failure = binding.initZstd(handle, new Int32Array(pairs), pledged, dictionary);
  if (failure !== undefined) {
    const error = new codes.ERR_ZLIB_INITIALIZATION_FAILED();
    if (/bound/.test(failure)) error.message = "Setting parameter failed";
    throw error;
  }
  Reflect.apply(ZlibBase, this, [options, mode, handle, zstdDefaults]);
  this[kState] = state;
}
Object.setPrototypeOf(Zstd.prototype, ZlibBase.prototype);
Object.setPrototypeOf(Zstd, ZlibBase);

const ZstdCompress = defineStream('ZstdCompress', Zstd, ZSTD_COMPRESS);
const ZstdDecompress = defineStream('ZstdDecompress', Zstd, ZSTD_DECOMPRESS);

// ---------------------------------------------------------------- whole buffers

function collect(engine, buffer, callback) {
  validateFunction(callback, 'callback');
  if (isArrayBufferView(buffer)) {
    if (!isUint8Array(buffer)) buffer = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  } else if (isAnyArrayBuffer(buffer)) {
    buffer = Buffer.from(buffer);
  }
  const parts = [];
  let total = 0;
  let failed = false;
  engine.on('data', (part) => {
    parts.push(part);
    total += part.length;
    if (total > engine._maxOutputLength) {
      failed = true;
      engine.removeAllListeners('end');
      engine.close();
      callback(new codes.ERR_BUFFER_TOO_LARGE(engine._maxOutputLength));
    }
  });
  engine.on('error', (error) => {
    if (failed) return;
    failed = true;
    callback(error);
  });
  engine.on('end', () => {
    if (failed) return;
    const result = total === 0 ? Buffer.alloc(0) : parts.length === 1 ? parts[0] : Buffer.concat(parts, total);
    engine.close();
    if (engine._info) callback(null, { buffer: result, engine });
    else callback(null, result);
  });
  engine.end(buffer);
}

function collectSync(engine, buffer) {
  if (typeof buffer === 'string') {
    buffer = Buffer.from(buffer);
  } else if (!isArrayBufferView(buffer)) {
    if (isAnyArrayBuffer(buffer)) buffer = Buffer.from(buffer);
    else throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], buffer);
  }
  const result = processChunkSync(engine, buffer, engine._finishFlushFlag);
  return engine._info ? { buffer: result, engine } : result;
}

function method(Stream, name) {
  return { [name]: function(buffer, options, callback) {
    if (typeof options === 'function') {
      callback = options;
      options = {};
    }
    return collect(new Stream(options), buffer, callback);
  } }[name];
}

function methodSync(Stream, name) {
  return { [name]: function(buffer, options) {
    return collectSync(new Stream(options), buffer);
  } }[name];
}

function crc32(data, value = 0) {
  if (typeof data !== 'string' && !isArrayBufferView(data)) {
    throw new codes.ERR_INVALID_ARG_TYPE('data', ['Buffer', 'TypedArray', 'DataView', 'string'], data);
  }
  validateUint32(value, 'value');
  return binding.crc32(data, value);
}

function notThere(name) {
  return { [name]: function() {
    throw new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`zlib.${name}`);
  } }[name];
}

const create = (Stream) => {
  const name = `create${Stream.name}`;
  return { __proto__: null, configurable: true, enumerable: true, value: { [name]: (options) => new Stream(options) }[name] };
};

module.exports = {
  crc32,
  Deflate,
  Inflate,
  Gzip,
  Gunzip,
  DeflateRaw,
  InflateRaw,
  Unzip,
  BrotliCompress,
  BrotliDecompress,
  ZstdCompress,
  ZstdDecompress,
  deflate: method(Deflate, 'deflate'),
  deflateSync: methodSync(Deflate, 'deflateSync'),
  gzip: method(Gzip, 'gzip'),
  gzipSync: methodSync(Gzip, 'gzipSync'),
  deflateRaw: method(DeflateRaw, 'deflateRaw'),
  deflateRawSync: methodSync(DeflateRaw, 'deflateRawSync'),
  unzip: method(Unzip, 'unzip'),
  unzipSync: methodSync(Unzip, 'unzipSync'),
  inflate: method(Inflate, 'inflate'),
  inflateSync: methodSync(Inflate, 'inflateSync'),
  gunzip: method(Gunzip, 'gunzip'),
  gunzipSync: methodSync(Gunzip, 'gunzipSync'),
  inflateRaw: method(InflateRaw, 'inflateRaw'),
  inflateRawSync: methodSync(InflateRaw, 'inflateRawSync'),
  brotliCompress: method(BrotliCompress, 'brotliCompress'),
  brotliCompressSync: methodSync(BrotliCompress, 'brotliCompressSync'),
  brotliDecompress: method(BrotliDecompress, 'brotliDecompress'),
  brotliDecompressSync: methodSync(BrotliDecompress, 'brotliDecompressSync'),
  zstdCompress: method(ZstdCompress, 'zstdCompress'),
  zstdCompressSync: methodSync(ZstdCompress, 'zstdCompressSync'),
  zstdDecompress: method(ZstdDecompress, 'zstdDecompress'),
  zstdDecompressSync: methodSync(ZstdDecompress, 'zstdDecompressSync'),
};

Object.defineProperties(module.exports, {
  createDeflate: create(Deflate),
  createInflate: create(Inflate),
  createDeflateRaw: create(DeflateRaw),
  createInflateRaw: create(InflateRaw),
  createGzip: create(Gzip),
  createGunzip: create(Gunzip),
  createUnzip: create(Unzip),
  createBrotliCompress: create(BrotliCompress),
  createBrotliDecompress: create(BrotliDecompress),
  createZstdCompress: create(ZstdCompress),
  createZstdDecompress: create(ZstdDecompress),
  constants: { __proto__: null, enumerable: true, value: constants },
  codes: { __proto__: null, enumerable: true, writable: false, value: Object.freeze(returnCodes) },
});

// Archives are not there yet; who calls for them is told so by name.
for (const name of ['ZipEntry', 'ZipFile', 'ZipBuffer', 'createZipArchive', 'createZipArchiveSync', 'zipFiles', 'getMaxZipContentSize',
  'setMaxZipContentSize']) {
  module.exports[name] = notThere(name);
}
