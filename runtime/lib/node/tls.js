'use strict';

// The module tls: its parts are in internal/tls.

const binding = internalBinding('tls');
const { SecureContext, convertALPNProtocols, createSecureContext, defaults } = require('internal/tls/context');
const { checkServerIdentity } = require('internal/tls/identity');
const { bundledCertificates, getCACertificates, setDefaultCACertificates } = require('internal/tls/authorities');
const { TLSSocket } = require('internal/tls/socket');
const { Server } = require('internal/tls/server');
const { connect } = require('internal/tls/connect');

let ciphers;

module.exports = {
  CLIENT_RENEG_LIMIT: 3,
  CLIENT_RENEG_WINDOW: 600,
  getCiphers: () =>
    (ciphers ??= binding
      .ciphers()
      .map((name) => name.toLowerCase())
      .sort()).slice(),
  getCACertificates,
  setDefaultCACertificates,
  convertALPNProtocols,
  checkServerIdentity,
  createSecureContext,
  SecureContext,
  TLSSocket,
  Server,
  createServer: (options, listener) => new Server(options, listener),
  connect,
};

// Programs may change these.
for (const name of Object.keys(defaults)) {
  Object.defineProperty(module.exports, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => defaults[name],
    set: (value) => {
      defaults[name] = value;
    },
  });
}
Object.defineProperty(module.exports, 'rootCertificates', {
  __proto__: null,
  configurable: false,
  enumerable: true,
  get: bundledCertificates,
});
