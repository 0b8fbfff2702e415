'use strict';

// Http2ServerRequest: a request as http's servers give it, read from a stream of http2.

const { Readable } = require('stream');
const { codes } = require('internal/http2/constants');
const { streamSocketView } = require('internal/http2/socket_view');
const { validateString } = require('internal/validators');

// On a stream: { request, response, view }.
const kPair = Symbol('http2 request and response');

function pairOf(stream) {
  return (stream[kPair] ??= { request: undefined, response: undefined, view: undefined });
}

function socketOf(stream) {
  const pair = pairOf(stream);
  return (pair.view ??= streamSocketView(stream));
}

const readableOptions = { autoDestroy: false };

class Http2ServerRequest extends Readable {
  #stream;
  #headers;
  #rawHeaders;
  #trailers = { __proto__: null };
  #rawTrailers = [];
  #url;
  #method;
  #aborted = false;
  #closed = false;
  #reads = false; // data was asked for

  constructor(stream, headers, options, rawHeaders) {
    super(options === undefined ? readableOptions : { autoDestroy: false, ...options });
    this.#stream = stream;
    this.#headers = headers;
    this.#rawHeaders = rawHeaders;
    pairOf(stream).request = this;
    for (const event of Object.keys(Http2ServerRequest.#listeners))
      stream.on(event, Http2ServerRequest.#listeners[event]);
    this.on('pause', onPause);
    this.on('resume', onResume);
  }

  // Called by the stream, which is `this`.
  static #listeners = {
    __proto__: null,
    trailers(trailers, flags, raw) {
      const { request } = this[kPair];
      Object.assign(request.#trailers, trailers);
      request.#rawTrailers.push(...raw);
    },
    end() {
      this[kPair].request.#finish();
    },
    error() {
      // The request reports its end without the reason.
    },
    aborted() {
      const { request } = this[kPair];
      request.#aborted = true;
      request.emit('aborted');
    },
    timeout() {
      const { request, response } = this[kPair];
      const server = this.session?.server;
      let heard = false;
      for (const each of [request, response, server])
        heard = (each !== undefined && each.emit('timeout', this)) || heard;
      if (!heard && this.listenerCount('timeout') === 1) this.destroy();
    },
    close() {
      const { request } = this[kPair];
      request.#closed = true;
      request.#finish();
      request.emit('close');
    },
  };

  // No more data will come.
  #finish() {
    if (this.readableEnded) return;
    if (!this._readableState.ended) this.push(null);
    // A program that never asked for data still gets 'end'.
    if (this.readableFlowing === null) this.resume();
  }

  _read() {
    if (this.#closed) {
      if (!this._readableState.ended) this.push(null);
      return;
    }
    const stream = this.#stream;
    if (!this.#reads) {
      this.#reads = true;
      stream.on('data', onData);
    } else {
      process.nextTick(() => {
        if (!this.#closed) stream.resume();
      });
    }
  }

  setTimeout(msecs, callback) {
    if (!this.#closed) {
      this.#stream.setTimeout(msecs);
      if (callback !== undefined) this.on('timeout', callback);
    }
    return this;
  }

  _destroy(error, callback) {
    if (!this.#closed) this.#stream.destroy(error ?? undefined);
    callback(null);
  }

  destroy(error) {
    if (!this.#closed) this.#stream.destroy(error);
    return this;
  }

  get aborted() {
    return this.#aborted;
  }

  get complete() {
    return this.#aborted || this.readableEnded || this.#closed || this.#stream.destroyed;
  }

  // Properties that are only forwarded: by name in the table below.
  static answer(request, what) {
    switch (what) {
      case 'stream':
        return request.#stream;
      case 'headers':
        return request.#headers;
      case 'rawHeaders':
        return request.#rawHeaders;
      case 'trailers':
        return request.#trailers;
      case 'rawTrailers':
        return request.#rawTrailers;
      case 'authority':
        return request.#headers[':authority'] ?? request.#headers.host;
      case 'scheme':
        return request.#headers[':scheme'];
      default:
        return socketOf(request.#stream);
    }
  }

  get method() {
    return this.#method ?? this.#headers[':method'];
  }

  set method(method) {
    validateString(method, 'method');
    if (method.trim() === '') throw new codes.ERR_INVALID_ARG_VALUE('method', method);
    this.#method = method;
  }

  get url() {
    return this.#url ?? this.#headers[':path'];
  }

  set url(url) {
    this.#url = url;
  }
}

function onData(chunk) {
  if (!this[kPair].request.push(chunk)) this.pause();
}

// The request is `this`.
function onPause() {
  if (!this.stream.destroyed) this.stream.pause();
}
function onResume() {
  if (!this.stream.destroyed && this.stream.readableFlowing === false) this.stream.resume();
}

const { answer } = Http2ServerRequest;
delete Http2ServerRequest.answer;
for (const name of [
  'stream',
  'headers',
  'rawHeaders',
  'trailers',
  'rawTrailers',
  'authority',
  'scheme',
  'socket',
  'connection',
]) {
  Object.defineProperty(Http2ServerRequest.prototype, name, {
    __proto__: null,
    configurable: true,
    get() {
      return answer(this, name);
    },
  });
}
for (const [name, value] of [
  ['httpVersion', '2.0'],
  ['httpVersionMajor', 2],
  ['httpVersionMinor', 0],
]) {
  Object.defineProperty(Http2ServerRequest.prototype, name, { __proto__: null, configurable: true, get: () => value });
}

module.exports = { Http2ServerRequest, kPair, pairOf, socketOf };
