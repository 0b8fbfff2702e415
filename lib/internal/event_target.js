'use strict';

// Event, EventTarget and CustomEvent as the DOM describes them, with Node's additions: listener limits, NodeEventTarget
// (an EventTarget with an emitter's methods) and event handler attributes. Listeners of a type are an array that is
// copied when it changes during a dispatch.

const { codes } = require('internal/errors');
const { validateObject, validateString, validateThisInternalField, kValidateObjectAllowObjects } = require('internal/validators');
const { kMaxEventTargetListeners, kMaxEventTargetListenersWarned } = require('events');

const kIsEventTarget = Symbol.for('nodejs.event_target');
const kIsNodeEventTarget = Symbol('kIsNodeEventTarget');
const kResistStopPropagation = Symbol('kResistStopPropagation');
const kNewListener = Symbol('kNewListener');
const kRemoveListener = Symbol('kRemoveListener');
const kEvents = Symbol('kEvents');
const kHandlers = Symbol('kHandlers');
const kTarget = Symbol('kTarget');
const kTrustEvent = Symbol('kTrustEvent');
const kCreateEvent = Symbol('kCreateEvent');
const kHybridDispatch = Symbol('kHybridDispatch');
const kIsBeingDispatched = Symbol('kIsBeingDispatched');
const kType = Symbol('type');
const kStop = Symbol('kStop');
const kDetail = Symbol('detail');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

let now = () => performance.now();
try {
  const binding = internalBinding('performance');
  if (typeof binding.now === 'function') now = binding.now;
} catch {
  // No such binding: the global clock does.
}

const trusted = new WeakSet();
const isTrustedGetter = Object.getOwnPropertyDescriptor({
  get isTrusted() {
    return trusted.has(this);
  },
}, 'isTrusted').get;

function isEvent(value) {
  return typeof value === 'object' && value !== null && typeof value[kType] === 'string';
}

function checkEvent(value) {
  if (!isEvent(value)) throw new codes.ERR_INVALID_THIS('Event');
}

class Event {
  #cancelable = false;
  #bubbles = false;
  #composed = false;
  #defaultPrevented = false;
  #timestamp = now();
  #propagationStopped = false;

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    if (options != null) {
      validateObject(options, 'options', kValidateObjectAllowObjects);
      this.#bubbles = !!options.bubbles;
      this.#cancelable = !!options.cancelable;
      this.#composed = !!options.composed;
    }
    this[kType] = `${type}`;
    if (options?.[kTrustEvent]) trusted.add(this);
    this[kTarget] = null;
    this[kIsBeingDispatched] = false;
    this[kStop] = false;
  }

  initEvent(type, bubbles = false, cancelable = false) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    if (this[kIsBeingDispatched]) return;
    this[kType] = `${type}`;
    this.#bubbles = !!bubbles;
    this.#cancelable = !!cancelable;
  }

  [kInspect](depth, options) {
    checkEvent(this);
    const name = this.constructor.name;
    if (depth < 0) return name;
    const inner = { ...options, depth: Number.isInteger(options.depth) ? options.depth - 1 : options.depth };
    return `${name} ${require('internal/util/inspect').inspect({
      type: this[kType],
      defaultPrevented: this.#defaultPrevented,
      cancelable: this.#cancelable,
      timeStamp: this.#timestamp,
    }, inner)}`;
  }

  stopImmediatePropagation() {
    checkEvent(this);
    this.#propagationStopped = true;
    this[kStop] = true;
  }

  preventDefault() {
    checkEvent(this);
    this.#defaultPrevented = true;
  }

  get target() {
    checkEvent(this);
    return this[kTarget];
  }

  get currentTarget() {
    checkEvent(this);
    return this[kIsBeingDispatched] ? this[kTarget] : null;
  }

  get srcElement() {
    checkEvent(this);
    return this[kTarget];
  }

  get type() {
    checkEvent(this);
    return this[kType];
  }

  get cancelable() {
    checkEvent(this);
    return this.#cancelable;
  }

  get defaultPrevented() {
    checkEvent(this);
    return this.#cancelable && this.#defaultPrevented;
  }

  get timeStamp() {
    checkEvent(this);
    return this.#timestamp;
  }

  composedPath() {
    checkEvent(this);
    return this[kIsBeingDispatched] ? [this[kTarget]] : [];
  }

  get returnValue() {
    checkEvent(this);
    return !this.#cancelable || !this.#defaultPrevented;
  }

  get bubbles() {
    checkEvent(this);
    return this.#bubbles;
  }

  get composed() {
    checkEvent(this);
    return this.#composed;
  }

  get eventPhase() {
    checkEvent(this);
    return this[kIsBeingDispatched] ? Event.AT_TARGET : Event.NONE;
  }

  get cancelBubble() {
    checkEvent(this);
    return this.#propagationStopped;
  }

  set cancelBubble(value) {
    checkEvent(this);
    if (value) this.#propagationStopped = true;
  }

  stopPropagation() {
    checkEvent(this);
    this.#propagationStopped = true;
  }
}

function enumerableOn(prototype, names) {
  for (const name of names) Object.defineProperty(prototype, name, { __proto__: null, enumerable: true });
}

Object.defineProperties(Event.prototype, {
  [Symbol.toStringTag]: { __proto__: null, writable: false, enumerable: false, configurable: true, value: 'Event' },
  isTrusted: { __proto__: null, get: isTrustedGetter, enumerable: true, configurable: false },
});
enumerableOn(Event.prototype, [
  'initEvent', 'stopImmediatePropagation', 'preventDefault', 'target', 'currentTarget', 'srcElement', 'type', 'cancelable',
  'defaultPrevented', 'timeStamp', 'composedPath', 'returnValue', 'bubbles', 'composed', 'eventPhase', 'cancelBubble', 'stopPropagation',
]);
for (const holder of [Event, Event.prototype]) {
  for (const [name, value] of [['NONE', 0], ['CAPTURING_PHASE', 1], ['AT_TARGET', 2], ['BUBBLING_PHASE', 3]]) {
    if (holder === Event.prototype) continue;
    Object.defineProperty(holder, name, { __proto__: null, value, writable: false, enumerable: true, configurable: false });
  }
}

class CustomEvent extends Event {
  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    super(type, options);
    this[kDetail] = options?.detail ?? null;
  }

  get detail() {
    if (!(kDetail in this)) throw new codes.ERR_INVALID_THIS('CustomEvent');
    return this[kDetail];
  }
}
Object.defineProperties(CustomEvent.prototype, {
  [Symbol.toStringTag]: { __proto__: null, writable: false, enumerable: false, configurable: true, value: 'CustomEvent' },
  detail: { __proto__: null, enumerable: true },
});

// Kept for programs that look at it: the private keys under the names that tests of the DOM expect are not needed here.
class Listener {
  constructor(callback, capture, once, passive, isNodeStyle, resistStop, signal, target, type) {
    this.original = callback;
    this.capture = capture;
    this.once = once;
    this.passive = passive;
    this.isNodeStyle = isNodeStyle;
    this.resistStop = resistStop;
    this.removed = false;
    this.signal = signal;
    this.target = target;
    this.type = type;
  }
}

function initEventTarget(self) {
  self[kEvents] = new Map();
  self[kMaxEventTargetListeners] = require('events').defaultMaxListeners;
  self[kMaxEventTargetListenersWarned] = false;
  self[kHandlers] = undefined;
}

function checkTarget(value) {
  if (!isEventTarget(value)) throw new codes.ERR_INVALID_THIS('EventTarget');
}

function shouldAdd(listener) {
  if (typeof listener === 'function' || typeof listener?.handleEvent === 'function') return true;
  if (listener == null) return false;
  if (typeof listener === 'object') return true;
  throw new codes.ERR_INVALID_ARG_TYPE('listener', 'EventListener', listener);
}

function parseOptions(options) {
  if (typeof options === 'boolean') return { capture: options };
  if (options === null || options === undefined) return {};
  if (typeof options !== 'object' && typeof options !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('options', 'object', options);
  return options;
}

const kNone = Object.freeze({ __proto__: null });

class EventTarget {
  static [kIsEventTarget] = true;

  constructor() {
    initEventTarget(this);
  }

  [kNewListener](size, type) {
    if (this[kMaxEventTargetListeners] > 0 && size > this[kMaxEventTargetListeners] && !this[kMaxEventTargetListenersWarned]) {
      this[kMaxEventTargetListenersWarned] = true;
      const warning = new Error(
        `Possible EventTarget memory leak detected. ${size} ${type} listeners added to ` +
        `${require('internal/util/inspect').inspect(this, { depth: -1 })}. MaxListeners is ${this[kMaxEventTargetListeners]}. ` +
        'Use events.setMaxListeners() to increase limit');
      warning.name = 'MaxListenersExceededWarning';
      warning.target = this;
      warning.type = type;
      warning.count = size;
      process.emitWarning(warning);
    }
  }

  [kRemoveListener](size, type, listener, capture) {}

  addEventListener(type, listener, options = kNone) {
    checkTarget(this);
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('type', 'listener');
    let capture = false;
    let once = false;
    let passive = false;
    let signal;
    let isNodeStyle = false;
    let resistStop = false;
    if (options !== kNone) {
      const parsed = parseOptions(options);
      once = !!parsed.once;
      capture = !!parsed.capture;
      passive = !!parsed.passive;
      signal = parsed.signal;
      isNodeStyle = !!parsed[kIsNodeEventTarget];
      resistStop = !!parsed[kResistStopPropagation];
      if (signal !== undefined) {
        if (signal === null || typeof signal !== 'object' || !('aborted' in signal)) {
          throw new codes.ERR_INVALID_ARG_TYPE('options.signal', 'AbortSignal', signal);
        }
      }
    }
    if (!shouldAdd(listener)) {
      const warning = new Error(`addEventListener called with ${listener} which has no effect.`);
      warning.name = 'AddEventListenerArgumentTypeWarning';
      warning.target = this;
      warning.type = type;
      process.emitWarning(warning);
      return;
    }
    type = `${type}`;
    if (signal) {
      if (signal.aborted) return;
      signal.addEventListener('abort', () => this.removeEventListener(type, listener, options),
        { __proto__: null, once: true, [kResistStopPropagation]: true });
    }
    const list = this[kEvents].get(type);
    const entry = new Listener(listener, capture, once, passive, isNodeStyle, resistStop, signal, this, type);
    if (list === undefined) {
      this[kEvents].set(type, [entry]);
      this[kNewListener](1, type, listener, once, capture, passive, false);
      return;
    }
    for (let i = 0; i < list.length; i++) {
      if (list[i].original === listener && list[i].capture === capture) return;
    }
    // A dispatch may be walking the old array.
    const next = list.slice();
    next.push(entry);
    this[kEvents].set(type, next);
    this[kNewListener](next.length, type, listener, once, capture, passive, false);
  }

  removeEventListener(type, listener, options = kNone) {
    checkTarget(this);
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('type', 'listener');
    if (!shouldAdd(listener)) return;
    type = `${type}`;
    const capture = !!(typeof options === 'boolean' ? options : options?.capture);
    const list = this[kEvents].get(type);
    if (list === undefined) return;
    for (let i = 0; i < list.length; i++) {
      const entry = list[i];
      if (entry.original === listener && entry.capture === capture) {
        removeEntry(this, type, list, i);
        this[kRemoveListener](this[kEvents].get(type)?.length ?? 0, type, listener, capture);
        return;
      }
    }
  }

  dispatchEvent(event) {
    checkTarget(this);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('event');
    if (!isEvent(event)) throw new codes.ERR_INVALID_ARG_TYPE('event', 'Event', event);
    if (event[kIsBeingDispatched]) throw new codes.ERR_EVENT_RECURSION(event.type);
    this[kHybridDispatch](event, event.type, event);
    return event.defaultPrevented !== true;
  }

  [kHybridDispatch](nodeValue, type, event) {
    const list = this[kEvents].get(type);
    if (event !== undefined) {
      event[kTarget] = this;
      event[kIsBeingDispatched] = true;
    }
    if (list === undefined) {
      if (event !== undefined) event[kIsBeingDispatched] = false;
      return true;
    }
    for (let i = 0; i < list.length; i++) {
      const entry = list[i];
      if (entry.removed || (!entry.resistStop && event?.[kStop] === true)) continue;
      if (entry.once) {
        const current = this[kEvents].get(type);
        const position = current === undefined ? -1 : current.indexOf(entry);
        if (position !== -1) {
          removeEntry(this, type, current, position);
          this[kRemoveListener](this[kEvents].get(type)?.length ?? 0, type, entry.original, entry.capture);
        }
      }
      try {
        let argument;
        if (entry.isNodeStyle) {
          argument = nodeValue;
        } else {
          if (event === undefined) {
            event = this[kCreateEvent](nodeValue, type);
            event[kTarget] = this;
            event[kIsBeingDispatched] = true;
          }
          argument = event;
        }
        const callback = entry.original;
        let result;
        if (typeof callback === 'function') {
          result = callback.call(this, argument);
        } else {
          const handle = callback.handleEvent;
          if (typeof handle === 'function') result = handle.call(callback, argument);
        }
        if (result !== undefined && result !== null) watchResult(result);
      } catch (err) {
        emitUncaught(err);
      }
    }
    if (event !== undefined) event[kIsBeingDispatched] = false;
    return undefined;
  }

  [kCreateEvent](nodeValue, type) {
    return nodeValue;
  }

  [kInspect](depth, options) {
    if (!isEventTarget(this)) return this;
    const name = this.constructor.name;
    if (depth < 0) return name;
    const inner = { ...options, depth: Number.isInteger(options.depth) ? options.depth - 1 : options.depth };
    return `${name} ${require('internal/util/inspect').inspect({}, inner)}`;
  }
}

Object.defineProperties(EventTarget.prototype, {
  addEventListener: { __proto__: null, enumerable: true },
  removeEventListener: { __proto__: null, enumerable: true },
  dispatchEvent: { __proto__: null, enumerable: true },
  [Symbol.toStringTag]: { __proto__: null, writable: false, enumerable: false, configurable: true, value: 'EventTarget' },
});

function removeEntry(target, type, list, position) {
  list[position].removed = true;
  if (list.length === 1) {
    target[kEvents].delete(type);
    return;
  }
  const next = list.slice();
  next.splice(position, 1);
  target[kEvents].set(type, next);
}

function watchResult(result) {
  let then;
  try {
    then = result.then;
  } catch (err) {
    emitUncaught(err);
    return;
  }
  if (typeof then === 'function') then.call(result, undefined, emitUncaught);
}

function emitUncaught(err) {
  process.nextTick(() => {
    throw err;
  });
}

// An EventTarget with the methods of an EventEmitter, for those who know the emitter's names.
class NodeEventTarget extends EventTarget {
  static [kIsNodeEventTarget] = true;
  static defaultMaxListeners = 10;

  constructor() {
    super();
    initEventTarget(this);
  }

  setMaxListeners(n) {
    checkNodeTarget(this);
    require('events').setMaxListeners(n, this);
  }

  getMaxListeners() {
    checkNodeTarget(this);
    return this[kMaxEventTargetListeners];
  }

  eventNames() {
    checkNodeTarget(this);
    return Array.from(this[kEvents].keys());
  }

  listenerCount(type) {
    checkNodeTarget(this);
    return this[kEvents].get(String(type))?.length ?? 0;
  }

  off(type, listener, options) {
    checkNodeTarget(this);
    this.removeEventListener(type, listener, options);
    return this;
  }

  removeListener(type, listener, options) {
    checkNodeTarget(this);
    this.removeEventListener(type, listener, options);
    return this;
  }

  on(type, listener) {
    checkNodeTarget(this);
    this.addEventListener(type, listener, { [kIsNodeEventTarget]: true });
    return this;
  }

  addListener(type, listener) {
    checkNodeTarget(this);
    this.addEventListener(type, listener, { [kIsNodeEventTarget]: true });
    return this;
  }

  emit(type, arg) {
    checkNodeTarget(this);
    validateString(type, 'type');
    const had = this.listenerCount(type) > 0;
    this[kHybridDispatch](arg, type);
    return had;
  }

  once(type, listener) {
    checkNodeTarget(this);
    this.addEventListener(type, listener, { once: true, [kIsNodeEventTarget]: true });
    return this;
  }

  removeAllListeners(type) {
    checkNodeTarget(this);
    if (type !== undefined) this[kEvents].delete(String(type));
    else this[kEvents].clear();
    return this;
  }
}
enumerableOn(NodeEventTarget.prototype, [
  'setMaxListeners', 'getMaxListeners', 'eventNames', 'listenerCount', 'off', 'removeListener', 'on', 'addListener', 'once', 'emit',
  'removeAllListeners',
]);

function checkNodeTarget(value) {
  if (!value?.constructor?.[kIsNodeEventTarget]) throw new codes.ERR_INVALID_THIS('NodeEventTarget');
}

function isEventTarget(value) {
  return value?.constructor?.[kIsEventTarget] === true;
}

function listenersOf(target, type) {
  const list = target[kEvents]?.get(String(type));
  return list === undefined ? [] : list.map((entry) => entry.original);
}

// `target.onname = f`: f is called in the place where the attribute was first set.
function defineEventHandler(prototype, name, event = name) {
  const property = `on${name}`;
  Object.defineProperty(prototype, property, {
    __proto__: null,
    get: { [`get ${property}`]() {
      validateThisInternalField(this, kHandlers, 'EventTarget');
      return this[kHandlers]?.get(event)?.handler ?? null;
    } }[`get ${property}`],
    set: { [`set ${property}`](value) {
      validateThisInternalField(this, kHandlers, 'EventTarget');
      this[kHandlers] ??= new Map();
      let wrapped = this[kHandlers].get(event);
      if (wrapped) {
        if (typeof wrapped.handler === 'function') {
          const list = this[kEvents].get(event);
          this[kRemoveListener]((list?.length ?? 1) - 1, event, wrapped.handler, false);
        }
        wrapped.handler = value;
        if (typeof value === 'function') this[kNewListener](this[kEvents].get(event)?.length ?? 1, event, value, false, false, false, false);
      } else {
        wrapped = function (...args) {
          if (typeof wrapped.handler !== 'function') return undefined;
          return Reflect.apply(wrapped.handler, this, args);
        };
        wrapped.handler = value;
        this.addEventListener(event, wrapped);
        this[kHandlers].set(event, wrapped);
      }
    } }[`set ${property}`],
    configurable: true,
    enumerable: true,
  });
}

module.exports = {
  Event,
  CustomEvent,
  EventTarget,
  NodeEventTarget,
  defineEventHandler,
  initEventTarget,
  isEventTarget,
  listenersOf,
  kCreateEvent,
  kNewListener,
  kRemoveListener,
  kTrustEvent,
  kEvents,
  kHybridDispatch,
  kTarget,
  kResistStopPropagation,
  kIsNodeEventTarget,
};
