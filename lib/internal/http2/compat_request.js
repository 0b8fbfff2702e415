'use strict';

// Http2ServerRequest: a request as http's servers give it, read from a stream of http2.

const { Readable } = require('stream');
const { codes } = require('internal/http2/errors');
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

class Http2ServerRequest extends Readable {
  #stream;
  #headers;
  #rawHeaders;
  #trailers = {};
  #rawTrailers = [];
  #url;
  #method;
  #aborted = false;
  #closed = false;
  #reads = false; // somebody asked for data

  constructor(stream, headers, options, rawHeaders) {
    super({ autoDestroy: false, ...options });
    this.#stream = stream;
    this.#headers = headers;
    this.#rawHeaders = rawHeaders;
    this.#trailers = { __proto__: null };
    pairOf(stream).request = this;
    stream.on('trailers', (trailers, flags, raw) => {
      if (this.#closed) return;
      Object.assign(this.#trailers, trailers);
      this.#rawTrailers.push(...raw);
    });
    stream.on('end', () => this.#finish());
    stream.on('error', () => {});
    stream.on('aborted', () => {
      this.#aborted = true;
      this.emit('aborted');
    });
    stream.on('timeout', () => {
      const { response } = pairOf(stream);
      const server = stream.session?.server;
      const heard = [this, response, server].filter((each) => each !== undefined && each.emit('timeout', stream));
      if (heard.length === 0 && stream.listenerCount('timeout') === 1) stream.destroy();
    });
    stream.on('close', () => {
      this.#closed = true;
      this.#finish();
      this.emit('close');
    });
    this.on('pause', () => {
      if (!this.#closed) stream.pause();
    });
    this.on('resume', () => {
      if (!this.#closed && this.#reads) stream.resume();
    });
  }

  // Nothing more will come.
  #finish() {
    if (this.readableEnded) return;
    if (!this._readableState.ended) this.push(null);
    // Who never asked for data is told of the end all the same.
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
      stream.on('data', (chunk) => {
        if (!this.push(chunk)) stream.pause();
      });
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

  get stream() {
    return this.#stream;
  }

  get headers() {
    return this.#headers;
  }

  get rawHeaders() {
    return this.#rawHeaders;
  }

  get trailers() {
    return this.#trailers;
  }

  get rawTrailers() {
    return this.#rawTrailers;
  }

  get httpVersionMajor() {
    return 2;
  }

  get httpVersionMinor() {
    return 0;
  }

  get httpVersion() {
    return '2.0';
  }

  get socket() {
    return socketOf(this.#stream);
  }

  get connection() {
    return this.socket;
  }

  get authority() {
    return this.#headers[':authority'] ?? this.#headers.host;
  }

  get scheme() {
    return this.#headers[':scheme'];
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

module.exports = { Http2ServerRequest, pairOf, socketOf };
