'use strict';

// Servers: one for TCP, one for TLS. Each connection becomes a session; a TLS client that asks for HTTP/1 may get that.

const net = require('net');
const tls = require('tls');
const { codes } = require('internal/http2/constants');
const { ServerHttp2Session } = require('internal/http2/server_session');
const { validateSettings } = require('internal/http2/settings');
const { validateFunction, validateInteger, validateObject, validateUint32 } = require('internal/validators');

const kOptions = Symbol('options');
const kSessions = Symbol('http2 sessions');

const rejection = Symbol.for('nodejs.rejection');
const DEFAULT_UNKNOWN_TIMEOUT = 10_000;

function initializeOptions(given) {
  const options = given === undefined ? {} : given;
  validateObject(options, 'options');
  const settings = { ...options };
  if (settings.settings !== undefined) validateObject(settings.settings, 'options.settings');
  settings.settings = { ...settings.settings };
  if (settings.maxSessionInvalidFrames !== undefined)
    validateUint32(settings.maxSessionInvalidFrames, 'options.maxSessionInvalidFrames');
  if (settings.maxSessionRejectedStreams !== undefined)
    validateUint32(settings.maxSessionRejectedStreams, 'options.maxSessionRejectedStreams');
  if (settings.unknownProtocolTimeout !== undefined)
    validateUint32(settings.unknownProtocolTimeout, 'options.unknownProtocolTimeout');
  for (const name of ['streamResetBurst', 'streamResetRate']) {
    if (settings[name] !== undefined) validateInteger(settings[name], name);
  }
  settings.unknownProtocolTimeout ??= DEFAULT_UNKNOWN_TIMEOUT;
  settings.Http2ServerRequest ||= require('internal/http2/compat_request').Http2ServerRequest;
  settings.Http2ServerResponse ||= require('internal/http2/compat_response').Http2ServerResponse;
  return settings;
}

// ---- from a socket to a session ----

function startSession(server, socket, options) {
  const session = new ServerHttp2Session(options, socket, server);
  session.begin();
  return session;
}

function onConnection(socket) {
  const server = this;
  const options = server[kOptions];
  if (socket.encrypted || server instanceof Http2SecureServer) {
    const { alpnProtocol } = socket;
    if (alpnProtocol === false || alpnProtocol === undefined || alpnProtocol === 'http/1.1' || alpnProtocol === null) {
      if (options.allowHTTP1 === true) {
        server.acceptHTTP1(socket);
        return;
      }
      if (alpnProtocol !== 'h2') {
        refuseProtocol(server, socket, options);
        return;
      }
    } else if (alpnProtocol !== 'h2') {
      return;
    }
  }
  socket.on('error', ignore);
  const session = startSession(server, socket, options);
  adopt(server, session);
  server.emit('session', session);
  process.nextTick(() => {
    if (session.destroyed) return;
    session.emit('connect', session, socket);
  });
}

function ignore() {}

function adopt(server, session) {
  server[kSessions].add(session);
  session.on('close', () => server[kSessions].delete(session));
  session.on('stream', (stream, headers, flags, raw) => server.emit('stream', stream, headers, flags, raw));
  session.on('error', (error) => server.emit('sessionError', error, session));
  session.on('priority', (...args) => server.emit('priority', ...args));
  if (server.timeout) session.setTimeout(server.timeout, () => onSessionTimeout(server, session));
  else session.on('timeout', () => onSessionTimeout(server, session));
  const { origins } = server[kOptions];
  if (Array.isArray(origins) && session.encrypted) session.origin(...origins);
}

function onSessionTimeout(server, session) {
  if (session.destroyed || session.listenerCount('timeout') > 1) return;
  if (!server.emit('timeout', session)) session.destroy();
}

// A TLS client that supports neither.
function refuseProtocol(server, socket, { unknownProtocolTimeout }) {
  const timer = setTimeout(() => {
    if (!socket.destroyed) socket.destroy();
  }, unknownProtocolTimeout).unref();
  socket.once('close', () => clearTimeout(timer));
  if (server.emit('unknownProtocol', socket)) return;
  socket.end(
    'HTTP/1.0 403 Forbidden\r\nContent-Type: text/plain\r\n\r\nMissing ALPN Protocol, expected `h2` to be ' +
      'available.\n' +
      'If this is a HTTP request: The server was not configured with the `allowHTTP1` option or a listener for the ' +
      '`unknownProtocol` event.\n',
  );
}

// ---- errors of the program's own asynchronous listeners ----

function rejected(server, error, event, ...args) {
  if (event === 'stream') {
    const [stream] = args;
    if (stream.headersSent) {
      stream.destroy(error);
    } else {
      stream.respond({ ':status': 500 });
      stream.end();
    }
    return true;
  }
  if (event === 'request') {
    const [, response] = args;
    if (!response.headersSent) {
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      response.statusCode = 500;
    }
    if (!response.finished) response.end();
    return true;
  }
  if (event === 'session') {
    args[0].destroy(error);
    return true;
  }
  return false;
}

// ---- what both servers have ----

function onStream(stream, headers, flags, raw) {
  const options = this[kOptions];
  if (
    this.listenerCount('request') === 0 &&
    this.listenerCount('connect') === 0 &&
    this.listenerCount('checkContinue') === 0 &&
    this.listenerCount('checkExpectation') === 0 &&
    !this.answersRequests
  )
    return;
  require('internal/http2/compat').onStream(this, options, stream, headers, flags, raw);
}

function prepare(server, options, listener) {
  server[kOptions] = options;
  server[kSessions] = new Set();
  server.timeout = 0;
  server.answersRequests = false;
  server.on('newListener', (event) => {
    if (['request', 'connect', 'checkContinue', 'checkExpectation'].includes(event) && !server.answersRequests) {
      server.answersRequests = true;
      server.on('stream', onStream);
    }
  });
  if (typeof listener === 'function') server.on('request', listener);
  else if (listener !== undefined) validateFunction(listener, 'listener');
}

const shared = {
  setTimeout(msecs, listener) {
    if (listener !== undefined) validateFunction(listener, 'callback');
    return require('internal/http/server').setTimeoutOfServer.call(this, msecs, listener);
  },

  // For later sessions.
  updateSettings(settings) {
    validateObject(settings, 'settings');
    const options = this[kOptions];
    options.settings = Object.assign({}, options.settings, validateSettings(settings));
  },

  closeSessions() {
    for (const session of this[kSessions]) session.close();
  },
};

class Http2Server extends net.Server {
  constructor(options, listener) {
    const settings = initializeOptions(options);
    super(settings, onConnection);
    prepare(this, settings, listener);
  }

  close(callback) {
    super.close(callback);
    this.closeSessions();
    return this;
  }

  async [Symbol.asyncDispose]() {
    return require('util').promisify(super.close).call(this);
  }

  [rejection](error, event, ...args) {
    if (!rejected(this, error, event, ...args)) super[rejection](error, event, ...args);
  }
}

class Http2SecureServer extends tls.Server {
  constructor(options, listener) {
    const settings = initializeOptions(options);
    settings.ALPNProtocols = settings.ALPNCallback
      ? settings.ALPNProtocols
      : ['h2', ...(settings.allowHTTP1 === true ? ['http/1.1'] : [])];
    super(settings, onConnection);
    prepare(this, settings, listener);
    this.timeout = 0;
    this.on('tlsClientError', (error, socket) => {
      if (!this.emit('clientError', error, socket)) socket.destroy(error);
    });
    if (settings.allowHTTP1 === true) prepareHTTP1(this, settings);
  }

  acceptHTTP1(socket) {
    require('internal/http/server').connectionListener.call(this, socket);
  }

  close(callback) {
    if (this[kOptions].allowHTTP1 === true) require('internal/http/server').beforeClose(this);
    super.close(callback);
    this.closeSessions();
    return this;
  }

  closeAllConnections() {
    if (this[kOptions].allowHTTP1 === true) require('internal/http/server').closeAllConnections.call(this);
  }

  closeIdleConnections() {
    if (this[kOptions].allowHTTP1 === true) require('internal/http/server').closeIdleConnections.call(this);
  }

  [rejection](error, event, ...args) {
    if (!rejected(this, error, event, ...args)) super[rejection](error, event, ...args);
  }
}

function prepareHTTP1(server, options) {
  const { Http1IncomingMessage, Http1ServerResponse, http1Options } = options;
  require('internal/http/server').becomeHttp(server, {
    ...options,
    IncomingMessage: Http1IncomingMessage,
    ServerResponse: Http1ServerResponse,
    ...http1Options,
  });
  server.timeout = 0;
}

for (const Server of [Http2Server, Http2SecureServer]) {
  for (const [name, value] of Object.entries(shared)) {
    Object.defineProperty(Server.prototype, name, { __proto__: null, value, writable: true, configurable: true });
  }
}

function createServer(options, listener) {
  if (typeof options === 'function') [options, listener] = [{}, options];
  return new Http2Server(options, listener);
}

function createSecureServer(options, listener) {
  if (options === null || (options !== undefined && typeof options !== 'object'))
    throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
  return new Http2SecureServer(options, listener);
}

function performServerHandshake(socket, options = {}) {
  return startSession(undefined, socket, initializeOptions(options));
}

module.exports = { createSecureServer, createServer, performServerHandshake };
