'use strict';

// net.Socket: a Duplex in front of a Wire (internal/net/wire.js), which has the state and speaks with the handle.
//
// `socket._handle` is the handle of internal/stream_base, or null; `handle.id` is the number that the C side knows.
// Other modules may write to the handle themselves as long as `socket.writableLength` is 0. The constructor can be
// called without `new`, and on an object that inherits from it: programs from before classes do so.

const { Duplex, addAbortSignal } = require('stream');
const { Buffer } = require('internal/buffer/class');
const { codes, ErrnoException } = require('internal/errors');
const { Wire, kWire, TCP, Pipe, IDLE, CONNECTING, OPEN, CLOSED } = require('internal/net/wire');
const { guessHandleType } = require('internal/stream_base');
const { validateAbortSignal, validateFunction, validateInt32, validateNumber } = require('internal/validators');
const timers = require('internal/timers');

const duplex = Duplex.prototype;

// A server's settings for its sockets: they need no check.
class Accepted {
  constructor(allowHalfOpen, mark, paused) {
    this.allowHalfOpen = allowHalfOpen;
    this.readableHighWaterMark = mark;
    this.writableHighWaterMark = mark;
    this.emitClose = false;
    this.autoDestroy = true;
    this.decodeStrings = false;
    this.pauseOnCreate = paused;
    this.handle = undefined;
  }
}

function checked(options) {
  for (const name of ['objectMode', 'readableObjectMode', 'writableObjectMode']) {
    if (options[name]) throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, options[name], 'is not supported');
  }
  if (options.keepAliveInitialDelay !== undefined)
    validateNumber(options.keepAliveInitialDelay, 'options.keepAliveInitialDelay');
  if (options.blockList !== undefined && !require('internal/net/blocklist').BlockList.isBlockList(options.blockList)) {
    throw new codes.ERR_INVALID_ARG_TYPE('options.blockList', 'net.BlockList', options.blockList);
  }
  if (options.typeOfService !== undefined) validateInt32(options.typeOfService, 'options.typeOfService', 0, 255);
  // 'close' waits for the handle; strings are encoded in C when they are written.
  return {
    ...options,
    allowHalfOpen: !!options.allowHalfOpen,
    emitClose: false,
    autoDestroy: true,
    decodeStrings: false,
    signal: undefined,
  };
}

const handleKinds = { __proto__: null, TCP: () => new TCP(), PIPE: () => new Pipe() };

// A handle of the type that a descriptor needs; it is not open yet.
function handleFor(fd) {
  validateInt32(fd, 'fd', 0);
  const kind = guessHandleType(fd);
  const make = handleKinds[kind];
  if (make === undefined) throw new codes.ERR_INVALID_FD_TYPE(kind);
  return make();
}

function openHandle(fd) {
  const handle = handleFor(fd);
  const err = handle.open(fd);
  if (err) throw new ErrnoException(err, 'open');
  return handle;
}

function Socket(options) {
  if (!(this instanceof Socket)) return new Socket(options);
  const plain = options instanceof Accepted;
  const given = plain ? options : typeof options === 'number' ? { fd: options } : { ...options };
  const settings = plain ? options : checked(given);

  const wire = (this[kWire] = new Wire(this));
  this._parent = null;
  this._host = null;
  this.server = null;
  this._server = null;
  Duplex.call(this, settings);
  this.on('end', noteFarEnd);

  if (plain) wire.attach(given.handle);
  else configure(this, wire, given);

  if (wire.handle !== null && !wire.bound) {
    wire.phase = OPEN;
    if (given.readable !== false && !given.manualStart) {
      // Data that was not asked for stays in the kernel.
      if (given.pauseOnCreate) this.pause();
      else this.read(0);
    }
  }
  if (!plain && given.signal) {
    validateAbortSignal(given.signal, 'options.signal');
    addAbortSignal(given.signal, this);
  }
}
Object.setPrototypeOf(Socket.prototype, duplex);
Object.setPrototypeOf(Socket, Duplex);

function configure(socket, wire, options) {
  const { handle, fd, onread } = options;
  if (onread !== null && typeof onread === 'object' && typeof onread.callback === 'function') {
    const { buffer, callback } = onread;
    if (typeof buffer === 'function') wire.lent = { memory: undefined, next: buffer, done: callback };
    else if (buffer instanceof Uint8Array) wire.lent = { memory: buffer, next: undefined, done: callback };
  }
  if (options.noDelay) wire.want('noDelay', true);
  if (options.keepAlive) wire.want('keepAlive', true);
  if (options.keepAliveInitialDelay > 0) wire.want('delay', Math.trunc(options.keepAliveInitialDelay / 1000));
  if (options.typeOfService !== undefined) wire.want('service', options.typeOfService);
  if (options.defaultEncoding) wire.plainText = false;
  wire.blockList = options.blockList;
  const take = handle?.[Symbol.for('rota.boundSocket')];
  if (take !== undefined) {
    wire.bound = true;
    wire.attach(take.call(handle));
  } else if (handle) {
    wire.attach(handle);
  } else if (fd !== undefined) {
    wire.attach(openHandle(fd));
  }
}

// ---- reading ----

Socket.prototype._read = function (size) {
  const wire = this[kWire];
  if (wire.handle === null || wire.connecting) this.once('connect', () => this._read(size));
  else wire.startReading();
};

// The program's own memory takes part in pausing: the Duplex's queue does not contain data that is read into it.
function resumesLent(name) {
  Socket.prototype[name] = function (argument) {
    const wire = this[kWire];
    if (wire.lent !== undefined && wire.handle !== null && !wire.connecting) wire.startReading();
    return duplex[name].call(this, argument);
  };
}
resumesLent('read');
resumesLent('resume');

Socket.prototype.pause = function () {
  const wire = this[kWire];
  if (wire.lent !== undefined && !wire.connecting && !this.destroyed) wire.stopReading();
  return duplex.pause.call(this);
};

// ---- writing ----

function sizeOf(chunk, encoding) {
  return typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
}

// A write after the peer has ended, and this side with it, gets this error.
function noteFarEnd() {
  this[kWire].farEnded = true;
}

function refuse(socket, callback) {
  const error = Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' });
  if (typeof callback === 'function') process.nextTick(callback, error);
  socket.destroy(error);
  return false;
}

// If the queue is empty, a chunk is passed to the system before the Duplex sees it; usually the write is complete then.
// If the system did not accept all of it, the Duplex counts it: its _write finds that the write is already in progress.
Socket.prototype.write = function (chunk, encoding, callback) {
  const wire = this[kWire];
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = undefined;
  }
  if (!this.writable) {
    if (this.writableEnded && wire.farEnded && !this.allowHalfOpen) return refuse(this, callback);
    return duplex.write.call(this, chunk, encoding, callback);
  }
  if (
    wire.phase === OPEN &&
    wire.handle !== null &&
    this.writableLength === 0 &&
    this.writableCorked === 0 &&
    this._write === passOn &&
    this._writeGeneric === writeGeneric
  ) {
    const room = this.writableHighWaterMark;
    const text = typeof chunk === 'string';
    if (
      text
        ? chunk.length !== 0 &&
          chunk.length * 3 < room &&
          (encoding === 'utf8' || encoding === 'latin1' || (!encoding && wire.plainText))
        : chunk instanceof Uint8Array && chunk.byteLength !== 0 && chunk.byteLength < room
    ) {
      const result = wire.begin(chunk, text ? encoding || 'utf8' : undefined);
      if (result === 0) {
        if (callback !== undefined && callback !== null) {
          validateFunction(callback, 'callback');
          process.nextTick(callback, null);
        }
        return true;
      }
      return duplex.write.call(this, chunk, encoding, callback);
    }
  }
  if (typeof chunk === 'string' || ArrayBuffer.isView(chunk)) wire.waiting += sizeOf(chunk, encoding);
  return duplex.write.call(this, chunk, encoding, callback);
};

Socket.prototype.end = function (chunk, encoding, callback) {
  if ((typeof chunk === 'string' || ArrayBuffer.isView(chunk)) && this.writable)
    this[kWire].waiting += sizeOf(chunk, typeof encoding === 'string' ? encoding : undefined);
  duplex.end.call(this, chunk, encoding, callback);
  return this;
};

Socket.prototype.setDefaultEncoding = function (encoding) {
  this[kWire].plainText = false;
  return duplex.setDefaultEncoding.call(this, encoding);
};

function passOn(chunk, encoding, callback) {
  const wire = this[kWire];
  if (wire.early !== 0 && chunk === wire.earlyChunk) wire.finishEarly(callback);
  else this._writeGeneric(false, chunk, encoding, callback);
}
Socket.prototype._write = passOn;

Socket.prototype._writev = function (chunks, callback) {
  this._writeGeneric(true, chunks, '', callback);
};

// Programs that stand in for the network put a function of their own here, as in Node; all that is written then passes
// through it.
function writeGeneric(several, data, encoding, callback) {
  dispatch(this, this[kWire], data, encoding, several, callback);
}
Socket.prototype._writeGeneric = writeGeneric;

function dispatch(socket, wire, data, encoding, several, callback) {
  if (wire.connecting) {
    // The one write that the Duplex has passed on waits until the socket is connected or has failed.
    const failed = () => callback(new codes.ERR_SOCKET_CLOSED_BEFORE_CONNECTION());
    socket.once('connect', () => {
      socket.off('close', failed);
      dispatch(socket, wire, data, encoding, several, callback);
    });
    socket.once('close', failed);
    return;
  }
  if (wire.handle === null) {
    callback(new codes.ERR_SOCKET_CLOSED());
    return;
  }
  if (wire.waiting !== 0) {
    let size = 0;
    if (several) for (const item of data) size += sizeOf(item.chunk, item.encoding);
    else size = sizeOf(data, encoding);
    wire.waiting = Math.max(0, wire.waiting - size);
  }
  wire.send(data, encoding, several, callback);
}

Socket.prototype._final = function (callback) {
  const wire = this[kWire];
  if (wire.connecting) this.prependOnceListener('connect', () => this._final(callback));
  else wire.shut(callback);
};

// ---- connecting, and the end ----

Socket.prototype.connect = function (...args) {
  return require('internal/net/connect').connect(this, args);
};

// Queued data is sent first.
Socket.prototype.destroySoon = function () {
  const destroy = () => this.destroy();
  if (this.writable) this.end();
  return this.writableFinished ? destroy() : this.once('finish', destroy);
};

Socket.prototype.resetAndDestroy = function () {
  const wire = this[kWire];
  if (wire.handle === null) return this.destroy(new codes.ERR_SOCKET_CLOSED());
  if (!(wire.handle instanceof TCP)) throw new codes.ERR_INVALID_HANDLE_TYPE();
  const reset = () => {
    wire.resets = true;
    this.destroy();
  };
  if (wire.connecting) this.once('connect', reset);
  else reset();
  return this;
};

Socket.prototype._destroy = function (error, callback) {
  const wire = this[kWire];
  wire.phase = CLOSED;
  for (let socket = this; socket; socket = socket._parent) socket[kWire]?.stopTimer();
  const handle = wire.detach();
  if (handle === null) {
    callback(error);
    process.nextTick(() => this.emit('close', !!this.errored));
  } else {
    const closed = () => this.emit('close', !!error);
    const err = wire.resets ? handle.reset(closed) : undefined;
    wire.resets = false;
    if (err) this.emit('error', new ErrnoException(err, 'reset'));
    if (err !== 0) handle.close(closed);
    callback(error);
  }
  const server = this._server;
  if (server) {
    server._connections--;
    server._emitCloseIfDrained?.();
  }
};

// ---- timeout ----

Socket.prototype.setTimeout = function (msecs, callback) {
  if (this.destroyed) return this;
  const wire = this[kWire];
  this.timeout = msecs;
  validateNumber(msecs, 'msecs');
  if (!(msecs >= 0 && msecs < Infinity))
    throw new codes.ERR_OUT_OF_RANGE('msecs', 'a non-negative finite number', msecs);
  if (callback !== undefined) validateFunction(callback, 'callback');
  wire.stopTimer();
  if (msecs === 0) {
    if (callback !== undefined) this.removeListener('timeout', callback);
    return this;
  }
  const longest = timers.TIMEOUT_MAX;
  if (msecs > longest) {
    process.emitWarning(
      `${msecs} does not fit into a 32-bit signed integer.\nTimer duration was truncated to ${longest}.`,
      'TimeoutOverflowWarning',
    );
  }
  wire.timer = timers.setTimeout(fallSilent, Math.min(msecs, longest), this).unref();
  if (callback !== undefined) this.once('timeout', callback);
  return this;
};

function fallSilent(socket) {
  socket._onTimeout();
}

Socket.prototype._onTimeout = function () {
  if (this[kWire].movedOn()) this._unrefTimer();
  else this.emit('timeout');
};

// Activity of a socket inside of another counts for both.
Socket.prototype._unrefTimer = function () {
  for (let socket = this; socket; socket = socket._parent) socket[kWire]?.timer?.refresh();
};

// ---- options ----

Socket.prototype.setNoDelay = function (enable = true) {
  const wire = this[kWire];
  const on = !!enable;
  const before = wire.wanted?.noDelay ?? false;
  wire.want('noDelay', on);
  if (wire.handle !== null && on !== before) wire.handle.setNoDelay?.(on);
  return this;
};

Socket.prototype.setKeepAlive = function (enable, initialDelay, interval, count) {
  if (typeof enable === 'object' && enable !== null) ({ enable, initialDelay, interval, count } = enable);
  const wire = this[kWire];
  const on = !!enable;
  const seconds = Math.trunc(initialDelay / 1000) || 0;
  const { keepAlive, delay } = wire.wanted ?? { keepAlive: false, delay: 0 };
  wire.want('keepAlive', on);
  wire.want('delay', seconds);
  const news = on !== keepAlive || (on && (seconds !== delay || interval !== undefined || count !== undefined));
  if (wire.handle !== null && news) {
    wire.handle.setKeepAlive?.(on, seconds, interval === undefined ? undefined : Math.trunc(interval / 1000), count);
  }
  return this;
};

Socket.prototype.setTypeOfService = function (tos) {
  if (Number.isNaN(tos)) throw new codes.ERR_INVALID_ARG_TYPE('tos', 'number', tos);
  validateInt32(tos, 'tos', 0, 255);
  const wire = this[kWire];
  wire.want('service', tos);
  if (wire.phase !== OPEN) return this;
  const err = wire.handle.setTypeOfService?.(tos);
  if (err) throw new ErrnoException(err, 'setTypeOfService');
  return this;
};

Socket.prototype.getTypeOfService = function () {
  const wire = this[kWire];
  if (wire.phase !== OPEN || wire.handle?.getTypeOfService === undefined) return wire.wanted?.service ?? 0;
  const value = wire.handle.getTypeOfService();
  if (value < 0) throw new ErrnoException(value, 'getTypeOfService');
  return value;
};

for (const name of ['ref', 'unref']) {
  Socket.prototype[name] = function () {
    const { handle } = this[kWire];
    if (handle === null) this.once('connect', this[name]);
    else handle[name]?.();
    return this;
  };
}

// ---- properties ----

// The addresses of both ends, cached: { address, family, port }, or {}. The remote one is kept after the end.
function nameOf(wire, end) {
  const { handle } = wire;
  const known = wire[end];
  if (known !== undefined && (handle !== null || end === 'remote')) return known;
  const ask = end === 'remote' ? 'getpeername' : 'getsockname';
  if (handle === null || handle[ask] === undefined) return {};
  if (end === 'remote' ? wire.connecting : handle instanceof Pipe && !wire.bound) return {};
  const name = {};
  if (handle[ask](name) === 0) wire[end] = name;
  return name;
}

const questions = {
  _connecting: (socket, wire) => wire.connecting,
  pending: (socket, wire) => wire.handle === null || wire.connecting,
  readyState(socket, wire) {
    if (wire.connecting) return 'opening';
    if (socket.readable) return socket.writable ? 'open' : 'readOnly';
    return socket.writable ? 'writeOnly' : 'closed';
  },
  bufferSize: (socket, wire) => (wire.handle === null ? undefined : socket.writableLength),
  bytesRead: (socket, wire) => (wire.handle === null ? wire.read : wire.handle.bytesRead),
  _bytesDispatched: (socket, wire) => (wire.handle === null ? wire.sent : wire.handle.bytesWritten),
  bytesWritten: (socket, wire) => socket._bytesDispatched + wire.waiting,
  remoteAddress: (socket, wire) => nameOf(wire, 'remote').address,
  remoteFamily: (socket, wire) => nameOf(wire, 'remote').family,
  remotePort: (socket, wire) => nameOf(wire, 'remote').port,
  localAddress: (socket, wire) => nameOf(wire, 'local').address,
  localFamily: (socket, wire) => nameOf(wire, 'local').family,
  localPort: (socket, wire) => nameOf(wire, 'local').port,
};

for (const [name, answer] of Object.entries(questions)) {
  Object.defineProperty(Socket.prototype, name, {
    enumerable: true,
    get() {
      const wire = this[kWire];
      return wire === undefined ? undefined : answer(this, wire);
    },
  });
}

Socket.prototype.address = function () {
  return nameOf(this[kWire], 'local');
};

Object.defineProperties(Socket.prototype, {
  _handle: {
    get() {
      return this[kWire] === undefined ? undefined : this[kWire].handle;
    },
    set(handle) {
      this[kWire].handle = handle;
    },
  },
  connecting: {
    enumerable: true,
    get() {
      return this[kWire] !== undefined && this[kWire].connecting;
    },
    set(on) {
      const wire = this[kWire];
      if (on !== wire.connecting) wire.phase = on ? CONNECTING : wire.handle !== null ? OPEN : IDLE;
    },
  },
});

module.exports = { Socket, Accepted, handleFor };
