'use strict';

// Http2Session: the common part of both sides of a connection.
//
//   waiting -> open -> (closed: no new streams, those there end) -> destroyed -> 'close'
//
// A session that was closed is destroyed when its last stream is gone. Destroying sends a last GOAWAY, closes the
// socket, and emits 'close' after the socket has emitted its own.

const EventEmitter = require('events');
const { setImmediate } = require('timers');
const { inspect } = require('internal/util/inspect');
const { AsyncResource } = require('async_hooks');
const { Buffer } = require('internal/buffer/class');
const {
  Connection,
  binding,
  hears,
  kConnection,
  kTimer,
  setTimeoutWith,
  stopTimer,
  touch,
} = require('internal/http2/connection');
const { constants, codes, NghttpError } = require('internal/http2/constants');
const figures = require('internal/http2/figures');
const { describeSettings, entriesOf, validateSettings } = require('internal/http2/settings');
const { socketView } = require('internal/http2/socket_view');
const { isArrayBufferView } = require('internal/util/types');
const { validateFunction, validateInt32, validateNumber, validateObject } = require('internal/validators');

const { NGHTTP2_NO_ERROR, NGHTTP2_INTERNAL_ERROR, NGHTTP2_CANCEL, NGHTTP2_SESSION_SERVER } = constants;

const kSession = Symbol('http2 session');
const kBoundTo = Symbol('http2 session of a socket');

const MOST_SETTINGS_WAITING = 10;
const MOST_PINGS_WAITING = 10;

// In the order of the binding's `state`.
const stateNames = [
  'effectiveLocalWindowSize',
  'effectiveRecvDataLength',
  'nextStreamID',
  'localWindowSize',
  'lastProcStreamID',
  'remoteWindowSize',
  'outboundQueueSize',
  'deflateDynamicTableSize',
  'inflateDynamicTableSize',
];

class Http2Session extends EventEmitter {
  constructor(type, options, socket) {
    super();
    if (socket[kBoundTo] !== undefined) throw new codes.ERR_HTTP2_SOCKET_BOUND();
    socket[kBoundTo] = this;
    const { maxOutstandingSettings, maxOutstandingPings, settings } = options;
    this[kSession] = {
      type,
      options,
      socket,
      view: undefined,
      closed: false,
      destroyed: false,
      code: undefined,
      goawayCode: undefined,
      goawaySent: false,
      opening: [], // what waits for the connection
      pending: new Set(), // streams of a client that have no number yet
      settingsAhead: 0,
      settingsWaiting: [],
      pingsWaiting: [],
      localSettings: undefined,
      remoteSettings: undefined,
      localCustom: undefined,
      remoteCustom: undefined,
      customKnown: options.remoteCustomSettings,
      mostSettings: Math.max(1, maxOutstandingSettings ?? MOST_SETTINGS_WAITING),
      mostPings: maxOutstandingPings ?? MOST_PINGS_WAITING,
      finishing: false,
      error: undefined,
      bytes: 0,
      figures: figures.begin(),
      pingRTT: undefined,
      streamTime: 0,
    };
    this.strictSingleValueFields = options.strictSingleValueFields !== false;
    this[kConnection] = null;
    this.timeout = undefined;
    if (settings !== undefined) validateObject(settings, 'options.settings');
    validateSettings(settings);
    socket.on('error', (error) => this.socketFailed(error));
    socket.on('close', () => this.socketClosed());
  }

  // The socket is connected: frames can be sent.
  begin() {
    const { type, options, socket } = this[kSession];
    socket.disableRenegotiation?.();
    // Frames are collected here; the system need not wait for more (TCP_NODELAY).
    socket.setNoDelay?.();
    const connection = new Connection(this, socket, type === NGHTTP2_SESSION_SERVER, options);
    this[kConnection] = connection;
    this.submitSettings(options.settings ?? {});
    connection.open();
    // The settings are sent before anything else.
    connection.wake();
  }

  whenOpen(action) {
    if (this.connecting) this[kSession].opening.push(action);
    else action();
  }

  // The program knows that the session is connected; deferred operations are done now.
  opened() {
    const { opening } = this[kSession];
    this[kSession].opening = [];
    for (const action of opening) action();
    this.finishWhenEmpty();
  }

  // ---- properties ----

  get type() {
    return this[kSession].type;
  }

  get socket() {
    const state = this[kSession];
    if (state.socket === undefined) return undefined;
    return (state.view ??= socketView(this, state.socket));
  }

  get connecting() {
    return this[kConnection] === null && !this.destroyed;
  }

  get closed() {
    return this[kSession].closed;
  }

  get destroyed() {
    return this[kSession].destroyed;
  }

  get encrypted() {
    const { socket } = this[kSession];
    return this[kConnection] === null || socket === undefined ? undefined : Boolean(socket.encrypted);
  }

  get alpnProtocol() {
    const { socket } = this[kSession];
    if (this[kConnection] === null || socket === undefined) return undefined;
    return socket.encrypted ? socket.alpnProtocol : 'h2c';
  }

  get originSet() {
    return undefined;
  }

  get pendingSettingsAck() {
    return this[kSession].settingsWaiting.length > 0 || this[kSession].settingsAhead > 0;
  }

  get state() {
    const found = this[kConnection] === null ? undefined : binding.state(this[kConnection].native);
    if (found === undefined) return {};
    return Object.fromEntries(stateNames.map((name, i) => [name, found[i]]));
  }

  get localSettings() {
    const state = this[kSession];
    return (state.localSettings ??= this.readSettings(false, state.localCustom));
  }

  get remoteSettings() {
    const state = this[kSession];
    return (state.remoteSettings ??= this.readSettings(true, state.remoteCustom));
  }

  readSettings(remote, custom) {
    const values = this[kConnection] === null ? undefined : binding.settingsOf(this[kConnection].native, remote);
    return values === undefined ? {} : describeSettings(values, custom);
  }

  // ---- settings ----

  settings(settings, callback) {
    if (this.destroyed) throw new codes.ERR_HTTP2_INVALID_SESSION();
    settings ??= {};
    validateObject(settings, 'settings');
    validateSettings(settings);
    if (callback !== undefined) validateFunction(callback, 'callback');
    const copy = { ...settings };
    this[kSession].settingsAhead += 1;
    this.whenOpen(() => {
      this[kSession].settingsAhead -= 1;
      if (!this.destroyed) this.submitSettings(copy, callback);
    });
  }

  submitSettings(settings, callback) {
    const state = this[kSession];
    if (state.settingsWaiting.length >= state.mostSettings) {
      this.destroy(new codes.ERR_HTTP2_MAX_PENDING_SETTINGS_ACK());
      return;
    }
    const entries = entriesOf(settings);
    const result = binding.settings(this[kConnection].native, Uint32Array.from(entries), entries.length / 2);
    if (result < 0) {
      this.destroy(new NghttpError(result));
      return;
    }
    const waiting = { settings, callback, since: Date.now(), resource: callback && new AsyncResource('HTTP2SETTINGS') };
    state.settingsWaiting.push(waiting);
    if (settings.customSettings) state.localCustom = { ...state.localCustom, ...settings.customSettings };
    this[kConnection].wake();
  }

  [hears.settings](acknowledged, entries) {
    const state = this[kSession];
    if (this.destroyed) return;
    if (acknowledged) {
      const waiting = state.settingsWaiting.shift();
      state.localSettings = undefined;
      if (waiting === undefined) {
        this.destroy(new NghttpError(NGHTTP2_ERR_PROTO), constants.NGHTTP2_PROTOCOL_ERROR);
        return;
      }
      if (waiting.callback) {
        waiting.resource.runInAsyncScope(waiting.callback, this, null, this.localSettings, Date.now() - waiting.since);
        waiting.resource.emitDestroy();
      }
      this.emit('localSettings', this.localSettings);
      return;
    }
    state.remoteSettings = undefined;
    for (let i = 0; i < entries.length; i += 2) {
      if (state.customKnown?.includes(entries[i])) (state.remoteCustom ??= {})[entries[i]] = entries[i + 1];
    }
    this.emit('remoteSettings', this.remoteSettings);
  }

  setLocalWindowSize(windowSize) {
    if (this.destroyed) throw new codes.ERR_HTTP2_INVALID_SESSION();
    validateInt32(windowSize, 'windowSize', 0);
    const result = binding.setWindow(this[kConnection].native, windowSize);
    if (result === NGHTTP2_ERR_NOMEM) this.destroy(new codes.ERR_HTTP2_NO_MEM());
    else if (result < 0) this.destroy(new NghttpError(result));
    else this[kConnection].wake();
  }

  setNextStreamID(id) {
    if (this.destroyed) throw new codes.ERR_HTTP2_INVALID_SESSION();
    validateNumber(id, 'id');
    if (!(id > 0 && id <= 2 ** 32 - 1)) throw new codes.ERR_OUT_OF_RANGE('id', '> 0 and <= 4294967295', id);
    binding.setNextStream(this[kConnection].native, id);
  }

  // ---- pings ----

  ping(payload, callback) {
    if (this.destroyed) throw new codes.ERR_HTTP2_INVALID_SESSION();
    if (typeof payload === 'function') [payload, callback] = [undefined, payload];
    if (payload !== undefined) {
      if (!isArrayBufferView(payload))
        throw new codes.ERR_INVALID_ARG_TYPE('payload', ['Buffer', 'TypedArray', 'DataView'], payload);
      if (payload.byteLength !== 8) throw new codes.ERR_HTTP2_PING_LENGTH();
    }
    validateFunction(callback, 'callback');
    const resource = new AsyncResource('HTTP2PING');
    if (this.connecting) {
      this.whenOpen(() => this.sendPing(payload, callback, resource));
      return true;
    }
    return this.sendPing(payload, callback, resource);
  }

  sendPing(payload, callback, resource) {
    const { pingsWaiting, mostPings } = this[kSession];
    const since = process.hrtime.bigint();
    const finish = (error, data) => {
      if (error) resource.runInAsyncScope(callback, this, error);
      else
        resource.runInAsyncScope(
          callback,
          this,
          null,
          (this[kSession].pingRTT = Number(process.hrtime.bigint() - since) / 1e6),
          data,
        );
      resource.emitDestroy();
    };
    if (this.destroyed || pingsWaiting.length >= mostPings) {
      finish(new codes.ERR_HTTP2_PING_CANCEL());
      return false;
    }
    if (payload === undefined) {
      payload = Buffer.allocUnsafe(8);
      payload.writeBigUInt64LE(since);
    }
    binding.ping(this[kConnection].native, payload);
    pingsWaiting.push(finish);
    this[kConnection].wake();
    return true;
  }

  [hears.ping](answer, payload) {
    if (this.destroyed) return;
    if (!answer) {
      this.emit('ping', payload);
      return;
    }
    const finish = this[kSession].pingsWaiting.shift();
    if (finish !== undefined) finish(null, payload);
    else this.destroy(new NghttpError(NGHTTP2_ERR_PROTO), constants.NGHTTP2_PROTOCOL_ERROR);
  }

  // ---- goaway ----

  goaway(code = NGHTTP2_NO_ERROR, lastStreamID = 0, opaqueData) {
    if (this.destroyed) throw new codes.ERR_HTTP2_INVALID_SESSION();
    if (opaqueData !== undefined && !isArrayBufferView(opaqueData)) {
      throw new codes.ERR_INVALID_ARG_TYPE('opaqueData', ['Buffer', 'TypedArray', 'DataView'], opaqueData);
    }
    validateNumber(code, 'code');
    validateNumber(lastStreamID, 'lastStreamID');
    this[kSession].goawaySent = true;
    this.whenOpen(() => {
      if (this.destroyed) return;
      binding.goaway(this[kConnection].native, code, lastStreamID, opaqueData);
      this[kConnection].wake();
    });
  }

  [hears.goaway](code, lastStreamID, opaqueData) {
    if (this.destroyed) return;
    const state = this[kSession];
    this.emit('goaway', code, lastStreamID, opaqueData);
    state.goawayCode = code;
    if (code === NGHTTP2_NO_ERROR) {
      this.close();
    } else {
      this.destroy(new codes.ERR_HTTP2_SESSION_ERROR(code), NGHTTP2_NO_ERROR);
    }
  }

  // ---- closing ----

  close(callback) {
    if (this.closed || this.destroyed) return;
    this[kSession].closed = true;
    if (typeof callback === 'function') this.once('close', callback);
    this.goaway();
    this.finishWhenEmpty();
  }

  finishWhenEmpty() {
    if (!this.closed || this.destroyed || !this.isEmpty()) return;
    const { socket } = this[kSession];
    if (socket.destroyed) {
      this.destroy();
    } else {
      setImmediate(() => {
        if (!this.destroyed && this.isEmpty()) this.destroy();
      });
    }
  }

  isEmpty() {
    return this[kSession].pending.size === 0 && (this[kConnection] === null || this[kConnection].streams.size === 0);
  }

  // Called by a stream that was destroyed.
  streamGone(stream) {
    this[kSession].pending.delete(stream);
    this.finishWhenEmpty();
  }

  // The code of streams that end because the session does.
  endCode(error) {
    const { goawayCode, code } = this[kSession];
    return goawayCode ?? (code || (error ? NGHTTP2_INTERNAL_ERROR : NGHTTP2_NO_ERROR));
  }

  destroy(error, code) {
    const state = this[kSession];
    if (state.destroyed) return;
    if (typeof error === 'number') {
      code = error;
      error = code === NGHTTP2_NO_ERROR ? undefined : new codes.ERR_HTTP2_SESSION_ERROR(code);
    }
    if (code === undefined && error) code = NGHTTP2_INTERNAL_ERROR;
    state.destroyed = true;
    state.code = code ?? NGHTTP2_NO_ERROR;
    state.error = error;
    stopTimer(this);
    const connection = this[kConnection];
    for (const stream of state.pending) stream.destroy(new codes.ERR_HTTP2_STREAM_CANCEL(error));
    state.pending.clear();
    for (const finish of state.pingsWaiting.splice(0)) finish(new codes.ERR_HTTP2_PING_CANCEL());
    if (connection !== null) {
      for (const stream of [...connection.streams.values()]) stream.destroy(error);
      connection.streams.clear();
      if (!state.socket.destroyed) {
        binding.terminate(connection.native, state.code);
        connection.flush(true);
      }
    }
    if (connection === null || state.socket.destroyed) this.giveUp();
    else setImmediate(() => this.giveUp());
  }

  // Sends the rest, and releases the socket.
  giveUp() {
    const state = this[kSession];
    const { socket, error } = state;
    if (state.finishing) return;
    state.finishing = true;
    this[kConnection]?.flush(true);
    if (state.figures !== undefined && this[kConnection] !== null) this.tellFigures();
    this[kConnection]?.free();
    if (socket.destroyed) {
      process.nextTick(() => this.tellClose());
      return;
    }
    socket.once('close', () => this.tellClose());
    if (state.closed && this[kConnection] !== null) socket.end();
    else socket.destroy(error);
  }

  noteDuration(duration) {
    this[kSession].streamTime += duration;
  }

  tellFigures() {
    const { socket, type, pingRTT, streamTime } = this[kSession];
    const counts = binding.counts(this[kConnection].native);
    if (counts === undefined) return;
    figures.sessionEnded(this[kSession].figures, type === NGHTTP2_SESSION_SERVER ? 'server' : 'client', counts, {
      bytesRead: socket.bytesRead ?? 0,
      bytesWritten: socket.bytesWritten ?? 0,
      pingRTT,
      total: streamTime,
    });
  }

  tellClose() {
    const state = this[kSession];
    const { error } = state;
    if (state.socket === undefined) return;
    state.socket[kBoundTo] = undefined;
    state.socket = undefined;
    if (error) this.emit('error', error);
    this.emit('close');
  }

  // nghttp2 has nothing left to read or to send.
  [hears.idle]() {
    const { goawaySent, goawayCode } = this[kSession];
    if (this.destroyed) return;
    if (!goawaySent && goawayCode === undefined)
      this.destroy(new NghttpError(NGHTTP2_ERR_PROTO), constants.NGHTTP2_PROTOCOL_ERROR);
    else if (this.closed) this.finishWhenEmpty();
  }

  [hears.failed](error) {
    this.destroy(error);
  }

  [hears.unsent](type, code, id) {
    this.emit('frameError', type, code, id);
  }

  socketFailed(error) {
    const state = this[kSession];
    if (state.destroyed) return;
    // The peer has sent GOAWAY before, or is gone while something is sent: 'close' will follow.
    if ((error.code === 'ECONNRESET' && state.goawayCode !== undefined) || error.syscall === 'write') return;
    this.destroy(error);
  }

  socketClosed() {
    const state = this[kSession];
    if (state.destroyed) return;
    const connection = this[kConnection];
    state.closed = true;
    for (const stream of state.pending) stream.destroy(new codes.ERR_HTTP2_STREAM_CANCEL());
    if (connection !== null) {
      for (const stream of [...connection.streams.values()]) {
        stream.decide(NGHTTP2_CANCEL);
        stream[hears.closed](NGHTTP2_CANCEL);
      }
      connection.free();
    }
    this.finishWhenEmpty();
  }

  // ---- the rest ----

  [hears.activity]() {
    if (!this[kTimer]) return;
    touch(this);
    this[kSession].bytes = bytesMoved(this[kSession].socket);
  }

  [Symbol.for('nodejs.rejection')](error, event, stream) {
    if (event === 'stream') stream.destroy(error);
    else this.destroy(error);
  }

  ref() {
    this[kSession].socket?.ref?.();
  }

  unref() {
    this[kSession].socket?.unref?.();
  }

  [inspect.custom](depth, options) {
    if (typeof depth === 'number' && depth < 0) return this;
    const shown = {
      type: this.type,
      closed: this.closed,
      destroyed: this.destroyed,
      state: this.state,
      localSettings: this.localSettings,
      remoteSettings: this.remoteSettings,
    };
    return `Http2Session ${inspect(shown, { ...options, depth: options.depth === null ? null : depth - 1 })}`;
  }
}

const NGHTTP2_ERR_PROTO = -505;
const NGHTTP2_ERR_NOMEM = -901;

// Bytes that C has transferred without this file are activity, too.
function bytesMoved(socket) {
  if (socket === undefined) return 0;
  return (
    (socket.bytesRead ?? 0) +
    (socket.bytesWritten ?? 0) -
    (socket.writableLength ?? 0) -
    (socket._handle?.writeQueueSize ?? 0)
  );
}

Http2Session.prototype.setTimeout = setTimeoutWith((session) => {
  const state = session[kSession];
  const bytes = bytesMoved(state.socket);
  if (bytes !== state.bytes) {
    state.bytes = bytes;
    touch(session);
    return;
  }
  session.emit('timeout');
});

module.exports = { Http2Session, kSession };
