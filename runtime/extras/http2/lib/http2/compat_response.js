'use strict';

// Http2ServerResponse: http's response, written to a stream of http2.

const Stream = require('stream');
const { codes, constants } = require('internal/http2/constants');
const { forConnectionsOnly } = require('internal/http2/headers');
const { kPair, pairOf, socketOf } = require('internal/http2/compat_request');
const { isToken } = require('internal/http/fields');
const { validateFunction, validateObject, validateString } = require('internal/validators');
const { hideStackFrames } = require('internal/errors');

const { HTTP_STATUS_CONTINUE, HTTP_STATUS_EARLY_HINTS, HTTP_STATUS_OK } = constants;

let warnedOfMessage = false;
function warnOfMessage() {
  if (warnedOfMessage) return;
  warnedOfMessage = true;
  process.emitWarning('Status message is not supported by HTTP/2 (RFC7540 8.1.2.4)', 'UnsupportedWarning');
}

let warnedOfConnection = false;
function warnOfConnection() {
  if (warnedOfConnection) return;
  warnedOfConnection = true;
  process.emitWarning(
    'The provided connection header is not valid, the value will be dropped from the header and will never be in use.',
    'UnsupportedWarning',
  );
}

function nameOf(name) {
  validateString(name, 'name');
  return name.trim().toLowerCase();
}

const checkField = hideStackFrames(function checkField(name, value) {
  if (name === '' || typeof name !== 'string' || name.includes(' ') || (name[0] !== ':' && !isToken(name))) {
    throw new codes.ERR_INVALID_HTTP_TOKEN('Header name', name);
  }
  if (name[0] === ':') throw new codes.ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED();
  if (value === undefined || value === null) throw new codes.ERR_HTTP2_INVALID_HEADER_VALUE(value, name);
});

// Whether a field is not allowed in HTTP/2.
function isOfConnection(name, value) {
  if (!forConnectionsOnly.has(name) && (name !== 'te' || value === 'trailers')) return false;
  if (name === 'connection') warnOfConnection();
  return true;
}

class Http2ServerResponse extends Stream {
  #stream;
  #headers = { __proto__: null };
  #trailers = { __proto__: null };
  #status = HTTP_STATUS_OK;
  #ending = false;
  #closed = false;
  #sendDate = true;

  constructor(stream, options) {
    super(options);
    this.#stream = stream;
    pairOf(stream).response = this;
    this.writable = true;
    this.req = pairOf(stream).request;
    stream.on('drain', onDrain);
    stream.on('close', Http2ServerResponse.#onClose);
    stream.on('wantTrailers', Http2ServerResponse.#onTrailers);
  }

  // Called by the stream, which is `this`.
  static #onClose() {
    const { response } = this[kPair];
    if (response.#closed) return;
    response.#closed = true;
    response.emit('finish');
    response.emit('close');
  }

  static #onTrailers() {
    this.sendTrailers(this[kPair].response.#trailers);
  }

  // ---- state ----

  get headersSent() {
    return this.#stream.headersSent;
  }

  get stream() {
    return this.#stream;
  }

  get socket() {
    return this.#closed ? undefined : socketOf(this.#stream);
  }

  get writableEnded() {
    return this.#ending;
  }

  get sendDate() {
    return this.#sendDate;
  }

  set sendDate(on) {
    this.#sendDate = Boolean(on);
  }

  get statusCode() {
    return this.#status;
  }

  set statusCode(code) {
    code |= 0;
    if (code >= 100 && code < 200) throw new codes.ERR_HTTP2_INFO_STATUS_NOT_ALLOWED();
    if (code < 100 || code > 599) throw new codes.ERR_HTTP2_STATUS_INVALID(code);
    this.#status = code;
  }

  get statusMessage() {
    warnOfMessage();
    return '';
  }

  set statusMessage(message) {
    warnOfMessage();
  }

  // ---- headers ----

  getHeader(name) {
    return this.#headers[nameOf(name)];
  }

  getHeaderNames() {
    return Object.keys(this.#headers);
  }

  getHeaders() {
    return Object.assign({ __proto__: null }, this.#headers);
  }

  hasHeader(name) {
    return nameOf(name) in this.#headers;
  }

  setHeader(name, value) {
    if (this.headersSent) throw new codes.ERR_HTTP2_HEADERS_SENT();
    if (this.#closed) return;
    this.#put(name, value);
  }

  #put(given, value) {
    const name = nameOf(given);
    checkField(name, value);
    if (isOfConnection(name, value)) return;
    if (name.charCodeAt(0) === 58) throw new codes.ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED();
    this.#headers[name] = value;
  }

  appendHeader(name, value) {
    if (this.headersSent) throw new codes.ERR_HTTP2_HEADERS_SENT();
    if (this.#closed) return;
    this.#append(name, value);
  }

  #append(given, value) {
    const name = nameOf(given);
    checkField(name, value);
    if (isOfConnection(name, value)) return;
    const before = this.#headers[name];
    this.#headers[name] = before === undefined ? value : [].concat(before, value);
  }

  removeHeader(name) {
    const lower = nameOf(name);
    if (this.headersSent) throw new codes.ERR_HTTP2_HEADERS_SENT();
    if (this.#closed) return;
    if (lower === 'date') this.#sendDate = false;
    delete this.#headers[lower];
  }

  setTrailer(given, value) {
    const name = nameOf(given);
    checkField(name, value);
    this.#trailers[name] = value;
  }

  addTrailers(headers) {
    for (const name of Object.keys(headers)) this.setTrailer(name, headers[name]);
  }

  flushHeaders() {
    if (!this.#closed && !this.headersSent && !this.#stream.destroyed) this.writeHead(this.#status);
  }

  writeHead(status, message, headers) {
    if (this.#closed || this.#stream.destroyed || this.#stream.closed) return this;
    if (this.headersSent) throw new codes.ERR_HTTP2_HEADERS_SENT();
    if (typeof message === 'string') warnOfMessage();
    if (headers === undefined && typeof message === 'object') headers = message;
    if (Array.isArray(headers)) this.#putList(headers);
    else if (headers !== null && typeof headers === 'object')
      for (const name of Object.keys(headers)) this.#put(name, headers[name]);
    this.statusCode = status;
    this.#begin();
    return this;
  }

  // Pairs, or names and values alternating; repeated names are kept, too.
  #putList(list) {
    const flat = Array.isArray(list[0]) ? list.flat(1) : list;
    if (flat.length % 2 !== 0) throw new codes.ERR_INVALID_ARG_VALUE('headers', list);
    for (let i = 0; i < flat.length; i += 2) delete this.#headers[nameOf(String(flat[i]))];
    for (let i = 0; i < flat.length; i += 2) this.#append(flat[i], flat[i + 1]);
  }

  #begin(endStream = false, waitForTrailers = true) {
    const headers = { __proto__: null, ':status': this.#status, ...this.#headers };
    if (!this.#sendDate && headers.date === undefined) headers.date = null;
    this.#stream.respond(headers, { endStream, waitForTrailers });
  }

  // ---- body ----

  cork() {
    this.#stream.cork();
  }

  uncork() {
    this.#stream.uncork();
  }

  write(chunk, encoding, callback) {
    if (typeof encoding === 'function') [encoding, callback] = ['utf8', encoding];
    let problem;
    if (this.#ending) problem = new codes.ERR_STREAM_WRITE_AFTER_END();
    else if (this.#closed) problem = new codes.ERR_HTTP2_INVALID_STREAM();
    else if (this.#stream.destroyed) return false;
    if (problem !== undefined) {
      if (typeof callback === 'function') process.nextTick(callback, problem);
      this.destroy(problem);
      return false;
    }
    if (!this.headersSent) this.writeHead(this.#status);
    if (!this.#stream.headRequest) return this.#stream.write(chunk, encoding, callback);
    // Such a response has no body.
    if (typeof callback === 'function') process.nextTick(callback);
    return true;
  }

  end(chunk, encoding, callback) {
    if (typeof chunk === 'function') [chunk, callback] = [undefined, chunk];
    else if (typeof encoding === 'function') [encoding, callback] = ['utf8', encoding];
    const stream = this.#stream;
    if (this.#closed || this.#ending) {
      if (typeof callback === 'function') {
        if (stream.writableFinished || this.#closed) process.nextTick(callback);
        else this.once('finish', callback);
      }
      return this;
    }
    this.#ending = true;
    if (typeof callback === 'function') {
      if (stream.writableEnded) this.once('finish', callback);
      else stream.once('finish', callback);
    }
    const hasBody = chunk !== null && chunk !== undefined && chunk.length !== 0 && !stream.headRequest;
    let hasTrailers = false;
    for (const name in this.#trailers) hasTrailers = name !== undefined;
    if (!stream.destroyed && !stream.closed) {
      if (!this.headersSent) this.#begin(!hasBody && !hasTrailers, hasTrailers);
      else if (!hasTrailers) stream.expectNoTrailers();
    }
    if (stream.writableEnded) return this;
    if (hasBody) stream.end(chunk, encoding);
    else stream.end();
    return this;
  }

  destroy(error) {
    if (this.#closed) return this;
    this.#stream.destroy(error);
    return this;
  }

  setTimeout(msecs, callback) {
    if (this.#closed) return this;
    this.#stream.setTimeout(msecs);
    if (callback !== undefined) this.on('timeout', callback);
    return this;
  }

  // ---- before the response, and beside it ----

  createPushResponse(headers, callback) {
    validateFunction(callback, 'callback');
    if (this.#closed) {
      const problem = new codes.ERR_HTTP2_INVALID_STREAM();
      process.nextTick(callback, problem);
      return;
    }
    this.#stream.pushStream(headers, {}, (error, stream, sent, options) => {
      if (error) callback(error);
      else callback(null, new Http2ServerResponse(stream, options));
    });
  }

  #inform(headers) {
    if (this.#closed || this.#stream.destroyed || this.headersSent) return false;
    this.#stream.additionalHeaders(headers);
    return true;
  }

  writeContinue() {
    return this.#inform({ ':status': HTTP_STATUS_CONTINUE });
  }

  writeInformation(status, headers) {
    if (!Number.isInteger(status) || status < 100 || status > 199 || status === 101)
      throw new codes.ERR_HTTP2_STATUS_INVALID(status);
    const fields = { __proto__: null };
    if (headers !== undefined) {
      validateObject(headers, 'headers');
      for (const name of Object.keys(headers)) {
        checkField(nameOf(name), headers[name]);
        fields[nameOf(name)] = headers[name];
      }
    }
    return this.#inform({ ...fields, ':status': status });
  }

  writeEarlyHints(hints) {
    validateObject(hints, 'hints');
    const fields = { __proto__: null };
    for (const name of Object.keys(hints)) {
      if (name === 'link') continue;
      checkField(nameOf(name), hints[name]);
      fields[nameOf(name)] = hints[name];
    }
    const link = require('internal/http/response').linkText(hints.link);
    if (link.length === 0) return false;
    return this.#inform({ ...fields, link, ':status': HTTP_STATUS_EARLY_HINTS });
  }
}

function onDrain() {
  const { response } = this[kPair];
  if (!this.destroyed) response.emit('drain');
}

// Properties of the stream, and aliases of the above.
for (const name of [
  'writableCorked',
  'writableHighWaterMark',
  'writableFinished',
  'writableLength',
  'writableNeedDrain',
  'writableObjectMode',
]) {
  Object.defineProperty(Http2ServerResponse.prototype, name, {
    __proto__: null,
    configurable: true,
    get() {
      return this.stream[name];
    },
  });
}
for (const [name, other] of [
  ['_header', 'headersSent'],
  ['connection', 'socket'],
  ['finished', 'writableEnded'],
]) {
  Object.defineProperty(Http2ServerResponse.prototype, name, {
    __proto__: null,
    configurable: true,
    get() {
      return this[other];
    },
  });
}

module.exports = { Http2ServerResponse };
