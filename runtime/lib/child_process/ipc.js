'use strict';

// The channel between a process and its child: messages in frames (internal/child_process/frames.js) over a unix socket
// that can transfer handles, too. A handle is sent with a message of its own, and the other side acknowledges it before
// anything else is sent.
//
//   open -> leaving (disconnected, but a handle is on its way) -> closed

const EventEmitter = require('events');
const { codes, ErrnoException } = require('internal/errors');
const { Pipe } = require('internal/stream_base');
const { validateFunction, validateObject } = require('internal/validators');
const { framesFor } = require('internal/child_process/frames');

const UV_EBADF = -9;
const ENOUGH = 128 * 1024; // `send` returns false if more bytes than this are in transit
const TRIES = 3;

const kChannel = Symbol('channel handle');
const sendable = ['string', 'object', 'number', 'boolean'];

// Internal messages.
function isInternal(message) {
  return (
    typeof message === 'object' && message !== null && typeof message.cmd === 'string' && /^NODE_./.test(message.cmd)
  );
}

// The channel as a program sees it: process.channel, child.channel. Listeners, and callers of refCounted(), keep the
// process alive, unless the program has called ref() or unref().
class Control extends EventEmitter {
  #pipe;
  #count = 0;
  #decided = false;

  constructor(pipe) {
    super();
    this.#pipe = pipe;
  }

  get fd() {
    return this.#pipe.fd;
  }

  ref() {
    this.#decided = true;
    this.#pipe.ref();
  }

  unref() {
    this.#decided = true;
    this.#pipe.unref();
  }

  refCounted() {
    if (++this.#count === 1 && !this.#decided) this.#pipe.ref();
  }

  unrefCounted() {
    if (--this.#count === 0 && !this.#decided) this.#pipe.unref();
  }
}

class Channel {
  #pipe;
  #frames;
  #farEnd; // to be called when the other side is gone
  #farEnded = false;
  #state = 'open';
  #received = []; // handles, each of which waits for its message
  #unheard = []; // messages for which nobody listens yet
  #flight; // the handle that is on its way: { note, handle, kind, options, tries }
  #queue = []; // what waits until it is there

  constructor(target, pipe, serialization, farEnd) {
    this.target = target;
    this.#pipe = pipe;
    this.#frames = framesFor(serialization);
    this.#farEnd = farEnd;
    target.channel = this.control = new Control(pipe);
    target[kChannel] = pipe;
    target.connected = true;
    target.send = (...args) => this.#send(...args);
    target._send = (message, handle, options, callback) =>
      this.post(message, handle, typeof options === 'object' ? options : { swallowErrors: options }, callback);
    target.disconnect = () => this.#disconnect();
    target._disconnect = () => this.#leave();
    if (target === process)
      target.on('newListener', (name) => {
        if (name === 'message' && this.#unheard.length > 0) process.nextTick(() => this.#hearAll());
      });
    pipe.onread = (nread, bytes, handle) => this.#read(nread, bytes, handle);
    pipe.readStart();
  }

  // Whether no more messages will come.
  get ended() {
    return this.#farEnded || this.#state === 'closed';
  }

  // ---- in ----

  #read(nread, bytes, handle) {
    if (handle !== undefined) this.#received.push(handle);
    if (nread < 0) {
      this.#pipe.onread = () => {};
      this.#farEnded = true;
      this.target.connected = false;
      if (this.#state !== 'closed') process.nextTick(() => this.#close());
      this.#farEnd?.();
      return;
    }
    let problem;
    this.#frames.feed(
      bytes,
      (message) => {
        if (this.#state !== 'closed') this.#arrived(message);
      },
      (error) => {
        problem ??= error;
      },
    );
    // An error is an uncaught exception, as if the program itself had read the message.
    if (problem !== undefined) throw problem;
  }

  #arrived(message) {
    if (!isInternal(message)) return this.#deliver(message);
    if (Object.hasOwn(Channel.#commands, message.cmd)) return Channel.#commands[message.cmd](this, message);
    this.#deliver(message, undefined, 'internalMessage');
  }

  static #commands = {
    NODE_HANDLE_ACK: (channel) => channel.#handleAcknowledged(),
    NODE_HANDLE_NACK: (channel) => channel.#lost(),
    NODE_HANDLE(channel, note) {
      const { kinds } = require('internal/child_process/handles');
      const handle = channel.#received.shift();
      channel.post({ cmd: handle === undefined ? 'NODE_HANDLE_NACK' : 'NODE_HANDLE_ACK' }, undefined, {
        swallowErrors: true,
      });
      if (handle === undefined) return;
      if (!Object.hasOwn(kinds, note.type)) {
        handle.close();
        return;
      }
      const name = isInternal(note.msg) ? 'internalMessage' : 'message';
      kinds[note.type].take(note, handle, channel, (object) => channel.#deliver(note.msg, object, name));
    },
  };

  // Emits the message in a tick of its own. A child's messages wait until there is a listener.
  #deliver(message, handle, name = 'message') {
    process.nextTick(() => {
      const { target } = this;
      if (target === process && name === 'message' && target.listenerCount(name) === 0 && this.#state !== 'closed') {
        this.#unheard.push([message, handle]);
      } else {
        target.emit(name, message, handle);
      }
    });
  }

  #hearAll() {
    for (const args of this.#unheard.splice(0)) this.target.emit('message', ...args);
  }

  // ---- out ----

  // The public send: ([message][, handle][, options][, callback])
  #send(message, handle, options, callback) {
    if (typeof handle === 'function') [handle, options, callback] = [undefined, undefined, handle];
    else if (typeof options === 'function') [options, callback] = [undefined, options];
    else if (options !== undefined) validateObject(options, 'options');
    if (callback !== undefined) validateFunction(callback, 'callback');
    if (this.target.connected) return this.post(message, handle, { swallowErrors: false, ...options }, callback);
    this.#fail(new codes.ERR_IPC_CHANNEL_CLOSED(), callback);
    return false;
  }

  #fail(error, callback) {
    process.nextTick(() => {
      if (typeof callback === 'function') callback(error);
      else this.target.emit('error', error);
    });
  }

  // -> whether there is room for more
  post(message, object, options, callback) {
    if (message === undefined) throw new codes.ERR_MISSING_ARGS('message');
    if (!sendable.includes(typeof message)) throw new codes.ERR_INVALID_ARG_TYPE('message', sendable, message);
    const { kinds, kindOf } = object ? require('internal/child_process/handles') : {};
    const type = object ? kindOf(object) : undefined;
    if (this.#flight !== undefined && !isInternal(message)) {
      this.#queue.push([message, object, options, callback]);
      return this.#queue.length === 1;
    }
    if (!object) return this.#write(message, undefined, options, callback);
    const kind = kinds[type];
    const note = { cmd: 'NODE_HANDLE', type, msg: message };
    const handle = kind.give(object, note, options, this);
    if (!handle) return this.#write(message, undefined, options, callback); // it is closed already
    const room = this.#write(note, handle, options, callback);
    this.#flight = { note, handle, kind, options, tries: 1 };
    return room;
  }

  #write(message, handle, options, callback) {
    const pipe = this.#pipe;
    const written = (status) => {
      if (typeof callback === 'function')
        callback(status < 0 && !options.swallowErrors ? new ErrnoException(status, 'write') : null);
    };
    const frame = this.#frames.encode(message);
    const result = pipe.id < 0 ? UV_EBADF : pipe.write(frame, 'utf8', written, handle);
    if (result < 0) {
      if (!options.swallowErrors) this.#fail(new ErrnoException(result, 'write'), callback);
      return false;
    }
    if (result === 0 && typeof callback === 'function') process.nextTick(callback, null);
    return pipe.writeQueueSize < ENOUGH;
  }

  // The other side has the handle; messages that waited for that are sent now.
  #handleAcknowledged() {
    this.#giveUp();
    const waiting = this.#queue;
    this.#queue = [];
    for (const args of waiting) this.post(...args);
    if (this.#state === 'leaving' && this.#flight === undefined) this.#closeSoon();
  }

  // The message arrived without its handle.
  #lost() {
    const flight = this.#flight;
    if (flight === undefined || flight.tries++ >= TRIES) this.#handleAcknowledged();
    else this.#write(flight.note, flight.handle, flight.options);
  }

  #giveUp() {
    const flight = this.#flight;
    this.#flight = undefined;
    flight?.kind.given?.(flight.handle, flight.options);
  }

  // ---- the end ----

  #disconnect() {
    if (this.target.connected) this.#leave();
    else this.target.emit('error', new codes.ERR_IPC_DISCONNECTED());
  }

  #leave() {
    this.target.connected = false;
    if (this.#state !== 'open') return;
    this.#state = 'leaving';
    if (this.#flight === undefined) this.#closeSoon();
  }

  #closeSoon() {
    this.target.channel = null;
    // Messages that were sent must arrive: the pipe is closed when the kernel has accepted everything.
    const close = () => {
      if (this.#pipe.writeQueueSize > 0 && this.#pipe.id >= 0) setImmediate(close);
      else this.#close();
    };
    process.nextTick(close);
  }

  #close() {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    const { target } = this;
    this.#giveUp();
    for (const handle of this.#received.splice(0)) handle.close();
    this.#pipe.close();
    target.channel = null;
    target[kChannel] = null;
    target.emit('disconnect');
  }
}

function openChannel(child, pipe, serialization, farEnd) {
  return new Channel(child, pipe, serialization, farEnd);
}

// In the child: the channel that the parent left open at this descriptor.
function openInChild(fd, serialization) {
  const pipe = new Pipe(undefined, true);
  pipe.open(fd);
  pipe.unref();
  const { control } = new Channel(process, pipe, serialization);
  const keeping = (name) => name === 'message' || name === 'disconnect';
  process.on('newListener', (name) => {
    if (keeping(name)) control.refCounted();
  });
  process.on('removeListener', (name) => {
    if (keeping(name)) control.unrefCounted();
  });
}

module.exports = { openChannel, openInChild, kChannel };
