'use strict';

// ServerResponse: the answer to one request, with its turn on the connection.

const { OutgoingMessage, writeAside } = require('internal/http/outgoing');
const { kFields } = require('internal/http/outgoing_fields');
const { begin } = require('internal/http/outgoing_queue');
const { hasBadCharacter, validateHeaderName, validateHeaderValue } = require('internal/http/fields');
const { STATUS_CODES, statusLine } = require('internal/http/tables');
const { isWatched } = require('internal/http/incoming');
const { codes } = require('internal/errors');
const { validateInteger, validateObject } = require('internal/validators');

const {
  ERR_HTTP_HEADERS_SENT,
  ERR_HTTP_INVALID_STATUS_CODE,
  ERR_HTTP_SOCKET_ASSIGNED,
  ERR_INVALID_ARG_VALUE,
  ERR_INVALID_CHAR,
} = codes;

const kCounted = Symbol('counted'); // its queued bytes, as the connection counts them
const kPlace = Symbol('place'); // the connection in whose queue the response stands

function ServerResponse(req, options) {
  if (!(this instanceof ServerResponse)) return new ServerResponse(req, options);
  OutgoingMessage.call(this, options);
  this.req = req;
  this.sendDate = true;
  this[kPlace] = null;
  this[kCounted] = 0;
  if (req.method === 'HEAD') this._hasBody = false;
  if (req.httpVersionMajor < 1 || req.httpVersionMinor < 1) {
    this.useChunkedEncodingByDefault = /(?:^|\W)chunked(?:$|\W)/i.test(req.headers?.te);
    this.shouldKeepAlive = false;
  }
}
Object.setPrototypeOf(ServerResponse.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ServerResponse, OutgoingMessage);

ServerResponse.prototype.statusCode = 200;
ServerResponse.prototype.statusMessage = undefined;

function hidden(name, value) {
  Object.defineProperty(ServerResponse.prototype, name, {
    __proto__: null,
    configurable: true,
    enumerable: false,
    writable: true,
    value,
  });
}

// ---- the connection ----

// Server connections handle their responses themselves; a response that a program assigns to its own socket listens for
// the socket's end.
function onForeignClose() {
  const response = this._httpMessage;
  if (!response) return;
  response.destroyed = true;
  response.isClosed = true;
  response.emit('close');
}

ServerResponse.prototype.assignSocket = function (socket) {
  if (socket._httpMessage) throw new ERR_HTTP_SOCKET_ASSIGNED();
  socket._httpMessage = this;
  this.socket = socket;
  if (this[kPlace] === null) socket.on?.('close', onForeignClose);
  if (this._events !== undefined) this.emit('socket', socket);
  begin(this);
};

ServerResponse.prototype.detachSocket = function (socket) {
  if (this[kPlace] === null) socket.removeListener?.('close', onForeignClose);
  socket._httpMessage = null;
  this.socket = null;
};

hidden('directHandle', function () {
  return this[kPlace] === null ? undefined : this[kPlace].idleHandle(this);
});

// While its request is being handled, the connection handles the end of the response: no tick is needed if it would
// make no visible difference.
hidden('concludesSoon', function () {
  const place = this[kPlace];
  if (place === null || place.handling !== this || isWatched(this.req)) return false;
  place.handled = true;
  return true;
});

// The system has accepted everything: the connection goes on to the next response.
hidden('whenSent', function () {
  if (this[kPlace] !== null) this[kPlace].sent(this);
});

hidden('onWaiting', function (bytes) {
  if (this[kPlace] !== null) this[kPlace].waiting(this, bytes);
});

hidden('keepAliveLines', function (hint) {
  const lines = this[kPlace] === null ? undefined : this[kPlace].keepAliveLines;
  return hint && lines !== undefined ? lines : 'Connection: keep-alive\r\n';
});

// ---- interim responses ----

ServerResponse.prototype.writeInformation = function (statusCode, headers, callback) {
  if (typeof headers === 'function') {
    callback = headers;
    headers = undefined;
  }
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('write');
  validateInteger(statusCode, 'statusCode', 100, 199);
  if (statusCode === 101) throw new ERR_HTTP_INVALID_STATUS_CODE(statusCode);
  let text = statusLine(statusCode, STATUS_CODES[statusCode] ?? '');
  const add = (name, value) => {
    validateHeaderName(name);
    for (const item of Array.isArray(value) ? value : [value]) {
      validateHeaderValue(name, item);
      text += `${name}: ${item}\r\n`;
    }
  };
  if (Array.isArray(headers)) {
    if (headers.length > 0 && Array.isArray(headers[0])) {
      for (const [name, value] of headers) add(name, value);
    } else {
      if (headers.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', headers);
      for (let i = 0; i < headers.length; i += 2) add(headers[i], headers[i + 1]);
    }
  } else if (headers) {
    for (const name of Object.keys(headers)) add(name, headers[name]);
  }
  if (statusCode === 100) this._sent100 = true;
  writeAside(this, `${text}\r\n`, callback);
};

ServerResponse.prototype.writeContinue = function (callback) {
  this.writeInformation(100, undefined, callback);
};

ServerResponse.prototype.writeProcessing = function (callback) {
  this.writeInformation(102, undefined, callback);
};

const linkFormat = /^<[^>\r\n]*>(?:[ \t]*;[ \t]*[^;"\s]+(?:=(?:"[^"\r\n]*"|[^;"\s]*))?)*$/;
function linkText(link) {
  const list = typeof link === 'string' ? [link] : link;
  const good = Array.isArray(list) && list.every((item) => typeof item === 'string' && linkFormat.test(item));
  if (!good) {
    throw new ERR_INVALID_ARG_VALUE(
      'hints',
      link,
      'must be an array or string of format "</styles.css>; rel=preload; as=style"',
    );
  }
  return list.join(', ');
}

ServerResponse.prototype.writeEarlyHints = function (hints, callback) {
  validateObject(hints, 'hints');
  if (hints.link === null || hints.link === undefined) return;
  const link = linkText(hints.link);
  if (link.length === 0) return;
  const headers = { Link: link };
  for (const name of Object.keys(hints)) {
    if (name !== 'link') headers[name] = hints[name];
  }
  this.writeInformation(103, headers, callback);
};

// ---- the head ----

ServerResponse.prototype._implicitHeader = function () {
  this.writeHead(this.statusCode);
};

ServerResponse.prototype.writeHead = function (statusCode, reason, headers) {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('write');
  const given = statusCode;
  statusCode |= 0;
  if (statusCode < 100 || statusCode > 999) {
    throw new ERR_HTTP_INVALID_STATUS_CODE(
      typeof given === 'object' && given !== null ? require('util').inspect(given) : given,
    );
  }
  const named = typeof reason === 'string';
  if (!named) headers ??= reason;
  const usual = STATUS_CODES[statusCode];
  const message = named ? reason : this.statusMessage || (usual ?? 'unknown');
  this.statusMessage = message;
  this.statusCode = statusCode;
  let source = headers;
  if (this[kFields] !== null && headers) source = mergeInto(this, headers);
  else if (!headers) source = this[kFields];
  if (message !== usual && hasBadCharacter(message)) throw new ERR_INVALID_CHAR('statusMessage');
  if (statusCode === 204 || statusCode === 304 || statusCode < 200) this._hasBody = false;
  // A client that waits for 100 Continue and gets the final response may or may not send the body: this is not known.
  if (this.expectsContinue && !this._sent100) this.shouldKeepAlive = false;
  this._storeHeader(statusLine(statusCode, message), source);
  return this;
};

// Headers given here replace those set before; a name that occurs twice here is sent twice.
function mergeInto(response, headers) {
  const table = response[kFields];
  if (Array.isArray(headers)) {
    const pairs = headers.length > 0 && Array.isArray(headers[0]);
    if (!pairs && headers.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', headers);
    const list = pairs
      ? headers
      : Array.from({ length: headers.length / 2 }, (_, i) => [headers[i * 2], headers[i * 2 + 1]]);
    for (const [name] of list) {
      validateHeaderName(name);
      table.delete(name.toLowerCase());
    }
    for (const [name, value] of list) response.appendHeader(name, value);
  } else {
    for (const name of Object.keys(headers)) {
      if (name) response.setHeader(name, headers[name]);
    }
  }
  return table;
}

ServerResponse.prototype.writeHeader = ServerResponse.prototype.writeHead;
hidden('expectsContinue', false);
hidden('_sent100', false);

module.exports = { ServerResponse, kCounted, kPlace, linkText };
