'use strict';

// The errors of TLS: Node's codes and texts, made here because no other module needs them.

function define(code, Base, text) {
  class TLSError extends Base {
    constructor(...args) {
      super(typeof text === 'function' ? text(...args) : text);
      Object.defineProperty(this, 'name', {
        __proto__: null,
        value: `${Base.name}`,
        configurable: true,
        writable: true,
        enumerable: false,
      });
      this.stack = String(this.stack).replace(/^[^\n:]*/, `${Base.name} [${code}]`);
      this.code = code;
    }
  }
  return TLSError;
}

// OpenSSL's message, with a code made from its reason.
function fromOpenSSL([text, reason, library]) {
  const error = new Error(text);
  if (library) error.library = library;
  if (reason) {
    error.reason = reason;
    error.code = `ERR_SSL_${error.reason.toUpperCase().replaceAll(' ', '_')}`;
  }
  return error;
}

// For a write that waited for a handshake, which failed.
function failedWrite(text) {
  return Object.assign(new Error(`write EPROTO ${text}`), { errno: -71, code: 'EPROTO', syscall: 'write' });
}

module.exports = {
  failedWrite,
  fromOpenSSL,
  DEFAULT_DH_BITS: 1024,
  ERR_CRYPTO_OPERATION_FAILED: define('ERR_CRYPTO_OPERATION_FAILED', Error, (text) => text),
  ERR_CRYPTO_UNSUPPORTED_OPERATION: define('ERR_CRYPTO_UNSUPPORTED_OPERATION', Error, (text) => text),
  ERR_TLS_ALPN_CALLBACK_INVALID_RESULT: define(
    'ERR_TLS_ALPN_CALLBACK_INVALID_RESULT',
    TypeError,
    (value, protocols) =>
      `ALPN callback returned a value (${value}) that did not match any of the client's offered protocols ` +
      `(${protocols.join(', ')})`,
  ),
  ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS: define(
    'ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS',
    TypeError,
    'The ALPNCallback and ALPNProtocols TLS options are mutually exclusive',
  ),
  ERR_TLS_CERT_ALTNAME_FORMAT: define(
    'ERR_TLS_CERT_ALTNAME_FORMAT',
    SyntaxError,
    'Invalid subject alternative name string',
  ),
  ERR_TLS_DH_PARAM_SIZE: define(
    'ERR_TLS_DH_PARAM_SIZE',
    Error,
    (size) => `DH parameter size ${size} is less than 2048`,
  ),
  ERR_TLS_HANDSHAKE_TIMEOUT: define('ERR_TLS_HANDSHAKE_TIMEOUT', Error, 'TLS handshake timeout'),
  ERR_TLS_INVALID_CONTEXT: define('ERR_TLS_INVALID_CONTEXT', TypeError, (name) => `${name} must be a SecureContext`),
  ERR_TLS_INVALID_PROTOCOL_METHOD: define('ERR_TLS_INVALID_PROTOCOL_METHOD', TypeError, (text) => text),
  ERR_TLS_INVALID_PROTOCOL_VERSION: define(
    'ERR_TLS_INVALID_PROTOCOL_VERSION',
    TypeError,
    (version, which) => `${JSON.stringify(version)} is not a valid ${which} TLS protocol version`,
  ),
  ERR_TLS_INVALID_STATE: define('ERR_TLS_INVALID_STATE', Error, 'TLS socket connection must be securely established'),
  ERR_TLS_PROTOCOL_VERSION_CONFLICT: define(
    'ERR_TLS_PROTOCOL_VERSION_CONFLICT',
    TypeError,
    (version, method) =>
      `TLS protocol version ${JSON.stringify(version)} conflicts with secureProtocol ${JSON.stringify(method)}`,
  ),
  ERR_TLS_PSK_SET_IDENTITY_HINT_FAILED: define(
    'ERR_TLS_PSK_SET_IDENTITY_HINT_FAILED',
    Error,
    'Failed to set PSK identity hint',
  ),
  ERR_TLS_RENEGOTIATION_DISABLED: define(
    'ERR_TLS_RENEGOTIATION_DISABLED',
    Error,
    'TLS session renegotiation disabled for this socket',
  ),
  ERR_TLS_REQUIRED_SERVER_NAME: define(
    'ERR_TLS_REQUIRED_SERVER_NAME',
    Error,
    '"servername" is required parameter for Server.addContext',
  ),
  ERR_TLS_SESSION_ATTACK: define('ERR_TLS_SESSION_ATTACK', Error, 'TLS session renegotiation attack detected'),
  ERR_TLS_SNI_FROM_SERVER: define('ERR_TLS_SNI_FROM_SERVER', Error, 'Cannot issue SNI from a TLS server-side socket'),
};
const Mismatch = define(
  'ERR_TLS_CERT_ALTNAME_INVALID',
  Error,
  (reason) => `Hostname/IP does not match certificate's altnames: ${reason}`,
);
module.exports.ERR_TLS_CERT_ALTNAME_INVALID = function (reason, host, cert) {
  return Object.assign(new Mismatch(reason), { reason, host, cert });
};
