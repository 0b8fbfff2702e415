'use strict';

// Connecting a socket: the arguments, the name's look-up, and one attempt or, with several addresses, one after the other
// until one succeeds (the families in turn, each with a little time).

const { codes, ExceptionWithHostPort } = require('internal/errors');
const { TCP, Pipe } = require('internal/stream_base');
const { initHandle, applyOptions, kReset, kBlockList } = require('internal/net/socket');
const { isIP, normalizeArgs } = require('internal/net/util');
const { validateString, validateNumber, validatePort, validateFunction, validateBoolean, validateInt32 } = require('internal/validators');
const stream = require('stream');

let autoSelectFamilyDefault = !process.execArgv.includes('--no-network-family-autoselection');
let autoSelectFamilyAttemptTimeoutDefault = 500;
for (const argument of process.execArgv) {
  const match = /^--network-family-autoselection-attempt-timeout=(\d+)$/.exec(argument);
  if (match) autoSelectFamilyAttemptTimeoutDefault = Math.max(Number(match[1]), 10);
}

const UV_ETIMEDOUT = -110;

function connect(socket, args) {
  // net.connect hands over arguments that are already in order.
  const [options, callback] = Array.isArray(args[0]) && args[0].normalized ? args[0] : normalizeArgs(args);
  if (socket.write !== stream.Duplex.prototype.write) socket.write = stream.Duplex.prototype.write;
  if (options.port === undefined && options.path == null) {
    throw new codes.ERR_MISSING_ARGS(['options', 'port', 'path']);
  }
  if (options.path && typeof options.path !== 'string') validateString(options.path, 'options.path');
  if (options.onread !== undefined && options.onread !== null && options.fd === undefined && !socket._handle) initHandle(socket);
  if (socket.destroyed) {
    socket._undestroy();
    socket._handle = null;
    socket._peername = undefined;
    socket._sockname = undefined;
  }
  const { path } = options;
  const pipe = !!path;
  if (!socket._handle) {
    socket._handle = pipe ? new Pipe() : new TCP();
    initHandle(socket);
  }
  if (callback !== null) socket.once('connect', callback);
  socket._unrefTimer();
  socket.connecting = true;
  if (pipe) {
    validateString(path, 'options.path');
    connectOnce(socket, path);
  } else {
    lookupAndConnect(socket, options);
  }
  return socket;
}

function lookupAndConnect(socket, options) {
  const { localAddress, localPort } = options;
  const host = options.host || 'localhost';
  let { port, autoSelectFamilyAttemptTimeout, autoSelectFamily } = options;
  validateString(host, 'options.host');
  if (host.includes('\u0000')) throw new codes.ERR_INVALID_ARG_VALUE('options.host', host, 'must be a string without null bytes');
  if (socket._bound && (localAddress !== undefined || localPort !== undefined)) {
    throw new codes.ERR_INVALID_ARG_VALUE('options', options, 'localAddress and localPort cannot be used with a bound socket');
  }
  if (localAddress && !isIP(localAddress)) throw new codes.ERR_INVALID_IP_ADDRESS(localAddress);
  if (localPort) validateNumber(localPort, 'options.localPort');
  if (port !== undefined) {
    if (typeof port !== 'number' && typeof port !== 'string') {
      throw new codes.ERR_INVALID_ARG_TYPE('options.port', ['number', 'string'], port);
    }
    validatePort(port);
  }
  port |= 0;
  if (autoSelectFamily != null) validateBoolean(autoSelectFamily, 'options.autoSelectFamily');
  else autoSelectFamily = autoSelectFamilyDefault;
  if (autoSelectFamilyAttemptTimeout != null) {
    validateInt32(autoSelectFamilyAttemptTimeout, 'options.autoSelectFamilyAttemptTimeout', 1);
    if (autoSelectFamilyAttemptTimeout < 10) autoSelectFamilyAttemptTimeout = 10;
  } else {
    autoSelectFamilyAttemptTimeout = autoSelectFamilyAttemptTimeoutDefault;
  }

  // An address needs no look-up.
  const version = isIP(host);
  if (version) {
    const attempt = () => {
      if (socket.connecting) connectOnce(socket, host, port, version, localAddress, localPort);
    };
    if (socket._bound) attempt();
    else process.nextTick(attempt);
    return;
  }

  if (options.lookup != null) validateFunction(options.lookup, 'options.lookup');
  const lookup = options.lookup || require('dns').lookup;
  const query = { family: socket._bound ? 0 : options.family, hints: options.hints || 0 };
  if (options.family === undefined || options.family === null) query.family = undefined;
  // Only addresses of families that this machine has.
  if (query.family !== 4 && query.family !== 6 && query.hints === 0) query.hints = require('dns').ADDRCONFIG;
  socket._host = host;
  const several = autoSelectFamily && query.family !== 4 && query.family !== 6 && !localAddress && !socket._bound;
  if (several) {
    lookupAndConnectMultiple(socket, lookup, host, query, port, localAddress, localPort, autoSelectFamilyAttemptTimeout);
    return;
  }
  lookup(host, query, function emitLookup(err, ip, addressType) {
    socket.emit('lookup', err, ip, addressType, host);
    if (!socket.connecting) return;
    if (err) {
      process.nextTick(connectErrorNT, socket, err);
    } else if (typeof ip !== 'string' || !isIP(ip)) {
      process.nextTick(connectErrorNT, socket, new codes.ERR_INVALID_IP_ADDRESS(ip));
    } else if (addressType !== 4 && addressType !== 6) {
      process.nextTick(connectErrorNT, socket, new codes.ERR_INVALID_ADDRESS_FAMILY(addressType, options.host, options.port));
    } else {
      socket._unrefTimer();
      connectOnce(socket, ip, port, addressType, localAddress, localPort);
    }
  });
}

function connectErrorNT(socket, err) {
  socket.destroy(err);
}

function lookupAndConnectMultiple(socket, lookup, host, query, port, localAddress, localPort, timeout) {
  lookup(host, { ...query, all: true }, function emitLookup(err, addresses) {
    if (!socket.connecting) {
      if (err) socket.emit('lookup', err, undefined, undefined, host);
      return;
    }
    if (err) {
      socket.emit('lookup', err, undefined, undefined, host);
      process.nextTick(connectErrorNT, socket, err);
      return;
    }
    const families = [[], []];
    let first;
    const seen = Array.isArray(addresses) ? addresses : [];
    for (const { address: ip, family: addressType } of seen) {
      socket.emit('lookup', err, ip, addressType, host);
      if (!socket.connecting) return;
      if (isIP(ip) && (addressType === 4 || addressType === 6)) {
        first ??= addressType;
        families[addressType === first ? 0 : 1].push([ip, addressType]);
      }
    }
    if (first === undefined) {
      const { address, family } = seen[0] ?? {};
      let error;
      if (!isIP(address)) error = new codes.ERR_INVALID_IP_ADDRESS(address);
      else error = new codes.ERR_INVALID_ADDRESS_FAMILY(family, host, port);
      process.nextTick(connectErrorNT, socket, error);
      return;
    }
    // The families in turn, beginning with the first address's.
    const list = [];
    for (let i = 0; i < Math.max(families[0].length, families[1].length); i++) {
      if (i in families[0]) list.push(families[0][i]);
      if (i in families[1]) list.push(families[1][i]);
    }
    if (list.length === 1) {
      const [ip, addressType] = list[0];
      socket._unrefTimer();
      connectOnce(socket, ip, port, addressType, localAddress, localPort);
      return;
    }
    socket.autoSelectFamilyAttemptedAddresses = [];
    socket._unrefTimer();
    connectNext({ socket, list, at: 0, port, localPort, timeout, errors: [], timer: null });
  });
}

// Whether this address may be used at all: what is bound to it, what is blocked.
function prepare(socket, address, port, addressType, localAddress, localPort) {
  if (localAddress || localPort) {
    let err;
    if (addressType === 4) {
      localAddress ||= '0.0.0.0';
      err = socket._handle.bind(localAddress, localPort || 0);
    } else {
      localAddress ||= '::';
      err = socket._handle.bind6(localAddress, localPort || 0, 0);
    }
    if (err) return new ExceptionWithHostPort(err, 'bind', localAddress, localPort);
  }
  if ((addressType === 4 || addressType === 6) && socket[kBlockList]?.check(address, `ipv${addressType}`)) {
    return new codes.ERR_IP_BLOCKED(address);
  }
  return undefined;
}

function connectOnce(socket, address, port, addressType, localAddress, localPort) {
  const problem = prepare(socket, address, port, addressType, localAddress, localPort);
  if (problem !== undefined) {
    socket.destroy(problem);
    return;
  }
  const handle = socket._handle;
  let err;
  const done = (status) => afterConnect(status, socket, handle, address, port, addressType, localAddress, localPort);
  if (addressType === 4 || addressType === 6) {
    socket.emit('connectionAttempt', address, port, addressType);
    if (!socket._handle) return;
    err = handle.connect(address, port, addressType, done);
  } else {
    err = handle.connect(address, done);
  }
  if (err) {
    const local = socket._getsockname();
    const details = local?.address !== undefined ? `${local.address}:${local.port}` : undefined;
    const error = new ExceptionWithHostPort(err, 'connect', address, port, details);
    if (addressType === undefined || !socket._bound) socket.destroy(error);
    else process.nextTick(connectErrorNT, socket, error);
  }
}

function succeed(socket) {
  socket.connecting = false;
  socket._sockname = null;
  socket._unrefTimer();
  applyOptions(socket);
  socket.emit('connect');
  socket.emit('ready');
  if (socket.readable && !socket.destroyed && !socket.isPaused()) socket.read(0);
}

function afterConnect(status, socket, handle, address, port, addressType, localAddress, localPort) {
  if (socket.destroyed || socket._handle !== handle) return;
  if (status === 0) {
    succeed(socket);
    return;
  }
  socket.connecting = false;
  socket._sockname = null;
  let details;
  if (localAddress && localPort) details = `${localAddress}:${localPort}`;
  else if (localAddress) details = localAddress;
  else if (localPort) details = `:${localPort}`;
  const error = new ExceptionWithHostPort(status, 'connect', address, port, details);
  if (details) {
    error.localAddress = localAddress;
    error.localPort = localPort;
  }
  if (addressType !== undefined) socket.emit('connectionAttemptFailed', address, port, addressType, error);
  socket.destroy(error);
}

class NodeAggregateError extends AggregateError {
  constructor(errors, message) {
    super(errors, message);
    this.code = errors[0]?.code;
  }

  get ['constructor']() {
    return AggregateError;
  }
}

// The attempts one after the other.
function connectNext(context) {
  clearTimeout(context.timer);
  const { socket, list, port } = context;
  if (!socket.connecting || socket.destroyed) return;
  if (context.at === list.length) {
    if (context.errors.length === 0) socket.destroy(new codes.ERR_SOCKET_CONNECTION_TIMEOUT());
    else socket.destroy(new NodeAggregateError(context.errors, ''));
    return;
  }
  const [address, addressType] = list[context.at++];
  if (context.at > 1) socket[kReset](new TCP());
  const handle = socket._handle;
  const problem = prepare(socket, address, port, addressType, undefined, context.localPort);
  if (problem !== undefined) {
    context.errors.push(problem);
    connectNext(context);
    return;
  }
  const attempted = `${address}:${port}`;
  socket.autoSelectFamilyAttemptedAddresses.push(attempted);
  socket.emit('connectionAttempt', address, port, addressType);
  if (socket.destroyed || !socket.connecting) return;
  const err = handle.connect(address, port, addressType, (status) => {
    clearTimeout(context.timer);
    if (socket.destroyed || socket._handle !== handle) {
      if (status === 0 && handle.id >= 0) handle.close();
      return;
    }
    if (status === 0) {
      succeed(socket);
      return;
    }
    const error = failureOf(status, address, port, context);
    context.errors.push(error);
    socket.emit('connectionAttemptFailed', address, port, addressType, error);
    if (!socket.destroyed) connectNext(context);
  });
  if (err) {
    const error = failureOf(err, address, port, context);
    context.errors.push(error);
    socket.emit('connectionAttemptFailed', address, port, addressType, error);
    connectNext(context);
    return;
  }
  if (context.at < list.length) {
    context.timer = setTimeout(() => {
      if (socket.destroyed || socket._handle !== handle || !socket.connecting) return;
      const error = failureOf(UV_ETIMEDOUT, address, port, context);
      context.errors.push(error);
      socket.emit('connectionAttemptTimeout', address, port, addressType);
      connectNext(context);
    }, context.timeout);
  }
}

function failureOf(status, address, port, context) {
  const details = context.localPort ? `:${context.localPort}` : undefined;
  const error = new ExceptionWithHostPort(status, 'connect', address, port, details);
  if (details) error.localPort = context.localPort;
  return error;
}

module.exports = {
  connect,
  getDefaultAutoSelectFamily() {
    return autoSelectFamilyDefault;
  },
  setDefaultAutoSelectFamily(value) {
    validateBoolean(value, 'value');
    autoSelectFamilyDefault = value;
  },
  getDefaultAutoSelectFamilyAttemptTimeout() {
    return autoSelectFamilyAttemptTimeoutDefault;
  },
  setDefaultAutoSelectFamilyAttemptTimeout(value) {
    validateInt32(value, 'value', 1);
    autoSelectFamilyAttemptTimeoutDefault = Math.max(value, 10);
  },
};
