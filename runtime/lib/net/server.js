'use strict';

// net.Server: a listening handle, and the sockets that it accepts.
//
// The arguments of `listen` become a place: { kind, address, port, family, fd, flags, backlog, exclusive }. One of the
// functions below opens a place or, in a worker of a cluster, the primary does. During an asynchronous step the server
// remembers the place; if it has another one (or none) afterwards, the result is dropped.
//
// `server._handle` is the listening handle, or null. `server._connections` counts the open sockets; code that takes a
// socket away from the server (http, sending it to a child) decrements the count and calls `_emitCloseIfDrained`.

const frame = require('internal/async/context');
const EventEmitter = require('events');
const { getDefaultHighWaterMark } = require('stream');
const { codes, ErrnoException, UVExceptionWithHostPort } = require('internal/errors');
const { asServer, TCP, Pipe, kOwner } = require('internal/stream_base');
const { Socket, Accepted, handleFor } = require('internal/net/socket');
const { kConnection, publish } = require('internal/net/connection');
const { countOf, normalizeArgs } = require('internal/net/util');
const { validateAbortSignal, validateNumber, validatePort } = require('internal/validators');
const { cluster: mode } = require('internal/state');

const IPV6_ONLY = 1;
const REUSE_PORT = 2;
const BACKLOG = 511;
const UV_EINVAL = -22;
const UV_EADDRINUSE = -98;
const READABLE_BY_ALL = 1;
const WRITABLE_BY_ALL = 2;

const kPlace = Symbol('place');
const kUnreferenced = Symbol('unreferenced');
const kBound = Symbol.for('rota.boundSocket');

function Server(options, listener) {
  if (!(this instanceof Server)) return new Server(options, listener);
  if (typeof options === 'function') [options, listener] = [undefined, options];
  else if (options !== undefined && typeof options !== 'object')
    throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
  EventEmitter.call(this);
  if (typeof listener === 'function') this.on('connection', listener);
  const { keepAliveInitialDelay: delay, highWaterMark: mark, blockList } = options ?? {};
  if (delay !== undefined) validateNumber(delay, 'options.keepAliveInitialDelay');
  if (mark !== undefined) validateNumber(mark, 'options.highWaterMark');
  if (blockList) {
    if (!require('internal/net/blocklist').BlockList.isBlockList(blockList)) {
      throw new codes.ERR_INVALID_ARG_TYPE('options.blockList', 'net.BlockList', blockList);
    }
    this.blockList = blockList;
  }
  this._connections = 0;
  this._handle = null;
  this._workers = [];
  this[kPlace] = null;
  this[kUnreferenced] = false;
  this.allowHalfOpen = options?.allowHalfOpen || false;
  this.pauseOnConnect = !!options?.pauseOnConnect;
  this.noDelay = !!options?.noDelay;
  this.keepAlive = !!options?.keepAlive;
  this.keepAliveInitialDelay = delay > 0 ? Math.trunc(delay / 1000) : 0;
  this.highWaterMark = mark >= 0 ? mark : getDefaultHighWaterMark();
}
Object.setPrototypeOf(Server.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Server, EventEmitter);

// ---- opening a place: a handle, or a negative error ----

function bound(handle, err) {
  if (!err) return handle;
  handle.close();
  return err;
}

const openers = {
  fd({ fd }) {
    let handle;
    try {
      handle = handleFor(fd);
    } catch {
      return UV_EINVAL;
    }
    return handle.open(fd) || handle;
  },
  path({ address }) {
    const handle = asServer(() => new Pipe());
    return bound(handle, address ? handle.bind(address) : 0);
  },
  address({ address, port, family, flags }) {
    const handle = asServer(() => new TCP());
    if (handle.id < 0) return handle.id;
    return bound(
      handle,
      family === 6 ? handle.bind6(address, port, flags) : handle.bind(address, port, flags & REUSE_PORT),
    );
  },
  // Both families at once, if IPv6 is available.
  any(place) {
    Object.assign(place, { address: '::', family: 6 });
    const handle = openers.address(place);
    if (typeof handle !== 'number') return handle;
    Object.assign(place, { address: '0.0.0.0', family: 4 });
    return openers.address(place);
  },
};

// The same by Node's name and arguments, for the primary of a cluster and for old programs.
function createServerHandle(address, port, family, fd, flags = 0) {
  if (typeof fd === 'number' && fd >= 0) return openers.fd({ fd });
  if (port === -1 && family === -1) return openers.path({ address });
  return openers[address ? 'address' : 'any']({ address, port, family, flags: flags ?? 0 });
}

function adoptable(options) {
  const candidate = options._handle || options.handle || options;
  const handle = candidate[kBound] === undefined ? candidate : candidate[kBound]();
  return handle instanceof TCP || handle instanceof Pipe ? handle : undefined;
}

function placeFor(args, options, backlog) {
  let { port } = options;
  if (args.length === 0 || typeof args[0] === 'function' || port === null || (port === undefined && 'port' in options))
    port = 0;
  const place = {
    kind: 'any',
    address: null,
    port: -1,
    family: -1,
    fd: undefined,
    flags: 0,
    backlog: options.backlog || backlog,
    exclusive: !!options.exclusive,
  };
  if (typeof options.fd === 'number' && options.fd >= 0) {
    return Object.assign(place, { kind: 'fd', fd: options.fd, backlog, port: null, family: null, exclusive: false });
  }
  if (typeof port === 'number' || typeof port === 'string') {
    validatePort(port, 'options.port');
    place.port = port | 0;
    place.family = 4;
    place.flags = (options.ipv6Only === true ? IPV6_ONLY : 0) | (options.reusePort === true ? REUSE_PORT : 0);
    // On a shared port the system distributes the connections, not the primary.
    if (options.reusePort === true) place.exclusive = true;
    if (options.host) return Object.assign(place, { kind: 'host', address: options.host });
    return place;
  }
  const { path } = options;
  if (path && typeof path === 'string' && countOf(path) === undefined) {
    if (path.startsWith('\0') && (options.readableAll === true || options.writableAll === true)) {
      throw new codes.ERR_INVALID_ARG_VALUE(
        'options',
        options,
        'can not set readableAll or writableAllt to true when path is abstract unix socket',
      );
    }
    return Object.assign(place, { kind: 'path', address: path });
  }
  if ('port' in options || 'path' in options) throw new codes.ERR_INVALID_ARG_VALUE('options', options);
  throw new codes.ERR_INVALID_ARG_VALUE('options', options, 'must have the property "port" or "path"');
}

// ---- listening ----

Server.prototype.listen = function (...args) {
  const [options, callback] = normalizeArgs(args);
  if (this._handle) throw new codes.ERR_SERVER_ALREADY_LISTEN();
  if (callback !== null) this.once('listening', callback);
  const backlog = countOf(args[1] ?? NaN) || countOf(args[2] ?? NaN) || 0;
  publish('listenStart', { server: this, options });
  const handle = adoptable(options);
  closeOnAbort(this, options.signal);
  if (handle !== undefined) {
    this._handle = handle;
    listenOn(this, { kind: 'handle', address: null, port: -1, family: -1, backlog });
    return this;
  }
  const place = placeFor(args, options, backlog);
  this[kPlace] = place;
  if (place.kind === 'host') {
    resolveHost(this, place);
    return this;
  }
  if (place.kind === 'path') this._pipeName = place.address;
  take(this, place);
  if (place.kind === 'path' && this._handle) openToAll(this, options);
  return this;
};

function closeOnAbort(server, signal) {
  if (signal === undefined) return;
  validateAbortSignal(signal, 'options.signal');
  const close = () => server.close();
  if (signal.aborted) process.nextTick(close);
  else server.once('close', EventEmitter.addAbortListener(signal, close)[Symbol.dispose]);
}

function resolveHost(server, place) {
  require('dns').lookup(place.address, { all: true }, (err, found) => {
    if (server[kPlace] !== place) return;
    if (err) {
      server.emit('error', err);
      return;
    }
    // A link-local address is the last choice: it is useless without its link.
    const best = found.find(({ address, family }) => family === 4 || !/^fe[89ab]/i.test(address)) ?? found[0];
    take(server, Object.assign(place, { kind: 'address', address: best.address, family: best.family }));
  });
}

function openToAll(server, { readableAll, writableAll }) {
  const rights = (readableAll === true ? READABLE_BY_ALL : 0) | (writableAll === true ? WRITABLE_BY_ALL : 0);
  const err = rights === 0 ? 0 : server._handle.fchmod(rights);
  if (!err) return;
  server._handle.close();
  server._handle = null;
  throw new ErrnoException(err, 'uv_pipe_chmod');
}

function take(server, place) {
  if (mode.worker && !place.exclusive) {
    askPrimary(server, place);
    return;
  }
  const handle = openers[place.kind](place);
  if (typeof handle === 'number') {
    failLater(server, handle, place);
    return;
  }
  server._handle = handle;
  listenOn(server, place);
}

function askPrimary(server, place) {
  const { address, port, family, fd, flags, backlog } = place;
  require('cluster')._getServer(server, { address, port, addressType: family, fd, flags, backlog }, (err, handle) => {
    if (server[kPlace] !== place || server._handle) {
      handle?.close();
      return;
    }
    // The address that the primary has must be the requested one: otherwise another process has the port.
    const held = {};
    if (err === 0 && port > 0 && handle.getsockname?.(held) === 0 && held.port !== port) err = UV_EADDRINUSE;
    if (err) {
      server.emit('error', new UVExceptionWithHostPort(err, 'bind', address, port));
      return;
    }
    server._handle = handle;
    listenOn(server, place);
  });
}

function failLater(server, err, { address, port }) {
  const error = new UVExceptionWithHostPort(err, 'listen', address, port);
  publish('listenError', { server, error });
  process.nextTick(() => server.emit('error', error));
}

function listenOn(server, place) {
  const handle = server._handle;
  handle[kOwner] = server;
  handle.onconnection = accept;
  server._connectionKey = `${place.family}:${place.address}:${place.port}`;
  const err = handle.listen(place.backlog || BACKLOG);
  if (err) {
    handle.close();
    server._handle = null;
    failLater(server, err, place);
    return;
  }
  if (server[kUnreferenced]) handle.unref();
  publish('listenEnd', { server });
  const tellLater = () =>
    process.nextTick(() => {
      if (server._handle) server.emit('listening');
    });
  if (frame.tracker === null) tellLater();
  else frame.tracker.causedBy(handle, tellLater);
}

// ---- connections ----

// Called by the handle, which is `this`.
function accept(err, client) {
  const server = this[kOwner];
  if (err) {
    server.emit('error', new ErrnoException(err, 'accept'));
  } else if (server.maxConnections != null && server._connections >= server.maxConnections) {
    const ends = endsOf(client);
    client.close();
    server.emit('drop', ends);
  } else if (server.blockList !== undefined && isBlocked(server.blockList, client)) {
    client.close();
  } else {
    const settings = new Accepted(server.allowHalfOpen, server.highWaterMark, server.pauseOnConnect);
    settings.handle = client;
    const socket = new Socket(settings);
    if (server.noDelay) socket.setNoDelay(true);
    if (server.keepAlive && client.setKeepAlive !== undefined) {
      const connection = socket[kConnection];
      connection.want('keepAlive', true);
      connection.want('delay', server.keepAliveInitialDelay);
      client.setKeepAlive(true, server.keepAliveInitialDelay);
    }
    server._connections++;
    socket.server = socket._server = server;
    publish('serverSocket', { socket });
    server.emit('connection', socket);
  }
}

function isBlocked(list, client) {
  const peer = {};
  return (
    client.getpeername?.(peer) === 0 && peer.family !== undefined && list.check(peer.address, peer.family.toLowerCase())
  );
}

function endsOf(client) {
  if (client.getpeername === undefined) return undefined;
  const near = {};
  const far = {};
  client.getsockname(near);
  client.getpeername(far);
  return {
    localAddress: near.address,
    localPort: near.port,
    localFamily: near.family,
    remoteAddress: far.address,
    remotePort: far.port,
    remoteFamily: far.family,
  };
}

// Children that were sent the server or its connections count their own (internal/child_process/handles.js).
Server.prototype._setupWorker = function (worker) {
  this._workers.push(worker);
  worker.once('exit', () => {
    this._workers = this._workers.filter((other) => other !== worker);
  });
};

Server.prototype.getConnections = function (callback) {
  const answer = (err, count) => process.nextTick(callback, err, count);
  const own = this._connections;
  const counts = this._workers.map(
    (worker) =>
      new Promise((resolve, reject) => {
        worker.getConnections((err, count) => (err ? reject(err) : resolve(count)));
      }),
  );
  if (counts.length === 0) answer(null, own);
  else
    Promise.all(counts).then(
      (list) =>
        answer(
          null,
          list.reduce((sum, count) => sum + count, own),
        ),
      answer,
    );
  return this;
};

// ---- the end ----

Server.prototype.close = function (callback) {
  this[kPlace] = null;
  if (typeof callback === 'function') {
    this.once('close', this._handle ? callback : () => callback(new codes.ERR_SERVER_NOT_RUNNING()));
  }
  if (this._handle) {
    this._handle.close();
    this._handle = null;
  }
  // Each child that still has connections counts as one.
  for (const worker of this._workers) {
    this._connections++;
    worker.close(() => {
      this._connections--;
      this._emitCloseIfDrained();
    });
  }
  this._emitCloseIfDrained();
  return this;
};

Server.prototype._emitCloseIfDrained = function () {
  if (this._handle === null && this._connections === 0) process.nextTick(() => this.emit('close'));
};

Server.prototype[Symbol.asyncDispose] = async function () {
  if (!this._handle) return;
  const { promise, resolve, reject } = Promise.withResolvers();
  this.close((err) => (err ? reject(err) : resolve()));
  await promise;
};

Server.prototype[Symbol.asyncIterator] = async function* () {
  for await (const [socket] of EventEmitter.on(this, 'connection', { close: ['close'] })) yield socket;
};

Server.prototype[Symbol.for('nodejs.rejection')] = function (error, event, socket) {
  if (event === 'connection') socket.destroy(error);
  else this.emit('error', error);
};

// ---- properties ----

Server.prototype.address = function () {
  if (this._pipeName) return this._pipeName;
  if (this._handle?.getsockname === undefined) return null;
  const name = {};
  const err = this._handle.getsockname(name);
  if (err) throw new ErrnoException(err, 'address');
  return this._handle instanceof Pipe ? name.address : name;
};

Object.defineProperty(Server.prototype, 'listening', {
  configurable: true,
  enumerable: true,
  get() {
    return !!this._handle;
  },
});

Server.prototype.ref = function () {
  this[kUnreferenced] = false;
  this._handle?.ref();
  return this;
};

Server.prototype.unref = function () {
  this[kUnreferenced] = true;
  this._handle?.unref();
  return this;
};

module.exports = { Server, createServerHandle };
