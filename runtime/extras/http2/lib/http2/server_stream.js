'use strict';

// The Date header, made again when the loop's clock has reached the next second.

const { now } = internalBinding('runtime');
const { setImmediate } = require('timers');
const { binding, hears, touch } = require('internal/http2/connection');
const { constants, codes, NghttpError } = require('internal/http2/constants');
const { REQUEST, RESPONSE, encode, sensitiveHeaders } = require('internal/http2/headers');
const { Http2Stream, WANTS_TRAILERS, kState } = require('internal/http2/stream');
const { server: channels } = require('internal/http2/channels');
const { validateFunction, validateObject } = require('internal/validators');

let until = 0;
let text = '';

function utcDate() {
  const time = now();
  if (time >= until) {
    const date = new Date();
    until = time + 1000 - date.getMilliseconds();
    text = date.toUTCString();
  }
  return text;
}

// A stream on the server's side: it answers a request, or was promised by the server itself.

const { NGHTTP2_NO_ERROR, HTTP2_METHOD_HEAD } = constants;

const NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE = -509;
const NGHTTP2_ERR_STREAM_CLOSED = -510;
const { kEnds, kKeepsOpen } = require('internal/shared').http2Bits;
const withoutPayload = new Set([204, 205, 304]);

class ServerHttp2Stream extends Http2Stream {
  #method;
  #headersSent = false;
  #promised;
  #waits;

  constructor(session, connection, id, headers, promised = false) {
    super(session, connection);
    this.#method = headers[':method'];
    this.#promised = promised;
    this[hears.open](id);
    this.protocol = headers[':scheme'];
    this.authority = headers[':authority'];
    if (channels.created.hasSubscribers) channels.created.publish({ stream: this, headers });
    if (channels.start.hasSubscribers) channels.start.publish({ stream: this, headers });
  }

  get channels() {
    return channels;
  }

  get headRequest() {
    return this.#method === HTTP2_METHOD_HEAD;
  }

  get headersSent() {
    return this.#headersSent;
  }

  get pushAllowed() {
    const { session } = this;
    return (
      !this.destroyed &&
      !this.closed &&
      session !== undefined &&
      !session.closed &&
      !session.destroyed &&
      session.remoteSettings.enablePush
    );
  }

  // The request's headers came with the stream; later ones are trailers.
  [hears.head](headers, flags, raw) {
    if (this.destroyed) return;
    const ends = this.noteHead(flags);
    process.nextTick(() => this.emit('trailers', headers, flags, raw));
    if (ends) this[hears.end]();
  }

  proceed(ends = false) {
    if (!this.#headersSent && !this.destroyed && !this.closed)
      this.respond(undefined, ends ? { endStream: true } : undefined);
  }

  _final(callback) {
    if (this.#promised && this.headRequest && !this.#headersSent && !this.destroyed && !this.closed) {
      // It was ended when it was promised; its headers come later.
      this.#waits = callback;
      return;
    }
    super._final((error) => {
      callback(error);
      this.once('finish', () => this.noticeUnread());
    });
  }

  // The response is complete and the request is not read: the client need not send the rest.
  noticeUnread() {
    if (this[kState].farEnded || this.readableDidRead || this.readableFlowing !== null) return;
    setImmediate(() => {
      if (!this.destroyed && !this.closed && !this[kState].farEnded && this.readableFlowing === null)
        this.close(NGHTTP2_NO_ERROR);
    });
  }

  discards() {
    return this.readableFlowing === null;
  }

  // ---- answering ----

  respond(headers, options) {
    this.mustBeUnanswered();
    const settings = { ...options };
    const { list, object, status } = answerHeaders(headers);
    this.submit(list, object, status, settings);
  }

  mustBeUnanswered() {
    if (this.destroyed || this.closed) throw new codes.ERR_HTTP2_INVALID_STREAM();
    if (this.#headersSent) throw new codes.ERR_HTTP2_HEADERS_SENT();
  }

  submit(list, object, status, { endStream = false, waitForTrailers = false }) {
    const state = this[kState];
    touch(this);
    const ends = Boolean(endStream) || this.headRequest || withoutPayload.has(status);
    const block = encode(list, RESPONSE, state.session.strictSingleValueFields);
    state.sentHeaders = object;
    this.#headersSent = true;
    if (waitForTrailers) state.trailers = WANTS_TRAILERS;
    const flags = (ends ? kEnds : 0) | (waitForTrailers && !ends ? kKeepsOpen : 0);
    const result = binding.respond(state.connection.native, state.id, block.text, block.numbers, block.count, flags);
    if (ends) {
      state.ended = true;
      this.end();
      this.#waits?.();
    }
    if (channels.finish.hasSubscribers) channels.finish.publish({ stream: this, headers: object, flags });
    if (result < 0) this.destroy(new NghttpError(result));
    else state.connection.wake();
  }

  respondWithFD(fd, headers, options) {
    require('internal/http2/file').respondWithFD(this, fd, headers, options);
  }

  respondWithFile(path, headers, options) {
    require('internal/http2/file').respondWithFile(this, path, headers, options);
  }

  additionalHeaders(headers) {
    const state = this[kState];
    if (this.destroyed || this.closed) throw new codes.ERR_HTTP2_INVALID_STREAM();
    if (this.#headersSent) throw new codes.ERR_HTTP2_HEADERS_AFTER_RESPOND();
    validateObject(headers, 'headers');
    const object = { __proto__: null, ...headers };
    if (object[':status'] !== undefined) {
      const status = (object[':status'] |= 0);
      if (status === 101) throw new codes.ERR_HTTP2_STATUS_101();
      if (status < 100 || status >= 200) throw new codes.ERR_HTTP2_INVALID_INFO_STATUS(headers[':status']);
    }
    touch(this);
    const block = encode(object, RESPONSE, state.session.strictSingleValueFields);
    (state.sentInfo ??= []).push(object);
    const result = binding.inform(state.connection.native, state.id, block.text, block.numbers, block.count);
    if (result < 0) this.destroy(new NghttpError(result));
    else state.connection.wake();
  }

  // ---- promising ----

  pushStream(headers, options, callback) {
    if (!this.pushAllowed) throw new codes.ERR_HTTP2_PUSH_DISABLED();
    if (this.#promised) throw new codes.ERR_HTTP2_NESTED_PUSH();
    if (typeof options === 'function') [options, callback] = [undefined, options];
    validateFunction(callback, 'callback');
    if (options !== undefined) validateObject(options, 'options');
    const state = this[kState];
    const { session } = state;
    const settings = { ...options };
    settings.endStream = Boolean(settings.endStream);
    const object = { __proto__: null, ...headers };
    object[':method'] ??= 'GET';
    object[':authority'] ??= this.authority;
    object[':scheme'] ??= this.protocol;
    object[':path'] ??= '/';
    const headRequest = object[':method'] === HTTP2_METHOD_HEAD;
    touch(this);
    const block = encode(object, REQUEST, session.strictSingleValueFields);
    const id = binding.push(state.connection.native, state.id, block.text, block.numbers, block.count);
    if (id < 0) {
      if (id === NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE) process.nextTick(callback, new codes.ERR_HTTP2_OUT_OF_STREAMS());
      else if (id === NGHTTP2_ERR_STREAM_CLOSED) process.nextTick(callback, new codes.ERR_HTTP2_INVALID_STREAM());
      else process.nextTick(callback, new NghttpError(id));
      return;
    }
    const stream = new ServerHttp2Stream(session, state.connection, id, object, true);
    stream[kState].sentHeaders = object;
    stream[kState].farEnded = true;
    stream.push(null);
    state.connection.wake();
    if (headRequest || settings.endStream) stream.end();
    process.nextTick(callback, null, stream, object, 0);
  }
}

// -> what to send, the same as an object, and the status
function answerHeaders(headers) {
  if (headers !== undefined && headers !== null && typeof headers !== 'object') {
    throw new codes.ERR_INVALID_ARG_TYPE('headers', ['Object', 'Array'], headers);
  }
  const raw = Array.isArray(headers);
  const object = { __proto__: null };
  let dated = false;
  if (raw) {
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i];
      const before = object[name];
      object[name] = before === undefined ? headers[i + 1] : [].concat(before, headers[i + 1]);
      dated ||= typeof name === 'string' && name.length === 4 && name.toLowerCase() === 'date';
    }
  } else {
    Object.assign(object, headers);
    dated = object.date !== undefined;
  }
  const missing = [];
  if (object[':status'] === undefined || object[':status'] === null) {
    object[':status'] = 200;
    missing.push(':status', '200');
  }
  const status = object[':status'] | 0;
  checkStatus(status, object[':status']);
  let list = object;
  if (raw) {
    list = [...missing, ...headers];
    if (headers[sensitiveHeaders] !== undefined) list[sensitiveHeaders] = headers[sensitiveHeaders];
  } else {
    object[':status'] = status;
  }
  if (!dated) {
    object.date = utcDate();
    if (raw) list.push('date', object.date);
  } else if (object.date === null || object.date === false) {
    delete object.date;
  }
  return { list, object, status };
}

function checkStatus(status, given) {
  if (status < 200 || status > 599) throw new codes.ERR_HTTP2_STATUS_INVALID(given);
}

module.exports = { ServerHttp2Stream, answerHeaders, withoutPayload };
