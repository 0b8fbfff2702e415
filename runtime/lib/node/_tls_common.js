'use strict';

// An old name for a part of node:tls.

const { SecureContext, createSecureContext } = require('tls');

process.emitWarning('The _tls_common module is deprecated. Use `node:tls` instead.', 'DeprecationWarning', 'DEP0192');

module.exports = {
  SecureContext,
  createSecureContext,
  translatePeerCertificate: require('internal/tls/peer').translatePeerCertificate,
};
