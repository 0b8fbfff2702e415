'use strict';

// BroadcastChannel: the channels of one name hear each other, also those of other threads (internal/worker/link).

const { codes } = require('internal/errors');
const { EventTarget, defineEventHandler } = require('internal/event_target');
const { cloneWithTransfer } = require('internal/structured_clone');
const { inner } = require('internal/messaging');

const { kState, PortState } = inner;

const broadcasts = new Map();

class BroadcastChannel extends EventTarget {
  #name;
  #closed = false;

  constructor(name) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('name');
    if (typeof name === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
    super();
    this.#name = `${name}`;
    const state = new PortState();
    state.owner = this;
    state.started = true;
    state.referenced = true;
    Object.defineProperty(this, kState, { __proto__: null, value: state, enumerable: false });
    let set = broadcasts.get(this.#name);
    if (set === undefined) broadcasts.set(this.#name, (set = new Set()));
    set.add(state);
    state.updateKeep();
    require('internal/worker/link').joinChannel(state, this.#name);
  }

  get name() {
    check(this, (self) => #name in self);
    return this.#name;
  }

  close() {
    check(this, (self) => #name in self);
    if (this.#closed) return;
    this.#closed = true;
    const state = this[kState];
    state.closed = true;
    state.link?.close();
    state.updateKeep();
    const set = broadcasts.get(this.#name);
    set?.delete(state);
    if (set?.size === 0) broadcasts.delete(this.#name);
  }

  postMessage(message) {
    check(this, (self) => #name in self);
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('message');
    const { DOMException } = require('internal/dom_exception');
    if (this.#closed) throw new DOMException('BroadcastChannel is closed.', 'InvalidStateError');
    const [copy] = cloneWithTransfer(message, []);
    this[kState].link?.broadcast(message);
    for (const state of broadcasts.get(this.#name) ?? []) {
      if (state === this[kState]) continue;
      state.queue.push({ data: cloneWithTransfer(copy, [])[0], ports: [] });
      state.schedule();
    }
  }

  ref() {
    check(this, (self) => #name in self);
    const state = this[kState];
    state.referenced = true;
    state.updateKeep();
    return this;
  }

  unref() {
    check(this, (self) => #name in self);
    const state = this[kState];
    state.referenced = false;
    state.updateKeep();
    return this;
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    check(this, (self) => #name in self);
    if (depth < 0) return 'BroadcastChannel';
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return (
      `BroadcastChannel ` +
      `${require('internal/util/inspect').inspect({ name: this.#name, active: !this.#closed }, inner)}`
    );
  }
}

function check(value, isOne) {
  if (typeof value !== 'object' || value === null || !isOne(value))
    throw new codes.ERR_INVALID_THIS('BroadcastChannel');
}

for (const name of ['name', 'close', 'postMessage'])
  Object.defineProperty(BroadcastChannel.prototype, name, { __proto__: null, enumerable: true });

Object.defineProperty(BroadcastChannel.prototype, Symbol.toStringTag, {
  __proto__: null,
  value: 'BroadcastChannel',
  configurable: true,
});

defineEventHandler(BroadcastChannel.prototype, 'message');

defineEventHandler(BroadcastChannel.prototype, 'messageerror');

module.exports = { BroadcastChannel };
