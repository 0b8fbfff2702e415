'use strict';

// Http2Stream: a Duplex that is one of many on a connection.
//
// It has two lifetimes. The native stream (in nghttp2) is open from the request on until both sides have ended or one
// has reset it; `state.open` says so. The Duplex lives until the received data is read and its end is emitted. A stream
// is `closed` once its code is decided, by either side; it is destroyed when both lifetimes are over.

const { errorMonitor } = require('events');
const { Duplex } = require('stream');
const { inspect } = require('internal/util/inspect');
const frame = require('internal/async/context');
const { Buffer } = require('internal/buffer/class');
const { binding, hears, setTimeoutWith, stopTimer, touch } = require('internal/http2/connection');
const { constants, nameOfError, codes, NghttpError } = require('internal/http2/constants');
const { TRAILERS, encode } = require('internal/http2/headers');
const figures = require('internal/http2/figures');
const { validateFunction, validateUint32 } = require('internal/validators');

const { NGHTTP2_NO_ERROR, NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_FLAG_END_STREAM } = constants;

const kState = Symbol('http2 stream');

// The state of trailers: not asked for, asked for, due now, sent.
const NO_TRAILERS = 0;
const WANTS_TRAILERS = 1;
const TRAILERS_DUE = 2;
const TRAILERS_SENT = 3;

const isLatin1 = { __proto__: null, latin1: true, binary: true, ascii: true };
const isUtf8 = { __proto__: null, 'utf8': true, 'utf-8': true, 'buffer': true };

const duplexOptions = { allowHalfOpen: true, autoDestroy: false, decodeStrings: false };

class Http2Stream extends Duplex {
  constructor(session, connection) {
    super(duplexOptions);
    this[kState] = {
      session,
      connection,
      id: undefined,
      open: false,
      closed: false,
      byUs: false,
      code: undefined,
      aborted: false,
      endAfterHeaders: false,
      farEnded: false,
      paused: false,
      abandoned: false,
      cutOff: false,
      written: undefined,
      flying: 0,
      moved: 0,
      ended: false,
      trailers: NO_TRAILERS,
      sentHeaders: undefined,
      sentInfo: undefined,
      sentTrailers: undefined,
      pump: false,
      figures: figures.begin(),
    };
    this[hears.frame] = frame.current;
    this.timeout = undefined;
  }

  // ---- properties ----

  get id() {
    return this[kState].id;
  }

  get pending() {
    return this[kState].id === undefined;
  }

  get session() {
    return this[kState].session;
  }

  get closed() {
    return this[kState].closed;
  }

  get aborted() {
    return this[kState].aborted;
  }

  get rstCode() {
    return this[kState].code;
  }

  get endAfterHeaders() {
    return this[kState].endAfterHeaders;
  }

  get sentHeaders() {
    return this[kState].sentHeaders;
  }

  get sentInfoHeaders() {
    return this[kState].sentInfo;
  }

  get sentTrailers() {
    return this[kState].sentTrailers;
  }

  get bufferSize() {
    return this.writableLength;
  }

  get _handle() {
    return this[kState].open ? this[kState].connection : null;
  }

  get state() {
    const { connection, id } = this[kState];
    if (id === undefined || connection === undefined || connection.native < 0) return {};
    const found = binding.streamState(connection.native, id);
    if (found === undefined) {
      return {
        state: constants.NGHTTP2_STREAM_STATE_IDLE,
        weight: 0,
        sumDependencyWeight: 0,
        localClose: 0,
        remoteClose: 0,
        localWindowSize: 0,
      };
    }
    const [state, localClose, remoteClose, localWindowSize] = found;
    return { state, weight: 16, sumDependencyWeight: 0, localClose, remoteClose, localWindowSize };
  }

  // ---- opening ----

  // The native stream exists.
  [hears.open](id) {
    const state = this[kState];
    state.id = id;
    state.open = true;
    if (this.writableCorked > 0) this.uncork();
    state.connection.streams.set(id, this);
    frame.tracker?.create('HTTP2STREAM', this);
  }

  whenReady(action) {
    if (this[kState].id === undefined) this.once('ready', action);
    else action();
  }

  // ---- writing ----

  // For diagnostics: a client's body.
  tellChunk() {}

  tellSent() {}

  // Headers of a server that were not sent yet are sent before data.
  proceed() {}

  _write(chunk, encoding, callback) {
    this.whenReady(() => this.put(chunk, encoding, undefined, callback));
  }

  _writev(chunks, callback) {
    this.whenReady(() => this.put(undefined, undefined, chunks, callback));
  }

  put(chunk, encoding, several, callback) {
    const state = this[kState];
    if (this.destroyed || !state.open) {
      callback();
      return;
    }
    touch(this);
    this.tellChunk(chunk, encoding, several);
    this.proceed();
    state.flying = this.writableLength;
    let result = 0;
    if (several === undefined) result = pass(state, chunk, encoding);
    else for (const item of several) result = Math.max(result, pass(state, item.chunk, item.encoding));
    if (result !== 1) {
      callback();
      return;
    }
    if (state.figures !== undefined) {
      figures.note(state.figures, 'byteSent');
      state.figures.sent += state.flying;
    }
    state.written = callback;
    state.connection.wake();
  }

  // C has passed the last byte on. -> a function to call when the socket has it
  [hears.written]() {
    touch(this);
    const state = this[kState];
    const { written } = state;
    state.written = undefined;
    if (written === undefined) return undefined;
    state.moved = state.flying;
    return () => {
      state.moved = 0;
      written();
    };
  }

  // The end of data is sent together with the last data, if it is known in time.
  end(...args) {
    super.end(...args);
    const state = this[kState];
    if (
      state.written !== undefined &&
      state.open &&
      !state.closed &&
      this.writableEnded &&
      this.writableLength === state.flying
    )
      this.endData();
    return this;
  }

  endData() {
    const state = this[kState];
    if (state.ended || !state.open) return;
    state.ended = true;
    binding.end(state.connection.native, state.id);
    state.connection.wake();
  }

  _final(callback) {
    this.whenReady(() => {
      const { pump, cutOff } = this[kState];
      if (pump || cutOff) {
        // A file ends the data, or a reset replaces its end.
        callback();
        return;
      }
      this.proceed(true);
      this.endData();
      this.tellSent();
      callback();
    });
  }

  // ---- trailers ----

  [hears.wantsTrailers]() {
    if (this.destroyed || this[kState].closed) return;
    this[kState].trailers = TRAILERS_DUE;
    if (!this.emit('wantTrailers')) this.sendTrailers({});
  }

  sendTrailers(headers) {
    const state = this[kState];
    if (this.destroyed || state.closed) throw new codes.ERR_HTTP2_INVALID_STREAM();
    if (state.trailers === TRAILERS_SENT) throw new codes.ERR_HTTP2_TRAILERS_ALREADY_SENT();
    if (state.trailers !== TRAILERS_DUE) throw new codes.ERR_HTTP2_TRAILERS_NOT_READY();
    if (headers === null || typeof headers !== 'object')
      throw new codes.ERR_INVALID_ARG_TYPE('headers', 'Object', headers);
    touch(this);
    const fields = encode(headers, TRAILERS, state.session?.strictSingleValueFields);
    state.sentTrailers = headers;
    state.trailers = TRAILERS_SENT;
    const result = binding.trailers(state.connection.native, state.id, fields.text, fields.numbers, fields.count);
    if (result < 0) this.destroy(new NghttpError(result));
    else state.connection.wake();
  }

  // There are no trailers: the end can be sent together with the data.
  expectNoTrailers() {
    const state = this[kState];
    if (state.trailers !== WANTS_TRAILERS || !state.open || state.ended) return;
    state.trailers = NO_TRAILERS;
    binding.forgetTrailers(state.connection.native, state.id);
  }

  // ---- reading ----

  _read() {
    if (this.destroyed) {
      this.push(null);
      return;
    }
    const state = this[kState];
    if (!state.paused) return;
    state.paused = false;
    if (state.open && binding.resume(state.connection.native, state.id)) state.connection.wake();
  }

  [hears.data](chunk) {
    const state = this[kState];
    if (this.destroyed || state.farEnded) return;
    touch(this);
    if (state.figures !== undefined) {
      figures.note(state.figures, 'byte');
      state.figures.read += chunk.length;
    }
    if (this.push(chunk) || state.paused) return;
    state.paused = true;
    if (state.open) binding.pause(state.connection.native, state.id);
  }

  [hears.end]() {
    const state = this[kState];
    if (state.farEnded) return;
    state.farEnded = true;
    touch(this);
    if (this.destroyed) return;
    this.push(null);
  }

  // Headers that arrived; -> whether they are the last thing to come
  noteHead(flags) {
    touch(this);
    figures.note(this[kState].figures, 'header');
    const ends = (flags & NGHTTP2_FLAG_END_STREAM) !== 0;
    if (ends) this[kState].endAfterHeaders = true;
    return ends;
  }

  // ---- closing ----

  close(code = NGHTTP2_NO_ERROR, callback) {
    validateUint32(code, 'code');
    if (callback !== undefined) validateFunction(callback, 'callback');
    if (this.closed) return;
    if (callback !== undefined) this.once('close', callback);
    const ended = this.writableEnded;
    this[kState].byUs = true;
    this.decide(code);
    const reset = () => this.reset(code);
    // After a graceful end, written data is sent before the stream closes.
    if (!ended || this.writableFinished || code !== NGHTTP2_NO_ERROR) this.whenReady(reset);
    else this.once('finish', reset);
  }

  // The stream is closed, with this code, although its data may still be in transit.
  decide(code) {
    const state = this[kState];
    if (state.closed) return;
    this.markClosed(code);
    stopTimer(this);
    if (this.writableEnded) return;
    state.cutOff = true;
    this.noteAborted();
    this.end();
  }

  markClosed(code) {
    const state = this[kState];
    state.closed = true;
    state.code = code;
    const { close } = this.channels;
    if (close.hasSubscribers) close.publish({ stream: this });
  }

  noteAborted() {
    const state = this[kState];
    if (state.aborted || this.writableEnded || state.id === undefined) return;
    state.aborted = true;
    this.emit('aborted');
  }

  reset(code) {
    const state = this[kState];
    if (!state.open || state.connection.native < 0) return;
    binding.reset(state.connection.native, state.id, code);
    state.connection.wake();
  }

  // The native stream is gone.
  [hears.closed](code) {
    const state = this[kState];
    if (!state.open) return;
    state.open = false;
    if (this.destroyed) return;
    // Data that was written and not sent will never be: there is no 'finish'.
    state.abandoned = state.written !== undefined || this.writableLength > state.moved;
    this.decide(code);
    if (state.code === NGHTTP2_NO_ERROR) {
      if (!state.farEnded) {
        state.farEnded = true;
        this.push(null);
      }
      if (!this.readableEnded) {
        if (state.byUs ? this.readableFlowing !== true : this.discards()) this.resume();
        else this.read(0);
      }
    }
    this.settle();
  }

  // Whether received data will never be read.
  discards() {
    return false;
  }

  // Destroys the stream as soon as both of its lifetimes are over. A stream that has failed (something was written
  // after the end) does not finish any more.
  settle() {
    const state = this[kState];
    if (this.destroyed || state.open) return;
    let lacks;
    if (this.errored) lacks = undefined;
    else if (!this.writableFinished && !state.abandoned) lacks = 'finish';
    else if (state.code === NGHTTP2_NO_ERROR && !this.readableEnded) lacks = 'end';
    if (lacks === undefined) {
      this.destroy();
      return;
    }
    const again = () => {
      this.removeListener(lacks, again);
      this.removeListener(errorMonitor, again);
      this.settle();
    };
    this.on(lacks, again);
    this.on(errorMonitor, again);
  }

  _destroy(error, callback) {
    const state = this[kState];
    const { session, connection } = state;
    stopTimer(this);
    if (!state.closed) {
      const code = session?.destroyed ? session.endCode(error) : error ? codeFor(error) : NGHTTP2_NO_ERROR;
      this.noteAborted();
      this.markClosed(code);
    }
    const { code } = state;
    if (state.open && !session?.destroyed) this.reset(code);
    if (!state.farEnded) {
      state.farEnded = true;
      this.push(null);
    }
    if (!error && code !== NGHTTP2_NO_ERROR && code !== NGHTTP2_CANCEL)
      error = new codes.ERR_HTTP2_STREAM_ERROR(nameOfError(code));
    if (state.figures !== undefined && state.id !== undefined)
      session?.noteDuration(figures.streamEnded(state.id, state.figures));
    const { written } = state;
    state.written = undefined;
    state.session = undefined;
    connection?.streams.delete(state.id);
    frame.tracker?.destroy(this);
    const { channels } = this;
    if (error && channels.error.hasSubscribers) channels.error.publish({ stream: this, error });
    callback(error);
    if (written !== undefined) process.nextTick(written);
    session?.streamGone(this);
  }

  // ---- the rest ----

  [hears.unsent](type, error, id) {
    const code =
      error === NGHTTP2_ERR_FRAME_SIZE || error === NGHTTP2_ERR_HEADER_COMP
        ? constants.NGHTTP2_FRAME_SIZE_ERROR
        : NGHTTP2_INTERNAL_ERROR;
    this.emit('frameError', type, code, id);
    // nghttp2 may have closed it itself, with a code of its own.
    const { session } = this;
    process.nextTick(() => {
      this.close(code);
      session?.close();
    });
  }

  priority() {
    const { destroyed } = this;
    if (destroyed) throw new codes.ERR_HTTP2_INVALID_STREAM();
    warnOfPriority();
  }

  [inspect.custom](depth, options) {
    if (typeof depth === 'number' && depth < 0) return this;
    const shown = {
      id: this.id ?? '<pending>',
      closed: this.closed,
      destroyed: this.destroyed,
      state: this.state,
      readableState: this._readableState,
      writableState: this._writableState,
    };
    return `Http2Stream ${inspect(shown, { ...options, depth: options.depth === null ? null : depth - 1 })}`;
  }
}

const NGHTTP2_ERR_FRAME_SIZE = -522;
const NGHTTP2_ERR_HEADER_COMP = -523;

Http2Stream.prototype.setTimeout = setTimeoutWith((stream) => {
  stream.emit('timeout');
});

function pass({ connection, id }, chunk, encoding) {
  if (typeof chunk !== 'string') return binding.write(connection.native, id, chunk, false);
  if (isUtf8[encoding]) return binding.write(connection.native, id, chunk, false);
  if (isLatin1[encoding]) return binding.write(connection.native, id, chunk, true);
  return binding.write(connection.native, id, Buffer.from(chunk, encoding), false);
}

function codeFor(error) {
  return error.name === 'AbortError' ? NGHTTP2_CANCEL : NGHTTP2_INTERNAL_ERROR;
}

let warned = false;
function warnOfPriority() {
  if (warned) return;
  warned = true;
  process.emitWarning(
    'http2Stream.priority is longer supported after priority signalling was deprecated in RFC 9113',
    'DeprecationWarning',
    'DEP0194',
  );
}

module.exports = { Http2Stream, WANTS_TRAILERS, kState };
