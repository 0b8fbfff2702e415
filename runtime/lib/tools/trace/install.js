'use strict';

// While somebody observes the loop (doc/TRACE.md), the callbacks that JavaScript makes by itself are told to C: which
// timer, immediate or tick runs, and whose listener or callback an event of the loop is for. It is put around what is
// there, so that without an observer it does not exist; ticks and events, of which there are most, look at point.js.

const native = internalBinding('runtime');
const trace = internalBinding('trace');
const { words } = native;
const point = require('internal/trace/point');

const kNameless = 6; // ROTA_WORD_NAMELESS of runtime/order/env.h
const kTrace = 1, kWatchdog = 4, kOrigins = 8; // ROTA_OBSERVE_* of rota.h

// ---- timers, immediates and ticks ----

// What is scheduled in place of a callback: says its name, then does as it would.
function timed(callback, due, every) {
  return function(...args) {
    trace.enter(callback, due);
    if (every > 0) due = native.now() + every;
    return Reflect.apply(callback, this, args);
  };
}

function announced(callback, announce) {
  return function(...args) {
    announce(callback);
    return Reflect.apply(callback, this, args);
  };
}

function around(object, key, change) {
  const original = object[key];
  if (typeof original !== 'function') return;
  const replaced = new Proxy(original, {
    apply(target, self, args) {
      change(args);
      return Reflect.apply(target, self, args);
    },
  });
  Object.defineProperty(object, key, { ...Object.getOwnPropertyDescriptor(object, key), value: replaced });
}

function milliseconds(value) {
  const after = +value;
  return after >= 1 && after <= 2147483647 ? Math.trunc(after) : 1;
}

function nameScheduled() {
  const timers = require('internal/timers');
  around(timers, 'setTimeout', (args) => {
    if (typeof args[0] === 'function') args[0] = timed(args[0], native.now() + milliseconds(args[1]), 0);
  });
  around(timers, 'setInterval', (args) => {
    const every = milliseconds(args[1]);
    if (typeof args[0] === 'function') args[0] = timed(args[0], native.now() + every, every);
  });
  around(timers, 'setImmediate', (args) => {
    if (typeof args[0] === 'function') args[0] = timed(args[0], 0, 0);
  });
}

// ---- events and callbacks of the loop ----

// An event reaches the program through a listener: the first one that is the program's own gives its name.
function nameByListener(heard) {
  if (words[kNameless] === 0) return;
  if (typeof heard === 'function') {
    trace.name(heard.listener ?? heard);
    return;
  }
  for (let i = 0; i < heard.length; i++) {
    if (trace.name(heard[i].listener ?? heard[i])) return;
  }
}

const named = (callback) => announced(callback, trace.name);

function nameLastArgument(args) {
  const last = args.length - 1;
  if (typeof args[last] === 'function') args[last] = named(args[last]);
}

function nameCallbacksOf(exports, keys) {
  for (const key of keys) around(exports, key, nameLastArgument);
}

const withSync = (exports) => Object.keys(exports).filter((key) => typeof exports[`${key}Sync`] === 'function');

const byModule = {
  '__proto__': null,
  fs: (exports) => nameCallbacksOf(exports, [...withSync(exports), 'glob']),
  zlib: (exports) => nameCallbacksOf(exports, withSync(exports)),
  crypto: (exports) => nameCallbacksOf(exports, [...withSync(exports), 'randomBytes', 'randomFill', 'randomInt', 'pseudoRandomBytes']),
  dns: (exports) => nameCallbacksOf(exports, Object.keys(exports).filter((key) => /^(lookup|resolve|reverse)/.test(key))),
};

// ---- errors that nobody caught ----

function markErrors() {
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    const frame = require('internal/process/stacks').topFrame?.(error);
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    trace.mark(`${origin === 'unhandledRejection' ? 'unhandled rejection' : 'uncaught error'}: ${text.slice(0, 200)}`, 0,
               frame?.file, frame?.line ?? 0);
  });
}

function install(observed) {
  if (observed & (kTrace | kWatchdog)) {
    native.whenLoaded = (id, exports) => byModule[id]?.(exports);
    for (const [id, module] of native.builtinCache) if (module.loaded) byModule[id]?.(module.exports);
    nameScheduled();
    point.tick = trace.tick;
    point.event = nameByListener;
    if (observed & kTrace) markErrors();
  }
  if (observed & kOrigins) require('internal/trace/alive').install();
}

module.exports = { install };
