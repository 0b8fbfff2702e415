'use strict';

// EventEmitter. `_events` maps a name to one function, or to an array when there are more: programs and util.inspect
// read both forms, so they are kept.
//
// While emit iterates over an array (internal/events/emit.js), adding and removing replace it by a changed copy;
// otherwise they change the array itself. Promises, iterators and async resources are in internal/events, too.

const { codes } = require('internal/errors');
const { validateBoolean, validateNumber } = require('internal/validators');
const { emit, walks, captures, errorMonitor, rejection } = require('internal/events/emit');

// the maker of the emitter has defined `_events`: its keys stay, with the value undefined
const laidOut = Symbol('shapeMode');
const targetLimit = Symbol('events.maxEventTargetListeners');
const targetWarned = Symbol('events.maxEventTargetListenersWarned');

let defaultLimit = 10;

function EventEmitter(opts) {
  EventEmitter.init.call(this, opts);
}

const { prototype } = EventEmitter;
prototype._events = undefined;
prototype._eventsCount = 0;
prototype._maxListeners = undefined;
Object.defineProperty(prototype, captures, { value: false, writable: true });

function empty(emitter) {
  const events = (emitter._events = { __proto__: null }); // first, because util.inspect shows the order
  emitter._eventsCount = 0;
  return events;
}

function initialize(opts) {
  const own = this._events !== undefined && this._events !== Object.getPrototypeOf(this)._events;
  if (!own) empty(this);
  this._maxListeners ||= undefined;
  this[laidOut] = own;
  const wanted = opts?.captureRejections;
  if (wanted) validateBoolean(wanted, 'options.captureRejections');
  this[captures] = wanted ? true : prototype[captures];
}

function requireFunction(listener) {
  if (typeof listener !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('listener', 'Function', listener);
}

// A function that `once` has wrapped counts as the wrapped function.
const original = (listener) => listener.listener ?? listener;
const matches = (candidate, listener) => candidate === listener || candidate.listener === listener;

// ---- emitting ----

prototype.emit = emit;

// ---- adding ----

function insert(emitter, type, listener, first) {
  requireFunction(listener);
  let events = emitter._events ?? empty(emitter);
  if (events.newListener !== undefined) {
    // Emitted before the listener is added, so that a 'newListener' listener does not get its own event.
    emitter.emit('newListener', type, original(listener));
    events = emitter._events;
  }
  const present = events[type];
  if (present === undefined) {
    events[type] = listener;
    emitter._eventsCount++;
    return emitter;
  }
  let list = present;
  if (typeof present === 'function') {
    list = events[type] = first ? [listener, present] : [present, listener];
  } else {
    if (walks.underWay > 0) list = events[type] = replica(present);
    if (first) list.unshift(listener);
    else list.push(listener);
  }
  const limit = emitter._maxListeners ?? defaultLimit;
  if (list.length > limit && limit > 0 && list.warned !== true) warnOfMany(emitter, type, list, limit);
  return emitter;
}

function replica(list) {
  const copy = list.slice();
  if (list.warned === true) copy.warned = true;
  return copy;
}

function warnOfMany(emitter, type, list, limit) {
  list.warned = true;
  const { inspect } = require('internal/util/inspect');
  const warning = new Error(
    `Possible EventEmitter memory leak detected. ${list.length} ${String(type)} listeners added to ` +
      `${inspect(emitter, { depth: -1 })}. MaxListeners is ${limit}. Use emitter.setMaxListeners() to increase limit`,
  );
  process.emitWarning(
    Object.assign(warning, { name: 'MaxListenersExceededWarning', emitter, type, count: list.length }),
  );
}

prototype.addListener = function addListener(type, listener) {
  return insert(this, type, listener, false);
};
prototype.on = prototype.addListener;

prototype.prependListener = function prependListener(type, listener) {
  return insert(this, type, listener, true);
};

// The wrapper removes itself before it calls the listener, so that events emitted by the listener do
// not reach it again.
function onlyOnce(emitter, type, listener) {
  requireFunction(listener);
  let over = false;
  const { 'bound onceWrapper': wrapper } = {
    // util.inspect shows the name
    'bound onceWrapper'(...args) {
      if (over) return undefined;
      over = true;
      emitter.removeListener(type, wrapper);
      return listener.apply(emitter, args);
    },
  };
  wrapper.listener = listener;
  return wrapper;
}

prototype.once = function once(type, listener) {
  return this.on(type, onlyOnce(this, type, listener));
};

prototype.prependOnceListener = function prependOnceListener(type, listener) {
  return this.prependListener(type, onlyOnce(this, type, listener));
};

// ---- removing ----

function dropName(emitter, type) {
  if (emitter[laidOut]) {
    emitter._eventsCount--;
    emitter._events[type] = undefined;
  } else if (emitter._eventsCount <= 1) {
    empty(emitter);
  } else {
    emitter._eventsCount--;
    delete emitter._events[type];
  }
}

prototype.removeListener = function removeListener(type, listener) {
  requireFunction(listener);
  const events = this._events;
  const present = events?.[type];
  if (present === undefined) return this;
  let told = listener;
  if (typeof present === 'function' ? matches(present, listener) : false) {
    told = original(present);
    dropName(this, type);
  } else {
    // The listener that was added last is removed first.
    let at = typeof present === 'function' ? -1 : present.length - 1;
    while (at >= 0 && !matches(present[at], listener)) at--;
    if (at < 0) return this;
    if (present.length === 2) {
      events[type] = present[1 - at];
    } else {
      const list = walks.underWay > 0 ? (events[type] = replica(present)) : present;
      if (at === list.length - 1) list.pop();
      else list.splice(at, 1);
    }
  }
  if (events.removeListener !== undefined) this.emit('removeListener', type, told);
  return this;
};
prototype.off = prototype.removeListener;

prototype.removeAllListeners = function removeAllListeners(type) {
  const events = this._events;
  if (events === undefined) return this;
  const all = arguments.length === 0;
  if (events.removeListener === undefined) {
    // There is no listener for 'removeListener'.
    this[laidOut] = false;
    if (all) empty(this);
    else if (events[type] !== undefined) dropName(this, type);
    return this;
  }
  if (!all) {
    const present = events[type];
    const removed = typeof present === 'function' ? [present] : (present?.toReversed() ?? []);
    for (const listener of removed) this.removeListener(type, listener);
    return this;
  }
  for (const name of Reflect.ownKeys(events)) {
    if (name !== 'removeListener') this.removeAllListeners(name);
  }
  this.removeAllListeners('removeListener');
  this[laidOut] = false;
  empty(this);
  return this;
};

// ---- queries ----

function present(emitter, type) {
  const found = emitter._events?.[type];
  if (found === undefined) return [];
  return typeof found === 'function' ? [found] : found;
}

prototype.listeners = function listeners(type) {
  return present(this, type).map(original);
};

prototype.rawListeners = function rawListeners(type) {
  return present(this, type).slice();
};

prototype.listenerCount = function listenerCount(type, listener) {
  const found = this._events?.[type];
  if (found === undefined) return 0;
  if (listener === undefined || listener === null) return typeof found === 'function' ? 1 : found.length;
  let count = 0;
  for (const candidate of present(this, type)) count += matches(candidate, listener);
  return count;
};

prototype.eventNames = function eventNames() {
  if (!(this._eventsCount > 0)) return [];
  return Reflect.ownKeys(this._events).filter((name) => this._events[name] !== undefined);
};

prototype.setMaxListeners = function setMaxListeners(n) {
  validateNumber(n, 'setMaxListeners', 0);
  this._maxListeners = n;
  return this;
};

prototype.getMaxListeners = function getMaxListeners() {
  return this._maxListeners ?? defaultLimit;
};

// ---- properties of the constructor ----

// -> the module of event targets if the value is one, so that programs without them never load it
function targetsFor(value) {
  if (typeof value !== 'object' || value === null || typeof value.addEventListener !== 'function') return undefined;
  const targets = require('internal/event_target');
  return targets.isEventTarget(value) ? targets : undefined;
}

const refuse = (name, value) => new codes.ERR_INVALID_ARG_TYPE(name, ['EventEmitter', 'EventTarget'], value);

function getEventListeners(emitterOrTarget, type) {
  if (typeof emitterOrTarget?.listeners === 'function') return emitterOrTarget.listeners(type);
  const targets = targetsFor(emitterOrTarget);
  if (targets === undefined) throw refuse('emitter', emitterOrTarget);
  return targets.listenersOf(emitterOrTarget, type);
}

function getMaxListeners(emitterOrTarget) {
  if (typeof emitterOrTarget?.getMaxListeners === 'function') return emitterOrTarget._maxListeners ?? defaultLimit;
  const limit = typeof emitterOrTarget === 'object' ? emitterOrTarget?.[targetLimit] : undefined;
  if (limit === undefined) throw refuse('emitter', emitterOrTarget);
  return limit;
}

function listenerCount(emitterOrTarget, type) {
  if (typeof emitterOrTarget.listenerCount === 'function') return emitterOrTarget.listenerCount(type);
  return getEventListeners(emitterOrTarget, type).length;
}

function setLimits(n = defaultLimit, ...emitters) {
  validateNumber(n, 'setMaxListeners', 0);
  if (emitters.length === 0) defaultLimit = n;
  for (const each of emitters) {
    if (targetsFor(each) !== undefined) {
      each[targetLimit] = n;
      each[targetWarned] = false;
    } else if (typeof each?.setMaxListeners === 'function') {
      each.setMaxListeners(n);
    } else {
      throw refuse('eventTargets', each);
    }
  }
}
Object.defineProperties(setLimits, { name: { value: '' }, length: { value: 0 } });
Object.defineProperty(initialize, 'name', { value: '' });

module.exports = EventEmitter;
Object.assign(EventEmitter, {
  addAbortListener: function addAbortListener(signal, listener) {
    return require('internal/events/subscription').addAbortListener(signal, listener);
  },
  once: async function once(emitter, name, options = {}) {
    return require('internal/events/subscription').once(emitter, name, options);
  },
  on: function on(emitter, event, options = {}) {
    return require('internal/events/iterator').on(emitter, event, options);
  },
  getEventListeners,
  getMaxListeners,
  listenerCount,
  EventEmitter,
  usingDomains: false,
  captureRejectionSymbol: rejection,
});

function accessor(name, get, set, configurable) {
  Object.defineProperty(EventEmitter, name, { get, set, enumerable: true, configurable });
}

accessor(
  'captureRejections',
  () => prototype[captures],
  (value) => {
    validateBoolean(value, 'EventEmitter.captureRejections');
    prototype[captures] = value;
  },
  false,
);
accessor(
  'EventEmitterAsyncResource',
  () => require('internal/events/async_resource').EventEmitterAsyncResource,
  undefined,
  true,
);
EventEmitter.errorMonitor = errorMonitor;
accessor(
  'defaultMaxListeners',
  () => defaultLimit,
  (value) => {
    validateNumber(value, 'defaultMaxListeners', 0);
    defaultLimit = value;
  },
  false,
);
Object.defineProperties(EventEmitter, {
  kMaxEventTargetListeners: { value: targetLimit },
  kMaxEventTargetListenersWarned: { value: targetWarned },
});
EventEmitter.setMaxListeners = setLimits;
EventEmitter.init = initialize;
