'use strict';

// Error stacks in Node's format. The engine gives `name@file:line:column` lines without a header, as a plain property
// made by each error's constructor. So the constructors are wrapped: every error made by a program gets an accessor
// `stack` that formats itself when first read, after Error.prepareStackTrace and Error.stackTraceLimit. Most errors are
// never asked for their stack, and making the engine's text is most of what an error costs: if the engine tells when it
// is wanted (runtime/engine/value/error.c), the accessor is made then. An error that the engine throws itself has no
// constructor to wrap; `adopt` gives it the same accessor when it is shown or reported.
// The contexts of node:vm are realms with constructors of their own, each with its own limit and prepareStackTrace.

const runtime = internalBinding('runtime');
const { words, kMakingError } = require('internal/process/shared');
const { Given, kValues, describe, framesOf, isMapped, placeOf } = require('internal/errors/frames');
const { proxyDetails } = internalBinding('util');
const NativeError = runtime.Error;
const defineProperty = Object.defineProperty;
const getPrototypeOf = Object.getPrototypeOf;
const apply = Reflect.apply;
const nativeToString = NativeError.prototype.toString;

const kFramesAboveHidden = 50; // that captureStackTrace looks at
const kFramesBeyondLimit = 8; // room for frames of the wrapper and for those hidden by captureStackTrace

const kWaits = Symbol('the text is not wanted yet');

class Stack extends Given {
  #raw; // the engine's text, or kWaits
  #text;
  #done = false;
  #busy = false; // the program's prepareStackTrace makes the text just now
  #limit;
  #realm;
  #receivers; // see receiversFrom

  constructor(object, raw, limit, realm, receivers) {
    super(object);
    this.#raw = raw;
    this.#limit = limit;
    this.#realm = realm;
    this.#receivers = receivers;
  }

  static has(object) {
    return #raw in object;
  }

  static renew(object, raw, limit, realm, receivers) {
    object.#raw = raw;
    object.#receivers = receivers;
    object.#limit = limit;
    object.#realm = realm;
    object.#done = false;
  }

  static waits(object) {
    return object.#raw === kWaits;
  }

  // -> its realm
  static complete(object, raw) {
    object.#raw = raw;
    return object.#realm;
  }

  static read(object) {
    if (object.#raw === kWaits) complete(object);
    if (object.#busy) return text(object, framesOf(object.#raw, object.#limit, object.#receivers));
    if (!object.#done) {
      object.#done = true; // an error while formatting must not lead here again
      object.#busy = true;
      try {
        object.#text = format(object, object.#raw, object.#limit, object.#realm, object.#receivers);
      } finally {
        object.#busy = false;
        object.#receivers = undefined; // they need not live as long as the error
      }
    }
    return object.#text;
  }

  static write(object, value) {
    object.#done = true;
    object.#busy = false;
    object.#text = value;
  }

  static rawOf(object) {
    if (object.#raw === kWaits) complete(object);
    return object.#raw;
  }
}

// The functions of a property `stack`. They belong to the realm of the error: a context of node:vm gets nothing of the
// program's own realm by them.
function makeAccessor(functionPrototype) {
  const accessor = {
    get() {
      let object = this;
      while (object !== null && object !== undefined) {
        if ((typeof object === 'object' || typeof object === 'function') && Stack.has(object))
          return Stack.read(object);
        object = getPrototypeOf(object);
      }
      return undefined;
    },
    set(value) {
      if (this === null || (typeof this !== 'object' && typeof this !== 'function')) return;
      if (Stack.has(this)) Stack.write(this, value);
      else defineProperty(this, 'stack', { value, writable: true, configurable: true, enumerable: true });
    },
    enumerable: false,
    configurable: true,
  };
  for (const name of ['get', 'set']) {
    defineProperty(accessor[name], 'name', { value: '' });
    Object.setPrototypeOf(accessor[name], functionPrototype);
  }
  return accessor;
}

function attach(object, raw, limit, realm, receivers) {
  if (Stack.has(object)) {
    if (Stack.waits(object)) complete(object);
    Stack.renew(object, raw, limit, realm, receivers);
    if (Object.getOwnPropertyDescriptor(object, 'stack')?.get === realm.accessor.get) return;
  } else {
    new Stack(object, raw, limit, realm, receivers);
  }
  defineProperty(object, 'stack', realm.accessor);
}

// What belongs together: the engine's constructor of errors, the one that the program sees, and the limit that the
// program has set there.
class Realm {
  #native;
  #limitSeen = 10;
  #capture;
  #global;
  #CallSite; // made when first wanted
  PublicError;
  accessor;

  constructor(native, global) {
    this.#native = native;
    this.#global = global;
    this.accessor = makeAccessor(getPrototypeOf(global.Function));
    this.#capture = native.captureStackTrace;
    native.stackTraceLimit = 10 + kFramesBeyondLimit;
  }

  limit() {
    const limit = this.PublicError.stackTraceLimit;
    if (limit === this.#limitSeen) return limit;
    this.#limitSeen = limit;
    this.#native.stackTraceLimit =
      typeof limit === 'number' ? Math.min(Math.max(limit, 0) + kFramesBeyondLimit, 1000) : 0;
    return limit;
  }

  // The engine's lines from the caller of `hide` on. Frames above it count, too, while the engine collects them.
  lines(hide, more) {
    const holder = {};
    const before = this.#native.stackTraceLimit;
    this.#native.stackTraceLimit = before + more;
    apply(this.#capture, this.#native, [holder, hide]);
    this.#native.stackTraceLimit = before;
    return holder.stack;
  }

  makeCapture() {
    const realm = this;
    const { TypeError } = this.#global;
    const { captureStackTrace } = {
      captureStackTrace(object, hide) {
        if ((typeof object !== 'object' && typeof object !== 'function') || object === null)
          throw new TypeError('Invalid argument');
        const limit = realm.limit();
        const from = typeof hide === 'function' ? hide : captureStackTrace;
        const more = from === hide ? kFramesAboveHidden : 0;
        attach(object, realm.lines(from, more), limit, realm, receiversFrom(from, true, limit, more));
      },
    };
    return Object.setPrototypeOf(captureStackTrace, getPrototypeOf(this.#global.Function));
  }

  // What the program's prepareStackTrace gets.
  callSites(frames) {
    const { isSloppyFunction, makeCallSite } = require('internal/errors/call_site');
    this.#CallSite ??= makeCallSite(getPrototypeOf(this.#global.Function), this.#global.Object.prototype);
    let isSloppy = true;
    const sites = frames.map((frame) => {
      isSloppy &&= frame.isEval || isSloppyFunction(frame.callee);
      return new this.#CallSite(frame, isSloppy);
    });
    return Object.setPrototypeOf(sites, this.#global.Array.prototype);
  }
}

// ---- whom functions were called on ----

// { calls, at, waiting }: these values, where those of the stack begin that begins with `from`, or with its caller, and
// the functions that wait for the outermost one (internal/errors/await_positions). Undefined: the engine does not tell.
function receiversFrom(from, isAfter, limit, more) {
  if (runtime.receivers === undefined || !(limit > 0)) return undefined;
  const calls = runtime.receivers(Math.min(limit, 100) + kFramesBeyondLimit + more);
  const waiting = calls[0];
  for (let i = 1; i < calls.length; i += kValues)
    if (calls[i] === from) return { calls, at: isAfter ? i + kValues : i, waiting };
  return waiting === undefined ? undefined : { calls: undefined, at: 0, waiting };
}

const hiding = new WeakMap(); // the engine's constructors of errors -> true, false

// Whether the lines of such an error lack derived constructors already. Those of `Error` do from 2.52 on: they lack all
// calls above that of new.target, whatever it is. If it was not called, no line is left. The limit is not 0.
function hidesConstructors(Native) {
  let hides = hiding.get(Native);
  if (hides === undefined) hiding.set(Native, (hides = !takeLines(Reflect.construct(Native, [[]], function () {}))));
  return hides;
}

// The same for an error that `Public` has just made; the lines begin with that function. `until` is where those begin
// that the program sees, if `hide` is a constructor that calls it. Undefined: that cannot be told, or the engine has
// left out more than that.
function receiversOf(Public, hide, limit, Native) {
  const found = receiversFrom(Public, false, limit, 0);
  if (hide === undefined) return found;
  const { calls } = found ?? {};
  if (calls === undefined) return undefined;
  for (let i = found.at; i < calls.length; i += kValues) {
    if (calls[i] !== hide) continue;
    if (!hidesConstructors(Native)) found.until = i + kValues;
    else if (hide === Public) return undefined;
    else found.at = i + kValues;
    return found;
  }
  return undefined;
}

function headerOf(error) {
  try {
    return apply(nativeToString, error, []);
  } catch {
    return 'Error';
  }
}

function text(error, frames) {
  let result = headerOf(error);
  for (const frame of frames) result += `\n    at ${describe(placeOf(frame))}`;
  return result;
}

let formatting = false;
function format(error, raw, limit, realm, receivers) {
  if (typeof limit !== 'number') return undefined;
  const frames = framesOf(raw, limit, receivers);
  // A context without its own prepareStackTrace uses the program's.
  let homeRealm = realm;
  if (typeof realm.PublicError.prepareStackTrace !== 'function') homeRealm = mainRealm;
  const home = homeRealm.PublicError;
  const prepare = home.prepareStackTrace;
  if (typeof prepare === 'function' && prepare !== defaultPrepare && !formatting) {
    formatting = true;
    try {
      return apply(prepare, home, [error, homeRealm.callSites(frames)]);
    } finally {
      formatting = false;
    }
  }
  return text(error, frames);
}

function defaultPrepare(error, trace) {
  let result = headerOf(error);
  for (const site of trace) {
    const frame = isMapped() ? require('internal/errors/call_site').siteFrame(site) : undefined;
    result += `\n    at ${frame === undefined ? site : describe(placeOf(frame))}`;
  }
  return result;
}

// ---- the constructors ----

function wrap(realm, global, Native, Base) {
  const name = Native.name;
  const aggregate = name === 'AggregateError' || name === 'SuppressedError'; // of three arguments
  const Public = {
    [name]: function (message, options) {
      const target = new.target;
      const limit = realm.limit(); // the engine collects as many frames
      let error;
      let hide; // constructors of derived classes are no part of the stack
      if (target === undefined || target === Public) {
        error = aggregate ? new Native(message, options, arguments[2]) : new Native(message, options);
      } else {
        error = Reflect.construct(Native, arguments, target);
        hide = proxyDetails(target) === undefined ? target : Public; // a proxy has no frame to begin behind
      }
      finish(error, realm, limit, hide, Public, Native);
      return error;
    },
  }[name];
  Public.prototype = Native.prototype;
  defineProperty(Public, 'prototype', { writable: false, enumerable: false, configurable: false });
  defineProperty(Public, 'length', { value: name === 'SuppressedError' ? 3 : aggregate ? 2 : 1, configurable: true });
  defineProperty(Native.prototype, 'constructor', {
    value: Public,
    writable: true,
    configurable: true,
    enumerable: false,
  });
  if (Base) Object.setPrototypeOf(Public, Base);
  defineProperty(global, name, { value: Public, writable: true, configurable: true, enumerable: false });
  return Public;
}

// The engine's text, which is not the program's any more.
function takeLines(error) {
  words[kMakingError] = 1;
  const raw = error.stack;
  words[kMakingError] = 0;
  delete error.line;
  delete error.column;
  delete error.sourceURL;
  return raw;
}

// An error whose stack is wanted for the first time.
function complete(error) {
  const realm = Stack.complete(error, takeLines(error));
  defineProperty(error, 'stack', realm.accessor);
  stackFirst(error);
}

// Errors have `stack` before their other properties, also if it was made later.
function stackFirst(error) {
  const keys = Reflect.ownKeys(error);
  if (keys[0] === 'stack' || !Object.isExtensible(error)) return;
  const others = [];
  for (const key of keys) {
    const found = key === 'stack' ? undefined : Object.getOwnPropertyDescriptor(error, key);
    if (found?.configurable === false) return;
    if (found !== undefined) others.push([key, found]);
  }
  for (const [key] of others) delete error[key];
  for (const [key, found] of others) defineProperty(error, key, found);
}

// `Public` and `Native` are missing if the error was made before.
function finish(error, realm, limit, hide, Public, Native) {
  const receivers = Public === undefined ? undefined : receiversOf(Public, hide, limit, Native);
  if (Public !== undefined && (hide === undefined || receivers !== undefined) && runtime.postponeError(error)) {
    new Stack(error, kWaits, limit, realm, receivers);
    return;
  }
  const raw = takeLines(error);
  if (hide === undefined) attach(error, raw, limit, realm, receivers);
  else attach(error, realm.lines(hide, 0), limit, realm, receiversFrom(hide, true, limit, 0));
}

// --stack-trace-limit, which is an option of V8
function firstLimit() {
  const { execArgv, envGet } = internalBinding('process');
  // `process`, which internal/process/flags reads, does not exist yet.
  const inherited = envGet('NODE_OPTIONS');
  const words = inherited ? [...inherited.split(' '), ...execArgv] : execArgv;
  // A loop: the engine parses the text of `findLast`.
  for (let i = words.length - 1; i >= 0; i--) {
    if (words[i].startsWith('--stack-trace-limit=') || words[i].startsWith('--stack_trace_limit='))
      return Number.parseInt(words[i].slice('--stack-trace-limit='.length), 10) || 0;
  }
  return 10;
}

const realmsByPrototype = new WeakMap(); // by their Error.prototype

function realmOf(error) {
  for (let at = getPrototypeOf(error), i = 0; at !== null && i < 100; at = getPrototypeOf(at), i++) {
    const realm = realmsByPrototype.get(at);
    if (realm !== undefined) return realm;
  }
  return mainRealm;
}

// Replaces the constructors of `global` by ours; `natives` has the engine's by name.
function makeRealm(global, natives) {
  const realm = new Realm(natives.Error, global);
  realmsByPrototype.set(natives.Error.prototype, realm);
  const PublicError = (realm.PublicError = wrap(realm, global, natives.Error));
  for (const name of runtime.errorNames.slice(1)) {
    wrap(realm, global, natives[name], PublicError);
  }
  if (typeof global.SuppressedError === 'function') wrap(realm, global, global.SuppressedError, PublicError);
  const give = (name, value) =>
    defineProperty(PublicError, name, { value, writable: true, configurable: true, enumerable: false });
  give('captureStackTrace', realm.makeCapture());
  if (natives.Error.isError) give('isError', natives.Error.isError);
  PublicError.stackTraceLimit = firstLimit();
  return realm;
}

let mainRealm;
function install() {
  if (mainRealm !== undefined) return;
  mainRealm = makeRealm(globalThis, runtime);
  defineProperty(mainRealm.PublicError, 'prepareStackTrace', {
    value: defaultPrepare,
    writable: true,
    configurable: true,
    enumerable: false,
  });
}

// The same for the global of another realm of the engine.
function installIn(global) {
  const { PublicError } = makeRealm(global, global);
  Object.setPrototypeOf(PublicError, getPrototypeOf(global.Function));
  require('internal/process/function_text').installIn(global);
}

// ---- errors that the engine makes itself ----

function isNativeError(value) {
  return typeof value === 'object' && value !== null && NativeError.isError(value);
}

// The engine gives no message to those that it makes when a resource is disposed of.
const kSuppressed = 'An error was suppressed during disposal';

// Called when such an error is first read (runtime/engine/value/error.c), and for one that is reported without that.
function adopt(error) {
  if (!isNativeError(error)) return error;
  if (Stack.has(error)) {
    if (Stack.waits(error)) complete(error);
    return error;
  }
  words[kMakingError] = 1;
  const own = Object.getOwnPropertyDescriptor(error, 'stack');
  words[kMakingError] = 0;
  if (own === undefined || typeof own.value !== 'string' || !own.writable) return error;
  if (/^\s+at /m.test(own.value)) return error; // it is formatted already
  try {
    const { message } = error;
    if (typeof message === 'string') {
      const { name } = error;
      const value =
        message === '' && name === 'SuppressedError'
          ? kSuppressed
          : require('internal/errors/engine_message').messageFor(message, own.value, name === 'SyntaxError');
      if (value !== message)
        defineProperty(error, 'message', { value, writable: true, configurable: true, enumerable: false });
    }
    const realm = realmOf(error);
    finish(error, realm, realm.limit());
    stackFirst(error);
  } catch {
    // a frozen error stays as it is
  }
  return error;
}

function topFrame(error) {
  if (!isNativeError(error)) return undefined;
  const raw = Stack.has(error) ? Stack.rawOf(error) : undefined;
  if (raw === undefined) return undefined;
  const frames = framesOf(raw, 100);
  // An error of the runtime's own modules is shown where the program called them.
  const frame = frames.find(({ file }) => file && !file.startsWith('node:')) ?? frames[0];
  return frame === undefined ? frame : placeOf(frame);
}

install();

module.exports = {
  install,
  installIn,
  adopt,
  topFrame,
  isNativeError,
  callSites(limit) {
    return framesOf(mainRealm.lines(this.callSites, Math.max(0, limit - 8)), limit);
  },
};
