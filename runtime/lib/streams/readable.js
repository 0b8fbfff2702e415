'use strict';

// stream.Readable: the methods and properties over the state (internal/streams/readable_state). A function and no
// class, because programs call it on objects of their own.

const { codes } = require('internal/errors');
const { validateObject } = require('internal/validators');
const { Stream } = require('internal/deps/readable-stream/lib/internal/streams/legacy');
const life = require('internal/streams/life_cycle');
const { ReadableState, attachReadable, takeOut } = require('internal/streams/readable_state');
const { pipe, unpipe } = require('internal/streams/piping');
const { addAbortSignal } = require('internal/deps/readable-stream/lib/internal/streams/add-abort-signal');
const properties = require('internal/streams/properties');

const layOutEvents = properties.eventsOf('close error data end readable');
const part = (name) => require(`internal/deps/readable-stream/lib/internal/streams/${name}`);

module.exports = Readable;

function Readable(options) {
  if (!(this instanceof Readable)) return new Readable(options);
  layOutEvents(this);
  const isDuplex = life.isDuplex(this);
  attachReadable(this, options, isDuplex);
  if (options?.signal && !isDuplex) addAbortSignal(options.signal, this);
  Stream.call(this, options);
  this._readableState.whenConstructed();
}

properties.extend(Readable, Stream);
Readable.ReadableState = ReadableState;
Readable._fromList = (size, state) => {
  if (state.length === 0) return null;
  return takeOut(state, state.objectMode ? 1 : !size || size >= state.length ? state.length : size);
};

const { prototype } = Readable;

prototype.destroy = life.destroy;
prototype._undestroy = life.undestroy;
prototype._destroy = function (error, callback) {
  callback(error);
};
prototype[Symbol.for('nodejs.rejection')] = function (error) {
  this.destroy(error);
};

// ---- chunks in ----

function refuse(stream, chunk) {
  life.fail(stream, new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk));
  return false;
}

function bytesOf(view) {
  return view instanceof Buffer ? view : Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}

prototype.push = function (chunk, encoding) {
  const state = this._readableState;
  if (chunk === null) {
    state.close();
    return false;
  }
  if (state.objectMode) return state.push(chunk, Boolean(encoding));
  let isDecoded = false;
  if (typeof chunk === 'string') {
    encoding ||= state.defaultEncoding;
    isDecoded = encoding === state.encoding;
    if (!isDecoded) chunk = Buffer.from(chunk, encoding);
  } else if (ArrayBuffer.isView(chunk)) {
    chunk = bytesOf(chunk);
  } else if (chunk !== undefined) {
    return refuse(this, chunk);
  }
  if (chunk !== undefined && chunk.length > 0) return state.push(chunk, isDecoded);
  // The chunk was empty, but it completes the read.
  state.reading = false;
  state.readAhead();
  return state.hasRoom;
};

prototype.unshift = function (chunk, encoding) {
  const state = this._readableState;
  if (chunk === null) {
    state.close();
    return false;
  }
  if (state.objectMode) return state.unshift(chunk);
  if (typeof chunk === 'string') {
    encoding ||= state.defaultEncoding;
    if (encoding !== state.encoding) {
      chunk = Buffer.from(chunk, encoding);
      if (state.encoding) chunk = chunk.toString(state.encoding);
    }
  } else if (ArrayBuffer.isView(chunk)) {
    chunk = bytesOf(chunk);
  } else if (chunk !== undefined) {
    return refuse(this, chunk);
  }
  return chunk !== undefined && chunk.length > 0 ? state.unshift(chunk) : state.hasRoom;
};

prototype.isPaused = function () {
  return this._readableState.paused || this._readableState.flowing === false;
};

prototype.setEncoding = function (encoding) {
  this._readableState.decodeWith(encoding);
  return this;
};

// ---- chunks out ----

prototype.read = function (size) {
  return this._readableState.read(size === undefined ? NaN : Number.isInteger(size) ? size : Number.parseInt(size, 10));
};

prototype._read = function () {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_read()');
};

prototype.pipe = pipe;
prototype.unpipe = unpipe;

prototype.on = function (event, listener) {
  const result = Stream.prototype.on.call(this, event, listener);
  const state = this._readableState;
  if (event === 'data') {
    state.dataListening = true;
    state.readableListening = this.listenerCount('readable') > 0;
    if (state.flowing !== false) this.resume();
  } else if (event === 'readable') {
    state.listen();
  }
  return result;
};
prototype.addListener = prototype.on;

function heardLess(stream, event) {
  // In a tick: often another listener is added at once.
  if (event === 'readable' || event === undefined) process.nextTick(() => stream._readableState.listenersChanged());
}

prototype.removeListener = function (event, listener) {
  const result = Stream.prototype.removeListener.call(this, event, listener);
  if (event === 'readable') heardLess(this, event);
  else if (event === 'data' && this.listenerCount('data') === 0) this._readableState.dataListening = false;
  return result;
};
prototype.off = prototype.removeListener;

prototype.removeAllListeners = function (event) {
  const result = Reflect.apply(Stream.prototype.removeAllListeners, this, arguments);
  heardLess(this, event);
  return result;
};

// A destroyed stream is neither resumed nor paused.
prototype.resume = function () {
  const state = this._readableState;
  if (!state.destroyed) state.resume();
  return this;
};

prototype.pause = function () {
  const state = this._readableState;
  if (state.destroyed || state.errored) return this;
  if (state.flowing !== false) {
    state.flowing = false;
    this.emit('pause');
  }
  state.paused = true;
  return this;
};

// An old-style source: it emits 'data' and may have pause and resume.
prototype.wrap = function (source) {
  let held = false;
  source.on('data', (chunk) => {
    if (this.push(chunk) || !source.pause) return;
    held = true;
    source.pause();
  });
  source.on('end', () => this.push(null));
  source.on('error', (error) => life.fail(this, error));
  for (const event of ['close', 'destroy']) source.on(event, () => this.destroy());
  this._read = () => {
    if (!held || !source.resume) return;
    held = false;
    source.resume();
  };
  for (const name of Object.keys(source)) {
    if (this[name] === undefined && typeof source[name] === 'function') this[name] = source[name].bind(source);
  }
  return this;
};

Readable.wrap = (source, options) =>
  new Readable({
    objectMode: source.readableObjectMode ?? source.objectMode ?? true,
    ...options,
    destroy(error, done) {
      part('destroy').destroyer(source, error);
      done(error);
    },
  }).wrap(source);

prototype[Symbol.asyncIterator] = function () {
  return require('internal/streams/iterating').iterate(this);
};

prototype.iterator = function (options) {
  if (options !== undefined) validateObject(options, 'options');
  return require('internal/streams/iterating').iterate(this, options);
};

Object.defineProperty(prototype, Symbol.asyncDispose, {
  __proto__: null,
  configurable: true,
  enumerable: false,
  writable: true,
  value: life.disposer((stream) => stream.readableEnded),
});

Readable.from = (iterable, options) => part('from')(Readable, iterable, options);
Readable.fromWeb = (stream, options) => require('internal/webstreams/to_node').readableFromWeb(stream, options);
Readable.toWeb = (stream, options) => require('internal/webstreams/from_node').readableToWeb(stream, options);

// ---- queries ----

properties.defineCommon(prototype, '_readableState');

properties.define(prototype, '_readableState', false, {
  readable: {
    get: (state) => state.readable !== false && !(state.endEmitted || state.errorEmitted || state.destroyed),
    set(state, value) {
      state.readable = Boolean(value);
    },
  },
  readableAborted: (state) =>
    !state.endEmitted && state.readable !== false && (state.destroyed || Boolean(state.errored)),
  readableDidRead: (state) => state.dataEmitted,
  readableEnded: (state) => state.endEmitted,
  readableObjectMode: (state) => state.objectMode,
});

properties.define(prototype, '_readableState', undefined, {
  readableBuffer: (state) => state.buffer,
  readableFlowing: {
    get: (state) => state.flowing,
    set(state, value) {
      state.flowing = value;
    },
  },
  readableHighWaterMark: (state) => state.highWaterMark,
  readableLength: (state) => state.length,
});

properties.define(prototype, '_readableState', null, { readableEncoding: (state) => state.encoding });
