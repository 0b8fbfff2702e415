'use strict';

// The module http: its parts are in internal/http.

const { METHODS, STATUS_CODES } = require('internal/http/tables');
const { validateHeaderName, validateHeaderValue } = require('internal/http/fields');
const { IncomingMessage } = require('internal/http/incoming');
const { OutgoingMessage } = require('internal/http/outgoing');
const { ServerResponse } = require('internal/http/response');
const { Server, connectionListener } = require('internal/http/server');
const agents = require('internal/http/agent');
const { ClientRequest, get, request } = require('internal/http/request');
const { codes } = require('internal/errors');
const { validateInteger } = require('internal/validators');

function createServer(options, requestListener) {
  return new Server(options, requestListener);
}

function setMaxIdleHTTPParsers(max) {
  validateInteger(max, 'max', 1);
  require('internal/http/parser').idleParsers.max = max;
}

function setGlobalProxyFromEnv() {
  throw new codes.ERR_FEATURE_NOT_AVAILABLE('http.setGlobalProxyFromEnv()');
}

if (process.env.NODE_DEBUG) require('internal/http/debug').begin();

const DEFAULT_HEADER_SIZE = 16 * 1024;
function maxHeaderSize() {
  return Number(require('internal/process/flags').valuesOf('--max-http-header-size').at(-1)) || DEFAULT_HEADER_SIZE;
}

module.exports = {
  _connectionListener: connectionListener,
  METHODS,
  STATUS_CODES,
  Agent: agents.Agent,
  ClientRequest,
  IncomingMessage,
  OutgoingMessage,
  Server,
  ServerResponse,
  createServer,
  validateHeaderName: (name, label) => validateHeaderName(name, label),
  validateHeaderValue: (name, value) => validateHeaderValue(name, value),
  get,
  request,
  setMaxIdleHTTPParsers,
  setGlobalProxyFromEnv,
};

Object.defineProperties(module.exports, {
  maxHeaderSize: { __proto__: null, configurable: true, enumerable: true, get: maxHeaderSize },
  globalAgent: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return agents.globalAgent;
    },
    set(value) {
      agents.globalAgent = value;
    },
  },
});
for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) {
  Object.defineProperty(module.exports, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => globalThis[name],
  });
}
