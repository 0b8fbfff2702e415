'use strict';

// net.Socket: a Duplex over a handle. Bytes that arrive are pushed; writes go to C in one crossing each and usually end
// there and then. 'close' comes from the loop's closing phase, when the handle is gone.

const stream = require('stream');
const { codes, ErrnoException } = require('internal/errors');
const { TCP, Pipe, guessHandleType, kOwner, UV_EOF } = require('internal/stream_base');
const { validateInt32, validateFunction, validateNumber, validateAbortSignal } = require('internal/validators');
const timers = require('internal/timers');

const {
  ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_FD_TYPE, ERR_SOCKET_CLOSED, ERR_SOCKET_CLOSED_BEFORE_CONNECTION,
} = codes;

const kTimeout = Symbol('timeout');
const kBytesRead = Symbol('kBytesRead');
const kBytesWritten = Symbol('kBytesWritten');
const kLastWriteQueueSize = Symbol('lastWriteQueueSize');
const kSetNoDelay = Symbol('kSetNoDelay');
const kSetKeepAlive = Symbol('kSetKeepAlive');
const kKeepAliveDelay = Symbol('kSetKeepAliveInitialDelay');
const kTypeOfService = Symbol('kSetTOS');
const kOwnBuffer = Symbol('kBuffer');
const kOwnBufferCallback = Symbol('kBufferCb');
const kOwnBufferMaker = Symbol('kBufferGen');
const kPending = Symbol('kPendingWrite');
const kHandle = Symbol('kHandle');
const kReset = Symbol('kReinitializeHandle');
const kBlockList = Symbol('kBlockList');

const nothing = () => {};

function createHandle(fd, isServer) {
  validateInt32(fd, 'fd', 0);
  const type = guessHandleType(fd);
  if (type === 'PIPE') return new Pipe();
  if (type === 'TCP') return new TCP();
  throw new ERR_INVALID_FD_TYPE(type);
}

function Socket(options) {
  if (!(this instanceof Socket)) return new Socket(options);
  if (options?.objectMode) throw new ERR_INVALID_ARG_VALUE('options.objectMode', options.objectMode, 'is not supported');
  if (options?.readableObjectMode || options?.writableObjectMode) {
    throw new ERR_INVALID_ARG_VALUE(
      `options.${options.readableObjectMode ? 'readableObjectMode' : 'writableObjectMode'}`,
      options.readableObjectMode || options.writableObjectMode, 'is not supported');
  }
  let keepAliveDelay = 0;
  if (options?.keepAliveInitialDelay !== undefined) {
    validateNumber(options.keepAliveInitialDelay, 'options.keepAliveInitialDelay');
    keepAliveDelay = Math.max(~~(options.keepAliveInitialDelay / 1000), 0);
  }
  if (options?.blockList !== undefined) {
    if (!require('internal/net/blocklist').BlockList.isBlockList(options.blockList)) {
      throw new ERR_INVALID_ARG_TYPE('options.blockList', 'net.BlockList', options.blockList);
    }
  }
  if (typeof options === 'number') options = { fd: options };
  else options = { ...options };

  this.connecting = false;
  this._hadError = false;
  this[kHandle] = null;
  this._parent = null;
  this._host = null;
  this._closeAfterHandlingError = false;
  this[kLastWriteQueueSize] = 0;
  this[kTimeout] = null;
  this[kOwnBuffer] = null;
  this[kOwnBufferCallback] = null;
  this[kOwnBufferMaker] = null;
  this[kPending] = null;

  options.allowHalfOpen = Boolean(options.allowHalfOpen);
  options.emitClose = false;
  options.autoDestroy = true;
  options.decodeStrings = false; // strings are encoded in C, on their way out
  const { signal } = options;
  options.signal = undefined;
  stream.Duplex.call(this, options);

  if (options.handle) {
    const { handle } = options;
    if (handle[Symbol.for('rota.boundSocket')] !== undefined) {
      this._handle = handle[Symbol.for('rota.boundSocket')]();
      this._bound = true;
    } else {
      this._handle = handle;
    }
  } else if (options.fd !== undefined) {
    const { fd } = options;
    this._handle = createHandle(fd, false);
    const err = this._handle.open(fd);
    if (err) throw new ErrnoException(err, 'open');
  }

  const { onread } = options;
  if (onread !== null && typeof onread === 'object' && (onread.buffer instanceof Uint8Array || typeof onread.buffer === 'function') &&
      typeof onread.callback === 'function') {
    if (typeof onread.buffer === 'function') {
      this[kOwnBuffer] = true;
      this[kOwnBufferMaker] = onread.buffer;
    } else {
      this[kOwnBuffer] = onread.buffer;
    }
    this[kOwnBufferCallback] = onread.callback;
  }

  this[kSetNoDelay] = Boolean(options.noDelay);
  this[kSetKeepAlive] = Boolean(options.keepAlive);
  this[kKeepAliveDelay] = keepAliveDelay;
  this[kBlockList] = options.blockList;
  this[kTypeOfService] = undefined;
  if (options.typeOfService !== undefined) {
    validateInt32(options.typeOfService, 'options.typeOfService', 0, 255);
    this[kTypeOfService] = options.typeOfService;
  }

  this.on('end', onReadableStreamEnd);
  initHandle(this);
  this._sockname = null;
  this._pendingData = null;
  this._pendingEncoding = '';
  this.server = null;
  this._server = null;
  this[kBytesRead] = 0;
  this[kBytesWritten] = 0;

  if (this._handle && options.readable !== false && !options.noDelayedRead && !options.manualStart && !this._bound) {
    if (options.pauseOnCreate) {
      // The bytes stay in the kernel until the program asks for them.
      this._handle.reading = false;
      this._handle.readStop();
      this.readableFlowing = false;
    } else {
      this.read(0);
    }
  }
  if (signal) {
    validateAbortSignal(signal, 'options.signal');
    require('stream').addAbortSignal(signal, this);
  }
}
Object.setPrototypeOf(Socket.prototype, stream.Duplex.prototype);
Object.setPrototypeOf(Socket, stream.Duplex);

function initHandle(socket) {
  const handle = socket._handle;
  if (!handle) return;
  handle[kOwner] = socket;
  handle.onread = onStreamRead;
  let buffer = socket[kOwnBuffer];
  if (buffer) {
    if (buffer === true) {
      buffer = socket[kOwnBufferMaker]();
      if (!(buffer instanceof Uint8Array)) return;
      socket[kOwnBuffer] = buffer;
    }
    handle.useUserBuffer(buffer);
  }
}

// Called by the handle: `this` is the handle.
function onStreamRead(nread, buffer) {
  const socket = this[kOwner];
  if (socket === null) return;
  if (socket[kTimeout] !== null || socket._parent !== null) socket._unrefTimer();
  if (nread > 0) {
    if (socket.destroyed) return;
    let more;
    if (buffer === undefined) {
      // The bytes lie in the program's own memory.
      more = socket[kOwnBufferCallback](nread, socket[kOwnBuffer]) !== false;
      const maker = socket[kOwnBufferMaker];
      if (maker !== null && socket._handle !== null) {
        const next = maker();
        if (next instanceof Uint8Array) {
          socket[kOwnBuffer] = next;
          this.useUserBuffer(next);
        }
      }
    } else {
      more = socket.push(buffer);
    }
    if (!more && this.id >= 0) {
      this.reading = false;
      if (!socket.destroyed) {
        const err = this.readStop();
        if (err) socket.destroy(new ErrnoException(err, 'read'));
      }
    }
    return;
  }
  if (nread !== UV_EOF) {
    // A peer that resets after we ended is an end like another only for pipes and the like: here it is an error.
    socket.destroy(new ErrnoException(nread, 'read'));
    return;
  }
  // The end of what the other side sends.
  if (socket._readableState.endEmitted) {
    if (socket[kOwnBuffer] !== null && socket.writable === false) socket.destroy();
    return;
  }
  socket.push(null);
  socket.read(0);
}

function onReadableStreamEnd() {
  if (!this.allowHalfOpen) this.write = writeAfterFIN;
}

function writeAfterFIN(chunk, encoding, callback) {
  if (!this.writableEnded) return stream.Duplex.prototype.write.call(this, chunk, encoding, callback);
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  const error = new Error('This socket has been ended by the other party');
  error.code = 'EPIPE';
  if (typeof callback === 'function') process.nextTick(callback, error);
  this.destroy(error);
  return false;
}

function tryReadStart(socket) {
  socket._handle.reading = true;
  const err = socket._handle.readStart();
  if (err) socket.destroy(new ErrnoException(err, 'read'));
}

// ---- time ----

Socket.prototype._unrefTimer = function() {
  for (let s = this; s != null; s = s._parent) {
    if (s[kTimeout]) s[kTimeout].refresh();
  }
};

Socket.prototype.setTimeout = function(msecs, callback) {
  if (this.destroyed) return this;
  this.timeout = msecs;
  validateNumber(msecs, 'msecs');
  if (msecs < 0 || !Number.isFinite(msecs)) throw new codes.ERR_OUT_OF_RANGE('msecs', 'a non-negative finite number', msecs);
  if (msecs > timers.TIMEOUT_MAX) {
    process.emitWarning(`${msecs} does not fit into a 32-bit signed integer.\nTimer duration was truncated to ${timers.TIMEOUT_MAX}.`,
                        'TimeoutOverflowWarning');
    msecs = timers.TIMEOUT_MAX;
  }
  if (this[kTimeout]) clearTimeout(this[kTimeout]);
  this[kTimeout] = null;
  if (msecs === 0) {
    if (callback !== undefined) {
      validateFunction(callback, 'callback');
      this.removeListener('timeout', callback);
    }
  } else {
    this[kTimeout] = timers.setTimeout(onTimeout, msecs, this).unref();
    if (callback !== undefined) {
      validateFunction(callback, 'callback');
      this.once('timeout', callback);
    }
  }
  return this;
};

function onTimeout(socket) {
  socket._onTimeout();
}

Socket.prototype._onTimeout = function() {
  // A large write that is still moving is no silence.
  const handle = this._handle;
  const last = this[kLastWriteQueueSize];
  if (last > 0 && handle) {
    const { writeQueueSize } = handle;
    if (last !== writeQueueSize) {
      this[kLastWriteQueueSize] = writeQueueSize;
      this._unrefTimer();
      return;
    }
  }
  this.emit('timeout');
};

// ---- options ----

Socket.prototype.setNoDelay = function(enable) {
  enable = Boolean(enable === undefined ? true : enable);
  if (!this._handle) {
    this[kSetNoDelay] = enable;
    return this;
  }
  if (this._handle.setNoDelay && enable !== this[kSetNoDelay]) {
    this[kSetNoDelay] = enable;
    this._handle.setNoDelay(enable);
  }
  return this;
};

Socket.prototype.setKeepAlive = function(enable, initialDelayMsecs, interval, count) {
  if (enable !== null && typeof enable === 'object') {
    ({ enable, initialDelay: initialDelayMsecs, interval, count } = enable);
  }
  enable = Boolean(enable);
  const delay = ~~(initialDelayMsecs / 1000);
  const seconds = interval === undefined ? undefined : ~~(interval / 1000);
  if (!this._handle) {
    this[kSetKeepAlive] = enable;
    this[kKeepAliveDelay] = delay;
    return this;
  }
  if (!this._handle.setKeepAlive) return this;
  if (enable !== this[kSetKeepAlive] || (enable && (this[kKeepAliveDelay] !== delay || seconds !== undefined || count !== undefined))) {
    this[kSetKeepAlive] = enable;
    this[kKeepAliveDelay] = delay;
    this._handle.setKeepAlive(enable, delay, seconds, count);
  }
  return this;
};

Socket.prototype.setTypeOfService = function(tos) {
  if (Number.isNaN(tos)) throw new ERR_INVALID_ARG_TYPE('tos', 'number', tos);
  validateInt32(tos, 'tos', 0, 255);
  this[kTypeOfService] = tos;
  if (!this._handle || this.connecting) return this;
  const err = this._handle.setTypeOfService?.(tos);
  if (err) throw new ErrnoException(err, 'setTypeOfService');
  return this;
};

Socket.prototype.getTypeOfService = function() {
  if (!this._handle || this.connecting || !this._handle.getTypeOfService) return this[kTypeOfService] ?? 0;
  const value = this._handle.getTypeOfService();
  if (value < 0) throw new ErrnoException(value, 'getTypeOfService');
  return value;
};

// What was asked for before there was a handle.
function applyOptions(socket) {
  const handle = socket._handle;
  if (socket[kSetNoDelay] && handle.setNoDelay) handle.setNoDelay(true);
  if (socket[kSetKeepAlive] && handle.setKeepAlive) handle.setKeepAlive(true, socket[kKeepAliveDelay]);
  if (socket[kTypeOfService] !== undefined && handle.setTypeOfService) handle.setTypeOfService(socket[kTypeOfService]);
}

Socket.prototype.ref = function() {
  if (!this._handle) {
    this.once('connect', this.ref);
    return this;
  }
  if (typeof this._handle.ref === 'function') this._handle.ref();
  return this;
};

Socket.prototype.unref = function() {
  if (!this._handle) {
    this.once('connect', this.unref);
    return this;
  }
  if (typeof this._handle.unref === 'function') this._handle.unref();
  return this;
};

// ---- state ----

Socket.prototype.address = function() {
  return this._getsockname();
};

Socket.prototype._getpeername = function() {
  if (!this._handle || !this._handle.getpeername || this.connecting) return this._peername || {};
  if (!this._peername) {
    const out = {};
    if (this._handle.getpeername(out)) return out;
    this._peername = out;
  }
  return this._peername;
};

Socket.prototype._getsockname = function() {
  if (!this._handle || !this._handle.getsockname || (this._handle instanceof Pipe && !this._bound)) return {};
  if (!this._sockname) {
    const out = {};
    if (this._handle.getsockname(out)) return {};
    this._sockname = out;
  }
  return this._sockname;
};

function getter(name, get) {
  Object.defineProperty(Socket.prototype, name, { __proto__: null, configurable: false, enumerable: true, get });
}

getter('_connecting', function() {
  return this.connecting;
});
getter('pending', function() {
  return !this._handle || this.connecting;
});
getter('readyState', function() {
  if (this.connecting) return 'opening';
  if (this.readable && this.writable) return 'open';
  if (this.readable && !this.writable) return 'readOnly';
  if (!this.readable && this.writable) return 'writeOnly';
  return 'closed';
});
getter('bufferSize', function() {
  return this._handle ? this.writableLength : undefined;
});
getter('bytesRead', function() {
  return this._handle ? this._handle.bytesRead : this[kBytesRead];
});
getter('remoteAddress', function() {
  return this._getpeername().address;
});
getter('remoteFamily', function() {
  return this._getpeername().family;
});
getter('remotePort', function() {
  return this._getpeername().port;
});
getter('localAddress', function() {
  return this._getsockname().address;
});
getter('localPort', function() {
  return this._getsockname().port;
});
getter('localFamily', function() {
  return this._getsockname().family;
});
getter('_bytesDispatched', function() {
  return this._handle ? this._handle.bytesWritten : this[kBytesWritten];
});
getter('bytesWritten', function() {
  let bytes = this._bytesDispatched;
  if (!this._writableState) return undefined;
  const { Buffer } = require('buffer');
  const size = (chunk, encoding) => (typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length);
  for (const { chunk, encoding } of this._writableState.getBuffer()) bytes += size(chunk, encoding);
  const data = this._pendingData;
  if (Array.isArray(data)) {
    for (const item of data) bytes += item.chunk !== undefined ? size(item.chunk, item.encoding) : size(item, this._pendingEncoding);
  } else if (data) {
    bytes += size(data, this._pendingEncoding);
  }
  return bytes;
});
Object.defineProperty(Socket.prototype, '_handle', {
  __proto__: null,
  get() {
    return this[kHandle];
  },
  set(value) {
    this[kHandle] = value;
  },
});

// ---- reading ----

Socket.prototype._read = function(n) {
  if (this.connecting || !this._handle) {
    this.once('connect', () => this._read(n));
  } else if (!this._handle.reading) {
    tryReadStart(this);
  }
};

Socket.prototype.pause = function() {
  if (this[kOwnBuffer] && !this.connecting && this._handle?.reading) {
    this._handle.reading = false;
    if (!this.destroyed) {
      const err = this._handle.readStop();
      if (err) this.destroy(new ErrnoException(err, 'read'));
    }
  }
  return stream.Duplex.prototype.pause.call(this);
};

Socket.prototype.resume = function() {
  if (this[kOwnBuffer] && !this.connecting && this._handle && !this._handle.reading) tryReadStart(this);
  return stream.Duplex.prototype.resume.call(this);
};

Socket.prototype.read = function(n) {
  if (this[kOwnBuffer] && !this.connecting && this._handle && !this._handle.reading) tryReadStart(this);
  return stream.Duplex.prototype.read.call(this, n);
};

// ---- writing ----

Socket.prototype._writeGeneric = function(writev, data, encoding, callback) {
  // Before the connection is there, the one write that the stream lets through waits.
  if (this.connecting) {
    this._pendingData = data;
    this._pendingEncoding = encoding;
    this.once('connect', function connect() {
      this.off('close', onClose);
      this._writeGeneric(writev, data, encoding, callback);
    });
    function onClose() {
      callback(new ERR_SOCKET_CLOSED_BEFORE_CONNECTION());
    }
    this.once('close', onClose);
    return;
  }
  this._pendingData = null;
  this._pendingEncoding = '';
  const handle = this._handle;
  if (!handle) {
    callback(new ERR_SOCKET_CLOSED());
    return false;
  }
  if (this[kTimeout] !== null || this._parent !== null) this._unrefTimer();
  this[kPending] = callback;
  const result = writev ? handle.writev(data, afterWrite) : handle.write(data, encoding, afterWrite);
  if (result === 0) {
    this[kPending] = null;
    callback();
  } else if (result < 0) {
    this[kPending] = null;
    callback(new ErrnoException(result, 'write'));
  } else if (this[kTimeout] !== null) {
    this[kLastWriteQueueSize] = handle.writeQueueSize;
  }
};

function afterWrite(status, handle) {
  const socket = handle[kOwner];
  if (socket === null) return;
  const callback = socket[kPending];
  socket[kPending] = null;
  if (socket.destroyed) {
    callback?.(status < 0 && status !== -125 ? new ErrnoException(status, 'write') : null);
    return;
  }
  if (status < 0) {
    const error = new ErrnoException(status, 'write');
    if (callback) callback(error);
    else socket.destroy(error);
    return;
  }
  if (socket[kTimeout] !== null || socket._parent !== null) socket._unrefTimer();
  socket[kLastWriteQueueSize] = 0;
  callback?.(null);
}

Socket.prototype._writev = function(chunks, callback) {
  this._writeGeneric(true, chunks, '', callback);
};

Socket.prototype._write = function(data, encoding, callback) {
  this._writeGeneric(false, data, encoding, callback);
};

Socket.prototype._final = function(callback) {
  if (this.connecting) {
    this.prependOnceListener('connect', () => this._final(callback));
    return;
  }
  const handle = this._handle;
  if (!handle) return callback();
  const err = handle.shutdown === undefined ? -107 : handle.shutdown((status) => {
    callback(status < 0 && status !== -107 && status !== -125 ? new ErrnoException(status, 'shutdown') : undefined);
  });
  if (err === -107 || err === -9) return callback(); // not connected (any more)
  if (err !== 0) return callback(new ErrnoException(err, 'shutdown'));
};

Socket.prototype.end = function(data, encoding, callback) {
  stream.Duplex.prototype.end.call(this, data, encoding, callback);
  return this;
};

// ---- the end ----

Socket.prototype.destroySoon = function() {
  if (this.writable) this.end();
  if (this.writableFinished) this.destroy();
  else this.once('finish', this.destroy);
};

Socket.prototype.resetAndDestroy = function() {
  if (this._handle) {
    if (!(this._handle instanceof TCP)) throw new codes.ERR_INVALID_HANDLE_TYPE();
    if (this.connecting) {
      this.once('connect', () => this._reset());
    } else {
      this._reset();
    }
  } else {
    this.destroy(new ERR_SOCKET_CLOSED());
  }
  return this;
};

Socket.prototype._reset = function() {
  this.resetAndClosing = true;
  return this.destroy();
};

Socket.prototype._destroy = function(exception, callback) {
  this.connecting = false;
  for (let s = this; s != null; s = s._parent) {
    if (s[kTimeout]) clearTimeout(s[kTimeout]);
    s[kTimeout] = null;
  }
  const handle = this._handle;
  if (handle) {
    const failed = exception ? true : false;
    this[kBytesRead] = handle.bytesRead;
    this[kBytesWritten] = handle.bytesWritten;
    const closed = () => this.emit('close', failed);
    if (this.resetAndClosing) {
      this.resetAndClosing = false;
      const err = handle.reset(closed);
      if (err) {
        this.emit('error', new ErrnoException(err, 'reset'));
        handle.close(closed);
      }
    } else {
      handle.close(closed);
    }
    handle.onread = nothing;
    this._handle = null;
    this._sockname = null;
    callback(exception);
  } else {
    callback(exception);
    process.nextTick(emitCloseNT, this);
  }
  if (this._server) {
    const server = this._server;
    server._connections--;
    server._emitCloseIfDrained?.();
  }
};

function emitCloseNT(socket) {
  socket.emit('close', socket.errored ? true : false);
}

Socket.prototype[kReset] = function(handle) {
  this._handle?.close();
  this._handle = handle;
  this._handle[kOwner] = this;
  initHandle(this);
};

Socket.prototype.connect = function(...args) {
  return require('internal/net/connect').connect(this, args);
};

module.exports = { Socket, createHandle, initHandle, applyOptions, kReset, kBlockList, kTimeout, kSetNoDelay, kSetKeepAlive, kKeepAliveDelay, tryReadStart };
