'use strict';

// stream.Writable: the methods and properties over the state (internal/streams/writable_state). A function and no
// class, because programs call it on objects of their own.

const { codes } = require('internal/errors');
const { Stream } = require('internal/deps/readable-stream/lib/internal/streams/legacy');
const life = require('internal/streams/life_cycle');
const { WritableState, attachWritable, silent } = require('internal/streams/writable_state');
const { addAbortSignal } = require('internal/deps/readable-stream/lib/internal/streams/add-abort-signal');
const properties = require('internal/streams/properties');

const layOutEvents = properties.eventsOf('close error prefinish finish drain');

module.exports = Writable;

function Writable(options) {
  const isDuplex = life.isDuplex(this);
  if (!isDuplex && !Function.prototype[Symbol.hasInstance].call(Writable, this)) return new Writable(options);
  layOutEvents(this);
  attachWritable(this, options, isDuplex);
  if (options?.signal) addAbortSignal(options.signal, this);
  Stream.call(this, options);
  this._writableState.whenConstructed();
}

properties.extend(Writable, Stream);
Writable.WritableState = WritableState;

Object.defineProperty(Writable, Symbol.hasInstance, {
  __proto__: null,
  value: function (object) {
    if (Function.prototype[Symbol.hasInstance].call(this, object)) return true;
    return this === Writable && object?._writableState instanceof WritableState;
  },
});

const { prototype } = Writable;

prototype.pipe = function () {
  life.fail(this, new codes.ERR_STREAM_CANNOT_PIPE());
};

// ---- writing ----

// Text as bytes, and any view as a Buffer; the encoding of both is 'buffer'.
function bytesOf(state, chunk, encoding) {
  if (typeof chunk === 'string') return Buffer.from(chunk, encoding);
  if (chunk instanceof Buffer) return chunk;
  if (ArrayBuffer.isView(chunk)) return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
}

function checkEncoding(encoding) {
  if (encoding !== 'utf8' && !Buffer.isEncoding(encoding)) {
    throw new codes.ERR_UNKNOWN_ENCODING(typeof encoding === 'object' ? require('util').inspect(encoding) : encoding);
  }
}

// Whether there is room for more, or the error of a stream that accepts no more data.
function put(stream, chunk, encoding, callback) {
  const state = stream._writableState;
  if (typeof callback !== 'function') callback = silent;
  if (chunk === null) throw new codes.ERR_STREAM_NULL_VALUES();
  if (!state.objectMode) {
    if (typeof chunk === 'string') {
      encoding ||= state.defaultEncoding;
      if (encoding !== 'utf8') checkEncoding(encoding);
      if (state.decodeStrings) {
        chunk = Buffer.from(chunk, encoding);
        encoding = 'buffer';
      }
    } else {
      chunk = bytesOf(state, chunk);
      encoding = 'buffer';
    }
  }
  if (!state.ending && !state.destroyed) return state.take(chunk, encoding, callback);
  const error = state.ending ? new codes.ERR_STREAM_WRITE_AFTER_END() : new codes.ERR_STREAM_DESTROYED('write');
  process.nextTick(callback, error);
  life.fail(stream, error, true);
  return error;
}

prototype.write = function (chunk, encoding, callback) {
  if (typeof encoding === 'function') return put(this, chunk, null, encoding) === true;
  return put(this, chunk, encoding, callback) === true;
};

prototype.cork = function () {
  this._writableState.cork();
};

prototype.uncork = function () {
  this._writableState.uncork();
};

prototype.setDefaultEncoding = function (encoding) {
  if (typeof encoding === 'string') encoding = encoding.toLowerCase();
  checkEncoding(encoding);
  this._writableState.defaultEncoding = encoding;
  return this;
};

// The default for a stream that implements only one of the two.
prototype._write = function (chunk, encoding, done) {
  if (!this._writev) throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_write()');
  this._writev([{ chunk, encoding }], done);
};

prototype._writev = null;

prototype.end = function (chunk, encoding, callback) {
  const told = [chunk, encoding, callback].find((value) => typeof value === 'function');
  if (typeof chunk === 'function') chunk = null;
  if (typeof encoding === 'function') encoding = null;
  const state = this._writableState;
  let error;
  if (chunk != null) {
    const result = put(this, chunk, encoding);
    if (typeof result === 'object') error = result;
  }
  if (state.corked > 0) {
    state.corked = 1;
    state.uncork();
  }
  if (error === undefined) {
    if (!state.errored && !state.ending) state.end();
    else if (state.finished) error = new codes.ERR_STREAM_ALREADY_FINISHED('end');
    else if (state.destroyed) error = new codes.ERR_STREAM_DESTROYED('end');
  }
  if (told !== undefined) {
    error ??= state.errored;
    if (error) process.nextTick(told, error);
    else if (state.finished) process.nextTick(told, null);
    else state.whenFinished(told);
  }
  return this;
};

// ---- queries ----

properties.defineCommon(prototype, '_writableState');

properties.define(prototype, '_writableState', false, {
  writable: {
    get: (state) => state.writable !== false && !(state.ending || state.ended || state.errored || state.destroyed),
    set(state, value) {
      state.writable = Boolean(value);
    },
  },
  writableAborted: (state) =>
    !state.finished && state.writable !== false && (state.destroyed || Boolean(state.errored)),
  writableEnded: (state) => state.ending,
  writableFinished: (state) => state.finished,
  writableNeedDrain: (state) => state.needDrain && !state.ending && !state.destroyed,
  writableObjectMode: (state) => state.objectMode,
});

properties.define(prototype, '_writableState', undefined, {
  writableBuffer: (state) => state.getBuffer(),
  writableHighWaterMark: (state) => state.highWaterMark,
  writableLength: (state) => state.length,
});

properties.define(prototype, '_writableState', 0, { writableCorked: (state) => state.corked });

// ---- the end ----

prototype.destroy = function (error, callback) {
  const state = this._writableState;
  // Waiting callbacks get the error after the current write of the sink.
  if (!state.destroyed && state.isAwaited) process.nextTick(() => state.abandon());
  life.destroy.call(this, error, callback);
  return this;
};

prototype._undestroy = life.undestroy;

prototype._destroy = function (error, callback) {
  callback(error);
};

prototype[Symbol.for('nodejs.rejection')] = function (error) {
  this.destroy(error);
};

Object.defineProperty(prototype, Symbol.asyncDispose, {
  __proto__: null,
  configurable: true,
  enumerable: false,
  writable: true,
  value: life.disposer((stream) => stream.writableFinished),
});

Writable.fromWeb = (stream, options) => require('internal/webstreams/to_node').writableFromWeb(stream, options);
Writable.toWeb = (stream, options) => require('internal/webstreams/from_node').writableToWeb(stream, options);
