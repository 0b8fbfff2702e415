'use strict';

// TLSSocket: a net.Socket whose handle has TLS on it (internal/tls/link.js). Reading, writing, ending and timeouts are
// those of every net.Socket; this file decides which handle it uses.
//
// - Without a carrier it connects by itself, and puts TLS on its handle when that is connected.
// - A carrier that is a plain net.Socket gives its handle: both sockets have it from then on, only this one reads and
//   writes.
// - Any other Duplex, and a socket with TLS on it, is used from outside, through internal/tls/duplex_handle.js.

const net = require('net');
const binding = internalBinding('tls');
const { kWire, CONNECTING, OPEN, CLOSED } = require('internal/net/wire');
const { Link, SECURE, WAITING } = require('internal/tls/link');
const { createSecureContext, convertALPNProtocols } = require('internal/tls/context');
const standIn = require('internal/tls/carrier');
const { bypass } = standIn;
const { answers, exportKeys } = require('internal/tls/peer');
const errors = require('internal/tls/errors');
const { codes, ErrnoException } = require('internal/errors');
const { validateFunction, validateInt32, validateObject, validateString } = require('internal/validators');

const UV_ECANCELED = -125;
const kLink = Symbol('link');
const kCarrier = Symbol('carrier');

const base = net.Socket.prototype;
const told = ['lookup', 'ready', 'connectionAttempt', 'connectionAttemptFailed', 'connectionAttemptTimeout'];

function checkOptions(carrier, options) {
  if (
    carrier !== undefined &&
    carrier !== null &&
    (typeof carrier.on !== 'function' || typeof carrier.write !== 'function')
  ) {
    throw new codes.ERR_INVALID_ARG_TYPE('socket', 'stream.Duplex', carrier);
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

function TLSSocket(carrier, options) {
  if (!(this instanceof TLSSocket)) return new TLSSocket(carrier, options);
  const settings = { ...options };
  checkOptions(carrier, settings);
  settings.secureContext ??= createSecureContext(settings);
  this._tlsOptions = settings;
  Object.assign(this, fresh);
  net.Socket.call(this, socketOptions(carrier, settings));
  this.server = settings.server ?? null;
  this[kCarrier] = carrier ?? null;
  this[kLink] = new Link(this, settings);
  if (this[kCarrier] === null) {
    this[kWire].names = standIn.names;
    // Also when it is connected again.
    this.on('connect', startOwn);
  } else {
    follow(this, carrier);
    if (carrier.connecting || isUnconnected(carrier)) awaitConnection(this, carrier);
    else useCarrier(this, carrier);
  }
}
Object.setPrototypeOf(TLSSocket.prototype, base);
Object.setPrototypeOf(TLSSocket, net.Socket);

function socketOptions(carrier, settings) {
  const { highWaterMark, onread, noDelay, keepAlive, keepAliveInitialDelay, signal, blockList } = settings;
  const options = { allowHalfOpen: Boolean(settings.allowHalfOpen), highWaterMark, onread, signal, manualStart: true };
  if (carrier === undefined || carrier === null)
    return { ...options, noDelay, keepAlive, keepAliveInitialDelay, blockList };
  options.readableHighWaterMark = highWaterMark ?? carrier.readableHighWaterMark;
  options.writableHighWaterMark = highWaterMark ?? carrier.writableHighWaterMark;
  options.allowHalfOpen = Boolean(carrier.allowHalfOpen);
  return options;
}

const isPlainSocket = (carrier) => carrier instanceof net.Socket && !(carrier instanceof TLSSocket);
const isUnconnected = (carrier) =>
  isPlainSocket(carrier) && carrier._handle === null && carrier.pending && !carrier.destroyed;

// ---- the handle ----

function startOwn() {
  const { handle } = this[kWire];
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

function awaitConnection(socket, carrier) {
  socket[kWire].phase = CONNECTING;
  for (const event of told) carrier.on(event, (...args) => socket.emit(event, ...args));
  carrier.once('connect', () => {
    if (socket.destroyed) return;
    useCarrier(socket, carrier);
    socket.emit('connect');
  });
}

function useCarrier(socket, carrier) {
  const wire = socket[kWire];
  const shares =
    isPlainSocket(carrier) &&
    carrier._handle !== null &&
    carrier._handle?.id >= 0 &&
    carrier._handle.link === undefined;
  let handle;
  let ahead;
  if (shares) {
    handle = carrier._handle;
    // Data that the carrier has already read belongs to TLS.
    if (carrier.readableLength > 0) ahead = carrier.read();
    socket._parent = carrier;
    const { remote, local } = carrier[kWire];
    wire.remote = remote;
    wire.local = local;
    carrier[kWire].handle = bypass(handle, carrier[kWire]);
  } else {
    const { DuplexHandle } = require('internal/tls/duplex_handle');
    handle = new DuplexHandle(carrier);
  }
  wire.attach(handle);
  wire.phase = OPEN;
  begin(socket, handle, ahead);
  if (!socket.destroyed) readAhead(socket);
}

function readAhead(socket) {
  if (socket._tlsOptions.pauseOnCreate) socket.pause();
  socket.read(0);
}

// The end of the carrier is the end of this socket.
function follow(socket, carrier) {
  carrier.on('error', (error) => {
    if (!socket.destroyed) socket._tlsError(error, !socket._secureEstablished);
  });
  carrier.on('close', () => {
    if (socket.destroyed) return;
    const link = socket[kLink];
    if (link.phase === SECURE) socket.destroy();
    else link.fail(link.deadLine());
  });
}

// ---- life ----

TLSSocket.prototype.connect = function (...args) {
  const carrier = this[kCarrier];
  if (carrier === null) return base.connect.apply(this, args);
  this[kWire].phase = CONNECTING;
  carrier.connect(...args);
  return this;
};

// A write that waits for a handshake that will never finish has failed.
function giveUpWriting(wire) {
  const { written } = wire;
  wire.written = null;
  wire.waiting = 0;
  if (written !== null) process.nextTick(written, new ErrnoException(UV_ECANCELED, 'write'));
}

TLSSocket.prototype._destroy = function (error, callback) {
  const carrier = this[kCarrier];
  if (!this[kLink]?.settled) giveUpWriting(this[kWire]);
  if (carrier === null || carrier === undefined) {
    base._destroy.call(this, error, callback);
    this.ssl = null;
    return;
  }
  const wire = this[kWire];
  wire.phase = CLOSED;
  for (let socket = this; socket; socket = socket._parent) socket[kWire]?.stopTimer();
  const handle = wire.detach();
  this.ssl = null;
  if (handle !== null && handle.id < 0) handle.close();
  callback(error);
  const closed = () => this.emit('close', Boolean(error));
  if (carrier.closed || carrier.destroy === undefined || (carrier.destroyed && !(carrier instanceof net.Socket))) {
    process.nextTick(closed);
  } else {
    carrier.once('close', closed);
    carrier.destroy();
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
const linkOf = (socket) => socket[kWire].handle?.link ?? socket[kLink];

function numberOf(socket) {
  const link = linkOf(socket);
  return socket.destroyed || link === undefined || link.phase === WAITING ? undefined : link.number;
}

for (const [name, { ask, otherwise, before = otherwise }] of Object.entries(answers)) {
  TLSSocket.prototype[name] = function (argument) {
    const number = numberOf(this);
    const { handle } = this[kWire];
    if (number === undefined && handle && standIn.isStandIn(handle)) return standIn.answerOf(handle, name, otherwise);
    if (number === undefined) return this.destroyed ? otherwise : before;
    return ask(number, this, argument);
  };
}

module.exports = { TLSSocket, kLink, linkOf };
