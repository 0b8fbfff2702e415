'use strict';

// The handle of a UDP socket.

const binding = internalBinding('udp');
const streams = internalBinding('stream');
const { Handle, kUDP, refusable } = require('internal/stream_base');
const frame = require('internal/async/context');
const { Buffer } = require('internal/buffer/class');

const FastBuffer = Buffer[Symbol.species];
const kHandleOf = Symbol('handle of a socket');
const kPendingSend = binding.pending;

let lastKey = 0;

class UDP extends Handle {
  constructor(id, flags = 0) {
    super(kUDP, typeof id === 'number' ? id : -1, flags);
    this.onmessage = undefined;
    this.sends = undefined; // callbacks of datagrams that wait for room, by key
  }

  open(fd) {
    return binding.open(this.id, fd);
  }

  bind(address, port, flags) {
    return refusable(() => binding.bind(this.id, address, port, 4, flags));
  }

  bind6(address, port, flags) {
    return refusable(() => binding.bind(this.id, address, port, 6, flags));
  }

  connect(address, port, family) {
    return refusable(() => binding.connect(this.id, address, port, family));
  }

  disconnect() {
    return binding.connect(this.id);
  }

  recvStart() {
    return binding.receiveStart(this.id);
  }

  recvStop() {
    return binding.receiveStop(this.id);
  }

  // Bytes sent; or kPendingSend, when the callback will get (status); or an error.
  send(list, callback, address, port, family) {
    const key = ++lastKey;
    const result = refusable(() =>
      address === undefined
        ? binding.send(this.id, list, list.length, key)
        : binding.send(this.id, list, list.length, key, address, port, family),
    );
    if (result === kPendingSend) (this.sends ??= new Map()).set(key, callback);
    return result;
  }

  getsockname(out) {
    return binding.name(this.id, false, out);
  }

  getpeername(out) {
    return binding.name(this.id, true, out);
  }

  setBroadcast(on) {
    return binding.set(this.id, 0, on);
  }

  setTTL(ttl) {
    return binding.set(this.id, 1, ttl);
  }

  setMulticastTTL(ttl) {
    return binding.set(this.id, 2, ttl);
  }

  setMulticastLoopback(on) {
    return binding.set(this.id, 3, on);
  }

  setMulticastInterface(name) {
    return binding.multicastInterface(this.id, name);
  }

  membership(join, group, through, source) {
    return binding.membership(this.id, join, group, through, source);
  }

  bufferSize(size, sending) {
    return binding.bufferSize(this.id, sending, size);
  }

  getSendQueueSize() {
    return binding.queue(this.id, 0);
  }

  getSendQueueCount() {
    return binding.queue(this.id, 1);
  }
}

function onmessage(nread, offset, memory, address, port, family) {
  frame.current = this.frame;
  if (frame.tracker !== null) frame.tracker.enter(this);
  this.onmessage?.(nread, nread >= 0 ? new FastBuffer(memory, offset, nread) : undefined, address, port, family);
  if (frame.tracker !== null) frame.tracker.leave();
  frame.current = undefined;
}

function onsent(status, key) {
  const callback = this.sends?.get(key);
  this.sends?.delete(key);
  frame.current = this.frame;
  callback?.(status);
  frame.current = undefined;
}

streams.setCallbacks({ message: onmessage, sent: onsent });

module.exports = { UDP, kHandleOf, kPendingSend };
