'use strict';

// MessageChannel, MessagePort and MessageEvent within one thread. A message is copied when it is sent and delivered
// from the loop, never at once. A port with a listener keeps the process alive until it is closed or unreferenced.

const { codes, E } = require('internal/errors');
const { validateObject } = require('internal/validators');
const {
  CustomEvent,
  Event,
  NodeEventTarget,
  defineEventHandler,
  initEventTarget,
  kNewListener,
  kRemoveListener,
  kCreateEvent,
  kTrustEvent,
} = require('internal/event_target');
const { cloneWithTransfer, kTransfer } = require('internal/structured_clone');
const frame = require('internal/async/context');
const hooks = require('internal/trace/hooks');
const { drainBefore } = require('internal/process/task_queues');
const deliveryOrder = require('internal/worker/delivery_order');
const { words, kCall } = require('internal/process/shared');
const binding = internalBinding('worker');

const {
  drain: { kDone, kMicrotasks },
} = require('internal/shared');

const html = internalBinding('runtime').isHtmlLoop ? require('internal/html/messages') : undefined;

E('ERR_CONSTRUCT_CALL_INVALID', 'Constructor cannot be called', TypeError);

const kState = Symbol('kState');

// ---------------------------------------------------------------- MessageEvent

function shown(value) {
  return require('internal/util/inspect').inspect(value);
}

function eventError(text) {
  const error = new TypeError(`MessageEvent constructor: ${text}`);
  error.code = 'ERR_INVALID_ARG_TYPE';
  return error;
}

class MessageEvent extends Event {
  #data;
  #origin;
  #lastEventId;
  #source;
  #ports;

  constructor(type, init = undefined) {
    super(type, init);
    if (init != null) validateObject(init, 'init');
    // A message may be undefined; the data of an event that a program constructs may not.
    this.#data = init?.data === undefined && init?.[kTrustEvent] !== true ? null : init.data;
    this.#origin = init?.origin === undefined ? '' : `${init.origin}`;
    this.#lastEventId = init?.lastEventId === undefined ? '' : `${init.lastEventId}`;
    const source = init?.source ?? null;
    if (source !== null && !(source instanceof MessagePort)) {
      throw eventError(`Expected eventInitDict.source ("${shown(source)}") to be an instance of MessagePort.`);
    }
    this.#source = source;
    const ports = init?.ports === undefined ? [] : init.ports;
    if (ports === null || typeof ports[Symbol.iterator] !== 'function') {
      throw eventError(`eventInitDict.ports (${shown(ports)}) is not iterable.`);
    }
    const list = [...ports];
    for (let i = 0; i < list.length; i++) {
      if (!(list[i] instanceof MessagePort))
        throw eventError(`Expected eventInitDict.ports[${i}] ("${shown(list[i])}") to be an instance of MessagePort.`);
    }
    this.#ports = Object.freeze(list);
  }

  get data() {
    return this.#data;
  }

  get origin() {
    return this.#origin;
  }

  get lastEventId() {
    return this.#lastEventId;
  }

  get source() {
    return this.#source;
  }

  get ports() {
    return this.#ports;
  }
}

for (const name of ['data', 'origin', 'lastEventId', 'source', 'ports']) {
  Object.defineProperty(MessageEvent.prototype, name, { __proto__: null, enumerable: true });
}

Object.defineProperty(MessageEvent.prototype, Symbol.toStringTag, {
  __proto__: null,
  value: 'MessageEvent',
  configurable: true,
});

// ---------------------------------------------------------------- keeping the process alive

// A timer that never expires in practice; it is referenced while the port is.
class KeepAlive {
  constructor() {
    this.timer = undefined;
  }

  set(on) {
    if (on && this.timer === undefined) {
      this.timer = setInterval(() => {}, 0x7fffffff);
    } else if (!on && this.timer !== undefined) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
  }
}

// ---------------------------------------------------------------- MessagePort

// The state of a port, apart from its object: two states are linked, and a state moves to another object when the port
// is transferred.
class PortState {
  constructor() {
    this.number = deliveryOrder.nextNumber();
    this.peer = null;
    this.queue = [];
    this.owner = null;
    this.started = false;
    this.referenced = false;
    this.scheduled = false;
    this.ended = false; // the other end is gone: kClose is the last in the queue
    this.closing = false; // 'close' comes in the loop's closing phase
    this.closed = false;
    this.detached = false;
    this.link = undefined; // to a peer in another thread (internal/worker/link)
    this.keep = new KeepAlive();
    this.frame = frame.current; // messages are delivered in the asynchronous context in which the port was made
  }

  updateKeep() {
    // By the HTML loop, a port whose other end is in the same thread keeps nobody alive: its messages are tasks.
    const matters = html === undefined || this.link !== undefined;
    this.keep.set(matters && this.referenced && !this.closed && !this.detached);
  }

  schedule() {
    if (this.scheduled || this.closing || this.queue.length === 0) return;
    // A port without a listener also gets 'close' when the other end is closed, unless it has unread messages.
    if (!this.started && this.queue[0] !== kClose) return;
    if (html !== undefined) return html.schedule(this, deliverOne);
    this.scheduled = true;
    deliveryOrder.wait(this);
  }

  deliver() {
    deliver(this);
  }
}

const kMaxPerTurn = 1000;

// Delivers all messages of one port, with ticks and promise jobs between two messages; the number in one round is
// limited, so that other ports get their turn.
function deliver(state) {
  state.scheduled = false;
  if (state.closing) return;
  deliverSome(state, Math.max(state.queue.length, kMaxPerTurn));
}

function deliverSome(state, left) {
  let drained = kDone;
  try {
    // After a listener or a tick has thrown, the other messages wait for the next round.
    while (drained === kDone && left-- > 0 && deliverOne(state)) drained = drainBefore(deliverRest, state, left);
  } finally {
    if (drained !== kMicrotasks) state.schedule();
  }
}

function deliverRest(state, left, failed) {
  if (failed) state.schedule();
  else deliverSome(state, left);
}

// Returns whether there is another one.
function deliverOne(state) {
  if (state.detached || state.queue.length === 0 || (!state.started && state.queue[0] !== kClose)) return false;
  const entry = state.queue.shift();
  if (entry === kClose) {
    beginClose(state);
    return false;
  }
  frame.current = state.frame;
  if (hooks.turn !== null) hooks.turn(entry.by);
  if (frame.tracker !== null) frame.tracker.enter(state.owner ?? state);
  if (state.closed) {
    drop(entry);
  } else {
    if (entry.moved !== undefined) received(entry);
    emitMessage(state, entry);
  }
  if (frame.tracker !== null) frame.tracker.leave();
  return state.queue.length > 0;
}

const kClose = Symbol('kClose');

function received({ moved }) {
  require('internal/worker/transfer').received(moved);
}

// Nobody receives the message: what was moved with it is closed.
function drop({ ports, moved }) {
  for (const port of ports) port.close();
  if (moved !== undefined) require('internal/worker/transfer').notReceived(moved);
}

function emitMessage(state, entry) {
  const { owner } = state;
  if (owner === null) return;
  // A port in the message is made now, for the order among ports.
  for (const port of entry.ports) port[kState].number = deliveryOrder.nextNumber();
  const event = new MessageEvent('message', { data: entry.data, ports: entry.ports, [kTrustEvent]: true });
  if (html === undefined) owner.dispatchEvent(event);
  else html.fire(owner, event);
}

class MessagePortCloseEvent extends Event {
  constructor() {
    super('close', { [kTrustEvent]: true });
  }
}

function beginClose(state) {
  if (state.closing) return;
  state.closing = true;
  binding.atClosing(() => finishClose(state));
}

// The other end is told when this one is closed, and so has its own closing phase for it.
function finishClose(state) {
  const { peer, owner } = state;
  state.closed = true;
  state.referenced = false;
  state.updateKeep();
  for (const entry of state.queue.splice(0)) if (entry !== kClose) drop(entry);
  state.link?.close();
  if (peer !== null && !peer.closing) {
    peer.ended = true;
    peer.queue.push(kClose);
    peer.schedule();
  }
  frame.current = state.frame;
  owner?.dispatchEvent(new MessagePortCloseEvent());
}

// The object of a port that was transferred can no longer be used.
function sayMoved(port) {
  binding.atClosing(() => port.dispatchEvent(new MessagePortCloseEvent()));
}

function notIterable(name) {
  const error = new TypeError(`Optional ${name} argument must be an iterable`);
  error.code = 'ERR_INVALID_ARG_TYPE';
  return error;
}

function toList(value, name) {
  if (value === null || typeof value !== 'object' || typeof value[Symbol.iterator] !== 'function')
    throw notIterable(name);
  const iterator = value[Symbol.iterator]();
  if (typeof iterator?.next !== 'function') throw notIterable(name);
  return [...value];
}

function checkPort(value) {
  if (typeof value !== 'object' || value === null || value[kState] === undefined)
    throw new TypeError('Illegal invocation');
  return value[kState];
}

// The methods of an emitter, besides the port's own.
class PortEmitter extends NodeEventTarget {
  on(type, listener) {
    this.addEventListener(type, wrapNodeListener(this, type, listener));
    if (html !== undefined && type === 'message') this.start();
    return this;
  }

  addListener(type, listener) {
    return this.on(type, listener);
  }

  once(type, listener) {
    this.addEventListener(type, wrapNodeListener(this, type, listener), { once: true });
    if (html !== undefined && type === 'message') this.start();
    return this;
  }

  off(type, listener) {
    const wrapped = listener?.[kWrapped]?.get(this)?.get(type);
    this.removeEventListener(type, wrapped ?? listener);
    return this;
  }

  removeListener(type, listener) {
    return this.off(type, listener);
  }
}

class PortImpl extends PortEmitter {
  constructor(state) {
    super();
    initEventTarget(this);
    Object.defineProperty(this, kState, {
      __proto__: null,
      value: state,
      writable: true,
      enumerable: false,
      configurable: true,
    });
    state.owner = this;
    frame.tracker?.create('MESSAGEPORT', this);
  }

  postMessage(...args) {
    const state = checkPort(this);
    if (args.length === 0) throw new codes.ERR_MISSING_ARGS('message');
    const [message, options] = args;
    let list = [];
    if (options !== undefined && options !== null) {
      if (typeof options !== 'object') {
        throw notIterable('transferList');
      }
      if (Array.isArray(options) || typeof options[Symbol.iterator] === 'function') {
        list = toList(options, 'transferList');
      } else if (options.transfer !== undefined) {
        list = toList(options.transfer, 'options.transfer');
      }
    }
    const { DOMException } = require('internal/dom_exception');
    if (list.includes(this)) throw new DOMException('Transfer list contains source port', 'DataCloneError');
    if (state.link !== undefined) {
      state.link.post(message, list, this);
      return;
    }
    const [data, ports, moved] = cloneWithTransfer(message, list);
    const { peer } = state;
    if (state.closing || state.closed || state.detached || peer === null || peer.closed) {
      drop({ ports, moved });
      return;
    }
    if (list.some((each) => (each?.[kState] === undefined ? false : ports.some((port) => port[kState] === peer)))) {
      process.emitWarning('The target port was posted to itself, and the communication channel was lost');
      this.close();
      return;
    }
    peer.queue.push({ data, ports, moved, by: words[kCall] }); // by: for traces; those of other threads have none
    peer.schedule();
  }

  close(callback) {
    const state = checkPort(this);
    if (typeof callback === 'function') this.once('close', callback);
    if (!state.closed && !state.detached) beginClose(state);
  }

  start() {
    const state = checkPort(this);
    if (state.started || state.closed) return;
    state.started = true;
    state.link?.pull();
    state.schedule();
  }

  ref() {
    const state = checkPort(this);
    state.referenced = true;
    state.updateKeep();
    return this;
  }

  unref() {
    const state = checkPort(this);
    state.referenced = false;
    state.updateKeep();
    return this;
  }

  hasRef() {
    const state = checkPort(this);
    return state.referenced && !state.closed && !state.detached;
  }

  [kNewListener](size, type, ...rest) {
    super[kNewListener](size, type, ...rest);
    if (type === 'message' && size > 0 && this[kState] !== undefined) {
      this.ref();
      if (html === undefined) this.start(); // by the HTML standard only the handler does
    }
  }

  [kRemoveListener](size, type, ...rest) {
    super[kRemoveListener](size, type, ...rest);
    if (type !== 'message' || size !== 0 || this[kState] === undefined) return;
    // Messages that come now wait for the next listener.
    this.unref();
    this[kState].started = false;
  }

  [kCreateEvent](data, type) {
    if (type !== 'message' && type !== 'messageerror') return super[kCreateEvent](data, type);
    return new MessageEvent(type, { data });
  }

  get [kTransfer]() {
    return portTransfer;
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    const state = this[kState];
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    const active = state !== undefined && !state.closed && !state.detached;
    const refed = state !== undefined && this.hasRef();
    return `MessagePort [EventTarget] ${inspect({ active, refed }, options)}`;
  }
}

const kWrapped = Symbol('kWrapped');

// A listener of the emitter interface gets the data itself, not an event.
function wrapNodeListener(port, type, listener) {
  if (typeof listener !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('listener', 'Function', listener);
  listener[kWrapped] ??= new WeakMap();
  Object.defineProperty(listener, kWrapped, { __proto__: null, enumerable: false });
  let byType = listener[kWrapped].get(port);
  if (byType === undefined) listener[kWrapped].set(port, (byType = new Map()));
  let wrapped = byType.get(type);
  if (wrapped === undefined) {
    wrapped = function (event) {
      if (type === 'message' || type === 'messageerror') return Reflect.apply(listener, this, [event.data]);
      return Reflect.apply(listener, this, [event instanceof CustomEvent ? event.detail : event]);
    };
    wrapped.listener = listener;
    byType.set(type, wrapped);
  }
  return wrapped;
}

const portTransfer = {
  detached: (port) => port[kState].detached || port[kState].closed || port[kState].closing,
  prepare(port) {
    const state = port[kState];
    const target = new PortImpl(state);
    // Until the message is complete, the old object stays the owner.
    state.owner = port;
    return {
      isPort: true,
      target,
      commit() {
        state.keep.set(false);
        state.referenced = false;
        state.started = false;
        state.owner = target;
        const gone = new PortState();
        gone.detached = true;
        gone.closed = true;
        port[kState] = gone;
        sayMoved(port);
        state.schedule();
      },
    };
  },
};

// The public constructor throws: ports come in pairs, from a MessageChannel.
function MessagePort() {
  throw new codes.ERR_CONSTRUCT_CALL_INVALID();
}

MessagePort.prototype = PortImpl.prototype;

Object.setPrototypeOf(MessagePort, PortEmitter);

Object.defineProperty(PortImpl.prototype, 'constructor', {
  __proto__: null,
  value: MessagePort,
  writable: true,
  enumerable: false,
  configurable: true,
});

for (const name of ['postMessage', 'start', 'close', 'ref', 'unref', 'hasRef']) {
  Object.defineProperty(MessagePort.prototype, name, { __proto__: null, enumerable: true });
}

Object.defineProperty(MessagePort.prototype, Symbol.toStringTag, {
  __proto__: null,
  value: 'MessagePort',
  configurable: true,
});

defineEventHandler(MessagePort.prototype, 'message');

if (html !== undefined) html.startByHandler(MessagePort.prototype);

defineEventHandler(MessagePort.prototype, 'messageerror');

function MessageChannel() {
  if (!new.target) throw new codes.ERR_CONSTRUCT_CALL_REQUIRED('MessageChannel');
  const one = new PortState();
  const two = new PortState();
  one.peer = two;
  two.peer = one;
  this.port1 = new PortImpl(one);
  this.port2 = new PortImpl(two);
}

function receiveMessageOnPort(port) {
  let state;
  if (port instanceof require('internal/broadcast_channel').BroadcastChannel) state = port[kState];
  else if (port?.[kState] !== undefined) state = port[kState];
  else {
    const error = new TypeError('The "port" argument must be a MessagePort instance');
    error.code = 'ERR_INVALID_ARG_TYPE';
    throw error;
  }
  state.link?.pull();
  if (state.queue.length === 0 || state.queue[0] === kClose) return undefined;
  const entry = state.queue.shift();
  if (entry.moved !== undefined) received(entry);
  return { message: entry.data };
}

// For internal/worker/link, which connects ports of different threads.
const inner = { kState, kClose, PortState, PortImpl, sayMoved };

module.exports = { MessageChannel, MessagePort, MessageEvent, receiveMessageOnPort, inner };
