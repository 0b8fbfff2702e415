'use strict';

// tls.Server: a net.Server that does a TLS handshake with each client, and emits 'secureConnection' if it succeeds.

const net = require('net');
const binding = internalBinding('tls');
const { Buffer } = require('internal/buffer/class');
const {
  createSecureContext,
  convertALPNProtocols,
  SecureContext,
  ticketKeysOf,
  useTicketKeys,
} = require('internal/tls/context');
const { TLSSocket, kLink } = require('internal/tls/socket');
const { OVER } = require('internal/tls/link');
const errors = require('internal/tls/errors');
const { codes } = require('internal/errors');
const { validateBuffer, validateFunction, validateNumber, validateObject } = require('internal/validators');

const PATIENCE_MS = 120_000;
const TICKET_BYTES = 48;
const kNames = Symbol('names');
const kSettings = Symbol('settings');

// Contexts by host names; a star matches one label. The last one added wins.
class NameTable {
  #rows = [];

  add(name, context) {
    const labels = name
      .toLowerCase()
      .split('.')
      .map((label) =>
        label
          .split('*')
          .map((part) => RegExp.escape(part))
          .join('[^.]*'),
      );
    this.#rows.unshift({ pattern: new RegExp(`^${labels.join('\\.')}$`), context });
  }

  find(name) {
    const wanted = name.toLowerCase();
    return this.#rows.find(({ pattern }) => pattern.test(wanted))?.context;
  }

  get isEmpty() {
    return this.#rows.length === 0;
  }
}

// The settings that all connections of a server share.
const functions = ['SNICallback', 'pskCallback'];

class Settings {
  constructor(options) {
    for (const name of functions) {
      if (options[name]) validateFunction(options[name], `options.${name}`);
    }
    if (options.ALPNProtocols && options.ALPNCallback) throw new errors.ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS();
    const patience = options.handshakeTimeout || PATIENCE_MS;
    validateNumber(patience, 'options.handshakeTimeout');
    this.patienceMs = patience;
    this.chooser = options.SNICallback ?? undefined;
    const { ALPNCallback, pskCallback, pskIdentityHint } = options;
    this.shared = { ALPNCallback, pskCallback, pskIdentityHint, isServer: true };
  }

  // The server's own properties may be changed while it runs.
  forConnection(server) {
    const { requestCert, rejectUnauthorized, ALPNProtocols } = server;
    const SNICallback = this.chooser ?? (server[kNames].isEmpty ? undefined : byName);
    return {
      ...this.shared,
      server,
      requestCert,
      rejectUnauthorized,
      ALPNProtocols,
      SNICallback,
      secureContext: server._sharedCreds,
      pauseOnCreate: server.pauseOnConnect,
      allowHalfOpen: server.allowHalfOpen,
    };
  }
}

function Server(options, listener) {
  if (!(this instanceof Server)) return new Server(options, listener);
  const [given, heard] = typeof options === 'function' ? [{}, options] : [options ?? {}, listener];
  if (typeof given !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', given);
  this[kSettings] = new Settings(given);
  this[kNames] = new NameTable();
  if (given.ALPNProtocols) convertALPNProtocols(given.ALPNProtocols, this);
  this.requestCert = given.requestCert === true;
  this.rejectUnauthorized = given.rejectUnauthorized !== false;
  this.ALPNCallback = given.ALPNCallback;
  this.setSecureContext(given);
  net.Server.call(this, given, onConnection);
  if (heard) this.on('secureConnection', heard);
}
Object.setPrototypeOf(Server.prototype, net.Server.prototype);
Object.setPrototypeOf(Server, net.Server);

// ---- connections ----

// `this` is the TLSSocket.
function byName(name, callback) {
  callback(null, this.server[kNames].find(name));
}

function onConnection(underlying) {
  const settings = this[kSettings];
  const socket = new TLSSocket(underlying, settings.forConnection(this));
  // An error of a client does not stop the server.
  socket.on('error', ignore);
  if (socket.destroyed) return;
  const timer = setTimeout(
    () => socket[kLink].fail(new errors.ERR_TLS_HANDSHAKE_TIMEOUT()),
    settings.patienceMs,
  ).unref();
  let admitted = false;
  socket.once('close', () => {
    clearTimeout(timer);
    const link = socket[kLink];
    // Reports a client that closed before the connection was secure.
    if (!admitted && link.phase !== OVER) this.emit('tlsClientError', link.deadLine(), socket);
  });
  socket.once('secure', () => {
    clearTimeout(timer);
    admitted = admit(this, socket);
  });
}

function ignore() {}

// -> whether the error was reported to the program
function admit(server, socket) {
  if (server.requestCert) {
    const problem = binding.verdict(socket[kLink].number);
    socket.authorized = problem === undefined;
    if (problem !== undefined) {
      [socket.authorizationError] = problem;
      if (server.rejectUnauthorized) socket.destroy();
    }
  }
  if (socket.destroyed) return false;
  server.emit('secureConnection', socket);
  return true;
}

// ---- settings ----

// Sessions are valid for all servers of the same program.
function programContext() {
  return require('crypto').createHash('sha256').update(JSON.stringify(process.argv)).digest('base64').slice(0, 32);
}

Server.prototype.setSecureContext = function (options) {
  validateObject(options, 'options');
  const { honorCipherOrder, sessionIdContext } = options;
  this._sharedCreds = createSecureContext({
    ...options,
    honorCipherOrder: honorCipherOrder === undefined || Boolean(honorCipherOrder),
    sessionIdContext: sessionIdContext || programContext(),
  });
};

Server.prototype.addContext = function (name, context) {
  if (!name) throw new errors.ERR_TLS_REQUIRED_SERVER_NAME();
  this[kNames].add(name, context instanceof SecureContext ? context : createSecureContext(context));
};

Server.prototype.getTicketKeys = function () {
  return ticketKeysOf(this._sharedCreds);
};

Server.prototype.setTicketKeys = function (keys) {
  validateBuffer(keys);
  if (keys.byteLength !== TICKET_BYTES)
    throw new codes.ERR_INVALID_ARG_VALUE('keys', keys, 'Session ticket keys must be a 48-byte buffer');
  useTicketKeys(this._sharedCreds, keys);
};

// The workers of a cluster share their keys: a session can be resumed by another worker.
Object.assign(Server.prototype, {
  _getServerData() {
    return ticketKeysOf(this._sharedCreds).toString('base64');
  },
  _setServerData(text) {
    if (text) useTicketKeys(this._sharedCreds, Buffer.from(text, 'base64'));
  },
});

const kRejection = Symbol.for('nodejs.rejection');
Server.prototype[kRejection] = function (error, ...rest) {
  const [event, socket] = rest;
  return event === 'secureConnection'
    ? socket.destroy(error)
    : net.Server.prototype[kRejection].call(this, error, ...rest);
};

module.exports = { Server };
