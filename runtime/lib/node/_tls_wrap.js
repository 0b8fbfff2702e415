'use strict';

// An old name for a part of node:tls.

const { TLSSocket, Server, createServer, connect } = require('tls');

process.emitWarning('The _tls_wrap module is deprecated. Use `node:tls` instead.', 'DeprecationWarning', 'DEP0192');

module.exports = { TLSSocket, Server, createServer, connect };
