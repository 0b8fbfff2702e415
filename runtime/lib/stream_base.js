'use strict';

// The handles of TCP, pipes, terminals and UDP: thin objects around a number that C knows (runtime/bind/net/stream.c).
//
// C calls the functions at the end of this file with the handle as `this`; each calls the handle's own property
// (`onread`, `onconnection`, ...), so that the owner of a handle can change. Writes of one handle end in their order:
// the callbacks of pending ones are in a list.

const binding = internalBinding('stream');
const { take } = binding;
const frame = require('internal/async/context');
const { once } = require('internal/async/bound');
const { reference, streamCount, streamKind, textEncoding } = require('internal/shared');
const { Buffer, FastBuffer = Buffer[Symbol.species] } = require('buffer');

const UV_EOF = -4095;
const kOwner = Symbol('owner_symbol');

const { kTcp: kTCP, kPipe, kIpc: kIPC, kTty: kTTY, kUdp: kUDP, kFile } = streamKind;
const { kUtf8, kLatin1, kUtf16 } = textEncoding;

const encodings = {
  __proto__: null,
  'utf8': kUtf8,
  'utf-8': kUtf8,
  'buffer': kUtf8,
  'latin1': kLatin1,
  'binary': kLatin1,
  'ascii': kLatin1,
  'utf16le': kUtf16,
  'utf-16le': kUtf16,
  'ucs2': kUtf16,
  'ucs-2': kUtf16,
};

let nextAsyncId = 1000000;

// Types of resources by the type of handle. `asServer` marks one that listens.
const types = {
  __proto__: null,
  [kTCP]: 'TCPWRAP',
  [kPipe]: 'PIPEWRAP',
  [kIPC]: 'PIPEWRAP',
  [kTTY]: 'TTYWRAP',
  [kUDP]: 'UDPWRAP',
};
let serverIsNext = false;

function track(handle) {
  const type = types[handle.kind];
  frame.tracker.create(serverIsNext ? type.replace('WRAP', 'SERVERWRAP') : type, handle);
}

// make() makes the handle of a server.
function asServer(make) {
  serverIsNext = true;
  const handle = make();
  serverIsNext = false;
  return handle;
}

class Handle {
  constructor(kind, id, argument) {
    this.kind = kind;
    this.frame = frame.current;
    if (frame.tracker !== null) track(this);
    this[kOwner] = null;
    this._onclose = undefined;
    this.asyncId = 0;
    if (id >= 0) {
      this.id = id;
      binding.adopt(id, this);
    } else {
      this.id = binding.create(kind, this, argument);
    }
  }

  close(callback) {
    if (this.id < 0) return;
    this._onclose = callback;
    const { id } = this;
    this.id = -1;
    binding.close(id);
  }

  ref() {
    binding.reference(this.id, reference.kHold);
  }

  unref() {
    binding.reference(this.id, reference.kDrop);
  }

  hasRef() {
    return this.id >= 0 && binding.reference(this.id, reference.kAsk);
  }

  getAsyncId() {
    return (this.asyncId ||= frame.tracker?.idOf(this)?.id ?? ++nextAsyncId);
  }

  getProviderType() {
    return 0;
  }

  get fd() {
    return binding.fd(this.id);
  }
}

class StreamHandle extends Handle {
  constructor(kind, id, argument) {
    super(kind, id, argument);
    this.reading = false;
    this.onread = undefined;
    this.onconnection = undefined;
    this._onconnect = undefined;
    this._onshutdown = undefined;
    this._written = undefined; // the callback of the write under way
    this._writtenMore = undefined; // those after it
  }

  readStart() {
    return binding.readStart(this.id);
  }

  readStop() {
    return binding.readStop(this.id);
  }

  useUserBuffer(buffer) {
    binding.useBuffer(this.id, buffer);
  }

  // 0: all is written. 1: the callback will be called with a status. Otherwise an error.
  write(chunk, encoding, callback, passed) {
    if (typeof chunk === 'string') {
      let code = encodings[encoding];
      if (code === undefined) {
        if (encoding === undefined || encoding === null) {
          code = kUtf8;
        } else {
          code = encodings[encoding.toLowerCase()];
          if (code === undefined) chunk = Buffer.from(chunk, encoding);
        }
      }
      encoding = code;
    }
    const result =
      passed === undefined
        ? binding.write(this.id, chunk, encoding)
        : binding.write(this.id, chunk, encoding, passed.id);
    if (result === 1) this._expect(callback);
    return result;
  }

  // Chunks as the stream keeps them: { chunk, encoding }.
  writev(chunks, callback) {
    const list = [];
    for (let i = 0; i < chunks.length; i++) {
      let { chunk, encoding } = chunks[i];
      let code = kUtf8;
      if (typeof chunk === 'string') {
        code = encodings[encoding] ?? encodings[encoding.toLowerCase()];
        if (code === undefined) chunk = Buffer.from(chunk, encoding);
      }
      list.push(chunk, code);
    }
    const result = binding.writeMany(this.id, list, chunks.length);
    if (result === 1) this._expect(callback);
    return result;
  }

  _expect(callback) {
    if (frame.tracker !== null) callback = once('WRITEWRAP', callback, {}, this);
    if (this._written === undefined) this._written = callback;
    else (this._writtenMore ??= []).push(callback);
  }

  // 0: the callback will be called with a status. Otherwise an error.
  shutdown(callback) {
    const result = binding.shutdown(this.id);
    if (result !== 1) return result;
    this._onshutdown = once('SHUTDOWNWRAP', callback, {}, this);
    return 0;
  }

  listen(backlog) {
    return binding.listen(this.id, backlog);
  }

  setBlocking(on) {
    return binding.setBlocking(this.id, on);
  }

  get bytesRead() {
    return binding.count(this.id, streamCount.kRead) ?? 0;
  }

  get bytesWritten() {
    return binding.count(this.id, streamCount.kWritten) ?? 0;
  }

  get writeQueueSize() {
    return this.id < 0 ? 0 : binding.count(this.id, streamCount.kWaiting);
  }
}

// A permission error is an error of the attempt, like one of the system: it is returned in place of a number.
function refusable(attempt) {
  try {
    return attempt();
  } catch (error) {
    return error;
  }
}

class TCP extends StreamHandle {
  constructor(id) {
    super(kTCP, typeof id === 'number' ? id : -1);
  }

  open(fd) {
    return binding.tcpOpen(this.id, fd);
  }

  bind(address, port, flags) {
    return binding.tcpBind(this.id, address, port, 4, flags);
  }

  bind6(address, port, flags) {
    return binding.tcpBind(this.id, address, port, 6, flags);
  }

  // The callback gets a status.
  connect(address, port, family, callback) {
    const err = refusable(() => binding.tcpConnect(this.id, address, port, family));
    if (err === 0) this._onconnect = once('TCPCONNECTWRAP', callback, {}, this);
    return err;
  }

  getsockname(out) {
    return binding.tcpName(this.id, false, out);
  }

  getpeername(out) {
    return binding.tcpName(this.id, true, out);
  }

  setNoDelay(on) {
    return binding.tcpNoDelay(this.id, on);
  }

  setKeepAlive(on, delay, interval, count) {
    return binding.tcpKeepAlive(this.id, on, delay, interval ?? 1, count ?? 10);
  }

  getTypeOfService() {
    return binding.tcpTypeOfService(this.id);
  }

  setTypeOfService(value) {
    return binding.tcpTypeOfService(this.id, value);
  }

  // Closes with a reset. -> 0, or an error
  reset(callback) {
    const err = binding.reset(this.id);
    if (err !== 0) return err;
    this._onclose = callback;
    this.id = -1;
    return 0;
  }
}

class Pipe extends StreamHandle {
  constructor(id, ipc = false) {
    super(ipc ? kIPC : kPipe, typeof id === 'number' ? id : -1);
  }

  open(fd) {
    return binding.pipeOpen(this.id, fd);
  }

  bind(name) {
    return binding.pipeBind(this.id, name);
  }

  connect(name, callback) {
    const err = refusable(() => binding.pipeConnect(this.id, name));
    if (err === 0) this._onconnect = once('PIPECONNECTWRAP', callback, {}, this);
    return err;
  }

  getsockname(out) {
    const name = binding.pipeName(this.id, false);
    if (typeof name === 'number') return name;
    out.address = name;
    return 0;
  }

  fchmod(mode) {
    return binding.pipeMode(this.id, mode);
  }
}

class TTY extends StreamHandle {
  // If the descriptor is no terminal, `id` is negative: the error.
  constructor(fd) {
    super(kTTY, -1, fd);
  }

  // A terminal cannot be half-closed: the result is that of a socket that is not connected.
  shutdown() {
    return -107;
  }

  setRawMode(raw) {
    return binding.ttyMode(this.id, raw ? 1 : 0);
  }

  getWindowSize(out) {
    return binding.ttySize(this.id, out);
  }
}

// A handle for a number that C made, of the type that C gave.
function wrap(kind, id) {
  if (kind === kTCP) return new TCP(id);
  if (kind === kUDP) return new (require('internal/dgram').UDP)(id);
  return new Pipe(id);
}

function onread(nread, offset, memory, passedId, passedKind) {
  let chunk; // none: an end, an error, or the bytes are in memory that was lent
  if (memory !== undefined) chunk = new FastBuffer(memory, offset, nread);
  else if (offset === 0) chunk = take(new Uint8Array(nread)); // before any code of the program's
  frame.current = this.frame;
  if (frame.tracker !== null) frame.tracker.enter(this.link ?? this);
  if (this.onread !== undefined) {
    this.onread(nread, chunk, passedId >= 0 ? wrap(passedKind, passedId) : undefined);
  }
  if (frame.tracker !== null) frame.tracker.leave();
  frame.current = undefined;
}

function onwritten(status) {
  const callback = this._written;
  const more = this._writtenMore;
  if (more === undefined) {
    this._written = undefined;
  } else {
    this._written = more.shift();
    if (more.length === 0) this._writtenMore = undefined;
  }
  frame.current = this.frame;
  callback?.(status, this);
  frame.current = undefined;
}

function onconnected(status) {
  const callback = this._onconnect;
  this._onconnect = undefined;
  frame.current = this.frame;
  callback?.(status, this);
  frame.current = undefined;
}

function onshut(status) {
  const callback = this._onshutdown;
  this._onshutdown = undefined;
  frame.current = this.frame;
  callback?.(status, this);
  frame.current = undefined;
}

// Incoming data has no asynchronous frame.
function onconnection(status, id) {
  if (this.onconnection !== undefined) {
    if (frame.tracker !== null) frame.tracker.enter(this);
    const client = status === 0 ? (this.kind === kTCP ? new TCP(id) : new Pipe(id)) : undefined;
    frame.current = this.frame;
    this.onconnection(status, client);
    if (frame.tracker !== null) frame.tracker.leave();
  }
  frame.current = undefined;
}

function tellClosed(handle, callback) {
  const { tracker } = frame;
  if (callback !== undefined) {
    tracker.enter(handle);
    callback.call(handle);
    tracker.leave();
  }
  if (handle.link !== undefined) tracker.destroy(handle.link);
  tracker.destroy(handle);
}

function onclosed() {
  const callback = this._onclose;
  this._onclose = undefined;
  frame.current = this.frame;
  if (frame.tracker !== null) tellClosed(this, callback);
  else if (callback !== undefined) callback.call(this);
  frame.current = undefined;
}

binding.setBuffer(new FastBuffer(0));
binding.setCallbacks({
  read: onread,
  written: onwritten,
  connected: onconnected,
  shut: onshut,
  connection: onconnection,
  closed: onclosed,
});

// The type of handle that a descriptor needs: 'TCP', 'PIPE', 'TTY', 'UDP', 'FILE' or 'UNKNOWN'.
const kindNames = { [kTCP]: 'TCP', [kPipe]: 'PIPE', [kTTY]: 'TTY', [kUDP]: 'UDP', [kFile]: 'FILE' };
function guessHandleType(fd) {
  return kindNames[binding.kindOf(fd)] ?? 'UNKNOWN';
}

module.exports = {
  refusable,
  Handle,
  StreamHandle,
  asServer,
  onwritten,
  TCP,
  Pipe,
  TTY,
  guessHandleType,
  kOwner,
  UV_EOF,
  kTCP,
  kPipe,
  kIPC,
  kTTY,
  kUDP,
};
