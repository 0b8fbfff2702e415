'use strict';

// The client's side: the session, its streams, and how it connects.

const { addAbortListener } = require('events');
const { AbortError } = require('internal/errors');
const frame = require('internal/async/context');
const { binding, hears, kConnection, touch } = require('internal/http2/connection');
const { constants, codes, NghttpError } = require('internal/http2/constants');
const { ANY, encode, sensitiveHeaders } = require('internal/http2/headers');
const { Http2Session, kSession } = require('internal/http2/session');
const { Http2Stream, WANTS_TRAILERS, kState } = require('internal/http2/stream');
const { client: channels } = require('internal/http2/channels');
const { validateAbortSignal, validateBoolean, validateNumber, validateObject } = require('internal/validators');

const { NGHTTP2_SESSION_CLIENT, NGHTTP2_CANCEL, NGHTTP2_FLAG_END_STREAM } = constants;

const NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE = -509;
const NGHTTP2_HCAT_PUSH_RESPONSE = 2;
const { kEnds, kKeepsOpen } = require('internal/shared').http2Bits;
const MOST_ORIGINS = 128;
const withoutBody = new Set(['GET', 'HEAD', 'DELETE']);

// ---- streams ----

class ClientHttp2Stream extends Http2Stream {
  #answered = false; // the final response's headers were emitted
  #pushed;
  #sent = false; // the body, or null if there is none

  constructor(session, connection, pushed = false) {
    super(session, connection);
    this.#pushed = pushed;
    // Data that is written before the stream has a number is sent in one piece.
    if (!pushed) this.cork();
  }

  [hears.head](headers, flags, raw, category) {
    if (this.destroyed) return;
    const ends = this.noteHead(flags);
    const status = headers[':status'];
    let event = 'trailers';
    if (category === NGHTTP2_HCAT_PUSH_RESPONSE || (this.#pushed && !this.#answered)) {
      event = 'push';
      this.#answered = true;
    } else if (!this.#answered && status >= 100 && status < 200) {
      event = 'headers';
      if (status === 100) this.emit('continue');
    } else if (!this.#answered) {
      event = 'response';
      this.#answered = true;
      if (status === 421) this.session?.forgetOrigin(this.sentHeaders);
    }
    if (channels.finish.hasSubscribers && (event === 'response' || event === 'push'))
      channels.finish.publish({ stream: this, headers, flags });
    process.nextTick(tell, this, event, headers, flags, raw);
    if (ends) this[hears.end]();
  }

  get channels() {
    return channels;
  }

  tellChunk(chunk, encoding, several) {
    if (!channels.chunk.hasSubscribers) return;
    if (several === undefined) channels.chunk.publish({ stream: this, writev: false, data: chunk, encoding });
    else
      channels.chunk.publish({
        stream: this,
        writev: true,
        data: several.allBuffers ? several.map((each) => each.chunk) : several,
        encoding: '',
      });
  }

  tellSent() {
    if (this.#sent) return;
    this.#sent = true;
    if (channels.sent.hasSubscribers) channels.sent.publish({ stream: this });
  }
}

function tell(stream, event, headers, flags, raw) {
  stream.emit(event, headers, flags, raw);
}

// ---- the session ----

class ClientHttp2Session extends Http2Session {
  #authority;
  #scheme;
  #origins;

  constructor(options, socket, authority, scheme) {
    super(NGHTTP2_SESSION_CLIENT, options, socket);
    this.#authority = authority;
    this.#scheme = scheme;
  }

  // ---- requests ----

  request(headers, options) {
    const settings = { ...checkOptions(options) };
    const fields = withDefaults(headers, this.#authority, this.#scheme);
    const { object } = fields;
    const method = object[':method'];
    checkMethod(object, method, this);
    // An error in the headers is thrown at once.
    const block = encode(fields.list, ANY, this.strictSingleValueFields);
    const { signal } = settings;
    settings.endStream ??= withoutBody.has(method);
    const stream = new ClientHttp2Stream(this, this[kConnection] ?? undefined);
    const state = stream[kState];
    state.sentHeaders = object;
    if (settings.endStream) stream.end();
    if (settings.waitForTrailers) state.trailers = WANTS_TRAILERS;
    const problem = this.destroyed
      ? new codes.ERR_HTTP2_INVALID_SESSION()
      : this.closed
        ? new codes.ERR_HTTP2_GOAWAY_SESSION()
        : undefined;
    if (problem !== undefined) {
      process.nextTick(() => stream.destroy(problem));
      return stream;
    }
    this[kSession].pending.add(stream);
    if (signal !== undefined) listen(stream, signal);
    if (!this.connecting) {
      if (settings.endStream) stream.tellSent();
      if (!stream.destroyed) this.open(stream, block, settings, false);
      if (channels.created.hasSubscribers) channels.created.publish({ stream, headers: object });
      return stream;
    }
    if (channels.created.hasSubscribers) channels.created.publish({ stream, headers: object });
    if (settings.endStream) stream.tellSent();
    this.whenOpen(() => {
      if (stream.destroyed) return;
      const before = frame.current;
      frame.current = stream[hears.frame];
      this.open(stream, encode(fields.list, ANY, this.strictSingleValueFields), settings, true);
      frame.current = before;
    });
    return stream;
  }

  // `late`: the program has had time to listen for 'ready'.
  open(stream, block, { endStream, waitForTrailers }, late) {
    const state = stream[kState];
    if (this.closed) {
      stream.destroy(new codes.ERR_HTTP2_GOAWAY_SESSION());
      return;
    }
    const connection = this[kConnection];
    const flags = (endStream ? kEnds : 0) | (waitForTrailers ? kKeepsOpen : 0);
    const id = binding.request(connection.native, block.text, block.numbers, block.count, flags);
    if (id < 0) {
      if (id === NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE) stream.destroy(new codes.ERR_HTTP2_OUT_OF_STREAMS());
      else this.destroy(new NghttpError(id));
      return;
    }
    this[kSession].pending.delete(stream);
    state.connection = connection;
    stream[hears.open](id);
    if (channels.start.hasSubscribers) channels.start.publish({ stream, headers: state.sentHeaders });
    connection.wake();
    if (late) stream.emit('ready');
    else process.nextTick(() => stream.destroyed || stream.emit('ready'));
  }

  // ---- pushed streams ----

  [hears.open](id, headers, flags, raw, parent) {
    if (parent === 0 || this.destroyed) return;
    const connection = this[kConnection];
    if (this.closed || this.listenerCount('stream') === 0) {
      binding.reset(connection.native, id, NGHTTP2_CANCEL);
      return;
    }
    const stream = new ClientHttp2Stream(this, connection, true);
    stream[hears.open](id);
    if (channels.created.hasSubscribers) channels.created.publish({ stream, headers });
    if (channels.start.hasSubscribers) channels.start.publish({ stream, headers });
    stream.end();
    process.nextTick(() => this.emit('stream', stream, headers, flags, raw));
    if ((flags & NGHTTP2_FLAG_END_STREAM) !== 0) stream[hears.end]();
  }

  // ---- origins and alternatives ----

  get originSet() {
    const { socket } = this[kSession];
    if (!this.encrypted || this.destroyed) return undefined;
    if (this.#origins === undefined) {
      let name = socket.servername;
      if (!name) name = socket.remoteFamily === 'IPv6' ? `[${socket.remoteAddress}]` : socket.remoteAddress;
      const port = socket.remotePort === 443 ? '' : `:${socket.remotePort}`;
      this.#origins = new Set([`https://${name}${port}`]);
    }
    return [...this.#origins];
  }

  forgetOrigin(headers) {
    if (this.originSet !== undefined) this.#origins.delete(`https://${headers[':authority']}`);
  }

  [hears.origins](origins) {
    if (!this.encrypted || this.destroyed || this.originSet === undefined) return;
    const most = this[kSession].options.maxOriginSetSize ?? MOST_ORIGINS;
    for (const origin of origins) {
      if (this.#origins.size >= most && !this.#origins.has(origin)) {
        this.destroy(new codes.ERR_HTTP2_TOO_MANY_ORIGINS(), constants.NGHTTP2_ENHANCE_YOUR_CALM);
        return;
      }
      this.#origins.add(origin);
    }
    this.emit('origin', origins);
  }

  [hears.alternative](stream, origin, value) {
    if (!this.destroyed) this.emit('altsvc', value, origin, stream);
  }
}

function checkOptions(options) {
  if (options === undefined) return undefined;
  validateObject(options, 'options');
  if (options.weight !== undefined) warnOfWeight();
  if (options.parent !== undefined) validateNumber(options.parent, 'options.parent');
  for (const name of ['exclusive', 'silent', 'endStream', 'waitForTrailers']) {
    if (options[name] !== undefined) validateBoolean(options[name], `options.${name}`);
  }
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
  return options;
}

let warned = false;
function warnOfWeight() {
  if (warned) return;
  warned = true;
  process.emitWarning('Priority signaling has been deprecated as of RFC 9113.', 'DeprecationWarning', 'DEP0194');
}

// -> what to send (a list stays one), and the same as an object
function withDefaults(headers, authority, scheme) {
  if (headers !== undefined && headers !== null && typeof headers !== 'object') {
    throw new codes.ERR_INVALID_ARG_TYPE('headers', ['Object', 'Array'], headers);
  }
  const raw = Array.isArray(headers);
  const object = { __proto__: null };
  if (raw) {
    for (let i = 0; i < headers.length; i += 2) {
      const [name, value] = [headers[i], headers[i + 1]];
      if (object[name] === undefined) object[name] = value;
      else if (Array.isArray(object[name])) object[name].push(value);
      else object[name] = [object[name], value];
    }
  } else {
    Object.assign(object, headers);
  }
  if (raw && headers[sensitiveHeaders] !== undefined) object[sensitiveHeaders] = headers[sensitiveHeaders];
  const missing = [];
  const complete = (name, value) => {
    if (object[name] !== undefined) return;
    object[name] = value;
    missing.push(name, value);
  };
  complete(':method', 'GET');
  const connects = object[':method'] === 'CONNECT';
  if (!connects || object[':protocol'] !== undefined) {
    if (object.host === undefined) complete(':authority', authority);
    complete(':scheme', scheme);
    complete(':path', '/');
  }
  if (!raw) return { object, list: object };
  const list = [...missing, ...headers];
  if (headers[sensitiveHeaders] !== undefined) list[sensitiveHeaders] = headers[sensitiveHeaders];
  return { object, list };
}

function checkMethod(headers, method, session) {
  if (method !== 'CONNECT') return;
  if (headers[':protocol'] !== undefined) return;
  if (headers[':authority'] === undefined) throw new codes.ERR_HTTP2_CONNECT_AUTHORITY();
  if (headers[':scheme'] !== undefined) throw new codes.ERR_HTTP2_CONNECT_SCHEME();
  if (headers[':path'] !== undefined) throw new codes.ERR_HTTP2_CONNECT_PATH();
}

function listen(stream, signal) {
  const abort = () => stream.destroy(new AbortError(undefined, { cause: signal.reason }));
  if (signal.aborted) {
    abort();
    return;
  }
  const listener = addAbortListener(signal, abort);
  stream.once('close', () => listener[Symbol.dispose]());
}

// ---- connecting ----

const ports = { '__proto__': null, 'https:': '443', 'http:': '80' };

function connect(authority, options, listener) {
  if (typeof options === 'function') [options, listener] = [undefined, options];
  const settings = { ...options };
  if (settings.settings !== undefined) validateObject(settings.settings, 'options.settings');
  if (settings.maxOriginSetSize !== undefined) validateNumber(settings.maxOriginSetSize, 'options.maxOriginSetSize', 0);
  const place = typeof authority === 'string' ? new URL(authority) : authority;
  if (place === null || typeof place !== 'object')
    throw new codes.ERR_INVALID_ARG_TYPE('authority', ['string', 'Object', 'URL'], authority);
  const protocol = place.protocol || settings.protocol || 'https:';
  const port = place.port !== undefined && place.port !== '' ? `${place.port}` : ports[protocol];
  let host = 'localhost';
  if (place.hostname) host = place.hostname[0] === '[' ? place.hostname.slice(1, -1) : place.hostname;
  else if (place.host) ({ host } = place);
  let socket;
  if (typeof settings.createConnection === 'function') {
    socket = settings.createConnection(place, settings);
  } else if (protocol === 'http:') {
    socket = require('net').connect({ port, host, ...settings });
  } else if (protocol === 'https:') {
    const secure = { port, host, ...settings };
    secure.ALPNProtocols ??= ['h2'];
    if (secure.servername === undefined && require('net').isIP(host) === 0) secure.servername = host;
    socket = require('tls').connect(secure);
  } else {
    throw new codes.ERR_HTTP2_UNSUPPORTED_PROTOCOL(protocol);
  }
  const shown = host.includes(':') ? `[${host}]` : host;
  const session = new ClientHttp2Session(
    settings,
    socket,
    `${settings.servername || shown}:${port}`,
    protocol.slice(0, -1),
  );
  const begin = () => {
    if (session.destroyed) return;
    session.begin();
    session.emit('connect', session, socket);
    session.opened();
  };
  if (typeof listener === 'function') session.once('connect', listener);
  const secures = protocol === 'https:' && socket.secureConnecting;
  if (secures) socket.once('secureConnect', begin);
  else if (socket.connecting) socket.once('connect', begin);
  else process.nextTick(begin);
  touch(session);
  return session;
}

Object.defineProperty(connect, require('util').promisify.custom, {
  __proto__: null,
  value: (authority, options) =>
    new Promise((resolve, reject) => {
      const session = connect(authority, options, () => {
        session.removeListener('error', reject);
        resolve(session);
      });
      session.once('error', reject);
    }),
});

module.exports = { connect };
