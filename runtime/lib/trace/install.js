'use strict';

// While the loop is observed (doc/TRACE.md), the runtime tells C which function of the program it calls: which timer,
// immediate or tick runs, and which listener or callback gets an event of the loop. Each is a callback of its own, with
// its name and its time, even if the loop made one call for many of them: a batch of files, the timers of one list, the
// messages of one port.
//
// Only calls by the runtime count. Calls that the program's functions make in turn, for instance through an emitter of
// their own, are part of their time.

const native = internalBinding('runtime');
const trace = internalBinding('trace');
const { words, kInside, kCall, kBy } = require('internal/process/shared');
const frame = require('internal/async/context');
const hooks = require('internal/trace/hooks');

const kTrace = 1,
  kStats = 2,
  kWatchdog = 4,
  kOrigins = 8; // ROTA_OBSERVE_* of rota.h

// ---- listeners and callbacks ----

function heard(listeners) {
  if (words[kInside] !== 0) return false;
  if (typeof listeners === 'function') return trace.part(listeners.listener ?? listeners);
  for (let i = 0; i < listeners.length; i++) {
    if (!trace.isOurs(listeners[i].listener ?? listeners[i])) return true;
  }
  return false;
}

function call(named, callback, self, args) {
  if (hooks.call === null || words[kInside] !== 0 || !trace.part(named)) return Reflect.apply(callback, self, args);
  try {
    return Reflect.apply(callback, self, args);
  } finally {
    words[kInside] = 0;
  }
}

function turn(by = 0) {
  words[kInside] = 0;
  words[kBy] = by;
}

// ---- causes: which callback has scheduled which ----

const kNote = Symbol('note');
const kNames = 2 ** 32; // a note is the number of a callback, and in the digits above that of a name

// The function of a promise is named after the code that awaits it: the code that is scheduling it now.
function note(isPromise) {
  return words[kCall] + (isPromise ? trace.awaiting() * kNames : 0);
}

function noteItem(type, item) {
  const callback = type === 'Timeout' ? item._onTimeout : item._onImmediate;
  item[kNote] = note(trace.place(callback) === undefined && (callback.name === '' || callback.name === 'resolve'));
}

function enter(callback, due, item) {
  const noted = item[kNote] ?? 0;
  trace.enter(callback, due, noted);
  if (noted > 0) item[kNote] = -noted; // of an interval's callbacks, only the first has an arrow
}

function task(source, callback, due, noted) {
  trace.enter(callback, due, noted);
  trace.queue(source);
}

function noteItems() {
  const { scheduled } = frame;
  frame.scheduled =
    scheduled === null
      ? noteItem
      : (type, item) => {
          noteItem(type, item);
          scheduled(type, item);
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

function tellOfLastArgument(args) {
  const callback = args.at(-1);
  if (typeof callback !== 'function') return;
  args[args.length - 1] = function (...given) {
    return call(callback, callback, this, given);
  };
}

function tellOfCallbacksOf(exports, keys) {
  for (const key of keys) around(exports, key, tellOfLastArgument);
}

const withSync = (exports) => Object.keys(exports).filter((key) => typeof exports[`${key}Sync`] === 'function');

const byModule = {
  '__proto__': null,
  'fs': (exports) => {
    tellOfCallbacksOf(exports, [...withSync(exports), 'glob']);
    tellOfCallbacksOf(exports.Dir.prototype, ['read', 'close']);
  },
  'zlib': (exports) => tellOfCallbacksOf(exports, withSync(exports)),
  'crypto': (exports) =>
    tellOfCallbacksOf(exports, [...withSync(exports), 'randomBytes', 'randomFill', 'randomInt', 'pseudoRandomBytes']),
  'dns': (exports) =>
    tellOfCallbacksOf(
      exports,
      Object.keys(exports).filter((key) => /^(lookup|resolve|reverse)/.test(key)),
    ),
  'child_process': (exports) => tellOfCallbacksOf(exports, ['exec', 'execFile']),
  'dgram': (exports) => tellOfCallbacksOf(exports.Socket.prototype, ['send']),
};

// ---- uncaught errors ----

function markError(error, origin) {
  const top = require('internal/errors/stacks').topFrame?.(error);
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  trace.mark(
    `${origin === 'unhandledRejection' ? 'unhandled rejection' : 'uncaught error'}: ${text.slice(0, 200)}`,
    0,
    top?.file,
    top?.line ?? 0,
  );
}

// ---- on and off ----

const changed = new Set(); // modules, which are changed once: their functions look whether the loop is observed
let scheduledBefore;

function changeModule(id, exports) {
  if (byModule[id] === undefined || changed.has(id)) return;
  changed.add(id);
  byModule[id](exports);
}

function install(observed) {
  if (observed & (kTrace | kStats | kWatchdog) && hooks.call === null) {
    native.whenLoaded = changeModule;
    for (const [id, module] of native.builtinCache) if (module.loaded) changeModule(id, module.exports);
    Object.assign(hooks, { tick: trace.tick, enter, task, turn, heard, call });
    if (observed & kTrace) {
      process.on('uncaughtExceptionMonitor', markError);
      scheduledBefore = frame.scheduled;
      noteItems();
      Object.assign(hooks, { note, begins: trace.begins });
    }
  }
  if (observed & kOrigins) require('internal/trace/alive').install();
}

// What else has come to hear what is scheduled stays; then so does the note.
function remove() {
  if (hooks.note !== null) {
    process.removeListener('uncaughtExceptionMonitor', markError);
    if (frame.scheduled === noteItem || scheduledBefore !== null) frame.scheduled = scheduledBefore;
  }
  native.whenLoaded = undefined;
  Object.assign(hooks, {
    tick: null,
    enter: null,
    task: null,
    turn: null,
    heard: null,
    call: null,
    note: null,
    begins: null,
  });
}

// `rota attach` begins to observe the loop, or has ended.
function change(observed) {
  remove();
  install(observed);
}

module.exports = { install, change };
