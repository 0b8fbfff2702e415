'use strict';

// The module `net`: its pieces are in internal/net.

const { Socket } = require('internal/net/socket');
const { Server, createServerHandle } = require('internal/net/server');
const { setters } = require('internal/net/connect');
const { isIP, isIPv4, isIPv6, normalizeArgs } = require('internal/net/util');
const { defineLazyProperties } = require('internal/util');

const createServer = (...args) => new Server(...args);

function connect(...args) {
  const inOrder = normalizeArgs(args);
  const { timeout } = inOrder[0];
  const socket = new Socket(inOrder[0]);
  if (timeout) socket.setTimeout(timeout);
  return socket.connect(inOrder);
}

module.exports = {
  Server,
  Socket,
  Stream: Socket,
  createServer,
  connect,
  createConnection: connect,
  isIP,
  isIPv4,
  isIPv6,
  ...setters,
  _createServerHandle: createServerHandle,
  _normalizeArgs: normalizeArgs,
};
defineLazyProperties(module.exports, 'internal/net/blocklist', ['BlockList']);
defineLazyProperties(module.exports, 'internal/net/socketaddress', ['SocketAddress']);
defineLazyProperties(module.exports, 'internal/net/bound_socket', ['BoundSocket']);
