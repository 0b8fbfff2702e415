'use strict';

// OutgoingMessage: what requests of a client and responses of a server have in common.
//
// What is to be sent lies in a list of pieces. It leaves for the socket when it may: when the message has its turn on the
// connection (pipelined responses wait for those before them), and at the end of the tick or of the message, so that what
// a program writes in one go is one write. A whole message that finds its connection idle does not pass through the list
// nor through the socket's stream: its head and its body are handed to C in one call (see `direct`).

const Stream = require('stream');
const { Buffer } = require('buffer');
const { codes, hideStackFrames } = require('internal/errors');
const { validateString, validateFunction } = require('internal/validators');
const { FieldTable, hasBadCharacter, isToken, validateHeaderName, validateHeaderValue } = require('internal/http/fields');
const { composeHead } = require('internal/http/head');
const { send } = internalBinding('http_parser');

const {
  ERR_HTTP_HEADERS_SENT, ERR_HTTP_BODY_NOT_ALLOWED, ERR_HTTP_CONTENT_LENGTH_MISMATCH, ERR_INVALID_ARG_TYPE, ERR_INVALID_CHAR,
  ERR_INVALID_HTTP_TOKEN, ERR_METHOD_NOT_IMPLEMENTED, ERR_STREAM_ALREADY_FINISHED, ERR_STREAM_CANNOT_PIPE, ERR_STREAM_DESTROYED,
  ERR_STREAM_NULL_VALUES, ERR_STREAM_WRITE_AFTER_END,
} = codes;

const kFields = Symbol('fields');
const kPieces = Symbol('pieces'); // waiting: { data, encoding, callback }
const kWaiting = Symbol('waitingBytes');
const kUnderWay = Symbol('writesUnderWay');
const kScheduled = Symbol('flushScheduled');
const kCorked = Symbol('corked');
const kHeld = Symbol('heldChunks'); // chunks of the body while corked
const kThirsty = Symbol('needDrain');
const kDone = Symbol('finishedWriting');
const kWhenEnded = Symbol('endCallbacks');
const kTrailerText = Symbol('trailers');
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

// What few messages ever change stands on the prototype.
function silently(name, value) {
  Object.defineProperty(OutgoingMessage.prototype, name, { __proto__: null, configurable: true, enumerable: false, writable: true, value });
}
for (const [name, value] of Object.entries({
  withoutConnection: false, withoutLength: false, withoutTransfer: false, connectionExhausted: false, relaxedValues: false,
  uniqueHeaders: null, rejectsBodies: false, ownLimit: undefined, expects: false, agent: undefined, maxRequestsOnConnectionReached: false,
  failure: null, isClosed: false,
})) silently(name, value);
for (const symbol of [kCorked, kHeld, kThirsty, kScheduled, kWhenEnded, kTrailerText]) {
  silently(symbol, symbol === kCorked ? 0 : symbol === kTrailerText ? '' : symbol === kThirsty || symbol === kScheduled ? false : null);
}

function getter(name, get, set) {
  Object.defineProperty(OutgoingMessage.prototype, name, { __proto__: null, configurable: true, enumerable: true, get, set });
}

getter('connection', function() {
  return this.socket;
}, function(value) {
  this.socket = value;
});
getter('headersSent', function() {
  return !!this._header;
});
getter('errored', function() {
  return this.failure;
});
getter('closed', function() {
  return this.isClosed;
});
getter('_closed', function() {
  return this.isClosed;
}, function(value) {
  this.isClosed = value;
});
getter('writableEnded', function() {
  return this.finished;
});
getter('writableFinished', function() {
  return this.finished && this[kDone];
});
getter('writableObjectMode', function() {
  return false;
});
getter('writableLength', function() {
  return this[kWaiting] + (this[kHeld]?.framed ?? 0) + (this.socket ? this.socket.writableLength : 0);
});
getter('writableHighWaterMark', function() {
  return this.socket ? this.socket.writableHighWaterMark : this.ownLimit ?? DEFAULT_LIMIT;
});
getter('writableCorked', function() {
  return this[kCorked];
});
getter('writableNeedDrain', function() {
  return !this.destroyed && !this.finished && this[kThirsty];
});
getter('_headerSent', function() {
  return this[kHeadSent];
}, function(value) {
  this[kHeadSent] = value;
});
getter('_last', function() {
  return this.lastOnConnection;
}, function(value) {
  this.lastOnConnection = value;
});
getter('outputData', function() {
  return this[kPieces] ?? [];
});
getter('outputSize', function() {
  return this[kWaiting];
});

// ---- fields ----

function refuseLate(message, what) {
  if (message._header) throw new ERR_HTTP_HEADERS_SENT(what);
}

OutgoingMessage.prototype.setHeader = function(name, value) {
  refuseLate(this, 'set');
  validateHeaderName(name);
  validateHeaderValue(name, value, this.relaxedValues);
  (this[kFields] ??= new FieldTable()).set(name, value);
  return this;
};

OutgoingMessage.prototype.setHeaders = function(headers) {
  refuseLate(this, 'set');
  const fits = headers !== null && typeof headers === 'object' && !Array.isArray(headers) &&
    typeof headers.keys === 'function' && typeof headers.get === 'function';
  if (!fits) throw new ERR_INVALID_ARG_TYPE('headers', ['Headers', 'Map'], headers);
  // Headers gives each cookie by itself; they are sent as a list.
  const cookies = [];
  for (const [name, value] of headers) {
    if (name === 'set-cookie') cookies.push(...[value].flat());
    else this.setHeader(name, value);
  }
  if (cookies.length > 0) this.setHeader('set-cookie', cookies);
  return this;
};

OutgoingMessage.prototype.appendHeader = function(name, value) {
  refuseLate(this, 'append');
  validateHeaderName(name);
  validateHeaderValue(name, value, this.relaxedValues);
  (this[kFields] ??= new FieldTable()).append(name, value);
  return this;
};

OutgoingMessage.prototype.getHeader = function(name) {
  validateString(name, 'name');
  return this[kFields] === null ? undefined : this[kFields].get(name);
};

OutgoingMessage.prototype.hasHeader = function(name) {
  validateString(name, 'name');
  return this[kFields] !== null && this[kFields].has(name);
};

OutgoingMessage.prototype.getHeaders = function() {
  return this[kFields] === null ? { __proto__: null } : this[kFields].toObject(false);
};

OutgoingMessage.prototype.getHeaderNames = function() {
  return this[kFields] === null ? [] : this[kFields].names();
};

OutgoingMessage.prototype.getRawHeaderNames = function() {
  return this[kFields] === null ? [] : this[kFields].rawNames();
};

OutgoingMessage.prototype.removeHeader = function(name) {
  validateString(name, 'name');
  refuseLate(this, 'remove');
  const lower = name.toLowerCase();
  if (lower === 'connection') this.withoutConnection = true;
  else if (lower === 'content-length') this.withoutLength = true;
  else if (lower === 'transfer-encoding') this.withoutTransfer = true;
  else if (lower === 'date') this.sendDate = false;
  this[kFields]?.delete(lower);
};

OutgoingMessage.prototype._renderHeaders = function() {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
  return this[kFields] === null ? {} : this[kFields].toObject(true);
};

OutgoingMessage.prototype.addTrailers = function(headers) {
  let text = '';
  const list = Array.isArray(headers) ? headers : Object.keys(headers).map((name) => [name, headers[name]]);
  for (const [name, value] of list) {
    if (!name || !isToken(name)) throw new ERR_INVALID_HTTP_TOKEN('Trailer name', name);
    const values = Array.isArray(value) && !this.uniqueHeaders?.has(name.toLowerCase()) ? value : [[value].flat().join('; ')];
    for (const item of values) {
      if (hasBadCharacter(item, this.relaxedValues)) throw new ERR_INVALID_CHAR('trailer content', name);
      text += `${name}: ${item}\r\n`;
    }
  }
  this[kTrailerText] = text;
};

// Where a header's name is one that may stand only once, its values are joined.
function parseUniqueHeaders(list) {
  return Array.isArray(list) && list.length > 0 ? new Set(list.map((name) => name.toLowerCase())) : null;
}

// ---- the head ----

OutgoingMessage.prototype._implicitHeader = function() {
  throw new ERR_METHOD_NOT_IMPLEMENTED('_implicitHeader()');
};

OutgoingMessage.prototype._storeHeader = function(firstLine, headers) {
  this._header = composeHead(this, firstLine, headers === undefined || headers === null ? this[kFields] : headers);
  if (this.expects) this.flushHeaders();
};

silently('keepAliveLines', function() {
  return 'Connection: keep-alive\r\n';
});

OutgoingMessage.prototype.flushHeaders = function() {
  if (!this._header) this._implicitHeader();
  if (!this[kHeadSent]) addHead(this);
  flush(this);
};

function addHead(message) {
  if (!message._header) return;
  message[kHeadSent] = true;
  addPiece(message, message._header, 'latin1', null);
}

// ---- pieces ----

function sizeOf(data, encoding) {
  return typeof data === 'string' ? Buffer.byteLength(data, encoding) : data.byteLength;
}

function addPiece(message, data, encoding, callback) {
  (message[kPieces] ??= []).push({ data, encoding, callback });
  message[kWaiting] += sizeOf(data, encoding);
  message.onWaiting?.(message[kWaiting]);
}

function hasTurn(message) {
  const { socket } = message;
  return socket !== null && socket !== undefined && socket._httpMessage === message && !socket.destroyed && socket.writable !== false;
}

function flushLater(message) {
  if (message[kScheduled] || !hasTurn(message)) return;
  message[kScheduled] = true;
  process.nextTick(flushOnTick, message);
}

function flushOnTick(message) {
  message[kScheduled] = false;
  if (message[kCorked] > 0) return;
  releaseHeld(message);
  if (message[kPieces] !== null) flush(message);
}

// Hands what waits to the socket, as one write. -> false when the socket has enough
function flush(message) {
  const pieces = message[kPieces];
  if (pieces === null) return true;
  if (!hasTurn(message)) {
    if (message.socket?.destroyed) dropPieces(message, pieces);
    return false;
  }
  const { socket } = message;
  message[kPieces] = null;
  message[kWaiting] = 0;
  message.onWaiting?.(0);
  let room = true;
  if (pieces.length === 1) {
    room = handOver(message, socket, pieces[0]);
  } else {
    socket.cork();
    for (const piece of pieces) room = handOver(message, socket, piece);
    socket.uncork();
  }
  if (room && message[kThirsty]) process.nextTick(tellDrained, message);
  return room;
}

function handOver(message, socket, { data, encoding, callback }) {
  message[kUnderWay]++;
  return socket.write(data, encoding, (error) => {
    callback?.(error);
    if (error) refuseEnd(message, error);
    if (--message[kUnderWay] === 0) finishIfDone(message);
  });
}

// What was not sent cannot be finished: who waits for that hears why.
function refuseEnd(message, error) {
  message.failure ??= error;
  const callbacks = message[kWhenEnded];
  if (callbacks === null) return;
  message[kWhenEnded] = null;
  for (const callback of callbacks) callback(error);
}

// What has failed by now will not end any more, and says so.
function whenEnded(message, callback) {
  if (message.failure) process.nextTick(callback, message.failure);
  else (message[kWhenEnded] ??= []).push(callback);
}

// Nobody takes them any more. A socket that has failed says why, and the message is never finished.
function dropPieces(message, pieces) {
  message[kPieces] = null;
  message[kWaiting] = 0;
  const reason = message.socket?.errored;
  if (reason) message.failure ??= reason;
  for (const { callback } of pieces) {
    if (callback) process.nextTick(callback, reason ?? new ERR_STREAM_DESTROYED('write'));
  }
}

// A socket that had room for all of it never says 'drain' itself.
function tellDrained(message) {
  if (!message[kThirsty] || message.destroyed || message.finished || message[kPieces] !== null || message[kHeld] !== null) return;
  if (message.socket?.writableNeedDrain) return;
  message[kThirsty] = false;
  message.emit('drain');
}

// The socket of the message has room again.
function drained(message) {
  if (message[kPieces] !== null) flush(message);
  tellDrained(message);
}

function finishIfDone(message) {
  if (message.finished && !message[kDone] && message[kUnderWay] === 0 && message[kPieces] === null && !message.failure && !message.destroyed) conclude(message);
}

// All of it is with the system.
function conclude(message) {
  if (message[kDone] || message.failure) return;
  message[kDone] = true;
  const callbacks = message[kWhenEnded];
  if (callbacks !== null) {
    message[kWhenEnded] = null;
    for (const callback of callbacks) callback(null);
  }
  message.whenSent?.();
  if (message._events !== undefined) message.emit('finish');
}

// The message got its turn, or its socket.
function begin(message) {
  if (message[kCorked] === 0) releaseHeld(message);
  if (message[kPieces] !== null) {
    flush(message);
    if (message.finished) message.emit('prefinish');
  } else if (message[kThirsty]) {
    process.nextTick(tellDrained, message);
  }
}

// ---- the body ----

const checkChunk = hideStackFrames(function checkChunk(chunk) {
  if (chunk === null) throw new ERR_STREAM_NULL_VALUES();
  if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) {
    throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'Uint8Array'], chunk);
  }
});

// Something cannot be written: the callback and the listeners hear of it, later.
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

OutgoingMessage.prototype.write = function(chunk, encoding, callback) {
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
  if (!room) this[kThirsty] = true;
  return room;
};

// Whether a body is as long as its length says.
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
    // Its callback keeps its place among the others.
    if (typeof callback === 'function') {
      if (message[kHeld] !== null) message[kHeld].list.push({ data: '', encoding: 'latin1', callback });
      else addPiece(message, '', 'latin1', callback);
    }
    flushLater(message);
    return true;
  }
  if (message.chunkedEncoding && (message[kCorked] > 0 || hasTurn(message))) {
    // What is written in one go, or while corked, is one chunk.
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

OutgoingMessage.prototype.cork = function() {
  this[kCorked]++;
  this.socket?.cork();
};

OutgoingMessage.prototype.uncork = function() {
  if (this[kCorked] === 0) return;
  this[kCorked]--;
  this.socket?.uncork();
  if (this[kCorked] > 0) return;
  releaseHeld(this);
  if (this[kPieces] !== null) flushLater(this);
};

function releaseHeld(message) {
  const held = message[kHeld];
  if (held === null) return;
  message[kHeld] = null;
  addPiece(message, `${held.size.toString(16)}\r\n`, 'latin1', null);
  for (const { data, encoding, callback } of held.list) addPiece(message, data, encoding, callback);
  addPiece(message, '\r\n', 'latin1', null);
}

OutgoingMessage.prototype._send = function(data, encoding, callback) {
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

// The last of the message, and everything before it, in one call. -> false: not this way
function direct(message, chunk, encoding) {
  const { socket } = message;
  if (message[kPieces] !== null || message[kHeld] !== null || message[kUnderWay] > 0 || message[kCorked] > 0) return false;
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
  // The system took less than all, or failed: the socket's stream knows what to do.
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

OutgoingMessage.prototype.end = function(chunk, encoding, callback) {
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
    // All of the body is here: its length is known.
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
    if (this[kUnderWay] === 0 && this._events === undefined && this[kWhenEnded] === null && this.concludesSoon?.()) return this;
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
  if (message._hasBody && message.chunkedEncoding) addPiece(message, `0\r\n${message[kTrailerText]}\r\n`, 'latin1', null);
  message.finished = true;
  if (message[kPieces] !== null) flush(message);
  if (message[kPieces] === null && message[kUnderWay] === 0) process.nextTick(finishIfDone, message);
  // Who waits for a turn has not come so far yet.
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

// ---- the rest of its life ----

OutgoingMessage.prototype.setTimeout = function(msecs, callback) {
  if (callback !== undefined) {
    validateFunction(callback, 'callback');
    this.on('timeout', callback);
  }
  if (this.socket) this.socket.setTimeout(msecs);
  else this.once('socket', (socket) => socket.setTimeout(msecs));
  return this;
};

OutgoingMessage.prototype.destroy = function(error) {
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

OutgoingMessage.prototype.pipe = function() {
  this.emit('error', new ERR_STREAM_CANNOT_PIPE());
};

OutgoingMessage.prototype[Symbol.for('nodejs.rejection')] = function(error) {
  this.destroy(error);
};

module.exports = { OutgoingMessage, begin, conclude, drained, dropPieces, finishIfDone, kDone, kFields, kPieces, kHeadSent, parseUniqueHeaders, writeAside };
