'use strict';

// An alias that programs know.

const { STATUS_CODES, Server, ServerResponse, _connectionListener } = require('http');
const { kWatch } = require('internal/http/server');

module.exports = { STATUS_CODES, Server, ServerResponse, _connectionListener, kConnectionsCheckingInterval: kWatch };
