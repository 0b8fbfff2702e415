'use strict';

// The module `net`: its pieces are in internal/net.

const { Socket } = require('internal/net/socket');
const { Server, createServerHandle } = require('internal/net/server');
const { isIP, isIPv4, isIPv6, normalizeArgs } = require('internal/net/util');
const families = require('internal/net/connect');
const { defineLazyProperties } = require('internal/util');

function createServer(options, connectionListener) {
  return new Server(options, connectionListener);
}

function connect(...args) {
  const normalized = normalizeArgs(args);
  const [options] = normalized;
  const socket = new Socket(options);
  if (options.timeout) socket.setTimeout(options.timeout);
  return socket.connect(normalized);
}

module.exports = {
  _createServerHandle: createServerHandle,
  _normalizeArgs: normalizeArgs,
  connect,
  createConnection: connect,
  createServer,
  isIP,
  isIPv4,
  isIPv6,
  Server,
  Socket,
  Stream: Socket,
  getDefaultAutoSelectFamily: families.getDefaultAutoSelectFamily,
  setDefaultAutoSelectFamily: families.setDefaultAutoSelectFamily,
  getDefaultAutoSelectFamilyAttemptTimeout: families.getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout: families.setDefaultAutoSelectFamilyAttemptTimeout,
};
defineLazyProperties(module.exports, 'internal/net/blocklist', ['BlockList']);
defineLazyProperties(module.exports, 'internal/net/socketaddress', ['SocketAddress']);
defineLazyProperties(module.exports, 'internal/net/bound_socket', ['BoundSocket']);
