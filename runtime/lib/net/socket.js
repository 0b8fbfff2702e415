'use strict';

// net.Socket: a Duplex in front of a Connection (internal/net/connection.js), which has the state and
// speaks with the handle.
//
// `socket._handle` is the handle of internal/stream_base, or null; `handle.id` is the number that the C side knows.
// Other modules may write to the handle themselves as long as `socket.writableLength` is 0. The constructor can be
// called without `new`, and on an object that inherits from it: programs from before classes do so.

const { Duplex, addAbortSignal } = require('stream');
const { Buffer } = require('internal/buffer/class');
const { codes, ErrnoException } = require('internal/errors');
const { Connection, kConnection, TCP, Pipe, IDLE, CONNECTING, OPEN, CLOSED } = require('internal/net/connection');
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

  const connection = (this[kConnection] = new Connection(this));
  this._parent = null;
  this._host = null;
  this.server = null;
  this._server = null;
  Duplex.call(this, settings);
  this.on('end', noteFarEnd);

  if (plain) connection.attach(given.handle);
  else configure(this, connection, given);

  if (connection.handle !== null && !connection.bound) {
    connection.phase = OPEN;
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

function configure(socket, connection, options) {
  const { handle, fd, onread } = options;
  if (onread !== null && typeof onread === 'object' && typeof onread.callback === 'function') {
    const { buffer, callback } = onread;
    if (typeof buffer === 'function') connection.lent = { memory: undefined, next: buffer, done: callback };
    else if (buffer instanceof Uint8Array) connection.lent = { memory: buffer, next: undefined, done: callback };
  }
  if (options.noDelay) connection.want('noDelay', true);
  if (options.keepAlive) connection.want('keepAlive', true);
  if (options.keepAliveInitialDelay > 0) connection.want('delay', Math.trunc(options.keepAliveInitialDelay / 1000));
  if (options.typeOfService !== undefined) connection.want('service', options.typeOfService);
  if (options.defaultEncoding) connection.plainText = false;
  connection.blockList = options.blockList;
  const take = handle?.[Symbol.for('rota.boundSocket')];
  if (take !== undefined) {
    connection.bound = true;
    connection.attach(take.call(handle));
  } else if (handle) {
    connection.attach(handle);
  } else if (fd !== undefined) {
    connection.attach(openHandle(fd));
  }
}

// ---- reading ----

Socket.prototype._read = function (size) {
  const connection = this[kConnection];
  if (connection.handle === null || connection.connecting) this.once('connect', () => this._read(size));
  else connection.startReading();
};

// The program's own memory takes part in pausing: the Duplex's queue does not contain data that is read into it.
function resumesLent(name) {
  Socket.prototype[name] = function (argument) {
    const connection = this[kConnection];
    if (connection.lent !== undefined && connection.handle !== null && !connection.connecting)
      connection.startReading();
    return duplex[name].call(this, argument);
  };
}
resumesLent('read');
resumesLent('resume');

Socket.prototype.pause = function () {
  const connection = this[kConnection];
  if (connection.lent !== undefined && !connection.connecting && !this.destroyed) connection.stopReading();
  return duplex.pause.call(this);
};

// ---- writing ----

function sizeOf(chunk, encoding) {
  return typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
}

// A write after the peer has ended, and this side with it, gets this error.
function noteFarEnd() {
  this[kConnection].farEnded = true;
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
  const connection = this[kConnection];
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = undefined;
  }
  if (!this.writable) {
    if (this.writableEnded && connection.farEnded && !this.allowHalfOpen) return refuse(this, callback);
    return duplex.write.call(this, chunk, encoding, callback);
  }
  if (
    connection.phase === OPEN &&
    connection.handle !== null &&
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
          (encoding === 'utf8' || encoding === 'latin1' || (!encoding && connection.plainText))
        : chunk instanceof Uint8Array && chunk.byteLength !== 0 && chunk.byteLength < room
    ) {
      const result = connection.begin(chunk, text ? encoding || 'utf8' : undefined);
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
  if (typeof chunk === 'string' || ArrayBuffer.isView(chunk)) connection.waiting += sizeOf(chunk, encoding);
  return duplex.write.call(this, chunk, encoding, callback);
};

Socket.prototype.end = function (chunk, encoding, callback) {
  if ((typeof chunk === 'string' || ArrayBuffer.isView(chunk)) && this.writable)
    this[kConnection].waiting += sizeOf(chunk, typeof encoding === 'string' ? encoding : undefined);
  duplex.end.call(this, chunk, encoding, callback);
  return this;
};

Socket.prototype.setDefaultEncoding = function (encoding) {
  this[kConnection].plainText = false;
  return duplex.setDefaultEncoding.call(this, encoding);
};

function passOn(chunk, encoding, callback) {
  const connection = this[kConnection];
  if (connection.early !== 0 && chunk === connection.earlyChunk) connection.finishEarly(callback);
  else this._writeGeneric(false, chunk, encoding, callback);
}
Socket.prototype._write = passOn;

Socket.prototype._writev = function (chunks, callback) {
  this._writeGeneric(true, chunks, '', callback);
};

// Programs that stand in for the network put a function of their own here, as in Node; all that is written then passes
// through it.
function writeGeneric(several, data, encoding, callback) {
  dispatch(this, this[kConnection], data, encoding, several, callback);
}
Socket.prototype._writeGeneric = writeGeneric;

function dispatch(socket, connection, data, encoding, several, callback) {
  if (connection.connecting) {
    // The one write that the Duplex has passed on waits until the socket is connected or has failed.
    const failed = () => callback(new codes.ERR_SOCKET_CLOSED_BEFORE_CONNECTION());
    socket.once('connect', () => {
      socket.off('close', failed);
      dispatch(socket, connection, data, encoding, several, callback);
    });
    socket.once('close', failed);
    return;
  }
  if (connection.handle === null) {
    callback(new codes.ERR_SOCKET_CLOSED());
    return;
  }
  if (connection.waiting !== 0) {
    let size = 0;
    if (several) for (const item of data) size += sizeOf(item.chunk, item.encoding);
    else size = sizeOf(data, encoding);
    connection.waiting = Math.max(0, connection.waiting - size);
  }
  connection.send(data, encoding, several, callback);
}

Socket.prototype._final = function (callback) {
  const connection = this[kConnection];
  if (connection.connecting) this.prependOnceListener('connect', () => this._final(callback));
  else connection.shut(callback);
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
  const connection = this[kConnection];
  if (connection.handle === null) return this.destroy(new codes.ERR_SOCKET_CLOSED());
  if (!(connection.handle instanceof TCP)) throw new codes.ERR_INVALID_HANDLE_TYPE();
  const reset = () => {
    connection.resets = true;
    this.destroy();
  };
  if (connection.connecting) this.once('connect', reset);
  else reset();
  return this;
};

Socket.prototype._destroy = function (error, callback) {
  const connection = this[kConnection];
  connection.phase = CLOSED;
  for (let socket = this; socket; socket = socket._parent) socket[kConnection]?.stopTimer();
  const handle = connection.detach();
  if (handle === null) {
    callback(error);
    process.nextTick(() => this.emit('close', !!this.errored));
  } else {
    const closed = () => this.emit('close', !!error);
    const err = connection.resets ? handle.reset(closed) : undefined;
    connection.resets = false;
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
  const connection = this[kConnection];
  this.timeout = msecs;
  validateNumber(msecs, 'msecs');
  if (!(msecs >= 0 && msecs < Infinity))
    throw new codes.ERR_OUT_OF_RANGE('msecs', 'a non-negative finite number', msecs);
  if (callback !== undefined) validateFunction(callback, 'callback');
  connection.stopTimer();
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
  connection.timer = timers.setTimeout(fallSilent, Math.min(msecs, longest), this).unref();
  if (callback !== undefined) this.once('timeout', callback);
  return this;
};

function fallSilent(socket) {
  socket._onTimeout();
}

Socket.prototype._onTimeout = function () {
  if (this[kConnection].movedOn()) this._unrefTimer();
  else this.emit('timeout');
};

// Activity of a socket inside of another counts for both.
Socket.prototype._unrefTimer = function () {
  for (let socket = this; socket; socket = socket._parent) socket[kConnection]?.timer?.refresh();
};

// ---- options ----

Socket.prototype.setNoDelay = function (enable = true) {
  const connection = this[kConnection];
  const on = !!enable;
  const before = connection.wanted?.noDelay ?? false;
  connection.want('noDelay', on);
  if (connection.handle !== null && on !== before) connection.handle.setNoDelay?.(on);
  return this;
};

Socket.prototype.setKeepAlive = function (enable, initialDelay, interval, count) {
  if (typeof enable === 'object' && enable !== null) ({ enable, initialDelay, interval, count } = enable);
  const connection = this[kConnection];
  const on = !!enable;
  const seconds = Math.trunc(initialDelay / 1000) || 0;
  const { keepAlive, delay } = connection.wanted ?? { keepAlive: false, delay: 0 };
  connection.want('keepAlive', on);
  connection.want('delay', seconds);
  const news = on !== keepAlive || (on && (seconds !== delay || interval !== undefined || count !== undefined));
  if (connection.handle !== null && news) {
    connection.handle.setKeepAlive?.(
      on,
      seconds,
      interval === undefined ? undefined : Math.trunc(interval / 1000),
      count,
    );
  }
  return this;
};

Socket.prototype.setTypeOfService = function (tos) {
  if (Number.isNaN(tos)) throw new codes.ERR_INVALID_ARG_TYPE('tos', 'number', tos);
  validateInt32(tos, 'tos', 0, 255);
  const connection = this[kConnection];
  connection.want('service', tos);
  if (connection.phase !== OPEN) return this;
  const err = connection.handle.setTypeOfService?.(tos);
  if (err) throw new ErrnoException(err, 'setTypeOfService');
  return this;
};

Socket.prototype.getTypeOfService = function () {
  const connection = this[kConnection];
  if (connection.phase !== OPEN || connection.handle?.getTypeOfService === undefined)
    return connection.wanted?.service ?? 0;
  const value = connection.handle.getTypeOfService();
  if (value < 0) throw new ErrnoException(value, 'getTypeOfService');
  return value;
};

for (const name of ['ref', 'unref']) {
  Socket.prototype[name] = function () {
    const { handle } = this[kConnection];
    if (handle === null) this.once('connect', this[name]);
    else handle[name]?.();
    return this;
  };
}

// ---- properties ----

// The addresses of both ends, cached: { address, family, port }, or {}. The remote one is kept after the end.
function nameOf(connection, end) {
  const { handle } = connection;
  const known = connection[end];
  if (known !== undefined && (handle !== null || end === 'remote')) return known;
  const ask = end === 'remote' ? 'getpeername' : 'getsockname';
  if (handle === null || handle[ask] === undefined) return {};
  if (end === 'remote' ? connection.connecting : handle instanceof Pipe && !connection.bound) return {};
  const name = {};
  if (handle[ask](name) === 0) connection[end] = name;
  return name;
}

const questions = {
  _connecting: (socket, connection) => connection.connecting,
  pending: (socket, connection) => connection.handle === null || connection.connecting,
  readyState(socket, connection) {
    if (connection.connecting) return 'opening';
    if (socket.readable) return socket.writable ? 'open' : 'readOnly';
    return socket.writable ? 'writeOnly' : 'closed';
  },
  bufferSize: (socket, connection) => (connection.handle === null ? undefined : socket.writableLength),
  bytesRead: (socket, connection) => (connection.handle === null ? connection.read : connection.handle.bytesRead),
  _bytesDispatched: (socket, connection) =>
    connection.handle === null ? connection.sent : connection.handle.bytesWritten,
  bytesWritten: (socket, connection) => socket._bytesDispatched + connection.waiting,
  remoteAddress: (socket, connection) => nameOf(connection, 'remote').address,
  remoteFamily: (socket, connection) => nameOf(connection, 'remote').family,
  remotePort: (socket, connection) => nameOf(connection, 'remote').port,
  localAddress: (socket, connection) => nameOf(connection, 'local').address,
  localFamily: (socket, connection) => nameOf(connection, 'local').family,
  localPort: (socket, connection) => nameOf(connection, 'local').port,
};

for (const [name, answer] of Object.entries(questions)) {
  Object.defineProperty(Socket.prototype, name, {
    enumerable: true,
    get() {
      const connection = this[kConnection];
      return connection === undefined ? undefined : answer(this, connection);
    },
  });
}

Socket.prototype.address = function () {
  return nameOf(this[kConnection], 'local');
};

Object.defineProperties(Socket.prototype, {
  _handle: {
    get() {
      return this[kConnection] === undefined ? undefined : this[kConnection].handle;
    },
    set(handle) {
      this[kConnection].handle = handle;
    },
  },
  connecting: {
    enumerable: true,
    get() {
      return this[kConnection] !== undefined && this[kConnection].connecting;
    },
    set(on) {
      const connection = this[kConnection];
      if (on !== connection.connecting) connection.phase = on ? CONNECTING : connection.handle !== null ? OPEN : IDLE;
    },
  },
});

module.exports = { Socket, Accepted, handleFor };
