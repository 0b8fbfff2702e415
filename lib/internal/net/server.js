'use strict';

// net.Server: a listening handle, and the sockets that it accepts.

const EventEmitter = require('events');
const { codes, ErrnoException, UVExceptionWithHostPort } = require('internal/errors');
const { TCP, Pipe, kOwner } = require('internal/stream_base');
const { Socket, createHandle, kSetNoDelay, kSetKeepAlive, kKeepAliveDelay } = require('internal/net/socket');
const { toNumber, isPipeName, normalizeArgs } = require('internal/net/util');
const { validatePort, validateAbortSignal, validateNumber } = require('internal/validators');
const { getDefaultHighWaterMark } = require('stream');
const mode = require('internal/cluster/mode');

const { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_SERVER_ALREADY_LISTEN, ERR_SERVER_NOT_RUNNING } = codes;

const kIPv6Only = 1;
const kReusePort = 2;
const UV_EINVAL = -22;
const UV_READABLE = 1;
const UV_WRITABLE = 2;

function Server(options, connectionListener) {
  if (!(this instanceof Server)) return new Server(options, connectionListener);
  EventEmitter.call(this);
  if (typeof options === 'function') {
    connectionListener = options;
    options = {};
    this.on('connection', connectionListener);
  } else if (options == null || typeof options === 'object') {
    options = { ...options };
    if (typeof connectionListener === 'function') this.on('connection', connectionListener);
  } else {
    throw new ERR_INVALID_ARG_TYPE('options', 'Object', options);
  }
  if (options.keepAliveInitialDelay !== undefined) {
    validateNumber(options.keepAliveInitialDelay, 'options.keepAliveInitialDelay');
    if (options.keepAliveInitialDelay < 0) options.keepAliveInitialDelay = 0;
  }
  if (options.highWaterMark !== undefined) {
    validateNumber(options.highWaterMark, 'options.highWaterMark');
    if (options.highWaterMark < 0) options.highWaterMark = getDefaultHighWaterMark();
  }
  this._connections = 0;
  this._handle = null;
  this._usingWorkers = false;
  this._workers = [];
  this._unref = false;
  this._listeningId = 1;
  this.allowHalfOpen = options.allowHalfOpen || false;
  this.pauseOnConnect = !!options.pauseOnConnect;
  this.noDelay = Boolean(options.noDelay);
  this.keepAlive = Boolean(options.keepAlive);
  this.keepAliveInitialDelay = ~~(options.keepAliveInitialDelay / 1000);
  this.highWaterMark = options.highWaterMark ?? getDefaultHighWaterMark();
  if (options.blockList) {
    if (!require('internal/net/blocklist').BlockList.isBlockList(options.blockList)) {
      throw new ERR_INVALID_ARG_TYPE('options.blockList', 'net.BlockList', options.blockList);
    }
    this.blockList = options.blockList;
  }
}
Object.setPrototypeOf(Server.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Server, EventEmitter);

// A bound handle, or a negative error.
function createServerHandle(address, port, addressType, fd, flags) {
  let handle;
  let err = 0;
  let isTCP = false;
  if (typeof fd === 'number' && fd >= 0) {
    try {
      handle = createHandle(fd, true);
    } catch {
      return UV_EINVAL;
    }
    err = handle.open(fd);
    if (err) return err;
    return handle;
  } else if (port === -1 && addressType === -1) {
    handle = new Pipe();
  } else {
    handle = new TCP();
    isTCP = true;
  }
  if (handle.id < 0) return handle.id;
  if (address || isTCP) {
    if (!address) {
      // Both families at once, where there is an IPv6.
      err = handle.bind6('::', port, flags ?? 0);
      if (err) {
        handle.close();
        return createServerHandle('0.0.0.0', port, 4, null, flags);
      }
    } else if (addressType === 6) {
      err = handle.bind6(address, port, flags ?? 0);
    } else {
      err = handle.bind(address, port, isTCP ? (flags ?? 0) & kReusePort : undefined);
    }
  }
  if (err) {
    handle.close();
    return err;
  }
  return handle;
}

function emitErrorNT(server, err) {
  server.emit('error', err);
}

function emitListeningNT(server) {
  if (server._handle) server.emit('listening');
}

Server.prototype._listen2 = function(address, port, addressType, backlog, fd, flags) {
  if (!this._handle) {
    let handle = null;
    if (!address && typeof fd !== 'number') {
      handle = createServerHandle('::', port, 6, fd, flags);
      if (typeof handle === 'number') {
        handle = null;
        address = '0.0.0.0';
        addressType = 4;
      } else {
        address = '::';
        addressType = 6;
      }
    }
    handle ??= createServerHandle(address, port, addressType, fd, flags);
    if (typeof handle === 'number') {
      const error = new UVExceptionWithHostPort(handle, 'listen', address, port);
      process.nextTick(emitErrorNT, this, error);
      return;
    }
    this._handle = handle;
  }
  this._handle.onconnection = onconnection;
  this._handle[kOwner] = this;
  this._connectionKey = `${addressType}:${address}:${port}`;
  const err = this._handle.listen(backlog || 511);
  if (err) {
    const error = new UVExceptionWithHostPort(err, 'listen', address, port);
    this._handle.close();
    this._handle = null;
    process.nextTick(emitErrorNT, this, error);
    return;
  }
  if (this._unref) this.unref();
  process.nextTick(emitListeningNT, this);
};

function listenInCluster(server, address, port, addressType, backlog, fd, exclusive, flags) {
  exclusive = !!exclusive;
  if (!mode.worker || exclusive) {
    server._listen2(address, port, addressType, backlog, fd, flags);
    return;
  }
  const cluster = require('cluster');
  const query = { address, port, addressType, fd, flags, backlog };
  const listeningId = server._listeningId;
  cluster._getServer(server, query, (err, handle) => {
    // Closed in the meantime, or listening already.
    if (listeningId !== server._listeningId || server._handle) {
      handle?.close();
      return;
    }
    // The primary could bind, but what was bound is not what was asked for: somebody else has the port.
    if (err === 0 && port > 0 && handle.getsockname) {
      const out = {};
      if (handle.getsockname(out) === 0 && port !== out.port) err = -98;
    }
    if (err) {
      server.emit('error', new UVExceptionWithHostPort(err, 'bind', address, port));
      return;
    }
    server._handle = handle;
    server._listen2(address, port, addressType, backlog, fd, flags);
  });
}

Server.prototype.listen = function(...args) {
  const normalized = normalizeArgs(args);
  let [options, callback] = normalized;
  if (this._handle) throw new ERR_SERVER_ALREADY_LISTEN();
  if (callback !== null) this.once('listening', callback);
  const backlogFromArgs = toNumber(args.length > 1 && args[1]) || toNumber(args.length > 2 && args[2]);

  let adopted = options._handle || options.handle || options;
  const bound = adopted[Symbol.for('rota.boundSocket')];
  if (bound !== undefined) adopted = bound.call(adopted);
  if (adopted instanceof TCP || adopted instanceof Pipe) {
    this._handle = adopted;
    if (options.signal !== undefined) closeOnAbort(this, options);
    listenInCluster(this, null, -1, -1, backlogFromArgs, undefined, true);
    return this;
  }
  closeOnAbort(this, options);
  if (typeof options.fd === 'number' && options.fd >= 0) {
    listenInCluster(this, null, null, null, backlogFromArgs, options.fd);
    return this;
  }
  if (args.length === 0 || typeof args[0] === 'function' || (options.port === undefined && 'port' in options) || options.port === null) {
    options = { ...options, port: 0 };
  }
  const flags = (options.ipv6Only === true ? kIPv6Only : 0) | (options.reusePort === true ? kReusePort : 0);
  // A port of one's own on a shared port: the system spreads the connections, not the primary.
  const exclusive = options.reusePort === true ? true : options.exclusive;
  if (typeof options.port === 'number' || typeof options.port === 'string') {
    validatePort(options.port, 'options.port');
    const backlog = options.backlog || backlogFromArgs;
    if (options.host) {
      lookupAndListen(this, options.port | 0, options.host, backlog, exclusive, flags);
    } else {
      listenInCluster(this, null, options.port | 0, 4, backlog, undefined, exclusive, flags);
    }
    return this;
  }
  if (options.path && isPipeName(options.path)) {
    if (options.path.startsWith('\u0000') && (options.readableAll === true || options.writableAll === true)) {
      throw new ERR_INVALID_ARG_VALUE('options', options, 'can not set readableAll or writableAllt to true when path is abstract unix socket');
    }
    const pipeName = this._pipeName = options.path;
    const backlog = options.backlog || backlogFromArgs;
    listenInCluster(this, pipeName, -1, -1, backlog, undefined, options.exclusive);
    if (!this._handle) return this;
    const mode = (options.readableAll === true ? UV_READABLE : 0) | (options.writableAll === true ? UV_WRITABLE : 0);
    if (mode) {
      const err = this._handle.fchmod(mode);
      if (err) {
        this._handle.close();
        this._handle = null;
        throw new ErrnoException(err, 'uv_pipe_chmod');
      }
    }
    return this;
  }
  if (!(('port' in options) || ('path' in options))) {
    throw new ERR_INVALID_ARG_VALUE('options', options, 'must have the property "port" or "path"');
  }
  throw new ERR_INVALID_ARG_VALUE('options', options);
};

function closeOnAbort(server, options) {
  if (options?.signal === undefined) return;
  validateAbortSignal(options.signal, 'options.signal');
  const { signal } = options;
  const onAborted = () => server.close();
  if (signal.aborted) {
    process.nextTick(onAborted);
  } else {
    const disposable = require('events').addAbortListener(signal, onAborted);
    server.once('close', disposable[Symbol.dispose]);
  }
}

function lookupAndListen(server, port, address, backlog, exclusive, flags) {
  const listeningId = server._listeningId;
  require('dns').lookup(address, { all: true }, function doListen(err, addresses) {
    // Closed, or listening elsewhere, in the meantime.
    if (server._listeningId !== listeningId) return;
    if (err) {
      server.emit('error', err);
      return;
    }
    // An address of the link alone is the last choice: without its link it says nothing.
    const found = addresses.find((entry) => entry.family !== 6 || !/^fe[89ab]/i.test(entry.address)) ?? addresses[0];
    listenInCluster(server, found.address, port, found.family, backlog, undefined, exclusive, flags);
  });
}

Object.defineProperty(Server.prototype, 'listening', {
  __proto__: null,
  get() {
    return !!this._handle;
  },
  configurable: true,
  enumerable: true,
});

Server.prototype.address = function() {
  if (this._handle?.getsockname) {
    if (this._pipeName) return this._pipeName;
    const out = {};
    const err = this._handle.getsockname(out);
    if (err) throw new ErrnoException(err, 'address');
    return this._handle instanceof Pipe ? out.address : out;
  }
  return this._pipeName ? this._pipeName : null;
};

// Called by the handle: `this` is the listening handle.
function onconnection(err, client) {
  const server = this[kOwner];
  if (err) {
    server.emit('error', new ErrnoException(err, 'accept'));
    return;
  }
  if (server.maxConnections != null && server._connections >= server.maxConnections) {
    drop(server, client);
    return;
  }
  if (server.blockList && client.getpeername) {
    const remote = {};
    if (client.getpeername(remote) === 0 && remote.family && server.blockList.check(remote.address, remote.family.toLowerCase())) {
      client.close();
      return;
    }
  }
  const socket = new Socket({
    handle: client,
    allowHalfOpen: server.allowHalfOpen,
    pauseOnCreate: server.pauseOnConnect,
    readable: true,
    writable: true,
    readableHighWaterMark: server.highWaterMark,
    writableHighWaterMark: server.highWaterMark,
  });
  if (server.noDelay && client.setNoDelay) {
    socket[kSetNoDelay] = true;
    client.setNoDelay(true);
  }
  if (server.keepAlive && client.setKeepAlive) {
    socket[kSetKeepAlive] = true;
    socket[kKeepAliveDelay] = server.keepAliveInitialDelay;
    client.setKeepAlive(true, server.keepAliveInitialDelay);
  }
  server._connections++;
  socket.server = server;
  socket._server = server;
  server.emit('connection', socket);
}

function drop(server, client) {
  if (client.getsockname && client.getpeername) {
    const local = {};
    const remote = {};
    client.getsockname(local);
    client.getpeername(remote);
    const data = {
      localAddress: local.address, localPort: local.port, localFamily: local.family,
      remoteAddress: remote.address, remotePort: remote.port, remoteFamily: remote.family,
    };
    client.close();
    server.emit('drop', data);
    return;
  }
  client.close();
  server.emit('drop');
}

Server.prototype.getConnections = function(callback) {
  const server = this;
  function end(err, count) {
    process.nextTick(callback, err, count);
  }
  if (!this._usingWorkers) {
    end(null, this._connections);
    return this;
  }
  let left = this._workers.length;
  let total = this._connections;
  if (left === 0) {
    end(null, total);
    return this;
  }
  function oncount(err, count) {
    if (err) {
      left = -1;
      end(err);
      return;
    }
    total += count;
    if (--left === 0) end(null, total);
  }
  for (const worker of server._workers) worker.getConnections(oncount);
  return this;
};

Server.prototype.close = function(callback) {
  this._listeningId++;
  if (typeof callback === 'function') {
    if (!this._handle) {
      this.once('close', function close() {
        callback(new ERR_SERVER_NOT_RUNNING());
      });
    } else {
      this.once('close', callback);
    }
  }
  if (this._handle) {
    this._handle.close();
    this._handle = null;
  }
  if (this._usingWorkers) {
    let left = this._workers.length;
    const onWorkerClose = () => {
      if (--left !== 0) return;
      this._connections--;
      this._emitCloseIfDrained();
    };
    this._connections++;
    for (const worker of this._workers) worker.close(onWorkerClose);
  } else {
    this._emitCloseIfDrained();
  }
  return this;
};

Server.prototype[Symbol.asyncDispose] = async function() {
  if (!this._handle) return;
  await new Promise((resolve, reject) => this.close((err) => (err ? reject(err) : resolve())));
};

Server.prototype[Symbol.asyncIterator] = async function*() {
  for await (const [socket] of EventEmitter.on(this, 'connection', { close: ['close'] })) yield socket;
};

function emitCloseNT(server) {
  server.emit('close');
}

Server.prototype._emitCloseIfDrained = function() {
  if (this._handle || this._connections) return;
  process.nextTick(emitCloseNT, this);
};

Server.prototype[Symbol.for('nodejs.rejection')] = function(err, event, socket) {
  if (event === 'connection') socket.destroy(err);
  else this.emit('error', err);
};

Server.prototype._setupWorker = function(worker) {
  this._usingWorkers = true;
  this._workers.push(worker);
  worker.once('exit', (exited) => {
    const index = this._workers.indexOf(exited);
    this._workers.splice(index, 1);
  });
};

Server.prototype.ref = function() {
  this._unref = false;
  if (this._handle) this._handle.ref();
  return this;
};

Server.prototype.unref = function() {
  this._unref = true;
  if (this._handle) this._handle.unref();
  return this;
};

module.exports = { Server, createServerHandle };
