'use strict';

// Duplex: a Readable and a Writable in one object.

module.exports = Duplex;

const Readable = require('internal/streams/readable');
const Writable = require('internal/streams/writable');
const { addAbortSignal } = require('internal/streams/add_abort_signal');
const destroyImpl = require('internal/streams/destroy');

Object.setPrototypeOf(Duplex.prototype, Readable.prototype);
Object.setPrototypeOf(Duplex, Readable);
for (const name of Object.keys(Writable.prototype)) {
  if (!Duplex.prototype[name]) Duplex.prototype[name] = Writable.prototype[name];
}
Duplex.prototype.destroy = Writable.prototype.destroy;

function Duplex(options) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  this._events ??= {
    close: undefined, error: undefined, prefinish: undefined, finish: undefined, drain: undefined, data: undefined, end: undefined, readable: undefined,
  };
  this._readableState = new Readable.ReadableState(options, this, true);
  this._writableState = new Writable.WritableState(options, this, true);
  if (options) {
    this.allowHalfOpen = options.allowHalfOpen !== false;
    if (options.readable === false) {
      this._readableState.readable = false;
      this._readableState.ended = true;
      this._readableState.endEmitted = true;
    }
    if (options.writable === false) {
      this._writableState.writable = false;
      this._writableState.ending = true;
      this._writableState.ended = true;
      this._writableState.finished = true;
    }
    if (typeof options.read === 'function') this._read = options.read;
    if (typeof options.write === 'function') this._write = options.write;
    if (typeof options.writev === 'function') this._writev = options.writev;
    if (typeof options.destroy === 'function') this._destroy = options.destroy;
    if (typeof options.final === 'function') this._final = options.final;
    if (typeof options.construct === 'function') this._construct = options.construct;
    if (options.signal) addAbortSignal(options.signal, this);
  } else {
    this.allowHalfOpen = true;
  }
  require('internal/streams/legacy').Stream.call(this, options);
  if (this._construct != null) {
    const r = this._readableState;
    const w = this._writableState;
    destroyImpl.construct(this, () => {
      if (r.needReadable) this.read(0);
      if (!w.writing && w.constructed) {
        // What was written meanwhile goes out now.
        this.cork();
        this.uncork();
      }
      if (w.ending && !w.finished) kickFinish(this);
    });
  }
}

function kickFinish(stream) {
  const state = stream._writableState;
  if (state.length === 0 && !state.writing) Writable.finishMaybe(stream, state);
}

for (const name of [
  'writable', 'writableHighWaterMark', 'writableObjectMode', 'writableBuffer', 'writableLength', 'writableFinished', 'writableCorked',
  'writableEnded', 'writableNeedDrain', 'writableAborted',
]) {
  Object.defineProperty(Duplex.prototype, name, { __proto__: null, ...Object.getOwnPropertyDescriptor(Writable.prototype, name) });
}
Object.defineProperties(Duplex.prototype, {
  closed: {
    __proto__: null,
    get() {
      const r = this._readableState;
      const w = this._writableState;
      if (r === undefined || w === undefined) return false;
      return r.closed && w.closed;
    },
    configurable: true,
  },
  destroyed: {
    __proto__: null,
    get() {
      if (this._readableState === undefined || this._writableState === undefined) return false;
      return this._readableState.destroyed && this._writableState.destroyed;
    },
    set(value) {
      if (this._readableState && this._writableState) {
        this._readableState.destroyed = value;
        this._writableState.destroyed = value;
      }
    },
    configurable: true,
  },
});

Duplex.fromWeb = function (pair, options) {
  return require('internal/webstreams/adapters').newStreamDuplexFromReadableWritablePair(pair, options);
};

Duplex.toWeb = function (duplex, options) {
  return require('internal/webstreams/adapters').newReadableWritablePairFromDuplex(duplex, options);
};

Duplex.from = function (body) {
  return require('internal/streams/duplexify')(body, 'body');
};
