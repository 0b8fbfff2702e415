'use strict';

// EventEmitter, and what goes with it: once and on for promises, the limit of listeners, rejections as errors.
// `_events` maps a name to one function or to an array of them; both forms are seen by programs in the wild and by
// util.inspect, so they stay. emit is the hottest function of the runtime: no closures, no rest array is kept.

const { codes, AbortError } = require('internal/errors');
const {
  validateAbortSignal, validateBoolean, validateFunction, validateInteger, validateNumber, validateObject, validateString,
} = require('internal/validators');

const kCapture = Symbol('kCapture');
const kErrorMonitor = Symbol('events.errorMonitor');
const kShapeMode = Symbol('shapeMode');
const kMaxEventTargetListeners = Symbol('events.maxEventTargetListeners');
const kMaxEventTargetListenersWarned = Symbol('events.maxEventTargetListenersWarned');
const kWatermarkData = Symbol.for('nodejs.watermarkData');
const kRejection = Symbol.for('nodejs.rejection');
const kFirstEventParam = Symbol.for('nodejs.kFirstEventParam');
const kAsyncResource = Symbol('kAsyncResource');

let defaultMaxListeners = 10;

let lazyInspectModule;
function inspect(value, options) {
  lazyInspectModule ??= require('internal/util/inspect');
  return lazyInspectModule.inspect(value, options);
}

function EventEmitter(opts) {
  EventEmitter.init.call(this, opts);
}

EventEmitter.prototype._events = undefined;
EventEmitter.prototype._eventsCount = 0;
EventEmitter.prototype._maxListeners = undefined;

EventEmitter.usingDomains = false;
EventEmitter.captureRejectionSymbol = kRejection;

Object.defineProperty(EventEmitter, 'captureRejections', {
  __proto__: null,
  get() {
    return EventEmitter.prototype[kCapture];
  },
  set(value) {
    validateBoolean(value, 'EventEmitter.captureRejections');
    EventEmitter.prototype[kCapture] = value;
  },
  configurable: true,
  enumerable: true,
});

EventEmitter.errorMonitor = kErrorMonitor;

Object.defineProperty(EventEmitter.prototype, kCapture, { __proto__: null, value: false, writable: true, enumerable: false });

Object.defineProperty(EventEmitter, 'defaultMaxListeners', {
  __proto__: null,
  enumerable: true,
  get() {
    return defaultMaxListeners;
  },
  set(value) {
    validateNumber(value, 'defaultMaxListeners', 0);
    defaultMaxListeners = value;
  },
});

Object.defineProperties(EventEmitter, {
  kMaxEventTargetListeners: { __proto__: null, value: kMaxEventTargetListeners, enumerable: false, configurable: false, writable: false },
  kMaxEventTargetListenersWarned: {
    __proto__: null, value: kMaxEventTargetListenersWarned, enumerable: false, configurable: false, writable: false,
  },
});

EventEmitter.setMaxListeners = function (n = defaultMaxListeners, ...eventTargets) {
  validateNumber(n, 'setMaxListeners', 0);
  if (eventTargets.length === 0) {
    defaultMaxListeners = n;
    return;
  }
  for (let i = 0; i < eventTargets.length; i++) {
    const target = eventTargets[i];
    if (isEventTarget(target)) {
      target[kMaxEventTargetListeners] = n;
      target[kMaxEventTargetListenersWarned] = false;
    } else if (typeof target?.setMaxListeners === 'function') {
      target.setMaxListeners(n);
    } else {
      throw new codes.ERR_INVALID_ARG_TYPE('eventTargets', ['EventEmitter', 'EventTarget'], target);
    }
  }
};

function isEventTarget(value) {
  return typeof value === 'object' && value !== null && require('internal/event_target').isEventTarget(value);
}

EventEmitter.init = function (opts) {
  const events = this._events;
  if (events === undefined || events === Object.getPrototypeOf(this)._events) {
    this._events = { __proto__: null };
    this._eventsCount = 0;
    this[kShapeMode] = false;
  } else {
    this[kShapeMode] = true;
  }
  this._maxListeners = this._maxListeners || undefined;
  if (opts?.captureRejections) {
    validateBoolean(opts.captureRejections, 'options.captureRejections');
    this[kCapture] = Boolean(opts.captureRejections);
  } else {
    this[kCapture] = EventEmitter.prototype[kCapture];
  }
};

// A listener gave a promise: its rejection becomes an 'error' event, or goes to the emitter's own handler.
function watchPromise(emitter, promise, type, args) {
  if (!emitter[kCapture]) return;
  try {
    const then = promise.then;
    if (typeof then === 'function') {
      then.call(promise, undefined, (err) => {
        process.nextTick(emitRejection, emitter, err, type, args);
      });
    }
  } catch (err) {
    emitter.emit('error', err);
  }
}

function emitRejection(emitter, err, type, args) {
  if (typeof emitter[kRejection] === 'function') {
    emitter[kRejection](err, type, ...args);
    return;
  }
  // The 'error' listeners' own promises must not come back here.
  const before = emitter[kCapture];
  try {
    emitter[kCapture] = false;
    emitter.emit('error', err);
  } finally {
    emitter[kCapture] = before;
  }
}

EventEmitter.prototype.setMaxListeners = function setMaxListeners(n) {
  validateNumber(n, 'setMaxListeners', 0);
  this._maxListeners = n;
  return this;
};

function limitOf(emitter) {
  return emitter._maxListeners === undefined ? defaultMaxListeners : emitter._maxListeners;
}

EventEmitter.prototype.getMaxListeners = function getMaxListeners() {
  return limitOf(this);
};

// Nobody listens for an error: it is thrown.
function throwUnheard(emitter, args) {
  const err = args.length > 0 ? args[0] : undefined;
  if (err instanceof Error) throw err;
  let text;
  try {
    text = inspect(err);
  } catch {
    text = err;
  }
  const unheard = new codes.ERR_UNHANDLED_ERROR(text);
  unheard.context = err;
  throw unheard;
}

EventEmitter.prototype.emit = function emit(type, ...args) {
  const events = this._events;
  if (type === 'error') {
    if (events !== undefined && events[kErrorMonitor] !== undefined) this.emit(kErrorMonitor, ...args);
    if (events === undefined || events.error === undefined) throwUnheard(this, args);
  } else if (events === undefined) {
    return false;
  }
  const handler = events[type];
  if (handler === undefined) return false;
  if (typeof handler === 'function') {
    const result = handler.apply(this, args);
    if (result !== undefined && result !== null) watchPromise(this, result, type, args);
  } else {
    const length = handler.length;
    const listeners = cloneArray(handler);
    for (let i = 0; i < length; ++i) {
      const result = listeners[i].apply(this, args);
      if (result !== undefined && result !== null) watchPromise(this, result, type, args);
    }
  }
  return true;
};

function cloneArray(list) {
  switch (list.length) {
    case 2: return [list[0], list[1]];
    case 3: return [list[0], list[1], list[2]];
    case 4: return [list[0], list[1], list[2], list[3]];
    default: return list.slice();
  }
}

function addListenerTo(target, type, listener, prepend) {
  if (typeof listener !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('listener', 'Function', listener);
  let events = target._events;
  let existing;
  if (events === undefined) {
    events = target._events = { __proto__: null };
    target._eventsCount = 0;
  } else {
    // 'newListener' comes before the listener is added, so that its own adding is not told to itself.
    if (events.newListener !== undefined) {
      target.emit('newListener', type, listener.listener ?? listener);
      events = target._events;
    }
    existing = events[type];
  }
  if (existing === undefined) {
    events[type] = listener;
    ++target._eventsCount;
  } else {
    if (typeof existing === 'function') {
      existing = events[type] = prepend ? [listener, existing] : [existing, listener];
    } else if (prepend) {
      existing.unshift(listener);
    } else {
      existing.push(listener);
    }
    const limit = limitOf(target);
    if (limit > 0 && existing.length > limit && !existing.warned) warnOfLeak(target, type, existing, limit);
  }
  return target;
}

function warnOfLeak(target, type, existing, limit) {
  existing.warned = true;
  const warning = new Error(
    `Possible EventEmitter memory leak detected. ${existing.length} ${String(type)} listeners ` +
    `added to ${inspect(target, { depth: -1 })}. MaxListeners is ${limit}. Use emitter.setMaxListeners() to increase limit`);
  warning.name = 'MaxListenersExceededWarning';
  warning.emitter = target;
  warning.type = type;
  warning.count = existing.length;
  process.emitWarning(warning);
}

EventEmitter.prototype.addListener = function addListener(type, listener) {
  return addListenerTo(this, type, listener, false);
};

EventEmitter.prototype.on = EventEmitter.prototype.addListener;

EventEmitter.prototype.prependListener = function prependListener(type, listener) {
  return addListenerTo(this, type, listener, true);
};

function onceWrapper() {
  if (!this.fired) {
    this.target.removeListener(this.type, this.wrapFn);
    this.fired = true;
    if (arguments.length === 0) return this.listener.call(this.target);
    return this.listener.apply(this.target, arguments);
  }
}

function wrapOnce(target, type, listener) {
  const state = { fired: false, wrapFn: undefined, target, type, listener };
  const wrapped = onceWrapper.bind(state);
  wrapped.listener = listener;
  state.wrapFn = wrapped;
  return wrapped;
}

EventEmitter.prototype.once = function once(type, listener) {
  if (typeof listener !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('listener', 'Function', listener);
  this.on(type, wrapOnce(this, type, listener));
  return this;
};

EventEmitter.prototype.prependOnceListener = function prependOnceListener(type, listener) {
  if (typeof listener !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('listener', 'Function', listener);
  this.prependListener(type, wrapOnce(this, type, listener));
  return this;
};

EventEmitter.prototype.removeListener = function removeListener(type, listener) {
  if (typeof listener !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('listener', 'Function', listener);
  const events = this._events;
  if (events === undefined) return this;
  const list = events[type];
  if (list === undefined) return this;
  if (list === listener || list.listener === listener) {
    this._eventsCount -= 1;
    if (this[kShapeMode]) {
      events[type] = undefined;
    } else if (this._eventsCount === 0) {
      this._events = { __proto__: null };
    } else {
      delete events[type];
    }
    if (events.removeListener) this.emit('removeListener', type, list.listener || listener);
  } else if (typeof list !== 'function') {
    let position = -1;
    for (let i = list.length - 1; i >= 0; i--) {
      if (list[i] === listener || list[i].listener === listener) {
        position = i;
        break;
      }
    }
    if (position < 0) return this;
    if (position === 0) list.shift();
    else if (position === list.length - 1) list.pop();
    else list.splice(position, 1);
    if (list.length === 1) events[type] = list[0];
    if (events.removeListener !== undefined) this.emit('removeListener', type, listener);
  }
  return this;
};

EventEmitter.prototype.off = EventEmitter.prototype.removeListener;

EventEmitter.prototype.removeAllListeners = function removeAllListeners(type) {
  const events = this._events;
  if (events === undefined) return this;
  // Without 'removeListener' listeners nobody has to be told of each one.
  if (events.removeListener === undefined) {
    if (arguments.length === 0) {
      this._events = { __proto__: null };
      this._eventsCount = 0;
    } else if (events[type] !== undefined) {
      if (--this._eventsCount === 0) this._events = { __proto__: null };
      else delete events[type];
    }
    this[kShapeMode] = false;
    return this;
  }
  if (arguments.length === 0) {
    for (const key of Reflect.ownKeys(events)) {
      if (key === 'removeListener') continue;
      this.removeAllListeners(key);
    }
    this.removeAllListeners('removeListener');
    this._events = { __proto__: null };
    this._eventsCount = 0;
    this[kShapeMode] = false;
    return this;
  }
  const listeners = events[type];
  if (typeof listeners === 'function') {
    this.removeListener(type, listeners);
  } else if (listeners !== undefined) {
    for (let i = listeners.length - 1; i >= 0; i--) this.removeListener(type, listeners[i]);
  }
  return this;
};

function listenersOf(target, type, unwrap) {
  const events = target._events;
  if (events === undefined) return [];
  const list = events[type];
  if (list === undefined) return [];
  if (typeof list === 'function') return unwrap ? [list.listener || list] : [list];
  if (!unwrap) return cloneArray(list);
  const result = [];
  for (let i = 0; i < list.length; i++) result.push(typeof list[i].listener === 'function' ? list[i].listener : list[i]);
  return result;
}

EventEmitter.prototype.listeners = function listeners(type) {
  return listenersOf(this, type, true);
};

EventEmitter.prototype.rawListeners = function rawListeners(type) {
  return listenersOf(this, type, false);
};

EventEmitter.prototype.listenerCount = function listenerCount(type, listener) {
  const events = this._events;
  if (events === undefined) return 0;
  const list = events[type];
  if (typeof list === 'function') {
    if (listener != null) return listener === list || listener === list.listener ? 1 : 0;
    return 1;
  }
  if (list === undefined) return 0;
  if (listener == null) return list.length;
  let count = 0;
  for (let i = 0; i < list.length; i++) {
    if (list[i] === listener || list[i].listener === listener) count++;
  }
  return count;
};

EventEmitter.prototype.eventNames = function eventNames() {
  return this._eventsCount > 0 ? Reflect.ownKeys(this._events) : [];
};

function listenerCount(emitterOrTarget, type) {
  if (typeof emitterOrTarget.listenerCount === 'function') return emitterOrTarget.listenerCount(type);
  if (isEventTarget(emitterOrTarget)) return require('internal/event_target').listenersOf(emitterOrTarget, type).length;
  throw new codes.ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
}

function getEventListeners(emitterOrTarget, type) {
  if (typeof emitterOrTarget?.listeners === 'function') return emitterOrTarget.listeners(type);
  if (isEventTarget(emitterOrTarget)) return require('internal/event_target').listenersOf(emitterOrTarget, type);
  throw new codes.ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
}

function getMaxListeners(emitterOrTarget) {
  if (typeof emitterOrTarget?.getMaxListeners === 'function') return limitOf(emitterOrTarget);
  if (typeof emitterOrTarget === 'object' && emitterOrTarget !== null && emitterOrTarget[kMaxEventTargetListeners] !== undefined) {
    return emitterOrTarget[kMaxEventTargetListeners];
  }
  throw new codes.ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
}

function addTo(emitter, name, listener, flags) {
  if (typeof emitter.on === 'function') {
    if (flags?.once) emitter.once(name, listener);
    else emitter.on(name, listener);
  } else if (typeof emitter.addEventListener === 'function') {
    emitter.addEventListener(name, listener, flags);
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', emitter);
  }
}

function removeFrom(emitter, name, listener, flags) {
  if (typeof emitter.removeListener === 'function') {
    emitter.removeListener(name, listener);
  } else if (typeof emitter.removeEventListener === 'function') {
    emitter.removeEventListener(name, listener, flags);
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', emitter);
  }
}

async function once(emitter, name, options = {}) {
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  return new Promise((resolve, reject) => {
    const onError = (err) => {
      if (typeof emitter.removeListener === 'function') emitter.removeListener(name, onEvent);
      if (signal != null) removeFrom(signal, 'abort', onAbort);
      reject(err);
    };
    const onEvent = (...args) => {
      if (typeof emitter.removeListener === 'function') emitter.removeListener('error', onError);
      if (signal != null) removeFrom(signal, 'abort', onAbort);
      resolve(args);
    };
    const onAbort = () => {
      removeFrom(emitter, name, onEvent);
      removeFrom(emitter, 'error', onError);
      reject(new AbortError(undefined, { cause: signal.reason }));
    };
    const isTarget = typeof emitter.on !== 'function' && isEventTarget(emitter);
    const flags = isTarget ? { ...options, __proto__: null, once: true, [require('internal/event_target').kResistStopPropagation]: true } :
      { __proto__: null, once: true };
    addTo(emitter, name, onEvent, flags);
    if (name !== 'error' && typeof emitter.once === 'function') emitter.once('error', onError);
    if (signal != null) addTo(signal, 'abort', onAbort, { __proto__: null, once: true, [require('internal/event_target').kResistStopPropagation]: true });
  });
}

const AsyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

function doneResult(value, done) {
  return { value, done };
}

// An asynchronous iterator over the events of an emitter; events wait for their reader, readers for their event.
function on(emitter, event, options = {}) {
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  const highWaterMark = options.highWaterMark ?? options.highWatermark ?? Number.MAX_SAFE_INTEGER;
  validateInteger(highWaterMark, 'options.highWaterMark', 1);
  const lowWaterMark = options.lowWaterMark ?? options.lowWatermark ?? 1;
  validateInteger(lowWaterMark, 'options.lowWaterMark', 1);

  const unread = [];
  let unreadStart = 0;
  const readers = [];
  const added = [];
  let paused = false;
  let error = null;
  let finished = false;
  let size = 0;

  const listen = (target, name, handler, flags) => {
    addTo(target, name, handler, flags);
    added.push(target, name, handler, flags);
  };
  const closeHandler = () => {
    for (let i = 0; i < added.length; i += 4) removeFrom(added[i], added[i + 1], added[i + 2], added[i + 3]);
    added.length = 0;
    finished = true;
    const result = doneResult(undefined, true);
    while (readers.length > 0) readers.shift().resolve(result);
    return Promise.resolve(result);
  };
  const eventHandler = (...args) => pushValue(args);
  const firstArgumentHandler = (value) => pushValue(value);
  const errorHandler = (err) => {
    if (readers.length === 0) error = err;
    else readers.shift().reject(err);
    closeHandler();
  };
  const abortHandler = () => {
    errorHandler(new AbortError(undefined, { cause: signal.reason }));
  };
  function pushValue(value) {
    if (readers.length === 0) {
      size++;
      if (!paused && size > highWaterMark) {
        paused = true;
        emitter.pause();
      }
      unread.push(value);
    } else {
      readers.shift().resolve(doneResult(value, false));
    }
  }

  const iterator = Object.setPrototypeOf({
    next() {
      if (size > 0) {
        const value = unread[unreadStart];
        unread[unreadStart++] = undefined;
        if (unreadStart === unread.length) {
          unread.length = 0;
          unreadStart = 0;
        }
        size--;
        if (paused && size < lowWaterMark) {
          emitter.resume();
          paused = false;
        }
        return Promise.resolve(doneResult(value, false));
      }
      if (error) {
        const promise = Promise.reject(error);
        error = null;
        return promise;
      }
      if (finished) return closeHandler();
      return new Promise((resolve, reject) => readers.push({ resolve, reject }));
    },
    return() {
      return closeHandler();
    },
    throw(err) {
      if (!err || !(err instanceof Error)) {
        throw new codes.ERR_INVALID_ARG_TYPE('EventEmitter.AsyncIterator', 'Error', err);
      }
      errorHandler(err);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    [kWatermarkData]: {
      get size() {
        return size;
      },
      get low() {
        return lowWaterMark;
      },
      get high() {
        return highWaterMark;
      },
      get isPaused() {
        return paused;
      },
    },
  }, AsyncIteratorPrototype);

  const isTarget = typeof emitter.on !== 'function' && isEventTarget(emitter);
  const handler = options[kFirstEventParam] ? firstArgumentHandler : eventHandler;
  listen(emitter, event, handler, isTarget ? { __proto__: null, [require('internal/event_target').kResistStopPropagation]: true } : undefined);
  if (event !== 'error' && typeof emitter.on === 'function') listen(emitter, 'error', errorHandler);
  const closeEvents = options.close;
  if (closeEvents?.length) {
    for (let i = 0; i < closeEvents.length; i++) listen(emitter, closeEvents[i], closeHandler);
  }
  if (signal) {
    const abortListener = addAbortListener(signal, abortHandler);
    added.push({ removeListener() { abortListener[Symbol.dispose](); } }, 'abort', abortHandler, undefined);
  }
  return iterator;
}

function addAbortListener(signal, listener) {
  if (signal === undefined) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateFunction(listener, 'listener');
  let remove;
  if (signal.aborted) {
    queueMicrotask(() => listener());
  } else {
    signal.addEventListener('abort', listener, {
      __proto__: null, once: true, [require('internal/event_target').kResistStopPropagation]: true,
    });
    remove = () => signal.removeEventListener('abort', listener);
  }
  return {
    __proto__: null,
    [Symbol.dispose]() {
      remove?.();
    },
  };
}

// Made when first asked for: it needs async_hooks, which most programs never load.
let EventEmitterAsyncResource;
function getEventEmitterAsyncResource() {
  if (EventEmitterAsyncResource !== undefined) return EventEmitterAsyncResource;
  const { AsyncResource } = require('async_hooks');
  const kEventEmitter = Symbol('kEventEmitter');
  class EventEmitterReferencingAsyncResource extends AsyncResource {
    constructor(emitter, type, options) {
      super(type, options);
      this[kEventEmitter] = emitter;
    }
    get eventEmitter() {
      if (this[kEventEmitter] === undefined) throw new codes.ERR_INVALID_THIS('EventEmitterReferencingAsyncResource');
      return this[kEventEmitter];
    }
  }
  EventEmitterAsyncResource = class EventEmitterAsyncResource extends EventEmitter {
    constructor(options = undefined) {
      let name;
      if (typeof options === 'string') {
        name = options;
        options = undefined;
      } else {
        if (new.target === EventEmitterAsyncResource) validateString(options?.name, 'options.name');
        name = options?.name || new.target.name;
      }
      super(options);
      this[kAsyncResource] = new EventEmitterReferencingAsyncResource(this, name, options);
    }
    emit(event, ...args) {
      if (this[kAsyncResource] === undefined) throw new codes.ERR_INVALID_THIS('EventEmitterAsyncResource');
      args.unshift(super.emit, this, event);
      return Reflect.apply(this[kAsyncResource].runInAsyncScope, this[kAsyncResource], args);
    }
    emitDestroy() {
      if (this[kAsyncResource] === undefined) throw new codes.ERR_INVALID_THIS('EventEmitterAsyncResource');
      this[kAsyncResource].emitDestroy();
    }
    get asyncId() {
      if (this[kAsyncResource] === undefined) throw new codes.ERR_INVALID_THIS('EventEmitterAsyncResource');
      return this[kAsyncResource].asyncId();
    }
    get triggerAsyncId() {
      if (this[kAsyncResource] === undefined) throw new codes.ERR_INVALID_THIS('EventEmitterAsyncResource');
      return this[kAsyncResource].triggerAsyncId();
    }
    get asyncResource() {
      if (this[kAsyncResource] === undefined) throw new codes.ERR_INVALID_THIS('EventEmitterAsyncResource');
      return this[kAsyncResource];
    }
  };
  return EventEmitterAsyncResource;
}

module.exports = EventEmitter;
EventEmitter.addAbortListener = addAbortListener;
EventEmitter.once = once;
EventEmitter.on = on;
EventEmitter.getEventListeners = getEventListeners;
EventEmitter.getMaxListeners = getMaxListeners;
EventEmitter.listenerCount = listenerCount;
EventEmitter.EventEmitter = EventEmitter;
Object.defineProperty(EventEmitter, 'EventEmitterAsyncResource', {
  __proto__: null,
  enumerable: true,
  configurable: true,
  get: getEventEmitterAsyncResource,
  set: undefined,
});
