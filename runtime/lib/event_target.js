'use strict';

// Event, CustomEvent and EventTarget of the DOM Standard, for targets without parents, and NodeEventTarget, which has
// some of an emitter's methods, too.
//
// The registrations of a type are an array that is replaced, never changed: a dispatch iterates over the array that it
// found, and skips registrations that were removed meanwhile.

const { codes } = require('internal/errors');
const hooks = require('internal/trace/hooks');
const { validateAbortSignal, validateObject, kValidateObjectAllowObjects } = require('internal/validators');
const { kMaxEventTargetListeners: limit, kMaxEventTargetListenersWarned: hasWarned } = require('events');

const { now } = internalBinding('performance');
const inspectCustom = Symbol.for('nodejs.util.inspect.custom');
const isTargetMark = Symbol.for('nodejs.event_target');
const kTrustEvent = Symbol('kTrustEvent');
const kCreateEvent = Symbol('kCreateEvent');
const kNewListener = Symbol('kNewListener');
const kRemoveListener = Symbol('kRemoveListener');
const kResistStopPropagation = Symbol('kResistStopPropagation');
const forEmitters = Symbol('forEmitters'); // an option of registrations made by NodeEventTarget's methods

// ---- events ----

// The operations of a dispatch on an event; set by the class, which alone has access to its fields.
let internals;

class Event {
  #type;
  #flags;
  #isTrusted;
  #time;
  #target = null;
  #dispatching = false;
  #passive = false; // a passive listener runs
  #prevented = false;
  #stopped = false;
  #stoppedAtOnce = false;

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    if (options !== undefined && options !== null) validateObject(options, 'options', kValidateObjectAllowObjects);
    this.#type = `${type}`;
    this.#flags = {
      bubbles: Boolean(options?.bubbles),
      cancelable: Boolean(options?.cancelable),
      composed: Boolean(options?.composed),
    };
    this.#isTrusted = Boolean(options?.[kTrustEvent]);
    this.#time = now();
  }

  static {
    internals = {
      isEvent: (value) => typeof value === 'object' && value !== null && #type in value,
      isDispatching: (event) => event.#dispatching,
      isStopped: (event) => event.#stopped,
      isStoppedAtOnce: (event) => event.#stoppedAtOnce,
      setPassive(event, passive) {
        event.#passive = passive;
      },
      begin(event, target) {
        event.#target = target;
        event.#dispatching = true;
      },
      end(event) {
        event.#dispatching = false;
        event.#stopped = event.#stoppedAtOnce = false;
      },
    };
  }

  static #check(event) {
    if (!internals.isEvent(event)) throw new codes.ERR_INVALID_THIS('Event');
    return event;
  }

  get type() {
    return Event.#check(this).#type;
  }
  get target() {
    return Event.#check(this).#target;
  }
  get srcElement() {
    return Event.#check(this).#target;
  }
  get currentTarget() {
    return Event.#check(this).#dispatching ? this.#target : null;
  }
  get eventPhase() {
    return Event.#check(this).#dispatching ? Event.AT_TARGET : Event.NONE;
  }
  get cancelable() {
    return Event.#check(this).#flags.cancelable;
  }
  get bubbles() {
    return Event.#check(this).#flags.bubbles;
  }
  get composed() {
    return Event.#check(this).#flags.composed;
  }
  get defaultPrevented() {
    return Event.#check(this).#prevented;
  }
  get timeStamp() {
    return Event.#check(this).#time;
  }
  get isTrusted() {
    return Event.#check(this).#isTrusted;
  }

  get returnValue() {
    return !Event.#check(this).#prevented;
  }
  set returnValue(value) {
    Event.#check(this);
    if (!value) this.preventDefault();
  }

  get cancelBubble() {
    return Event.#check(this).#stopped;
  }
  set cancelBubble(value) {
    Event.#check(this);
    if (value) this.#stopped = true;
  }

  composedPath() {
    return Event.#check(this).#dispatching ? [this.#target] : [];
  }

  preventDefault() {
    if (Event.#check(this).#flags.cancelable && !this.#passive) this.#prevented = true;
  }

  stopPropagation() {
    Event.#check(this).#stopped = true;
  }
  stopImmediatePropagation() {
    Event.#check(this).#stopped = this.#stoppedAtOnce = true;
  }

  initEvent(type, bubbles = false, cancelable = false) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    if (Event.#check(this).#dispatching) return;
    this.#type = `${type}`;
    this.#flags = { ...this.#flags, bubbles: Boolean(bubbles), cancelable: Boolean(cancelable) };
  }

  [inspectCustom](depth, options) {
    Event.#check(this);
    const { name } = this.constructor;
    if (depth < 0) return name;
    const { type, defaultPrevented, cancelable, timeStamp } = this;
    return `${name} ${show({ type, defaultPrevented, cancelable, timeStamp }, options)}`;
  }
}

function show(fields, options) {
  const { inspect } = require('internal/util/inspect');
  const depth = Number.isInteger(options.depth) ? options.depth - 1 : options.depth;
  return inspect(fields, { ...options, depth });
}

class CustomEvent extends Event {
  #detail;

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    super(type, options);
    this.#detail = options?.detail ?? null;
  }

  get detail() {
    if (!(typeof this === 'object' && this !== null && #detail in this))
      throw new codes.ERR_INVALID_THIS('CustomEvent');
    return this.#detail;
  }
}

// ---- registrations ----

class Registration {
  removed = false;
  signalEnds; // removes the listener from the signal that would remove this registration

  constructor(listener, capture, options) {
    this.listener = listener;
    this.capture = capture;
    this.once = Boolean(options.once);
    this.passive = Boolean(options.passive);
    this.forEmitters = options[forEmitters] === true;
    this.resists = options[kResistStopPropagation] === true;
  }

  is(listener, capture) {
    return this.listener === listener && this.capture === capture;
  }

  call(target, argument) {
    const { listener } = this;
    if (hooks.call !== null) return this.callSeen(target, argument);
    if (typeof listener === 'function') return Reflect.apply(listener, target, [argument]);
    const { handleEvent } = listener;
    return typeof handleEvent === 'function' ? Reflect.apply(handleEvent, listener, [argument]) : undefined;
  }

  // While the loop is observed.
  callSeen(target, argument) {
    const { listener } = this;
    const isFunction = typeof listener === 'function';
    const callback = isFunction ? listener : listener.handleEvent;
    if (typeof callback === 'function')
      return hooks.call(callback.listener ?? callback, callback, isFunction ? target : listener, [argument]);
  }
}

// With --loop=html (internal/html/window): what follows each listener, and who hears of their errors; else null.
let afterListener = null;
let reportAtOnce = null;

function setListenerHooks(after, report) {
  afterListener = after;
  reportAtOnce = report;
}

// An error of a listener is an uncaught exception of the program, not an error of the dispatch.
function throwLater(error) {
  process.nextTick(() => {
    throw error;
  });
}

function optionsFrom(options) {
  if (typeof options === 'boolean') return { capture: options };
  if (options === null || options === undefined) return {};
  validateObject(options, 'options', kValidateObjectAllowObjects);
  return options;
}

function isListener(value, name = 'listener') {
  if (typeof value === 'function' || (typeof value === 'object' && value !== null)) return true;
  if (value === undefined || value === null) return false;
  throw new codes.ERR_INVALID_ARG_TYPE(name, 'EventListener', value);
}

// Operations on a target's registrations that only the class can do. (target, type) -> array
let registrationsOf; // (target, type) -> array
let emitOn;
let namesOf;
let removeAll;

class EventTarget {
  static [isTargetMark] = true;
  #types = new Map();

  constructor() {
    this[limit] = require('events').defaultMaxListeners;
    this[hasWarned] = false;
    Object.defineProperties(this, { [limit]: { enumerable: false }, [hasWarned]: { enumerable: false } });
  }

  static #check(target) {
    if (!(typeof target === 'object' && target !== null && #types in target))
      throw new codes.ERR_INVALID_THIS('EventTarget');
    return target;
  }

  addEventListener(type, listener, options = undefined) {
    EventTarget.#check(this);
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('type', 'listener');
    const wanted = optionsFrom(options);
    const { signal } = wanted;
    if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
    if (!isListener(listener)) return warnOfNothing(this, type, listener);
    const name = `${type}`;
    const capture = Boolean(wanted.capture);
    const present = registrationsOf(this, name);
    if (signal?.aborted || present.some((each) => each.is(listener, capture))) return;
    const registration = new Registration(listener, capture, wanted);
    if (signal !== undefined) {
      const remove = () => this.removeEventListener(name, listener, { capture });
      signal.addEventListener('abort', remove, { once: true });
      registration.signalEnds = () => signal.removeEventListener('abort', remove);
    }
    this.#types.set(name, [...present, registration]);
    this[kNewListener](present.length + 1, name, listener, registration.once, capture, registration.passive, false);
  }

  removeEventListener(type, listener, options = undefined) {
    EventTarget.#check(this);
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('type', 'listener');
    if (!isListener(listener)) return;
    const capture = typeof options === 'boolean' ? options : Boolean(options?.capture);
    const found = registrationsOf(this, `${type}`).find((each) => each.is(listener, capture));
    if (found !== undefined) this.#remove(`${type}`, found);
  }

  #remove(type, registration) {
    registration.removed = true;
    registration.signalEnds?.();
    const rest = registrationsOf(this, type).filter((each) => each !== registration);
    if (rest.length > 0) this.#types.set(type, rest);
    else this.#types.delete(type);
    this[kRemoveListener](rest.length, type, registration.listener, registration.capture);
  }

  dispatchEvent(event) {
    EventTarget.#check(this);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('event');
    if (!internals.isEvent(event)) throw new codes.ERR_INVALID_ARG_TYPE('event', 'Event', event);
    if (internals.isDispatching(event)) throw new codes.ERR_EVENT_RECURSION(event.type);
    this.#dispatch(event.type, () => event, event);
    return !event.defaultPrevented;
  }

  // For emit: listeners of the emitter's kind get `value`; others get an event, made when the first one needs it.
  static #emit(target, type, value) {
    let event;
    target.#dispatch(
      type,
      () => {
        if (event === undefined) {
          event = target[kCreateEvent](value, type);
          internals.begin(event, target);
        }
        return event;
      },
      undefined,
      value,
    );
    if (event !== undefined) internals.end(event);
  }

  static {
    registrationsOf = (target, type) => EventTarget.#check(target).#types.get(type) ?? [];
    emitOn = EventTarget.#emit;
    namesOf = (target) => [...EventTarget.#check(target).#types.keys()];
    removeAll = (target, type) => {
      for (const each of registrationsOf(target, type)) target.#remove(type, each);
    };
  }

  #dispatch(type, eventFor, given, value = given) {
    if (given !== undefined) internals.begin(given, this);
    let stopped = false;
    for (const registration of registrationsOf(this, type)) {
      // Some listeners of the runtime are called even if another listener has stopped the event.
      if (registration.removed || (stopped && !registration.resists)) continue;
      if (registration.once) this.#remove(type, registration);
      const event = registration.forEmitters ? given : eventFor();
      if (event !== undefined) internals.setPassive(event, registration.passive);
      try {
        const result = registration.call(this, registration.forEmitters ? value : event);
        if (result !== undefined && result !== null && reportAtOnce === null && typeof result.then === 'function')
          result.then(undefined, throwLater);
      } catch (error) {
        if (reportAtOnce === null) throwLater(error);
        else reportAtOnce(error);
      }
      if (afterListener !== null) afterListener(event);
      if (event !== undefined) {
        internals.setPassive(event, false);
        stopped ||= internals.isStoppedAtOnce(event);
      }
    }
    if (given !== undefined) internals.end(given);
  }

  [kNewListener](size, type) {
    if (!(this[limit] > 0) || size <= this[limit] || this[hasWarned]) return;
    this[hasWarned] = true;
    const { inspect } = require('internal/util/inspect');
    const warning = new Error(
      `Possible EventTarget memory leak detected. ${size} ${type} listeners added to ` +
        `${inspect(this, { depth: -1 })}. MaxListeners is ${this[limit]}. Use events.setMaxListeners() to increase ` +
        `limit`,
    );
    process.emitWarning(
      Object.assign(warning, { name: 'MaxListenersExceededWarning', target: this, type, count: size }),
    );
  }

  [kRemoveListener]() {}

  [kCreateEvent](value, type) {
    return new CustomEvent(type, { detail: value });
  }

  [inspectCustom](depth, options) {
    const { name } = this.constructor;
    return depth < 0 ? name : `${name} ${show({}, options)}`;
  }
}

function isEventTarget(value) {
  return Boolean(value?.constructor?.[isTargetMark]);
}

function warnOfNothing(target, type, listener) {
  const warning = new Error(`addEventListener called with ${listener} which has no effect.`);
  process.emitWarning(Object.assign(warning, { name: 'AddEventListenerArgumentTypeWarning', target, type }));
}

class NodeEventTarget extends EventTarget {
  static defaultMaxListeners = 10;

  setMaxListeners(n) {
    require('events').setMaxListeners(n, this);
  }

  getMaxListeners() {
    return this[limit];
  }

  eventNames() {
    return namesOf(this);
  }

  listenerCount(type) {
    return registrationsOf(this, `${type}`).length;
  }

  on(type, listener, options) {
    this.addEventListener(type, listener, { ...options, [forEmitters]: true });
    return this;
  }

  once(type, listener, options) {
    return this.on(type, listener, { ...options, once: true });
  }

  off(type, listener, options) {
    this.removeEventListener(type, listener, options);
    return this;
  }

  emit(type, value) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    const heard = this.listenerCount(type) > 0;
    emitOn(this, `${type}`, value);
    return heard;
  }

  removeAllListeners(type) {
    for (const name of type === undefined ? namesOf(this) : [`${type}`]) removeAll(this, name);
    return this;
  }
}
NodeEventTarget.prototype.addListener = NodeEventTarget.prototype.on;
NodeEventTarget.prototype.removeListener = NodeEventTarget.prototype.off;

// ---- property attributes of the standard ----

function enumerable(prototype, tag) {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (name !== 'constructor') Object.defineProperty(prototype, name, { enumerable: true });
  }
  Object.defineProperty(prototype, Symbol.toStringTag, { value: tag, configurable: true });
}

enumerable(Event.prototype, 'Event');
enumerable(CustomEvent.prototype, 'CustomEvent');
enumerable(EventTarget.prototype, 'EventTarget');
enumerable(NodeEventTarget.prototype, 'EventTarget');
Object.defineProperty(Event.prototype, 'isTrusted', { configurable: false });
const phases = ['NONE', 'CAPTURING_PHASE', 'AT_TARGET', 'BUBBLING_PHASE'];
for (let value = 0; value < phases.length; value++)
  Object.defineProperty(Event, phases[value], { value, enumerable: true });

// `on<name>`: one function among the listeners, in the position in which the first one was set.
function defineEventHandler(prototype, name, type = name) {
  const handlers = new WeakMap(); // target -> { current }
  const get = {
    [`get on${name}`]() {
      return handlers.get(this)?.current ?? null;
    },
  }[`get on${name}`];
  const set = {
    [`set on${name}`](value) {
      let entry = handlers.get(this);
      const callable = typeof value === 'function' ? value : null;
      if (entry === undefined) {
        if (callable === null) return;
        entry = {
          current: null,
          call(event) {
            const { current } = entry;
            return hooks.call !== null
              ? hooks.call(current, current, this, [event])
              : Reflect.apply(current, this, [event]);
          },
        };
        handlers.set(this, entry);
      }
      const had = entry.current !== null;
      entry.current = callable;
      if (callable !== null && !had) this.addEventListener(type, entry.call);
      else if (callable === null && had) this.removeEventListener(type, entry.call);
    },
  }[`set on${name}`];
  Object.defineProperty(prototype, `on${name}`, { get, set, enumerable: true, configurable: true });
}

function listenersOf(target, type) {
  return registrationsOf(target, `${type}`).map(({ listener }) => listener);
}

module.exports = {
  Event,
  CustomEvent,
  EventTarget,
  NodeEventTarget,
  defineEventHandler,
  listenersOf,
  hasListeners: (target, type) => registrationsOf(target, type).length > 0,
  setListenerHooks,
  isEventTarget,
  initEventTarget() {}, // the constructor has done it
  kCreateEvent,
  kNewListener,
  kRemoveListener,
  kTrustEvent,
  kResistStopPropagation,
};
