'use strict';

// tls.Server: a net.Server that speaks TLS with whoever connects, and tells of those with whom it succeeds.

const net = require('net');
const binding = internalBinding('tls');
const { Buffer } = require('buffer');
const { createSecureContext, convertALPNProtocols, SecureContext } = require('internal/tls/context');
const { TLSSocket, kTunnel } = require('internal/tls/socket');
const errors = require('internal/tls/errors');
const { codes } = require('internal/errors');
const { serverArguments } = require('internal/http/server_arguments');
const { isArrayBufferView } = require('internal/util/types');
const { validateFunction, validateNumber, validateObject } = require('internal/validators');

const DEFAULT_TIMEOUT = 120_000;

function Server(options, listener) {
  if (!(this instanceof Server)) return new Server(options, listener);
  ({ options, listener } = serverArguments(options, listener));
  this._contexts = [];
  this.requestCert = options.requestCert === true;
  this.rejectUnauthorized = options.rejectUnauthorized !== false;
  const { ALPNCallback, ALPNProtocols, SNICallback } = options;
  if (ALPNProtocols) convertALPNProtocols(ALPNProtocols, this);
  for (const [name, value] of Object.entries({ ALPNCallback, SNICallback })) {
    if (value !== undefined && (name === 'ALPNCallback' || value !== null)) validateFunction(value, `options.${name}`);
  }
  if (ALPNCallback !== undefined && ALPNProtocols) throw new errors.ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS();
  this.ALPNCallback = ALPNCallback;
  this.SNICallback = SNICallback ?? contextByName;
  this._handshakeTimeout = options.handshakeTimeout || DEFAULT_TIMEOUT;
  validateNumber(this._handshakeTimeout, 'options.handshakeTimeout');
  this.setSecureContext(options);
  // What an end means is decided behind TLS.
  net.Server.call(this, { ...options, allowHalfOpen: true }, welcome);
  this.halfOpen = Boolean(options.allowHalfOpen);
  if (listener) this.on('secureConnection', listener);
}
Object.setPrototypeOf(Server.prototype, net.Server.prototype);
Object.setPrototypeOf(Server, net.Server);

// `this` is the TLSSocket.
function contextByName(name, callback) {
  const { server } = this;
  for (let i = server._contexts.length - 1; i >= 0; i--) {
    const [pattern, context] = server._contexts[i];
    if (pattern.test(name)) {
      callback(null, context);
      return;
    }
  }
  callback(null, undefined);
}

function welcome(carrier) {
  const socket = new TLSSocket(carrier, {
    secureContext: this._sharedCreds, isServer: true, server: this, requestCert: this.requestCert, rejectUnauthorized: this.rejectUnauthorized,
    allowHalfOpen: this.halfOpen, ALPNProtocols: this.ALPNProtocols, ALPNCallback: this.ALPNCallback,
    SNICallback: this.SNICallback === contextByName && this._contexts.length === 0 ? undefined : this.SNICallback,
  });
  const timer = setTimeout(() => socket._tlsError(new errors.ERR_TLS_HANDSHAKE_TIMEOUT()), this._handshakeTimeout).unref();
  const settled = () => clearTimeout(timer);
  socket.once('close', settled);
  socket.once('secure', () => {
    settled();
    established(this, socket);
  });
  socket.on('error', onFailure);
}

// A client that goes away is no reason for a server to stop: its socket's errors are heard, by whoever else listens, too.
function onFailure() {}

function established(server, socket) {
  if (server.requestCert) {
    const error = socket[kTunnel].verdict();
    if (error !== undefined) {
      socket.authorizationError = error.code;
      if (server.rejectUnauthorized) {
        socket.destroy();
        return;
      }
    } else {
      socket.authorized = true;
    }
  }
  if (!socket.destroyed) server.emit('secureConnection', socket);
}

Server.prototype.setSecureContext = function(options) {
  validateObject(options, 'options');
  const settings = { ...options, honorCipherOrder: options.honorCipherOrder === undefined ? true : Boolean(options.honorCipherOrder) };
  if (!settings.sessionIdContext) {
    settings.sessionIdContext = require('crypto').createHash('sha1').update(process.argv.join(' ')).digest('hex').slice(0, 32);
  }
  this._sharedCreds = createSecureContext(settings);
};

Server.prototype.addContext = function(name, context) {
  if (!name) throw new errors.ERR_TLS_REQUIRED_SERVER_NAME();
  const text = name.replace(/[.^$+?\-\\[\]{}()|]/g, '\\$&').replaceAll('*', '[^.]*');
  this._contexts.push([new RegExp(`^${text}$`), context instanceof SecureContext ? context : createSecureContext(context)]);
};

Server.prototype.getTicketKeys = function() {
  return Buffer.from(this._sharedCreds.ticketKeys ??= Buffer.from(binding.contextTickets(this._sharedCreds.context)));
};

Server.prototype.setTicketKeys = function(keys) {
  if (!isArrayBufferView(keys)) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['Buffer', 'TypedArray', 'DataView'], keys);
  if (keys.byteLength !== 48) throw new codes.ERR_INVALID_ARG_VALUE('keys', keys, 'Session ticket keys must be a 48-byte buffer');
  binding.contextTickets(this._sharedCreds.context, keys);
  this._sharedCreds.ticketKeys = Buffer.from(keys.buffer, keys.byteOffset, keys.byteLength).subarray();
};

Server.prototype[Symbol.for('nodejs.rejection')] = function(error, event, socket) {
  if (event === 'secureConnection') socket.destroy(error);
  else net.Server.prototype[Symbol.for('nodejs.rejection')].call(this, error, event, socket);
};

module.exports = { Server };
