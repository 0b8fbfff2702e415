'use strict';

// The channel between a process and its child: messages, one for each line of JSON, over a unix socket that can carry
// handles, too. A handle is sent with a message of its own and acknowledged by the other side before the next one goes.

const EventEmitter = require('events');
const { codes, ErrnoException } = require('internal/errors');
const { TCP, Pipe } = require('internal/stream_base');
const { validateObject, validateBoolean, validateFunction } = require('internal/validators');
const { StringDecoder } = require('string_decoder');

const kPending = Symbol('kPendingMessages');
const kChannel = Symbol('kChannelHandle');

// What a program sees of the channel: process.channel, child.channel.
class Control extends EventEmitter {
  #channel;
  #refs = 0;
  #explicit = undefined;

  constructor(channel) {
    super();
    this.#channel = channel;
    this[kPending] = [];
  }

  get fd() {
    return this.#channel.fd;
  }

  hasRef() {
    return this.#channel.hasRef();
  }

  // Listeners keep the process alive, unless the program has said what it wants.
  refCounted() {
    if (++this.#refs === 1 && this.#explicit === undefined) this.#channel.ref();
  }

  unrefCounted() {
    if (--this.#refs === 0 && this.#explicit === undefined) {
      this.#channel.unref();
      this.emit('unref');
    }
  }

  ref() {
    this.#explicit = true;
    this.#channel.ref();
  }

  unref() {
    this.#explicit = false;
    this.#channel.unref();
  }
}

// ---- handles that can be sent ----

const conversions = {
  'net.Native': {
    simultaneousAccepts: true,
    send: (message, handle) => handle,
    got(message, handle, emit) {
      emit(handle);
    },
  },
  'net.Server': {
    send: (message, server) => server._handle,
    got(message, handle, emit) {
      const server = new (require('net').Server)();
      server.listen(handle, () => emit(server));
    },
  },
  'net.Socket': {
    send(message, socket, options, target) {
      if (!socket._handle) return undefined;
      if (socket.server) {
        // The server counts its connections, those that it gave away included.
        message.key = socket.server._connectionKey;
        if (target.socketLists === undefined) target.socketLists = { send: {}, got: {} };
        if (!target.socketLists.send[message.key]) {
          const list = new SocketListSend(target, message.key);
          target.socketLists.send[message.key] = list;
          socket.server._setupWorker(list);
        }
      }
      const handle = socket._handle;
      if (!options.keepOpen) {
        // The socket lives on elsewhere: here it ends, without closing what was sent.
        handle.onread = () => {};
        handle.reading = false;
        handle.readStop();
        if (socket._server && !options.keepOpen) {
          socket._server._connections--;
          socket._server = null;
        }
        socket._handle = null;
        socket.setTimeout(0);
      }
      return handle;
    },
    postSend(message, handle, options, callback, target) {
      if (handle && !options.keepOpen) {
        if (target) {
          handle.close();
          if (typeof callback === 'function') callback();
          return;
        }
        handle.close();
      }
    },
    got(message, handle, emit, target) {
      const socket = new (require('net').Socket)({ handle, readable: true, writable: true });
      if (message.key) {
        if (target.socketLists === undefined) target.socketLists = { send: {}, got: {} };
        const list = (target.socketLists.got[message.key] ??= new SocketListReceive(target, message.key));
        list.add({ socket });
      }
      emit(socket);
    },
  },
  'dgram.Native': {
    send: (message, handle) => handle,
    got(message, handle, emit) {
      emit(handle);
    },
  },
  'dgram.Socket': {
    send(message, socket) {
      message.dgramType = socket.type;
      return socket[require('internal/dgram').kState].handle;
    },
    got(message, handle, emit) {
      const socket = new (require('dgram').Socket)(message.dgramType);
      socket.bind(handle, () => emit(socket));
    },
  },
};

// The connections that a server gave to one child, seen from the server.
class SocketListSend extends EventEmitter {
  constructor(child, key) {
    super();
    this.key = key;
    this.child = child;
    child.once('exit', () => this.emit('exit', this));
  }

  _request(message, command, swallow, callback) {
    const { child } = this;
    function onclose() {
      child.removeListener('internalMessage', onreply);
      callback(new codes.ERR_CHILD_CLOSED_BEFORE_REPLY());
    }
    const onreply = (reply) => {
      if (reply.cmd !== command || reply.key !== this.key) return;
      child.removeListener('disconnect', onclose);
      child.removeListener('internalMessage', onreply);
      callback(null, reply);
    };
    if (!child.connected) {
      onclose();
      return;
    }
    child._send(message, undefined, swallow);
    child.once('disconnect', onclose);
    child.on('internalMessage', onreply);
  }

  close(callback) {
    this._request({ cmd: 'NODE_SOCKET_NOTIFY_CLOSE', key: this.key }, 'NODE_SOCKET_ALL_CLOSED', true, callback);
  }

  getConnections(callback) {
    this._request({ cmd: 'NODE_SOCKET_GET_COUNT', key: this.key }, 'NODE_SOCKET_COUNT', false,
                  (err, message) => (err ? callback(err) : callback(null, message.count)));
  }
}

// The same, seen from the child.
class SocketListReceive extends EventEmitter {
  constructor(child, key) {
    super();
    this.connections = 0;
    const onempty = () => {
      if (child.connected) child._send({ cmd: 'NODE_SOCKET_ALL_CLOSED', key }, undefined, true);
    };
    child.on('internalMessage', (message) => {
      if (message.key !== key) return;
      if (message.cmd === 'NODE_SOCKET_NOTIFY_CLOSE') {
        if (this.connections === 0) onempty();
        else this.once('empty', onempty);
      } else if (message.cmd === 'NODE_SOCKET_GET_COUNT' && child.connected) {
        child._send({ cmd: 'NODE_SOCKET_COUNT', key, count: this.connections });
      }
    });
  }

  add({ socket }) {
    this.connections++;
    socket.once('close', () => {
      this.connections--;
      if (this.connections === 0) this.emit('empty', this);
    });
  }
}

function kindOfHandle(handle) {
  const net = require('net');
  if (handle instanceof net.Socket) return 'net.Socket';
  if (handle instanceof net.Server) return 'net.Server';
  if (handle instanceof TCP || handle instanceof Pipe) return 'net.Native';
  const dgram = require('dgram');
  if (handle instanceof dgram.Socket) return 'dgram.Socket';
  if (handle instanceof require('internal/dgram').UDP) return 'dgram.Native';
  throw new codes.ERR_INVALID_HANDLE_TYPE();
}

// ---- frames ----

// JSON, one message a line.
function jsonCodec() {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  return {
    *read(buffer) {
      const lines = (rest + decoder.write(buffer)).split('\n');
      rest = lines.pop();
      for (const line of lines) yield JSON.parse(line);
    },
    write: (message) => `${JSON.stringify(message)}\n`,
  };
}

// Structured clones, each after its length in four bytes.
function advancedCodec() {
  const v8 = require('v8');
  const { Buffer } = require('buffer');
  let rest = Buffer.alloc(0);
  return {
    *read(buffer) {
      rest = rest.length === 0 ? buffer : Buffer.concat([rest, buffer]);
      while (rest.length >= 4) {
        const length = rest.readUInt32BE(0);
        if (rest.length < 4 + length) return;
        const message = v8.deserialize(rest.subarray(4, 4 + length));
        rest = rest.subarray(4 + length);
        yield message;
      }
    },
    write(message) {
      const body = v8.serialize(message);
      const head = Buffer.alloc(4);
      head.writeUInt32BE(body.length, 0);
      return Buffer.concat([head, body]);
    },
  };
}

function isInternal(message) {
  return message !== null && typeof message === 'object' && typeof message.cmd === 'string' && message.cmd.length > 5 &&
         message.cmd.startsWith('NODE_');
}

// ---- the channel ----

function setupChannel(target, channel, mode) {
  const codec = mode === 'advanced' ? advancedCodec() : jsonCodec();
  const control = new Control(channel);
  target.channel = control;
  target[kChannel] = channel;
  target._handleQueue = null;
  target._pendingMessage = null;
  target.connected = true;
  const handles = []; // received, each waiting for its message

  // A child's messages wait for somebody who listens.
  if (target === process) {
    target.on('newListener', function onNewListener(name) {
      if (name !== 'message' || control[kPending].length === 0) return;
      process.nextTick(() => {
        for (const args of control[kPending].splice(0)) target.emit(...args);
      });
    });
  }

  function handleMessage(message, handle, internal) {
    if (!target.channel) return;
    const name = internal ? 'internalMessage' : 'message';
    process.nextTick(() => {
      if (!internal && target === process && target.listenerCount('message') === 0 && target.channel) {
        target.channel[kPending].push([name, message, handle]);
        return;
      }
      target.emit(name, message, handle);
    });
  }

  function onmessage(message) {
    if (!isInternal(message)) {
      handleMessage(message, undefined, false);
      return;
    }
    switch (message.cmd) {
      case 'NODE_HANDLE_ACK':
      case 'NODE_HANDLE_NACK':
        acknowledged(message.cmd === 'NODE_HANDLE_NACK');
        return;
      case 'NODE_HANDLE': {
        const handle = handles.shift();
        if (handle === undefined) {
          target._send({ cmd: 'NODE_HANDLE_NACK' }, null, true);
          return;
        }
        target._send({ cmd: 'NODE_HANDLE_ACK' }, null, true);
        conversions[message.type].got(message, handle, (object) => {
          handleMessage(message.msg, object, isInternal(message.msg));
        }, target);
        return;
      }
      default:
        handleMessage(message, undefined, true);
    }
  }

  channel.pendingHandle = null;
  channel.onread = function(nread, buffer, handle) {
    if (handle !== undefined) handles.push(handle);
    if (nread > 0) {
      for (const message of codec.read(buffer)) {
        onmessage(message);
        if (!target.channel) break;
      }
      return;
    }
    if (nread < 0) {
      channel.onread = () => {};
      if (target.connected) target._disconnect();
      else finish();
      // Only the other side's end counts for the child's 'close'.
      if (target !== process) require('internal/child_process/child').maybeClose(target);
    }
  };

  // The other side has the handle; what waited for that goes now.
  function acknowledged(failed) {
    const pending = target._pendingMessage;
    if (pending !== null) {
      if (failed && ++pending.retries < 3) {
        target._send(pending.message, pending.handle, pending.options, pending.callback);
        return;
      }
      closePending();
    }
    const queue = target._handleQueue;
    target._handleQueue = null;
    if (queue !== null) {
      for (const args of queue) target._send(...args);
    }
    if (!target.connected && target.channel && !target._handleQueue) target._disconnect();
  }

  function closePending() {
    const pending = target._pendingMessage;
    if (pending === null) return;
    target._pendingMessage = null;
    pending.postSend?.(pending.message, pending.handle, pending.options, pending.callback, target);
  }

  target.send = function(message, handle, options, callback) {
    if (typeof handle === 'function') {
      callback = handle;
      handle = undefined;
      options = undefined;
    } else if (typeof options === 'function') {
      callback = options;
      options = undefined;
    } else if (options !== undefined) {
      validateObject(options, 'options');
    }
    options = { swallowErrors: false, ...options };
    if (callback !== undefined) validateFunction(callback, 'callback');
    if (options.keepOpen !== undefined && options.keepOpen !== null) validateBoolean(!!options.keepOpen, 'options.keepOpen');
    if (this.connected) return this._send(message, handle, options, callback);
    const error = new codes.ERR_IPC_CHANNEL_CLOSED();
    if (typeof callback === 'function') process.nextTick(callback, error);
    else process.nextTick(() => this.emit('error', error));
    return false;
  };

  target._send = function(message, handle, options, callback) {
    if (message === undefined) throw new codes.ERR_MISSING_ARGS('message');
    if (typeof message !== 'string' && typeof message !== 'object' && typeof message !== 'number' && typeof message !== 'boolean') {
      throw new codes.ERR_INVALID_ARG_TYPE('message', ['string', 'object', 'number', 'boolean'], message);
    }
    if (typeof options === 'boolean') options = { swallowErrors: options };
    options ??= { swallowErrors: false };
    let conversion;
    let native;
    if (handle) {
      message = { cmd: 'NODE_HANDLE', type: null, msg: message };
      message.type = kindOfHandle(handle);
      // One at a time: the rest waits for the acknowledgement.
      if (this._handleQueue) {
        this._handleQueue.push([message.msg, handle, options, callback]);
        return this._handleQueue.length === 1;
      }
      conversion = conversions[message.type];
      native = conversion.send(message, handle, options, target);
      if (!native) message = message.msg;
    } else if (this._handleQueue && !isInternal(message)) {
      this._handleQueue.push([message, undefined, options, callback]);
      return this._handleQueue.length === 1;
    }
    const text = codec.write(message);
    const written = (status) => {
      if (typeof callback === 'function') callback(status < 0 && !options.swallowErrors ? new ErrnoException(status, 'write') : null);
    };
    const result = channel.id < 0 ? -9 : channel.write(text, 'utf8', written, native);
    if (result < 0) {
      if (!options.swallowErrors) {
        const error = new ErrnoException(result, 'write');
        if (typeof callback === 'function') process.nextTick(callback, error);
        else process.nextTick(() => target.emit('error', error));
      }
      return false;
    }
    if (result === 0 && typeof callback === 'function') process.nextTick(callback, null);
    if (native) {
      this._pendingMessage = { callback: undefined, message, handle: native, options, retries: 0, postSend: conversion.postSend };
      this._handleQueue = [];
    }
    return channel.writeQueueSize < 65536 * 2;
  };

  target.disconnect = function() {
    if (!this.connected) {
      this.emit('error', new codes.ERR_IPC_DISCONNECTED());
      return;
    }
    this._disconnect();
  };

  let finished = false;
  function finish() {
    if (finished) return;
    finished = true;
    closePending();
    const closed = channel.id >= 0;
    if (closed) channel.close();
    target.channel = null;
    target[kChannel] = null;
    process.nextTick(() => target.emit('disconnect'));
  }

  target._disconnect = function() {
    // What was sent but not acknowledged comes first.
    this.connected = false;
    if (this._handleQueue !== null && this._pendingMessage !== null && channel.id >= 0 && channel.onread.length === 3) return;
    if (target !== process && channel.writeQueueSize > 0) {
      const wait = () => (channel.writeQueueSize > 0 && channel.id >= 0 ? setImmediate(wait) : finish());
      setImmediate(wait);
      return;
    }
    process.nextTick(finish);
  };

  channel.readStart();
  return control;
}

// In the child: the channel that the parent left open at this descriptor.
function forkChild(fd, mode) {
  const channel = new Pipe(undefined, true);
  channel.open(fd);
  channel.unref();
  const control = setupChannel(process, channel, mode);
  process.on('newListener', (name) => {
    if (name === 'message' || name === 'disconnect') control.refCounted();
  });
  process.on('removeListener', (name) => {
    if (name === 'message' || name === 'disconnect') control.unrefCounted();
  });
}

module.exports = { setupChannel, forkChild, kChannel };
