'use strict';

// OutgoingMessage: the common part of requests of a client and responses of a server.
//
// Its header fields are in outgoing_fields.js; the queue of unsent data is in outgoing_queue.js. If the whole message
// is known and its connection is idle, it is not queued and does not pass through the socket's stream: its head and its
// body are given to C in one call (see `direct`).

const Stream = require('stream');
const { Buffer } = require('internal/buffer/class');
const { codes, hideStackFrames } = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { kFields, kTrailerText, methods: fieldMethods } = require('internal/http/outgoing_fields');
const { composeHead } = require('internal/http/head');
const { send } = internalBinding('http_parser');

const {
  kPieces,
  kWaiting,
  kUnderWay,
  kScheduled,
  kCorked,
  kHeld,
  kNeedsDrain,
  kDone,
  kWhenEnded,
  addPiece,
  finishIfDone,
  flush,
  flushLater,
  hasTurn,
  releaseHeld,
  sizeOf,
  whenEnded,
} = require('internal/http/outgoing_queue');
const {
  ERR_HTTP_BODY_NOT_ALLOWED,
  ERR_HTTP_CONTENT_LENGTH_MISMATCH,
  ERR_INVALID_ARG_TYPE,
  ERR_METHOD_NOT_IMPLEMENTED,
  ERR_STREAM_ALREADY_FINISHED,
  ERR_STREAM_CANNOT_PIPE,
  ERR_STREAM_DESTROYED,
  ERR_STREAM_NULL_VALUES,
  ERR_STREAM_WRITE_AFTER_END,
} = codes;

const kHeadSent = Symbol('headSent');
const kBodyBytes = Symbol('bodyBytes');

const DEFAULT_LIMIT = 65536;
const DIRECT_LIMIT = 65536;

function OutgoingMessage(options) {
  if (!(this instanceof OutgoingMessage)) return new OutgoingMessage(options);
  this.socket = null;
  this._header = null;
  this.finished = false;
  this.destroyed = false;
  this.writable = true;
  this.sendDate = false;
  this.shouldKeepAlive = true;
  this.chunkedEncoding = false;
  this.useChunkedEncodingByDefault = true;
  this.strictContentLength = false;
  this.lastOnConnection = false;
  this._contentLength = null;
  this._hasBody = true;
  this[kFields] = null;
  this[kPieces] = null;
  this[kWaiting] = 0;
  this[kUnderWay] = 0;
  this[kBodyBytes] = 0;
  this[kHeadSent] = false;
  this[kDone] = false;
  if (options !== undefined) {
    if (options.rejectNonStandardBodyWrites) this.rejectsBodies = true;
    if (options.highWaterMark !== undefined) this.ownLimit = options.highWaterMark;
  }
}
Object.setPrototypeOf(OutgoingMessage.prototype, Stream.prototype);
Object.setPrototypeOf(OutgoingMessage, Stream);

// Properties that few messages change are on the prototype.
function silently(name, value) {
  Object.defineProperty(OutgoingMessage.prototype, name, {
    __proto__: null,
    configurable: true,
    enumerable: false,
    writable: true,
    value,
  });
}
for (const [name, value] of Object.entries({
  withoutConnection: false,
  withoutLength: false,
  withoutTransfer: false,
  connectionExhausted: false,
  relaxedValues: false,
  uniqueHeaders: null,
  rejectsBodies: false,
  ownLimit: undefined,
  expects: false,
  agent: undefined,
  maxRequestsOnConnectionReached: false,
  failure: null,
  isClosed: false,
}))
  silently(name, value);
for (const symbol of [kCorked, kHeld, kNeedsDrain, kScheduled, kWhenEnded, kTrailerText]) {
  silently(
    symbol,
    symbol === kCorked
      ? 0
      : symbol === kTrailerText
        ? ''
        : symbol === kNeedsDrain || symbol === kScheduled
          ? false
          : null,
  );
}

function getter(name, get, set) {
  Object.defineProperty(OutgoingMessage.prototype, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get,
    set,
  });
}

getter(
  'connection',
  function () {
    return this.socket;
  },
  function (value) {
    this.socket = value;
  },
);
getter('headersSent', function () {
  return !!this._header;
});
getter('errored', function () {
  return this.failure;
});
getter('closed', function () {
  return this.isClosed;
});
getter(
  '_closed',
  function () {
    return this.isClosed;
  },
  function (value) {
    this.isClosed = value;
  },
);
getter('writableEnded', function () {
  return this.finished;
});
getter('writableFinished', function () {
  return this.finished && this[kDone];
});
getter('writableObjectMode', function () {
  return false;
});
getter('writableLength', function () {
  return this[kWaiting] + (this[kHeld]?.framed ?? 0) + (this.socket ? this.socket.writableLength : 0);
});
getter('writableHighWaterMark', function () {
  return this.socket ? this.socket.writableHighWaterMark : (this.ownLimit ?? DEFAULT_LIMIT);
});
getter('writableCorked', function () {
  return this[kCorked];
});
getter('writableNeedDrain', function () {
  return !this.destroyed && !this.finished && this[kNeedsDrain];
});
getter(
  '_headerSent',
  function () {
    return this[kHeadSent];
  },
  function (value) {
    this[kHeadSent] = value;
  },
);
getter(
  '_last',
  function () {
    return this.lastOnConnection;
  },
  function (value) {
    this.lastOnConnection = value;
  },
);
getter('outputData', function () {
  return this[kPieces] ?? [];
});
getter('outputSize', function () {
  return this[kWaiting];
});

Object.assign(OutgoingMessage.prototype, fieldMethods);

// ---- the head ----

OutgoingMessage.prototype._implicitHeader = function () {
  throw new ERR_METHOD_NOT_IMPLEMENTED('_implicitHeader()');
};

OutgoingMessage.prototype._storeHeader = function (firstLine, headers) {
  this._header = composeHead(this, firstLine, headers === undefined || headers === null ? this[kFields] : headers);
  if (this.expects) this.flushHeaders();
};

silently('keepAliveLines', function () {
  return 'Connection: keep-alive\r\n';
});

OutgoingMessage.prototype.flushHeaders = function () {
  if (!this._header) this._implicitHeader();
  if (!this[kHeadSent]) addHead(this);
  flush(this);
};

function addHead(message) {
  if (!message._header) return;
  message[kHeadSent] = true;
  addPiece(message, message._header, 'latin1', null);
}

// ---- the body ----

const checkChunk = hideStackFrames(function checkChunk(chunk) {
  if (chunk === null) throw new ERR_STREAM_NULL_VALUES();
  if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) {
    throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'Uint8Array'], chunk);
  }
});

// A write is not possible: the callback and the listeners get the error later.
function reject(message, error, callback) {
  process.nextTick(tellRejected, message, error, callback);
  return false;
}

function tellRejected(message, error, callback) {
  if (typeof callback === 'function') callback(error);
  if (message.destroyed) return;
  message.failure ??= error;
  message.emit('error', error);
}

OutgoingMessage.prototype.write = function (chunk, encoding, callback) {
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  checkChunk(chunk);
  if (this.finished) return reject(this, new ERR_STREAM_WRITE_AFTER_END(), callback);
  if (this.destroyed) {
    const error = new ERR_STREAM_DESTROYED('write');
    process.nextTick(tellRejected, this, error, callback);
    return false;
  }
  const room = addChunk(this, chunk, encoding, callback);
  if (!room) this[kNeedsDrain] = true;
  return room;
};

// Checks that a body is as long as its length says.
function checkLength(message, size, ending) {
  const sent = message[kBodyBytes] + size;
  const wrong = sent > message._contentLength || (ending && sent !== message._contentLength);
  if (message.strictContentLength && message._hasBody && message._contentLength !== null && wrong) {
    throw new ERR_HTTP_CONTENT_LENGTH_MISMATCH(sent, message._contentLength);
  }
}

function addChunk(message, chunk, encoding, callback) {
  if (typeof encoding !== 'string') encoding = 'utf8';
  const size = sizeOf(chunk, encoding);
  if (!message._header) {
    if (size === 0 && message.holdsEmptyWrites) return later(callback);
    message._implicitHeader();
  }
  if (!message._hasBody) {
    if (message.rejectsBodies) throw new ERR_HTTP_BODY_NOT_ALLOWED();
    return later(callback);
  }
  if (message.strictContentLength) checkLength(message, size, false);
  message[kBodyBytes] += size;
  if (!message[kHeadSent]) addHead(message);
  if (size === 0) {
    // Its callback keeps its position among the others.
    if (typeof callback === 'function') {
      if (message[kHeld] !== null) message[kHeld].list.push({ data: '', encoding: 'latin1', callback });
      else addPiece(message, '', 'latin1', callback);
    }
    flushLater(message);
    return true;
  }
  if (message.chunkedEncoding && (message[kCorked] > 0 || hasTurn(message))) {
    // Data written in one tick, or while corked, is one chunk.
    const held = (message[kHeld] ??= { list: [], size: 0, framed: 0 });
    held.list.push({ data: chunk, encoding, callback });
    held.size += size;
    held.framed += size + size.toString(16).length + 4;
    if (message[kCorked] === 0) flushLater(message);
    return message.writableLength < message.writableHighWaterMark;
  }
  if (message.chunkedEncoding) {
    addPiece(message, `${size.toString(16)}\r\n`, 'latin1', null);
    addPiece(message, chunk, encoding, null);
    addPiece(message, '\r\n', 'latin1', callback);
  } else {
    addPiece(message, chunk, encoding, callback);
  }
  if (message[kCorked] === 0) {
    if (message[kWaiting] >= message.writableHighWaterMark && hasTurn(message)) return flush(message);
    flushLater(message);
  }
  return message.writableLength < message.writableHighWaterMark;
}

function later(callback) {
  if (typeof callback === 'function') process.nextTick(callback);
  return true;
}

OutgoingMessage.prototype.cork = function () {
  this[kCorked]++;
  this.socket?.cork();
};

OutgoingMessage.prototype.uncork = function () {
  if (this[kCorked] === 0) return;
  this[kCorked]--;
  this.socket?.uncork();
  if (this[kCorked] > 0) return;
  releaseHeld(this);
  if (this[kPieces] !== null) flushLater(this);
};

OutgoingMessage.prototype._send = function (data, encoding, callback) {
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  if (!this[kHeadSent] && this._header) addHead(this);
  addPiece(this, data, encoding ?? 'latin1', callback);
  return flush(this);
};

// Text that belongs to no message: interim responses.
function writeAside(message, text, callback) {
  addPiece(message, text, 'latin1', callback ?? null);
  return flush(message);
}

// Sends the end of the message, and everything before it, in one call. -> false: this is not possible
function direct(message, chunk, encoding) {
  const { socket } = message;
  if (message[kPieces] !== null || message[kHeld] !== null || message[kUnderWay] > 0 || message[kCorked] > 0)
    return false;
  const chunked = message._hasBody && message.chunkedEncoding;
  if (chunked && message[kTrailerText] !== '') return false;
  const id = message.directHandle?.();
  if (id === undefined) return false;
  let body;
  let code = 0;
  if (message._hasBody && chunk !== undefined) {
    body = chunk;
    if (typeof chunk === 'string') {
      if (chunk.length > DIRECT_LIMIT) return false;
      if (encoding === 'latin1' || encoding === 'binary') code = 1;
      else if (encoding !== undefined && encoding !== null && encoding !== 'utf8' && encoding !== 'utf-8') return false;
    } else if (chunk.byteLength > DIRECT_LIMIT) {
      return false;
    }
  }
  message[kHeadSent] = true;
  const rest = send(id, message._header, body, code, chunked);
  if (rest === undefined) return true;
  // The system accepted only a part, or failed: the socket's stream handles the rest.
  if (typeof rest === 'number') {
    message[kUnderWay]++;
    process.nextTick(() => {
      const { ErrnoException } = require('internal/errors');
      socket.destroy(new ErrnoException(rest, 'write'));
    });
  } else {
    addPiece(message, Buffer.from(rest), undefined, null);
    flush(message);
  }
  return true;
}

OutgoingMessage.prototype.end = function (chunk, encoding, callback) {
  if (typeof chunk === 'function') {
    callback = chunk;
    chunk = encoding = undefined;
  } else if (typeof encoding === 'function') {
    callback = encoding;
    encoding = undefined;
  }
  if (chunk !== undefined && chunk !== null) checkChunk(chunk);
  else chunk = undefined;
  if (this.finished) return endAgain(this, chunk, callback);
  if (chunk !== undefined && this.destroyed) {
    reject(this, new ERR_STREAM_DESTROYED('end'), callback);
    return this;
  }
  if (!this._header) {
    // The body is complete: its length is known.
    if (this._contentLength === null) this._contentLength = chunk === undefined ? 0 : sizeOf(chunk, encoding ?? 'utf8');
    this._implicitHeader();
  }
  if (this.strictContentLength) checkLength(this, chunk === undefined ? 0 : sizeOf(chunk, encoding ?? 'utf8'), true);
  if (typeof callback === 'function') whenEnded(this, callback);
  if (chunk !== undefined && !this._hasBody && this.rejectsBodies && sizeOf(chunk, encoding ?? 'utf8') > 0) {
    throw new ERR_HTTP_BODY_NOT_ALLOWED();
  }
  if (!this[kHeadSent] && direct(this, chunk, encoding)) {
    this.finished = true;
    if (this[kUnderWay] === 0 && this._events === undefined && this[kWhenEnded] === null && this.concludesSoon?.())
      return this;
    process.nextTick(finishIfDone, this);
    if (this._events !== undefined) this.emit('prefinish');
    return this;
  }
  return endSlowly(this, chunk, encoding);
};

function endSlowly(message, chunk, encoding) {
  while (message[kCorked] > 0) message.uncork();
  if (chunk !== undefined) addChunk(message, chunk, encoding, null);
  if (!message[kHeadSent]) addHead(message);
  releaseHeld(message);
  if (message._hasBody && message.chunkedEncoding)
    addPiece(message, `0\r\n${message[kTrailerText]}\r\n`, 'latin1', null);
  message.finished = true;
  if (message[kPieces] !== null) flush(message);
  if (message[kPieces] === null && message[kUnderWay] === 0) process.nextTick(finishIfDone, message);
  // A message that waits for its turn is not finished yet.
  if (hasTurn(message) || message.destroyed) message.emit('prefinish');
  return message;
}

function endAgain(message, chunk, callback) {
  if (chunk !== undefined) {
    reject(message, message.destroyed ? new ERR_STREAM_DESTROYED('end') : new ERR_STREAM_WRITE_AFTER_END(), callback);
  } else if (typeof callback === 'function') {
    if (message[kDone]) process.nextTick(callback, new ERR_STREAM_ALREADY_FINISHED('end'));
    else whenEnded(message, callback);
  }
  return message;
}

// ---- the end ----

OutgoingMessage.prototype.setTimeout = function (msecs, callback) {
  if (callback !== undefined) {
    validateFunction(callback, 'callback');
    this.on('timeout', callback);
  }
  if (this.socket) this.socket.setTimeout(msecs);
  else this.once('socket', (socket) => socket.setTimeout(msecs));
  return this;
};

OutgoingMessage.prototype.destroy = function (error) {
  if (this.destroyed) return this;
  this.destroyed = true;
  this.failure = error;
  if (this.socket) this.socket.destroy(error);
  else if (this.agent === undefined && this.req === undefined) process.nextTick(tellClosed, this);
  else this.once('socket', (socket) => socket.destroy(error));
  return this;
};

function tellClosed(message) {
  if (message.isClosed) return;
  message.isClosed = true;
  message.emit('close');
}

OutgoingMessage.prototype.pipe = function () {
  this.emit('error', new ERR_STREAM_CANNOT_PIPE());
};

OutgoingMessage.prototype[Symbol.for('nodejs.rejection')] = function (error) {
  this.destroy(error);
};

module.exports = { OutgoingMessage, writeAside };
