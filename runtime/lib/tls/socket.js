'use strict';

// TLSSocket: a net.Socket whose handle has TLS on it (internal/tls/link.js). Reading, writing, ending and timeouts are
// those of every net.Socket; this file decides which handle it uses.
//
// - Without an underlying socket it connects by itself, and puts TLS on its handle when that is connected.
// - An underlying socket that is a plain net.Socket gives its handle: both sockets have it from then on, only this one
//   reads and writes.
// - Any other Duplex, and a socket with TLS on it, is used from outside, through internal/tls/duplex_handle.js.

const net = require('net');
const binding = internalBinding('tls');
const { kConnection, CONNECTING, OPEN, CLOSED } = require('internal/net/connection');
const { Link, SECURE, WAITING } = require('internal/tls/link');
const { createSecureContext, convertALPNProtocols } = require('internal/tls/context');
const standIn = require('internal/tls/lower_handle');
const { bypass } = standIn;
const { answers, exportKeys } = require('internal/tls/peer');
const errors = require('internal/tls/errors');
const { codes, ErrnoException } = require('internal/errors');
const { validateFunction, validateInt32, validateObject, validateString } = require('internal/validators');

const UV_ECANCELED = -125;
const kLink = Symbol('link');
const kUnderlying = Symbol('underlying');

const base = net.Socket.prototype;
const told = ['lookup', 'ready', 'connectionAttempt', 'connectionAttemptFailed', 'connectionAttemptTimeout'];

function checkOptions(underlying, options) {
  if (
    underlying !== undefined &&
    underlying !== null &&
    (typeof underlying.on !== 'function' || typeof underlying.write !== 'function')
  ) {
    throw new codes.ERR_INVALID_ARG_TYPE('socket', 'stream.Duplex', underlying);
  }
  const { ALPNCallback, ALPNProtocols, SNICallback } = options;
  if (ALPNCallback !== undefined && ALPNProtocols) throw new errors.ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS();
  if (SNICallback) validateFunction(SNICallback, 'options.SNICallback');
  if (ALPNProtocols) convertALPNProtocols(ALPNProtocols, options);
}

// The properties of a socket before the handshake.
const fresh = {
  authorized: false,
  authorizationError: null,
  encrypted: true,
  secureConnecting: true,
  _secureEstablished: false,
  alpnProtocol: null,
  servername: null,
};

function TLSSocket(underlying, options) {
  if (!(this instanceof TLSSocket)) return new TLSSocket(underlying, options);
  const settings = { ...options };
  checkOptions(underlying, settings);
  settings.secureContext ??= createSecureContext(settings);
  this._tlsOptions = settings;
  Object.assign(this, fresh);
  net.Socket.call(this, socketOptions(underlying, settings));
  this.server = settings.server ?? null;
  this[kUnderlying] = underlying ?? null;
  this[kLink] = new Link(this, settings);
  if (this[kUnderlying] === null) {
    this[kConnection].names = standIn.names;
    // Also when it is connected again.
    this.on('connect', startOwn);
  } else {
    follow(this, underlying);
    if (underlying.connecting || isUnconnected(underlying)) awaitConnection(this, underlying);
    else useUnderlying(this, underlying);
  }
}
Object.setPrototypeOf(TLSSocket.prototype, base);
Object.setPrototypeOf(TLSSocket, net.Socket);

function socketOptions(underlying, settings) {
  const { highWaterMark, onread, noDelay, keepAlive, keepAliveInitialDelay, signal, blockList } = settings;
  const options = { allowHalfOpen: Boolean(settings.allowHalfOpen), highWaterMark, onread, signal, manualStart: true };
  if (underlying === undefined || underlying === null)
    return { ...options, noDelay, keepAlive, keepAliveInitialDelay, blockList };
  options.readableHighWaterMark = highWaterMark ?? underlying.readableHighWaterMark;
  options.writableHighWaterMark = highWaterMark ?? underlying.writableHighWaterMark;
  options.allowHalfOpen = Boolean(underlying.allowHalfOpen);
  return options;
}

const isPlainSocket = (underlying) => underlying instanceof net.Socket && !(underlying instanceof TLSSocket);
const isUnconnected = (underlying) =>
  isPlainSocket(underlying) && underlying._handle === null && underlying.pending && !underlying.destroyed;

// ---- the handle ----

function startOwn() {
  const { handle } = this[kConnection];
  if (standIn.isStandIn(handle)) {
    handle.start();
    return;
  }
  const link = this[kLink];
  if (link.phase !== WAITING) this[kLink] = new Link(this, this._tlsOptions);
  begin(this, handle, undefined);
}
TLSSocket.prototype._start = startOwn;

function begin(socket, handle, ahead) {
  const link = socket[kLink];
  link.attach(handle);
  socket.ssl = link;
  // A client on a Duplex that was not told to connect starts the handshake with its first write. Data that is already
  // there may be invalid: the maker of the socket must get the error.
  if (!link.isServer && handle.id < 0 && socket._tlsOptions.pipe === undefined)
    handle.beforeWriting = () => link.begin();
  else if (ahead === undefined || ahead === null) link.begin();
  else process.nextTick(() => link.begin(ahead));
}

function awaitConnection(socket, underlying) {
  socket[kConnection].phase = CONNECTING;
  for (const event of told) underlying.on(event, (...args) => socket.emit(event, ...args));
  underlying.once('connect', () => {
    if (socket.destroyed) return;
    useUnderlying(socket, underlying);
    socket.emit('connect');
  });
}

function useUnderlying(socket, underlying) {
  const connection = socket[kConnection];
  const shares =
    isPlainSocket(underlying) &&
    underlying._handle !== null &&
    underlying._handle?.id >= 0 &&
    underlying._handle.link === undefined;
  let handle;
  let ahead;
  if (shares) {
    handle = underlying._handle;
    // Data that the underlying socket has already read belongs to TLS.
    if (underlying.readableLength > 0) ahead = underlying.read();
    socket._parent = underlying;
    const { remote, local } = underlying[kConnection];
    connection.remote = remote;
    connection.local = local;
    underlying[kConnection].handle = bypass(handle, underlying[kConnection]);
  } else {
    const { DuplexHandle } = require('internal/tls/duplex_handle');
    handle = new DuplexHandle(underlying);
  }
  connection.attach(handle);
  connection.phase = OPEN;
  begin(socket, handle, ahead);
  if (!socket.destroyed) readAhead(socket);
}

function readAhead(socket) {
  if (socket._tlsOptions.pauseOnCreate) socket.pause();
  socket.read(0);
}

// The end of the underlying socket is the end of this socket.
function follow(socket, underlying) {
  underlying.on('error', (error) => {
    if (!socket.destroyed) socket._tlsError(error, !socket._secureEstablished);
  });
  underlying.on('close', () => {
    if (socket.destroyed) return;
    const link = socket[kLink];
    if (link.phase === SECURE) socket.destroy();
    else link.fail(link.deadLine());
  });
}

// ---- life ----

TLSSocket.prototype.connect = function (...args) {
  const underlying = this[kUnderlying];
  if (underlying === null) return base.connect.apply(this, args);
  this[kConnection].phase = CONNECTING;
  underlying.connect(...args);
  return this;
};

// A write that waits for a handshake that will never finish has failed.
function giveUpWriting(connection) {
  const { written } = connection;
  connection.written = null;
  connection.waiting = 0;
  if (written !== null) process.nextTick(written, new ErrnoException(UV_ECANCELED, 'write'));
}

TLSSocket.prototype._destroy = function (error, callback) {
  const underlying = this[kUnderlying];
  if (!this[kLink]?.settled) giveUpWriting(this[kConnection]);
  if (underlying === null || underlying === undefined) {
    base._destroy.call(this, error, callback);
    this.ssl = null;
    return;
  }
  const connection = this[kConnection];
  connection.phase = CLOSED;
  for (let socket = this; socket; socket = socket._parent) socket[kConnection]?.stopTimer();
  const handle = connection.detach();
  this.ssl = null;
  if (handle !== null && handle.id < 0) handle.close();
  callback(error);
  const closed = () => this.emit('close', Boolean(error));
  if (
    underlying.closed ||
    underlying.destroy === undefined ||
    (underlying.destroyed && !(underlying instanceof net.Socket))
  ) {
    process.nextTick(closed);
  } else {
    underlying.once('close', closed);
    underlying.destroy();
  }
};

// Before a connection is secure, its server reports errors. A socket that was made a server by hand has no listener: it
// ends, and `_tlsError` has the reason.
TLSSocket.prototype._tlsError = function (error, early = !this._secureEstablished) {
  this.emit('_tlsError', error);
  const { server, isServer } = this._tlsOptions;
  if (!isServer || (server && !(early && isOfTLS(server)))) {
    this.destroy(error);
    return error;
  }
  this.destroy();
  if (server) server.emit('tlsClientError', error, this);
  return null;
};

const isOfTLS = (server) => server instanceof require('internal/tls/server').Server;

// ---- settings ----

TLSSocket.prototype.setServername = function (name) {
  validateString(name, 'name');
  if (net.isIP(name))
    throw new codes.ERR_INVALID_ARG_VALUE(
      'name',
      name,
      'Setting the TLS ServerName to an IP address is not permitted by RFC 6066',
    );
  if (this._tlsOptions.isServer) throw new errors.ERR_TLS_SNI_FROM_SERVER();
  this[kLink].useName(name);
};

TLSSocket.prototype.setSession = function (session) {
  this[kLink].useSession(session);
};

TLSSocket.prototype.setMaxSendFragment = function (size) {
  validateInt32(size, 'size');
  const number = numberOf(this);
  return number !== undefined && binding.setFragment(number, size);
};

TLSSocket.prototype._destroySSL = function () {
  this.destroy();
};

TLSSocket.prototype.setKeyCert = function (context) {
  const chosen =
    typeof context?.context === 'object' && context.context !== null ? context : createSecureContext(context);
  if (this._secureEstablished) throw new errors.ERR_TLS_INVALID_STATE();
  const number = numberOf(this);
  if (number !== undefined) binding.chooseContext(number, chosen.context);
};

TLSSocket.prototype.disableRenegotiation = function () {
  this[kLink].refusesAgain = true;
};

TLSSocket.prototype.renegotiate = function (options, callback) {
  validateObject(options, 'options');
  if (callback !== undefined) validateFunction(callback, 'callback');
  const { requestCert, rejectUnauthorized } = options;
  const number = numberOf(this);
  if (number === undefined) return undefined;
  const trouble = this[kLink].refusesAgain
    ? new errors.ERR_TLS_RENEGOTIATION_DISABLED()
    : this[kLink].again(requestCert, rejectUnauthorized);
  if (trouble !== undefined) {
    if (callback) process.nextTick(callback, trouble);
    return false;
  }
  if (callback) this.once('secure', () => callback(null));
  return true;
};

TLSSocket.prototype.enableTrace = function () {
  throw new codes.ERR_FEATURE_NOT_AVAILABLE('tlsSocket.enableTrace()');
};

TLSSocket.prototype.exportKeyingMaterial = function (length, label, context) {
  return exportKeys(this._secureEstablished ? this[kLink].number : -1, length, label, context);
};

// ---- properties ----

// A program may have given this socket the handle of another.
const linkOf = (socket) => socket[kConnection].handle?.link ?? socket[kLink];

function numberOf(socket) {
  const link = linkOf(socket);
  return socket.destroyed || link === undefined || link.phase === WAITING ? undefined : link.number;
}

for (const [name, { ask, otherwise, before = otherwise }] of Object.entries(answers)) {
  TLSSocket.prototype[name] = function (argument) {
    const number = numberOf(this);
    const { handle } = this[kConnection];
    if (number === undefined && handle && standIn.isStandIn(handle)) return standIn.answerOf(handle, name, otherwise);
    if (number === undefined) return this.destroyed ? otherwise : before;
    return ask(number, this, argument);
  };
}

module.exports = { TLSSocket, kLink, linkOf };
