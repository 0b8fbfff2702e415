'use strict';

// The module `dgram`: UDP sockets. A socket has the phases fresh -> binding -> bound -> closed, and independently the
// state of its peer: none -> wanted -> set. Operations that wait for the binding are a list of functions.

const { Buffer } = require('internal/buffer/class');
const EventEmitter = require('events');
const { codes, ErrnoException, ExceptionWithHostPort, uvErrmap } = require('internal/errors');
const { UDP, kPendingSend, kHandleOf } = require('internal/dgram');
const { guessHandleType } = require('internal/stream_base');
const { isIP } = require('internal/net/util');
const { cluster: mode } = require('internal/state');
const {
  validateAbortSignal,
  validateFunction,
  validateNumber,
  validatePort,
  validateString,
  validateUint32,
} = require('internal/validators');

const families = {
  __proto__: null,
  udp4: { version: 4, any: '0.0.0.0', own: '127.0.0.1', bind: 'bind' },
  udp6: { version: 6, any: '::', own: '::1', bind: 'bind6' },
};
const bindFlags = { ipv6Only: 1, reuseAddr: 4, reusePort: 64 };
const UV_EINVAL = -22;
const bytesTypes = ['Buffer', 'TypedArray', 'DataView', 'string'];

const isObject = (value) => typeof value === 'object' && value !== null;

function checkedBlockList(options, name) {
  const list = options[name];
  if (list && !require('internal/net/blocklist').BlockList.isBlockList(list)) {
    throw new codes.ERR_INVALID_ARG_TYPE(`options.${name}`, 'net.BlockList', list);
  }
  return list || undefined;
}

function checkedSize(options, name) {
  if (options[name]) validateUint32(options[name], `options.${name}`);
  return options[name] || 0;
}

// ---- arguments of send ----

// A view of the bytes, or undefined if the value has none.
function viewOf(value) {
  if (typeof value === 'string') return Buffer.from(value);
  if (value instanceof Uint8Array) return value;
  return ArrayBuffer.isView(value) ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : undefined;
}

function partOf(value, from, count) {
  const view = viewOf(value);
  if (view === undefined) throw new codes.ERR_INVALID_ARG_TYPE('buffer', bytesTypes, value);
  const offset = from >>> 0;
  const length = count >>> 0;
  if (offset > view.length) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('offset');
  if (offset + length > view.length) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('length');
  return view.subarray(offset, offset + length);
}

function piecesOf(message) {
  const several = Array.isArray(message);
  const pieces = (several ? message : [message]).map(viewOf);
  if (pieces.includes(undefined))
    throw new codes.ERR_INVALID_ARG_TYPE(several ? 'buffer list arguments' : 'buffer', bytesTypes, message);
  return pieces.length === 0 ? [Buffer.alloc(0)] : pieces;
}

// (message[, offset, length][, port][, address][, callback]): the meaning of the numbers depends on how many there are,
// and on whether the socket has a peer. -> { pieces, port, address, callback }
function parcelOf([message, a, b, c, d, e], toPeer) {
  const cut = toPeer ? typeof b === 'number' : d || (c && typeof c !== 'function');
  let rest = cut ? [c, d, e] : [a, b, c];
  const pieces = piecesOf(cut ? partOf(message, a, b) : message);
  if (toPeer) {
    // A callback may follow without port and address.
    const [first] = rest;
    if (cut && typeof first !== 'function' ? first || d : !cut && (c || d))
      throw new codes.ERR_SOCKET_DGRAM_IS_CONNECTED();
    rest = [undefined, undefined, first];
  }
  let [port, address, callback] = rest;
  if (!toPeer) port = validatePort(port, 'Port', false);
  if (typeof address === 'function') [address, callback] = [undefined, address];
  else if (address !== undefined && address !== null) validateString(address, 'address');
  return { pieces, port, address, callback: typeof callback === 'function' ? callback : undefined };
}

class Socket extends EventEmitter {
  #handle;
  #family;
  #lookup;
  #phase = 'fresh';
  #peer = 'none';
  #waiting = [];
  #settings;

  constructor(type, listener) {
    super();
    const options = isObject(type) ? type : { type };
    const { lookup = resolve, signal } = options;
    this.#settings = {
      flags: Object.keys(bindFlags).reduce((sum, name) => (options[name] ? sum | bindFlags[name] : sum), 0),
      exclusive: !!options.reusePort,
      receive: checkedSize(options, 'recvBufferSize'),
      send: checkedSize(options, 'sendBufferSize'),
      refused: checkedBlockList(options, 'receiveBlockList'),
      forbidden: checkedBlockList(options, 'sendBlockList'),
    };
    validateFunction(lookup, 'lookup');
    this.type = options.type;
    this.#family = families[options.type];
    if (this.#family === undefined) throw new codes.ERR_SOCKET_BAD_TYPE();
    this.#lookup = (address, callback) => lookup(address || this.#family.own, this.#family.version, callback);
    this.#handle = new UDP();
    if (typeof listener === 'function') this.on('message', listener);
    if (signal !== undefined) this.#closeOnAbort(signal);
    require('internal/net/connection').publish('datagramSocket', { socket: this });
  }

  #closeOnAbort(signal) {
    validateAbortSignal(signal, 'options.signal');
    const abort = () => {
      if (this.#phase !== 'closed') this.close();
    };
    if (signal.aborted) abort();
    else this.once('close', EventEmitter.addAbortListener(signal, abort)[Symbol.dispose]);
  }

  // The handle of a socket that is not closed.
  get #live() {
    if (this.#phase === 'closed') throw new codes.ERR_SOCKET_DGRAM_NOT_RUNNING();
    return this.#handle;
  }

  [kHandleOf]() {
    return this.#handle;
  }

  // ---- binding ----

  // (port, address, callback), (options, callback) or (handle, callback)
  bind(...args) {
    const [first] = args;
    const handle = this.#live;
    if (this.#phase !== 'fresh') throw new codes.ERR_SOCKET_ALREADY_BOUND();
    this.#phase = 'binding';
    if (typeof args.at(-1) === 'function') this.#whenBound(args.at(-1));
    if (first instanceof UDP) {
      this.#take(first);
    } else if (isObject(first) && Number.isInteger(first.fd) && first.fd >= 0) {
      const kind = guessHandleType(first.fd);
      if (kind !== 'UDP') throw new codes.ERR_INVALID_FD_TYPE(kind);
      const err = handle.open(first.fd);
      if (err) throw new ErrnoException(err, 'open');
      this.#listen();
    } else {
      const { port, address, exclusive } = isObject(first) ? first : { port: first, address: args[1] };
      this.#bindTo(port, typeof address === 'function' ? '' : address, exclusive || this.#settings.exclusive);
    }
    return this;
  }

  // Only the first of the two events counts.
  #whenBound(callback) {
    const bound = () => {
      this.removeListener('error', failed);
      callback.call(this);
    };
    const failed = () => this.removeListener('listening', bound);
    this.once('listening', bound);
    this.once('error', failed);
  }

  #bindTo(port, address, exclusive) {
    this.#lookup(address || this.#family.any, (err, ip) => {
      if (this.#phase !== 'binding') return;
      if (err) {
        this.#unbound(err);
      } else if (mode.worker && !exclusive) {
        this.#askPrimary(ip, port);
      } else {
        const status = this.#handle[this.#family.bind](ip, port || 0, this.#settings.flags);
        if (status) this.#unbound(new ExceptionWithHostPort(status, 'bind', ip, port));
        else this.#listen();
      }
    });
  }

  #askPrimary(address, port) {
    const question = { address, port, addressType: this.type, fd: -1, flags: this.#settings.flags };
    require('cluster')._getServer(this, question, (err, handle) => {
      if (err) this.#unbound(new ExceptionWithHostPort(err, 'bind', address, port));
      else if (this.#phase === 'binding') this.#take(handle);
      else handle.close();
    });
  }

  #unbound(error) {
    if (this.#phase !== 'closed') this.#phase = 'fresh';
    this.#waiting = [];
    this.emit('error', error);
  }

  // A handle that is already bound, instead of our own.
  #take(handle) {
    this.#handle.close();
    this.#handle = handle;
    this.#listen();
  }

  #listen(later = false) {
    const { receive, send } = this.#settings;
    this.#handle.onmessage = (...message) => this.#received(...message);
    this.#handle.recvStart();
    this.#phase = 'bound';
    if (receive) this.setRecvBufferSize(receive);
    if (send) this.setSendBufferSize(send);
    const announce = () => {
      if (this.#phase !== 'bound') return;
      this.emit('listening');
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const action of waiting) action();
    };
    if (later) process.nextTick(announce);
    else announce();
  }

  bindSync(options = {}) {
    const handle = this.#live;
    if (this.#phase !== 'fresh') throw new codes.ERR_SOCKET_ALREADY_BOUND();
    if (!isObject(options)) throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
    const port = options.port === undefined ? 0 : validatePort(options.port, 'options.port');
    const address = numeric(options.address ?? this.#family.any, 'options.address');
    const err = handle[this.#family.bind](address, port, this.#settings.flags);
    if (err) throw new ExceptionWithHostPort(err, 'bind', address, port);
    this.#listen(true);
    return this.address();
  }

  // Runs a function when the socket is bound; starts the binding if necessary.
  #onceBound(action) {
    if (this.#phase === 'fresh') this.bind({ port: 0, exclusive: true });
    if (this.#phase === 'bound') action();
    else this.#waiting.push(action);
  }

  // ---- a peer ----

  connect(port, address, callback) {
    const number = validatePort(port, 'Port', false);
    if (typeof address === 'function') [address, callback] = ['', address];
    const name = address ?? '';
    validateString(name, 'address');
    if (this.#peer !== 'none') throw new codes.ERR_SOCKET_DGRAM_IS_CONNECTED();
    this.#peer = 'wanted';
    this.#onceBound(() => {
      if (callback) this.once('connect', callback);
      this.#lookup(name, (err, ip) => this.#connectTo(err, ip, name, number, callback));
    });
  }

  #connectTo(err, ip, address, port, callback) {
    if (this.#phase === 'closed') return;
    const error = err ?? this.#problemWith(ip, port, address);
    this.#peer = error ? 'none' : 'set';
    process.nextTick(() => {
      if (!error) {
        this.emit('connect');
      } else if (callback) {
        this.removeListener('connect', callback);
        callback(error);
      } else {
        this.emit('error', error);
      }
    });
  }

  // Connects, or reports the error.
  #problemWith(ip, port, shown = ip) {
    if (this.#settings.forbidden?.check(ip, `ipv${isIP(ip)}`)) return new codes.ERR_IP_BLOCKED(ip);
    const status = this.#handle.connect(ip, port, this.#family.version);
    return status ? new ExceptionWithHostPort(status, 'connect', shown, port) : undefined;
  }

  connectSync(port, address) {
    const number = validatePort(port, 'Port', false);
    this.#live;
    const ip = numeric(address ?? this.#family.own, 'address');
    if (this.#peer !== 'none') throw new codes.ERR_SOCKET_DGRAM_IS_CONNECTED();
    if (this.#settings.forbidden?.check(ip, `ipv${isIP(ip)}`)) throw new codes.ERR_IP_BLOCKED(ip);
    if (this.#phase !== 'bound') this.bindSync();
    const problem = this.#problemWith(ip, number);
    if (problem !== undefined) throw problem;
    this.#peer = 'set';
    process.nextTick(() => {
      if (this.#phase !== 'closed') this.emit('connect');
    });
  }

  #needsPeer() {
    if (this.#peer !== 'set') throw new codes.ERR_SOCKET_DGRAM_NOT_CONNECTED();
  }

  disconnect() {
    this.#needsPeer();
    const err = this.#handle.disconnect();
    if (err) throw new ErrnoException(err, 'connect');
    this.#peer = 'none';
  }

  // ---- sending and receiving ----

  send(...args) {
    const toPeer = this.#peer === 'set';
    const parcel = parcelOf(args, toPeer);
    this.#live;
    if (this.#phase !== 'bound') {
      const { pieces, port, address, callback } = parcel;
      // The peer may be set by then.
      this.#onceBound(() =>
        this.#peer === 'set' ? this.send(pieces, callback) : this.send(pieces, port, address, callback),
      );
    } else if (toPeer) {
      this.#post(parcel);
    } else {
      this.#lookup(parcel.address, (err, ip) => {
        if (err) this.#undelivered(err, parcel.callback);
        else this.#post(parcel, ip);
      });
    }
  }

  // Kept for programs that still use it.
  sendto(buffer, offset, length, port, address, callback) {
    for (const [value, name] of [
      [offset, 'offset'],
      [length, 'length'],
      [port, 'port'],
    ])
      validateNumber(value, name);
    validateString(address, 'address');
    this.send(buffer, offset, length, port, address, callback);
  }

  #undelivered(error, callback) {
    process.nextTick(() => {
      if (callback) callback(error);
      else this.emit('error', error);
    });
  }

  #post({ pieces, port, callback }, ip) {
    if (this.#phase === 'closed') return;
    if (ip !== undefined && this.#settings.forbidden?.check(ip, `ipv${isIP(ip)}`)) {
      if (callback) this.#undelivered(new codes.ERR_IP_BLOCKED(ip), callback);
      return;
    }
    const total = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
    const place = ip === undefined ? [] : [ip, port];
    const sent = (status) =>
      callback?.(
        ...(status < 0 || typeof status === 'object'
          ? [new ExceptionWithHostPort(status, 'send', ...place)]
          : [null, total]),
      );
    const result = this.#handle.send(pieces, sent, ip, port, this.#family.version);
    if (result !== kPendingSend && callback) process.nextTick(sent, result);
  }

  #received(nread, buffer, address, port, version) {
    if (nread < 0) this.emit('error', new ErrnoException(nread, 'recvmsg'));
    else if (!this.#settings.refused?.check(address, `ipv${version}`))
      this.emit('message', buffer, { address, family: `IPv${version}`, port, size: nread });
  }

  close(callback) {
    if (typeof callback === 'function') this.on('close', callback);
    // Pending datagrams are sent first.
    if (this.#phase !== 'closed' && this.#waiting.length > 0) {
      this.#waiting.push(() => this.close());
      return this;
    }
    const handle = this.#live;
    handle.onmessage = undefined;
    if (this.#phase === 'bound') handle.recvStop();
    handle.close();
    this.#phase = 'closed';
    process.nextTick(() => this.emit('close'));
    return this;
  }

  async [Symbol.asyncDispose]() {
    if (this.#phase === 'closed') return;
    const { promise, resolve: closed } = Promise.withResolvers();
    this.close(closed);
    await promise;
  }

  // ---- properties and options ----

  #name(ask) {
    const name = {};
    const err = this.#live[ask](name);
    if (err) throw new ErrnoException(err, ask);
    return name;
  }

  address() {
    return this.#name('getsockname');
  }

  remoteAddress() {
    this.#live;
    this.#needsPeer();
    return this.#name('getpeername');
  }

  #set(name, method, ...args) {
    const err = this.#live[method](...args);
    if (err) throw new ErrnoException(err, name);
  }

  setBroadcast(on) {
    this.#set('setBroadcast', 'setBroadcast', on ? 1 : 0);
  }

  setTTL(ttl) {
    validateNumber(ttl, 'ttl');
    this.#set('setTTL', 'setTTL', ttl);
    return ttl;
  }

  setMulticastTTL(ttl) {
    validateNumber(ttl, 'ttl');
    this.#set('setMulticastTTL', 'setMulticastTTL', ttl);
    return ttl;
  }

  setMulticastLoopback(on) {
    this.#set('setMulticastLoopback', 'setMulticastLoopback', on ? 1 : 0);
    return on;
  }

  setMulticastInterface(address) {
    this.#live;
    validateString(address, 'interfaceAddress');
    this.#set('setMulticastInterface', 'setMulticastInterface', address);
  }

  #member(name, join, group, through) {
    this.#live;
    if (!group) throw new codes.ERR_MISSING_ARGS('multicastAddress');
    this.#set(name, 'membership', join, `${group}`, through === undefined ? undefined : `${through}`);
  }

  addMembership(multicastAddress, interfaceAddress) {
    this.#member('addMembership', true, multicastAddress, interfaceAddress);
  }

  dropMembership(multicastAddress, interfaceAddress) {
    this.#member('dropMembership', false, multicastAddress, interfaceAddress);
  }

  #sourceMember(name, join, source, group, through) {
    this.#live;
    validateString(source, 'sourceAddress');
    validateString(group, 'groupAddress');
    this.#set(name, 'membership', join, group, through, source);
  }

  addSourceSpecificMembership(sourceAddress, groupAddress, interfaceAddress) {
    this.#sourceMember('addSourceSpecificMembership', true, sourceAddress, groupAddress, interfaceAddress);
  }

  dropSourceSpecificMembership(sourceAddress, groupAddress, interfaceAddress) {
    this.#sourceMember('dropSourceSpecificMembership', false, sourceAddress, groupAddress, interfaceAddress);
  }

  // 0 reads the current value.
  #bufferSize(size, sending) {
    if (size >>> 0 !== size) throw new codes.ERR_SOCKET_BAD_BUFFER_SIZE();
    const result = size > 0x7fffffff ? UV_EINVAL : this.#handle.bufferSize(size, sending);
    if (result >= 0) return result;
    const [code, message] = uvErrmap(result);
    throw new codes.ERR_SOCKET_BUFFER_SIZE({
      errno: result,
      code,
      message,
      syscall: `uv_${sending ? 'send' : 'recv'}_buffer_size`,
    });
  }

  setRecvBufferSize(size) {
    this.#bufferSize(size, false);
  }

  setSendBufferSize(size) {
    this.#bufferSize(size, true);
  }

  getRecvBufferSize() {
    return this.#bufferSize(0, false);
  }

  getSendBufferSize() {
    return this.#bufferSize(0, true);
  }

  getSendQueueSize() {
    return this.#handle.getSendQueueSize();
  }

  getSendQueueCount() {
    return this.#handle.getSendQueueCount();
  }

  ref() {
    if (this.#phase !== 'closed') this.#handle.ref();
    return this;
  }

  unref() {
    if (this.#phase !== 'closed') this.#handle.unref();
    return this;
  }
}

function numeric(address, name) {
  validateString(address, name);
  if (!isIP(address)) throw new codes.ERR_INVALID_ARG_VALUE(name, address, 'must be a numeric IP address');
  return address;
}

// Names are looked up; addresses are used as they are, in a later tick.
function resolve(address, family, callback) {
  if (isIP(address) === family) process.nextTick(callback, null, address, family);
  else require('dns').lookup(address, family, callback);
}

module.exports = { createSocket: (type, listener) => new Socket(type, listener), Socket };
