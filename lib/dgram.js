'use strict';

// The module `dgram`: UDP sockets.

const { Buffer } = require('buffer');
const EventEmitter = require('events');
const { codes, ErrnoException, ExceptionWithHostPort } = require('internal/errors');
const { UDP, kState, kOwner, kPendingSend } = require('internal/dgram');
const { guessHandleType } = require('internal/stream_base');
const { isIP } = require('internal/net/util');
const { validateAbortSignal, validateString, validateNumber, validatePort, validateUint32, validateFunction } = require('internal/validators');

const {
  ERR_BUFFER_OUT_OF_BOUNDS, ERR_INVALID_ARG_TYPE, ERR_INVALID_FD_TYPE, ERR_IP_BLOCKED, ERR_MISSING_ARGS, ERR_SOCKET_ALREADY_BOUND, ERR_SOCKET_BAD_BUFFER_SIZE,
  ERR_SOCKET_BAD_TYPE, ERR_SOCKET_BUFFER_SIZE, ERR_SOCKET_DGRAM_IS_CONNECTED, ERR_SOCKET_DGRAM_NOT_CONNECTED,
  ERR_SOCKET_DGRAM_NOT_RUNNING,
} = codes;

const BIND_STATE_UNBOUND = 0;
const BIND_STATE_BINDING = 1;
const BIND_STATE_BOUND = 2;
const CONNECT_STATE_DISCONNECTED = 0;
const CONNECT_STATE_CONNECTING = 1;
const CONNECT_STATE_CONNECTED = 2;

const UV_UDP_IPV6ONLY = 1;
const UV_UDP_REUSEADDR = 4;
const UV_UDP_REUSEPORT = 64;
const UV_EINVAL = -22;

function lookupDefault(address, family, callback) {
  const version = isIP(address);
  if (version === family) {
    process.nextTick(callback, null, address, version);
    return;
  }
  require('dns').lookup(address, family, callback);
}

function newHandle(type, lookup) {
  // Addresses are looked up by a program's own function only.
  if (lookup === undefined) lookup = lookupDefault;
  else validateFunction(lookup, 'lookup');
  if (type !== 'udp4' && type !== 'udp6') throw new ERR_SOCKET_BAD_TYPE();
  const handle = new UDP();
  const family = type === 'udp4' ? 4 : 6;
  const own = family === 4 ? '127.0.0.1' : '::1';
  handle.family = family;
  handle.lookup = (address, callback) => lookup(address || own, family, callback);
  return handle;
}

function Socket(type, listener) {
  EventEmitter.call(this);
  let lookup;
  let recvBufferSize;
  let sendBufferSize;
  let receiveBlockList;
  let sendBlockList;
  let options;
  if (type !== null && typeof type === 'object') {
    options = type;
    type = options.type;
    lookup = options.lookup;
    if (options.recvBufferSize) {
      validateUint32(options.recvBufferSize, 'options.recvBufferSize');
      recvBufferSize = options.recvBufferSize;
    }
    if (options.sendBufferSize) {
      validateUint32(options.sendBufferSize, 'options.sendBufferSize');
      sendBufferSize = options.sendBufferSize;
    }
    const { BlockList } = options.receiveBlockList || options.sendBlockList ? require('internal/net/blocklist') : {};
    if (options.receiveBlockList) {
      if (!BlockList.isBlockList(options.receiveBlockList)) {
        throw new ERR_INVALID_ARG_TYPE('options.receiveBlockList', 'net.BlockList', options.receiveBlockList);
      }
      receiveBlockList = options.receiveBlockList;
    }
    if (options.sendBlockList) {
      if (!BlockList.isBlockList(options.sendBlockList)) {
        throw new ERR_INVALID_ARG_TYPE('options.sendBlockList', 'net.BlockList', options.sendBlockList);
      }
      sendBlockList = options.sendBlockList;
    }
  }
  const handle = newHandle(type, lookup);
  handle[kOwner] = this;
  this.type = type;
  if (typeof listener === 'function') this.on('message', listener);
  this[kState] = {
    handle,
    receiving: false,
    bindState: BIND_STATE_UNBOUND,
    connectState: CONNECT_STATE_DISCONNECTED,
    queue: undefined,
    reuseAddr: options?.reuseAddr,
    reusePort: options?.reusePort,
    ipv6Only: options?.ipv6Only,
    recvBufferSize,
    sendBufferSize,
    receiveBlockList,
    sendBlockList,
  };
  if (options?.signal !== undefined) {
    const { signal } = options;
    validateAbortSignal(signal, 'options.signal');
    const onAborted = () => {
      if (this[kState].handle) this.close();
    };
    if (signal.aborted) {
      onAborted();
    } else {
      const disposable = EventEmitter.addAbortListener(signal, onAborted);
      this.once('close', disposable[Symbol.dispose]);
    }
  }
}
Object.setPrototypeOf(Socket.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Socket, EventEmitter);

function createSocket(type, listener) {
  return new Socket(type, listener);
}

function startListening(socket, later = false) {
  const state = socket[kState];
  state.handle.onmessage = onMessage;
  state.handle.recvStart();
  state.receiving = true;
  state.bindState = BIND_STATE_BOUND;
  if (state.recvBufferSize) bufferSize(socket, state.recvBufferSize, false);
  if (state.sendBufferSize) bufferSize(socket, state.sendBufferSize, true);
  if (later) process.nextTick(() => state.handle && socket.emit('listening'));
  else socket.emit('listening');
}

function replaceHandle(socket, handle) {
  const state = socket[kState];
  const old = state.handle;
  handle.family = old.family;
  handle.lookup = old.lookup;
  handle[kOwner] = socket;
  old.close();
  state.handle = handle;
}

function bindFlags(state) {
  let flags = 0;
  if (state.reuseAddr) flags |= UV_UDP_REUSEADDR;
  if (state.ipv6Only) flags |= UV_UDP_IPV6ONLY;
  if (state.reusePort) flags |= UV_UDP_REUSEPORT;
  return flags;
}

function bindHandle(handle, address, port, flags) {
  return handle.family === 4 ? handle.bind(address, port, flags) : handle.bind6(address, port, flags);
}

Socket.prototype.bind = function(port_, address_) {
  let port = port_;
  healthCheck(this);
  const state = this[kState];
  if (state.bindState !== BIND_STATE_UNBOUND) throw new ERR_SOCKET_ALREADY_BOUND();
  state.bindState = BIND_STATE_BINDING;
  const callback = arguments.length && arguments[arguments.length - 1];
  if (typeof callback === 'function') {
    // Of the two events only the one that comes removes the other.
    const removeListeners = () => {
      this.removeListener('error', removeListeners);
      this.removeListener('listening', onListening);
    };
    const onListening = () => {
      removeListeners();
      callback.call(this);
    };
    this.on('error', removeListeners);
    this.on('listening', onListening);
  }
  if (port !== null && typeof port === 'object' && port instanceof UDP) {
    replaceHandle(this, port);
    startListening(this);
    return this;
  }
  if (port !== null && typeof port === 'object' && Number.isInteger(port.fd) && port.fd >= 0) {
    const { fd } = port;
    const type = guessHandleType(fd);
    if (type !== 'UDP') throw new ERR_INVALID_FD_TYPE(type);
    const err = state.handle.open(fd);
    if (err) throw new ErrnoException(err, 'open');
    startListening(this);
    return this;
  }
  let address;
  if (port !== null && typeof port === 'object') {
    address = port.address || '';
    port = port.port;
  } else {
    address = typeof address_ === 'function' ? '' : address_;
  }
  if (!address) address = this.type === 'udp4' ? '0.0.0.0' : '::';

  state.handle.lookup(address, (err, ip) => {
    if (!state.handle) return; // closed in the meantime
    if (err) {
      state.bindState = BIND_STATE_UNBOUND;
      this.emit('error', err);
      return;
    }
    const flags = bindFlags(state);
    const exclusive = state.reusePort || (port_ !== null && typeof port_ === 'object' && !!port_.exclusive);
    if (require('internal/cluster/mode').worker && !exclusive) {
      bindInCluster(this, require('cluster'), ip, port, flags);
      return;
    }
    const status = bindHandle(state.handle, ip, port || 0, flags);
    if (status) {
      state.bindState = BIND_STATE_UNBOUND;
      this.emit('error', new ExceptionWithHostPort(status, 'bind', ip, port));
      return;
    }
    startListening(this);
  });
  return this;
};

function bindInCluster(socket, cluster, address, port, flags) {
  const state = socket[kState];
  cluster._getServer(socket, { address, port, addressType: socket.type, fd: -1, flags }, (err, handle) => {
    if (err) {
      state.bindState = BIND_STATE_UNBOUND;
      socket.emit('error', new ExceptionWithHostPort(err, 'bind', address, port));
      return;
    }
    if (!state.handle) {
      handle.close();
      return;
    }
    replaceHandle(socket, handle);
    startListening(socket);
  });
}

Socket.prototype.bindSync = function(options = {}) {
  healthCheck(this);
  const state = this[kState];
  if (state.bindState !== BIND_STATE_UNBOUND) throw new ERR_SOCKET_ALREADY_BOUND();
  if (options === null || typeof options !== 'object') throw new ERR_INVALID_ARG_TYPE('options', 'Object', options);
  const port = options.port === undefined ? 0 : validatePort(options.port, 'options.port');
  const address = options.address ?? (this.type === 'udp4' ? '0.0.0.0' : '::');
  validateString(address, 'options.address');
  if (!isIP(address)) throw new codes.ERR_INVALID_ARG_VALUE('options.address', address, 'must be a numeric IP address');
  const err = bindHandle(state.handle, address, port, bindFlags(state));
  if (err) throw new ExceptionWithHostPort(err, 'bind', address, port);
  startListening(this, true);
  return this.address();
};

function validConnectPort(port) {
  return validatePort(port, 'Port', false);
}

Socket.prototype.connect = function(port, address, callback) {
  port = validConnectPort(port);
  if (typeof address === 'function') {
    callback = address;
    address = '';
  } else if (address === undefined) {
    address = '';
  }
  validateString(address, 'address');
  const state = this[kState];
  if (state.connectState !== CONNECT_STATE_DISCONNECTED) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
  state.connectState = CONNECT_STATE_CONNECTING;
  if (state.bindState === BIND_STATE_UNBOUND) this.bind({ port: 0, exclusive: true }, null);
  if (state.bindState !== BIND_STATE_BOUND) {
    enqueue(this, () => connect(this, port, address, callback));
    return;
  }
  connect(this, port, address, callback);
};

function connect(socket, port, address, callback) {
  const state = socket[kState];
  if (callback) socket.once('connect', callback);
  const done = (error, ip) => {
    if (!state.handle) return;
    if (!error && state.sendBlockList?.check(ip, `ipv${isIP(ip)}`)) error = new ERR_IP_BLOCKED(ip);
    if (!error) {
      const err = state.handle.connect(ip, port, state.handle.family);
      if (err) error = new ExceptionWithHostPort(err, 'connect', address, port);
    }
    if (error) {
      state.connectState = CONNECT_STATE_DISCONNECTED;
      process.nextTick(() => {
        if (callback) {
          socket.removeListener('connect', callback);
          callback(error);
        } else {
          socket.emit('error', error);
        }
      });
      return;
    }
    state.connectState = CONNECT_STATE_CONNECTED;
    process.nextTick(() => socket.emit('connect'));
  };
  state.handle.lookup(address, done);
}

Socket.prototype.connectSync = function(port, address) {
  port = validConnectPort(port);
  const state = this[kState];
  healthCheck(this);
  address ??= this.type === 'udp4' ? '127.0.0.1' : '::1';
  validateString(address, 'address');
  if (!isIP(address)) throw new codes.ERR_INVALID_ARG_VALUE('address', address, 'must be a numeric IP address');
  if (state.connectState !== CONNECT_STATE_DISCONNECTED) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
  if (state.sendBlockList?.check(address, `ipv${isIP(address)}`)) throw new ERR_IP_BLOCKED(address);
  if (state.bindState !== BIND_STATE_BOUND) this.bindSync();
  const err = state.handle.connect(address, port, isIP(address));
  if (err) throw new ExceptionWithHostPort(err, 'connect', address, port);
  state.connectState = CONNECT_STATE_CONNECTED;
  process.nextTick(() => state.handle && this.emit('connect'));
};

Socket.prototype.disconnect = function() {
  const state = this[kState];
  if (state.connectState !== CONNECT_STATE_CONNECTED) throw new ERR_SOCKET_DGRAM_NOT_CONNECTED();
  const err = state.handle.disconnect();
  if (err) throw new ErrnoException(err, 'connect');
  state.connectState = CONNECT_STATE_DISCONNECTED;
};

// Kept for the programs that still use it.
Socket.prototype.sendto = function(buffer, offset, length, port, address, callback) {
  validateNumber(offset, 'offset');
  validateNumber(length, 'length');
  validateNumber(port, 'port');
  validateString(address, 'address');
  this.send(buffer, offset, length, port, address, callback);
};

function sliceBuffer(buffer, offset, length) {
  if (typeof buffer === 'string') buffer = Buffer.from(buffer);
  else if (!ArrayBuffer.isView(buffer)) throw new ERR_INVALID_ARG_TYPE('buffer', ['Buffer', 'TypedArray', 'DataView', 'string'], buffer);
  offset = offset >>> 0;
  length = length >>> 0;
  if (offset > buffer.byteLength) throw new ERR_BUFFER_OUT_OF_BOUNDS('offset');
  if (offset + length > buffer.byteLength) throw new ERR_BUFFER_OUT_OF_BOUNDS('length');
  return Buffer.from(buffer.buffer, buffer.byteOffset + offset, length);
}

function fixBufferList(list) {
  const result = new Array(list.length);
  for (let i = 0; i < list.length; i++) {
    const buffer = list[i];
    if (typeof buffer === 'string') result[i] = Buffer.from(buffer);
    else if (!ArrayBuffer.isView(buffer)) return null;
    else result[i] = Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  }
  return result;
}

function enqueue(socket, action) {
  const state = socket[kState];
  if (state.queue === undefined) {
    state.queue = [];
    socket.once('error', onListenError);
    socket.once('listening', onListenSuccess);
  }
  state.queue.push(action);
}

function onListenSuccess() {
  this.removeListener('error', onListenError);
  clearQueue.call(this);
}

function onListenError() {
  this.removeListener('listening', onListenSuccess);
  this[kState].queue = undefined;
}

function clearQueue() {
  const state = this[kState];
  const { queue } = state;
  state.queue = undefined;
  for (const action of queue ?? []) action();
}

// send(buffer[, offset, length][, port][, address][, callback]): port and address only when not connected.
Socket.prototype.send = function(buffer, offset, length, port, address, callback) {
  let list;
  let connectedTo = false;
  const state = this[kState];
  const connected = state.connectState === CONNECT_STATE_CONNECTED;
  if (!connected) {
    if (address || (port && typeof port !== 'function')) {
      buffer = sliceBuffer(buffer, offset, length);
    } else {
      callback = port;
      port = offset;
      address = length;
    }
  } else {
    if (typeof length === 'number') {
      buffer = sliceBuffer(buffer, offset, length);
      if (typeof port === 'function') {
        callback = port;
        port = null;
      }
    } else {
      callback = offset;
    }
    connectedTo = port || address;
  }
  if (!Array.isArray(buffer)) {
    if (typeof buffer === 'string') {
      list = [Buffer.from(buffer)];
    } else if (!ArrayBuffer.isView(buffer)) {
      throw new ERR_INVALID_ARG_TYPE('buffer', ['Buffer', 'TypedArray', 'DataView', 'string'], buffer);
    } else {
      list = [buffer instanceof Uint8Array ? buffer : Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength)];
    }
  } else if (!(list = fixBufferList(buffer))) {
    throw new ERR_INVALID_ARG_TYPE('buffer list arguments', ['Buffer', 'TypedArray', 'DataView', 'string'], buffer);
  }
  if (connectedTo) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
  if (!connected) port = validatePort(port, 'Port', false);
  if (typeof callback !== 'function') callback = undefined;
  if (typeof address === 'function') {
    callback = address;
    address = undefined;
  } else if (address != null) {
    validateString(address, 'address');
  }
  healthCheck(this);
  if (state.bindState === BIND_STATE_UNBOUND) this.bind({ port: 0, exclusive: true }, null);
  if (list.length === 0) list.push(Buffer.alloc(0));
  // The name is looked up when the socket is ready.
  if (state.bindState !== BIND_STATE_BOUND) {
    enqueue(this, () => this.send(list, port, address, callback));
    return;
  }
  if (connected) {
    doSend(this, null, list, undefined, port, callback);
    return;
  }
  state.handle.lookup(address, (err, ip) => doSend(this, err, list, ip, port, callback, address));
};

function doSend(socket, error, list, ip, port, callback, address) {
  const state = socket[kState];
  if (error) {
    if (callback) process.nextTick(callback, error);
    else process.nextTick(() => socket.emit('error', error));
    return;
  }
  if (!state.handle) return;
  if (ip && state.sendBlockList?.check(ip, `ipv${isIP(ip)}`)) {
    const blocked = new ERR_IP_BLOCKED(ip);
    if (callback) process.nextTick(callback, blocked);
    return;
  }
  let total = 0;
  for (const buffer of list) total += buffer.byteLength;
  const fail = (status) => (ip === undefined ? new ExceptionWithHostPort(status, 'send') : new ExceptionWithHostPort(status, 'send', ip, port));
  const result = state.handle.send(list, (status) => {
    if (callback) callback(status < 0 ? fail(status) : null, status < 0 ? undefined : total);
  }, ip, port, state.handle.family);
  if (result === kPendingSend) return;
  if (result >= 0) {
    if (callback) process.nextTick(callback, null, result);
  } else if (callback) {
    process.nextTick(callback, fail(result));
  }
}

Socket.prototype.close = function(callback) {
  const state = this[kState];
  if (typeof callback === 'function') this.on('close', callback);
  if (state.queue !== undefined) {
    state.queue.push(() => this.close());
    return this;
  }
  healthCheck(this);
  state.handle.onmessage = undefined;
  stopReceiving(this);
  state.handle.close();
  state.handle = null;
  process.nextTick(() => this.emit('close'));
  return this;
};

Socket.prototype[Symbol.asyncDispose] = async function() {
  if (!this[kState].handle) return;
  await new Promise((resolve) => this.close(resolve));
};

function stopReceiving(socket) {
  const state = socket[kState];
  if (!state.receiving) return;
  state.handle.recvStop();
  state.receiving = false;
}

function healthCheck(socket) {
  if (!socket[kState].handle) throw new ERR_SOCKET_DGRAM_NOT_RUNNING();
}

// Called by the handle.
function onMessage(nread, buffer, address, port, family) {
  const socket = this[kOwner];
  if (nread < 0) {
    socket.emit('error', new ErrnoException(nread, 'recvmsg'));
    return;
  }
  if (socket[kState].receiveBlockList?.check(address, `ipv${family}`)) return;
  socket.emit('message', buffer, { address, family: family === 6 ? 'IPv6' : 'IPv4', port, size: buffer.length });
}

Socket.prototype.address = function() {
  healthCheck(this);
  const out = {};
  const err = this[kState].handle.getsockname(out);
  if (err) throw new ErrnoException(err, 'getsockname');
  return out;
};

Socket.prototype.remoteAddress = function() {
  healthCheck(this);
  const state = this[kState];
  if (state.connectState !== CONNECT_STATE_CONNECTED) throw new ERR_SOCKET_DGRAM_NOT_CONNECTED();
  const out = {};
  const err = state.handle.getpeername(out);
  if (err) throw new ErrnoException(err, 'getpeername');
  return out;
};

// ---- options ----

function apply(socket, name, err) {
  if (err) throw new ErrnoException(err, name);
}

Socket.prototype.setBroadcast = function(on) {
  healthCheck(this);
  apply(this, 'setBroadcast', this[kState].handle.setBroadcast(on ? 1 : 0));
};

Socket.prototype.setTTL = function(ttl) {
  validateNumber(ttl, 'ttl');
  healthCheck(this);
  apply(this, 'setTTL', this[kState].handle.setTTL(ttl));
  return ttl;
};

Socket.prototype.setMulticastTTL = function(ttl) {
  validateNumber(ttl, 'ttl');
  healthCheck(this);
  apply(this, 'setMulticastTTL', this[kState].handle.setMulticastTTL(ttl));
  return ttl;
};

Socket.prototype.setMulticastLoopback = function(on) {
  healthCheck(this);
  apply(this, 'setMulticastLoopback', this[kState].handle.setMulticastLoopback(on ? 1 : 0));
  return on; // any value is accepted
};

Socket.prototype.setMulticastInterface = function(interfaceAddress) {
  healthCheck(this);
  validateString(interfaceAddress, 'interfaceAddress');
  apply(this, 'setMulticastInterface', this[kState].handle.setMulticastInterface(interfaceAddress));
};

for (const [name, join] of [['addMembership', true], ['dropMembership', false]]) {
  Socket.prototype[name] = { [name](multicastAddress, interfaceAddress) {
    healthCheck(this);
    if (!multicastAddress) throw new ERR_MISSING_ARGS('multicastAddress');
    apply(this, name, this[kState].handle.membership(join, `${multicastAddress}`, interfaceAddress === undefined ? undefined : `${interfaceAddress}`));
  } }[name];
}

for (const [name, join] of [['addSourceSpecificMembership', true], ['dropSourceSpecificMembership', false]]) {
  Socket.prototype[name] = { [name](sourceAddress, groupAddress, interfaceAddress) {
    healthCheck(this);
    validateString(sourceAddress, 'sourceAddress');
    validateString(groupAddress, 'groupAddress');
    apply(this, name, this[kState].handle.membership(join, groupAddress, interfaceAddress, sourceAddress));
  } }[name];
}

function bufferSize(socket, size, sending) {
  if (size >>> 0 !== size) throw new ERR_SOCKET_BAD_BUFFER_SIZE();
  const result = size > 2147483647 ? UV_EINVAL : socket[kState].handle.bufferSize(size, sending);
  if (result < 0) {
    const { uvErrmap } = require('internal/errors');
    const [code, message] = uvErrmap(result);
    throw new ERR_SOCKET_BUFFER_SIZE({ errno: result, code, message, syscall: sending ? 'uv_send_buffer_size' : 'uv_recv_buffer_size' });
  }
  return result;
}

Socket.prototype.setRecvBufferSize = function(size) {
  bufferSize(this, size, false);
};

Socket.prototype.setSendBufferSize = function(size) {
  bufferSize(this, size, true);
};

Socket.prototype.getRecvBufferSize = function() {
  return bufferSize(this, 0, false);
};

Socket.prototype.getSendBufferSize = function() {
  return bufferSize(this, 0, true);
};

Socket.prototype.getSendQueueSize = function() {
  return this[kState].handle.getSendQueueSize();
};

Socket.prototype.getSendQueueCount = function() {
  return this[kState].handle.getSendQueueCount();
};

Socket.prototype.ref = function() {
  this[kState].handle?.ref();
  return this;
};

Socket.prototype.unref = function() {
  this[kState].handle?.unref();
  return this;
};

module.exports = { createSocket, Socket };
