'use strict';

// What a net.Socket has below it: the connection with its handle, and the diagnostics channels of net and dgram, which
// are made on first use.

const { ErrnoException } = require('internal/errors');
const { TCP, Pipe, kOwner, UV_EOF } = require('internal/stream_base');

const names = {
  clientSocket: 'net.client.socket',
  serverSocket: 'net.server.socket',
  datagramSocket: 'udp.socket',
  listenStart: 'tracing:net.server.listen:asyncStart',
  listenEnd: 'tracing:net.server.listen:asyncEnd',
  listenError: 'tracing:net.server.listen:error',
};

let channels;

function publish(which, message) {
  if (channels === undefined) {
    const { channel } = require('diagnostics_channel');
    channels = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, channel(name)]));
  }
  const channel = channels[which];
  if (channel.hasSubscribers) channel.publish(message);
}

// The connection between a socket and its handle: one Connection for each net.Socket, an explicit state machine.
//
//   idle -> resolving -> connecting -> open -> closed    (a socket that connects)
//   open -> closed                                       (a socket that was accepted, or given a handle)
//
// The connection reads, writes, shuts and closes the handle, keeps the options that were set before there was one, and
// measures the timeout. The socket is the Duplex in front of it. Most messages never touch the Duplex's queues: data
// that arrives while there is a listener is emitted, and data that is written while the queue is empty is passed to the
// system at once.

const IDLE = 0;
const RESOLVING = 1;
const CONNECTING = 2;
const OPEN = 3;
const CLOSED = 4;

const UV_ECANCELED = -125;
const UV_ENOTCONN = -107;
const UV_EBADF = -9;

const kConnection = Symbol('connection');

class Connection {
  constructor(socket) {
    this.socket = socket;
    this.handle = null;
    this.phase = IDLE;
    this.bound = false; // to an address, by net.BoundSocket
    this.wanted = undefined; // options that wait for a connection: { noDelay, keepAlive, delay, service }
    this.timer = null;
    this.unsent = 0; // bytes in the handle's queue when a write began to wait
    this.lent = undefined; // the program's own memory to read into: { memory, next, done }
    this.early = 0; // what became of a chunk that was written ahead of the Duplex
    this.earlyChunk = undefined;
    this.waiting = 0; // bytes that only the Duplex has so far
    this.farEnded = false; // the program knows that the other side has ended
    this.resets = false; // the end will be a reset
    this.blockList = undefined;
    this.local = undefined; // the names of both ends, once asked for
    this.remote = undefined;
    this.names = undefined; // functions that each handle gets, for programs that look for them there
    this.plainText = true; // strings without an encoding are UTF-8
    this.written = null; // the Duplex's callback of the write under way
    this.read = 0; // totals, once the handle is gone
    this.sent = 0;
  }

  // ---- the handle ----

  attach(handle) {
    this.handle = handle;
    handle[kOwner] = this.socket;
    handle.connection = this;
    handle.onread = receive;
    if (this.names !== undefined) Object.assign(handle, this.names);
    if (this.lent !== undefined) this.lend();
  }

  // Another attempt needs another handle.
  replace(handle) {
    this.handle?.close();
    this.attach(handle);
  }

  // -> the handle, which now has another owner, or null
  detach() {
    const { handle } = this;
    if (handle === null) return null;
    this.handle = null;
    this.read = handle.bytesRead ?? 0;
    this.sent = handle.bytesWritten ?? 0;
    handle.onread = ignore;
    return handle;
  }

  opened() {
    this.phase = OPEN;
    const { wanted, handle } = this;
    if (wanted === undefined) return;
    if (wanted.noDelay) handle.setNoDelay?.(true);
    if (wanted.keepAlive) handle.setKeepAlive?.(true, wanted.delay);
    if (wanted.service !== undefined) handle.setTypeOfService?.(wanted.service);
  }

  want(name, value) {
    (this.wanted ??= { noDelay: false, keepAlive: false, delay: 0, service: undefined })[name] = value;
  }

  get connecting() {
    return this.phase === RESOLVING || this.phase === CONNECTING;
  }

  // ---- reading ----

  startReading() {
    const { handle } = this;
    if (handle.reading) return;
    handle.reading = true;
    const err = handle.readStart();
    if (err) this.socket.destroy(new ErrnoException(err, 'read'));
  }

  stopReading() {
    const { handle } = this;
    if (handle === null || !handle.reading) return;
    handle.reading = false;
    const err = handle.readStop();
    if (err) this.socket.destroy(new ErrnoException(err, 'read'));
  }

  // The next read goes into the program's memory, if it gives some.
  lend() {
    const { lent } = this;
    const memory = lent.next !== undefined ? lent.next() : lent.memory;
    if (!(memory instanceof Uint8Array)) return;
    lent.memory = memory;
    this.handle.useUserBuffer(memory);
  }

  tookLent(count) {
    const { lent } = this;
    const goOn = lent.done.call(this.socket, count, lent.memory) !== false;
    if (lent.next !== undefined && this.handle !== null) this.lend();
    return goOn;
  }

  // ---- writing ----

  // Passes bytes to the system. `written` is called when all of them are written, or with an error.
  send(data, encoding, several, written) {
    const { handle } = this;
    this.touch();
    this.written = written;
    this.settle(several ? handle.writev(data, sent) : handle.write(data, encoding, sent));
  }

  // Writes a chunk without the Duplex. -> 0 if it is complete
  begin(chunk, encoding) {
    if (this.timer !== null || this.socket._parent !== null) this.touch();
    const result = this.handle.write(chunk, encoding, sent);
    if (result !== 0) {
      this.early = result;
      this.earlyChunk = chunk;
    }
    return result;
  }

  finishEarly(written) {
    const result = this.early;
    this.early = 0;
    this.earlyChunk = undefined;
    this.written = written;
    this.settle(result);
  }

  // The result of a write of the handle: 0 done, 1 later, or an error.
  settle(result) {
    if (result === 1) {
      if (this.timer !== null) this.unsent = this.handle.writeQueueSize;
      return;
    }
    const { written } = this;
    this.written = null;
    if (result === 0) written();
    else written(new ErrnoException(result, 'write'));
  }

  shut(callback) {
    const { handle } = this;
    if (handle === null || handle.shutdown === undefined) return callback();
    const err = handle.shutdown((status) => {
      callback(
        status === 0 || status === UV_ENOTCONN || status === UV_ECANCELED
          ? undefined
          : new ErrnoException(status, 'shutdown'),
      );
    });
    // A connection that is not open (any more) needs no shutdown.
    if (err === UV_ENOTCONN || err === UV_EBADF) callback();
    else if (err !== 0) callback(new ErrnoException(err, 'shutdown'));
  }

  // ---- timeout ----

  touch() {
    if (this.timer !== null) this.timer.refresh();
    const { _parent } = this.socket;
    if (_parent !== null && _parent !== undefined) this.socket._unrefTimer();
  }

  stopTimer() {
    if (this.timer === null) return;
    clearTimeout(this.timer);
    this.timer = null;
  }

  // Whether a large write has made progress since the last check: then the socket is not idle.
  movedOn() {
    if (this.unsent === 0 || this.handle === null) return false;
    const { writeQueueSize } = this.handle;
    if (writeQueueSize === this.unsent) return false;
    this.unsent = writeQueueSize;
    return true;
  }
}

// ---- called by the handle, which is `this` ----

function ignore() {}

function receive(nread, buffer) {
  const { connection } = this;
  const { socket } = connection;
  connection.touch();
  if (nread > 0) {
    let goOn;
    if (buffer === undefined) {
      goOn = connection.tookLent(nread);
    } else if (
      socket.readableFlowing === true &&
      socket.readableLength === 0 &&
      socket.readableDidRead &&
      socket.readableEncoding === null &&
      socket.listenerCount('data') !== 0
    ) {
      // If there is a listener, and it is not the first chunk, the Duplex need not record anything.
      socket.emit('data', buffer);
      return;
    } else {
      goOn = socket.push(buffer);
    }
    if (!goOn && connection.handle === this) connection.stopReading();
    return;
  }
  if (nread !== UV_EOF) {
    socket.destroy(new ErrnoException(nread, 'read'));
  } else if (!socket.readableEnded) {
    socket.push(null);
    socket.read(0);
  } else if (connection.lent !== undefined && !socket.writable) {
    socket.destroy();
  }
}

function sent(status, handle) {
  const { connection } = handle;
  const { written } = connection;
  connection.written = null;
  connection.unsent = 0;
  if (written === null) return;
  if (status < 0) {
    // A write that ended because the socket was destroyed is no error of its own.
    written(status === UV_ECANCELED && connection.socket.destroyed ? null : new ErrnoException(status, 'write'));
    return;
  }
  if (connection.handle !== null) connection.touch();
  written(null);
}

module.exports = { publish, Connection, kConnection, TCP, Pipe, IDLE, RESOLVING, CONNECTING, OPEN, CLOSED };
