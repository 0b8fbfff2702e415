'use strict';

// Error stacks in Node's format. The engine gives `name@file:line:column` lines without a header, as a plain property
// made by each error's constructor. So the constructors are wrapped: every error made by a program gets an accessor
// `stack` that formats itself when first read, after Error.prepareStackTrace and Error.stackTraceLimit. An error that
// the engine throws itself has no constructor to wrap; `adopt` gives it the same accessor when it is shown or reported.
// The contexts of node:vm are realms with constructors of their own, each with its own limit and prepareStackTrace.

const runtime = internalBinding('runtime');
const { words, kMakingError } = require('internal/process/shared');
const { proxyDetails } = internalBinding('util');
const NativeError = runtime.Error;
const defineProperty = Object.defineProperty;
const getPrototypeOf = Object.getPrototypeOf;
const apply = Reflect.apply;
const nativeToString = NativeError.prototype.toString;

const kFramesAboveHidden = 50; // that captureStackTrace looks at
const kFramesBeyondLimit = 8; // room for frames of the wrapper and for those hidden by captureStackTrace
const builtinHead = '(function (exports, require, module, process, internalBinding, primordials) {'.length;

// Private fields on objects that we did not make: the base constructor returns the object that is to get them.
class Given {
  constructor(object) {
    return object;
  }
}

class Stack extends Given {
  #raw;
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

  static read(object) {
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
    this.#CallSite ??= makeCallSite(getPrototypeOf(this.#global.Function), this.#global.Object.prototype);
    const sites = frames.map((frame) => new this.#CallSite(frame));
    return Object.setPrototypeOf(sites, this.#global.Array.prototype);
  }
}

// ---- whom functions were called on ----

// [function, this, ...] for the lines of a stack that begins with `from`, or with its caller; or undefined: the engine
// does not tell (JS_USE_FRAMES).
function receiversFrom(from, isAfter, limit, more) {
  if (runtime.receivers === undefined || !(limit > 0)) return undefined;
  const found = runtime.receivers(Math.min(limit, 100) + kFramesBeyondLimit + more);
  for (let i = 0; i < found.length; i += 2) if (found[i] === from) return found.slice(isAfter ? i + 2 : i);
  return undefined;
}

// ---- from the engine's lines to frames ----

const sources = new Map(runtime.sources); // url -> the number of columns that a text before it shifts the first line

function registerSource(url, shift, text) {
  sources.set(url, shift);
  if (noteText !== null && text !== undefined) noteText(url, text);
}

const columns = new Map(); // url -> a function that maps a column of an edited text (internal/modules/columns)

function registerColumns(url, find) {
  columns.set(url, find);
}

// No regular expressions here: the engine takes longer to compile one than to look at the lines of a stack.

// Where the number begins that ends at `end` and follows a colon; -1: there is none.
function numberBefore(text, end) {
  let at = end;
  for (let code; at > 0 && (code = text.charCodeAt(at - 1)) >= 48 && code <= 57;) at--;
  return at < end && text[at - 1] === ':' ? at : -1;
}

function parseFrame(line) {
  const at = line.indexOf('@');
  let name = at === -1 ? '' : line.slice(0, at);
  let place = at === -1 ? line : line.slice(at + 1);
  const frame = {
    name,
    file: undefined,
    line: 0,
    column: 0,
    native: false,
    isTop: false,
    isEval: false,
    callee: undefined,
    receiver: undefined,
    isMethod: false,
    typeName: undefined,
    methodName: undefined,
  };
  if (place === '[native code]') {
    frame.native = true;
    return frame;
  }
  let end = place.length;
  const last = numberBefore(place, end);
  if (last !== -1) end = last - 1;
  const first = last === -1 ? -1 : numberBefore(place, end);
  if (first !== -1) {
    frame.line = +place.slice(first, end);
    frame.column = +place.slice(last);
    end = first - 1;
  } else if (last !== -1) {
    frame.line = +place.slice(last);
  }
  frame.file = place.slice(0, end);
  if (name === 'global code' || name === 'module code') {
    frame.isTop = true;
    frame.name = '';
  } else if (name === 'eval code') {
    frame.isEval = true;
    frame.name = 'eval';
  }
  if (frame.line === 1) {
    const shift = sources.get(frame.file) ?? (frame.file.startsWith('node:') ? builtinHead : 0);
    frame.column = Math.max(1, frame.column - shift);
  }
  if (frame.line > 0) frame.column = columns.get(frame.file)?.(frame.line, frame.column) ?? frame.column;
  return frame;
}

// Names that the engine gives to native functions, as V8 shows them.
const nativeOwners = {
  __proto__: null,
  map: 'Array',
  forEach: 'Array',
  filter: 'Array',
  reduce: 'Array',
  reduceRight: 'Array',
  some: 'Array',
  every: 'Array',
  find: 'Array',
  findIndex: 'Array',
  flatMap: 'Array',
  sort: 'Array',
  from: 'Array',
  findLast: 'Array',
  then: 'Promise',
  catch: 'Promise',
  finally: 'Promise',
  parse: 'JSON',
  stringify: 'JSON',
  replace: 'String',
  replaceAll: 'String',
};

let readLine; // (file, line) -> text of that line, or undefined

const isAsciiWord = (code) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
const isWord = (code) => isAsciiWord(code) || code === 36 || code === 35 || code >= 128; // also $ and #

// Where the `new` is that ends a text, with blanks behind it; -1: there is none.
function findNew(text) {
  const trimmed = text.trimEnd();
  const at = trimmed.length - 3;
  return at + 3 < text.length && trimmed.endsWith('new') && !isAsciiWord(text.charCodeAt(at - 1)) ? at : -1;
}

// The engine's position is after the callee, at the bracket; V8's is at the callee's name, or at `new`.
function fixColumn(frame) {
  readLine ??= require('internal/process/execution').sourceLine;
  const text = readLine(frame.file, frame.line);
  if (text === undefined) return;
  let i = frame.column - 1;
  const here = text[i];
  if (here === '.') {
    frame.column += text[i + 1] === '.' ? 0 : 1;
    return;
  }
  if (here !== '(' && here !== '`') return;
  let start = i;
  while (start > 0 && isWord(text.charCodeAt(start - 1))) start--;
  if (start === i) return;
  let whole = start;
  while (whole > 0 && (isWord(text.charCodeAt(whole - 1)) || text[whole - 1] === '.')) whole--;
  const fresh = findNew(text.slice(0, whole));
  frame.column = (fresh !== -1 ? fresh : start) + 1;
  frame.isNew = fresh !== -1;
}

// Native functions that V8 does not show between a caller and its callback, and our own.
const unseen = new Set(['', 'apply', 'call', 'construct', 'evaluate']);

// The constructor of a class without an explicit one.
function isImplicit(frame) {
  return frame.file === '' && frame.line === 0 && !frame.isEval && !frame.isTop && frame.name !== 'anonymous';
}

const moduleFile = 'node:internal/modules/esm/link';
const internalFile = 'node:internal/process/stacks';
const usingFile = 'node:internal/async/using'; // stands between a block and its resources
const bootstrapFile = 'node:internal/bootstrap'; // in which JSON's functions are wrapped

function framesOf(raw, limit, pairs) {
  if (typeof raw !== 'string' || raw === '' || !(limit > 0)) return [];
  const frames = [];
  const lines = raw.split('\n');
  let at = 0; // in the pairs
  for (let i = 0; i < lines.length; i++) {
    if (frames.length >= limit) break;
    const frame = parseFrame(lines[i]);
    // Some natives have no line, as a proxy of a class.
    while (!frame.native && pairs?.[at] === null) at += 2;
    if (frame.native ? pairs?.[at] === null : true) {
      frame.callee = pairs?.[at] ?? undefined;
      frame.receiver = pairs?.[at + 1];
      at += 2;
    }
    if (
      frame.file === internalFile ||
      frame.file === usingFile ||
      (frame.file === bootstrapFile && (frame.name === 'parse' || frame.name === 'stringify'))
    )
      continue;
    if (frame.native ? unseen.has(frame.name) : isImplicit(frame)) continue;
    // A module that awaits is a generator.
    if (frame.file === moduleFile && frames.at(-1)?.native) frames.pop();
    frames.push(frame);
  }
  for (let i = 0; i < frames.length; i++) {
    if (!frames[i].native) fixColumn(frames[i]);
    // If the frame below has a call `new X`, this frame is a constructor.
    if (i > 0 && frames[i].isNew && frames[i - 1].name !== '') frames[i - 1].isConstructor = true;
    if (i > 0) tellReceiver(frames[i - 1]);
  }
  if (frames.length > 0) tellReceiver(frames.at(-1));
  return frames;
}

let calls; // internal/process/receivers, when it is needed

// What the receiver of a function says of its frame.
function tellReceiver(frame) {
  if (frame.callee === undefined || frame.native || frame.name === '__rota_module__' || frame.isTop || frame.isEval)
    return;
  calls ??= require('internal/process/receivers');
  calls.tell(frame);
}

const isUrl = (file) => file.startsWith('file:') || file.startsWith('data:');

function describe(frame) {
  if (frame.native) {
    const owner = nativeOwners[frame.name];
    return frame.isConstructor || frame.name === 'Promise'
      ? `new ${frame.name} (<anonymous>)`
      : `${owner ? `${owner}.` : ''}${frame.name} (<anonymous>)`;
  }
  const file = frame.file || '<anonymous>';
  const place = frame.line > 0 ? `${file}:${frame.line}:${frame.column}` : file;
  if (frame.generated !== undefined) return describeOrigin(frame, place);
  if (frame.name === '__rota_module__') return isUrl(file) ? place : `Object.<anonymous> (${place})`;
  if (frame.name === '' && !frame.isMethod && !frame.isConstructor) return place;
  return `${calledAs(frame)} (${place})`;
}

function calledAs({ isConstructor, isMethod, name, typeName, methodName }) {
  if (!isMethod) return `${isConstructor ? 'new ' : ''}${name || '<anonymous>'}`;
  return calls.calledAs(name, typeName, methodName);
}

// A frame that was mapped by a source map always has a name.
function describeOrigin(frame, place) {
  if (frame.name === '__rota_module__') return `${isUrl(frame.generated.file) ? '' : 'Object.'}<anonymous> (${place})`;
  return `${calledAs(frame)} (${place})`;
}

class Framed extends Given {
  #frame;
  constructor(site, frame) {
    super(site);
    this.#frame = frame;
  }
  static frameOf(site) {
    return typeof site === 'object' && site !== null && #frame in site ? site.#frame : undefined;
  }
}
const frameOf = (site) => Framed.frameOf(site) ?? kNoFrame;
const kNoFrame = { name: '', file: undefined, line: 0, column: 0, native: true, isTop: false, isEval: false };

// The code of a CommonJS file runs with its exports as `this`.
function hasExports({ name, file }) {
  return name === '__rota_module__' && !isUrl(file);
}

// Another class for each realm: its functions belong to that realm, and throw nothing.
function makeCallSite(functionPrototype, objectPrototype) {
  const CallSite = class CallSite {
    constructor(frame) {
      new Framed(this, frame);
    }
    getThis() {
      return undefined;
    }
    getTypeName() {
      return hasExports(frameOf(this)) ? 'Object' : (frameOf(this).typeName ?? null);
    }
    getFunction() {
      return undefined;
    }
    getFunctionName() {
      const { name } = frameOf(this);
      return name === '' || name === '__rota_module__' ? null : name;
    }
    getMethodName() {
      return frameOf(this).methodName ?? null;
    }
    getFileName() {
      return frameOf(this).file ?? null;
    }
    getLineNumber() {
      return frameOf(this).native ? null : frameOf(this).line;
    }
    getColumnNumber() {
      return frameOf(this).native ? null : frameOf(this).column;
    }
    getEvalOrigin() {
      return undefined;
    }
    getScriptNameOrSourceURL() {
      return frameOf(this).file ?? null;
    }
    getScriptHash() {
      return '';
    }
    getEnclosingLineNumber() {
      return frameOf(this).line;
    }
    getEnclosingColumnNumber() {
      return frameOf(this).column;
    }
    getPosition() {
      return 0;
    }
    getPromiseIndex() {
      return null;
    }
    isToplevel() {
      const { isConstructor, isMethod } = frameOf(this);
      return isConstructor !== true && isMethod !== true && !hasExports(frameOf(this));
    }
    isEval() {
      return frameOf(this).isEval;
    }
    isNative() {
      return false;
    }
    isConstructor() {
      return frameOf(this).isConstructor === true;
    }
    isAsync() {
      return false;
    }
    isPromiseAll() {
      return false;
    }
    toString() {
      return describe(frameOf(this));
    }
  };
  const nothing = { CallSite() {} }.CallSite; // the class would throw an error of this realm
  defineProperty(CallSite.prototype, 'constructor', { value: nothing });
  for (const name of Object.getOwnPropertyNames(CallSite.prototype))
    Object.setPrototypeOf(CallSite.prototype[name], functionPrototype);
  Object.setPrototypeOf(CallSite.prototype, objectPrototype);
  return CallSite;
}

function headerOf(error) {
  try {
    return apply(nativeToString, error, []);
  } catch {
    return 'Error';
  }
}

// The original position of a frame, while source maps are on (internal/source_map/origin): frame -> frame
let originOf = null;
let noteText = null; // (file, text): what is compiled need not be what is on the disk

function mapFrames(find, note) {
  originOf = find;
  noteText = note;
}

function text(error, frames) {
  let result = headerOf(error);
  for (const frame of frames) result += `\n    at ${describe(originOf === null ? frame : originOf(frame))}`;
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
    const frame = originOf === null ? undefined : Framed.frameOf(site);
    result += `\n    at ${frame === undefined ? site : describe(originOf(frame))}`;
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
      let error;
      let hide; // constructors of derived classes are no part of the stack
      if (target === undefined || target === Public) {
        error = aggregate ? new Native(message, options, arguments[2]) : new Native(message, options);
      } else {
        error = Reflect.construct(Native, arguments, target);
        hide = proxyDetails(target) === undefined ? target : undefined;
      }
      finish(error, realm, hide, Public);
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

// `Public` is missing if the error was made before.
function finish(error, realm, hide, Public) {
  const limit = realm.limit();
  words[kMakingError] = 1;
  const raw = error.stack;
  words[kMakingError] = 0;
  delete error.line;
  delete error.column;
  delete error.sourceURL;
  const receivers = Public === undefined ? undefined : receiversFrom(hide ?? Public, hide !== undefined, limit, 0);
  attach(error, hide === undefined ? raw : realm.lines(hide, 0), limit, realm, receivers);
}

// --stack-trace-limit, which is an option of V8
function firstLimit() {
  const { execArgv, envGet } = internalBinding('process');
  // `process`, which internal/process/flags reads, does not exist yet.
  const words = [...(envGet('NODE_OPTIONS') ?? '').split(' '), ...execArgv];
  const given = words.findLast(
    (option) => option.startsWith('--stack-trace-limit=') || option.startsWith('--stack_trace_limit='),
  );
  return given === undefined ? 10 : Number.parseInt(given.slice('--stack-trace-limit='.length), 10) || 0;
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

const readText = (file) => require('internal/process/execution').sourceText(file);

// A program that fails repeatedly at one position gets the same result.
const kAnswersKept = 200;
const answers = new Map();

function wordsFor(message, raw, isSyntax) {
  let top = raw.indexOf('\n');
  while (top !== -1 && raw.endsWith('[native code]', top)) top = raw.indexOf('\n', top + 1);
  const stack = top === -1 ? raw : raw.slice(0, top);
  const question = `${message}\n${stack}`;
  let answer = answers.get(question);
  if (answer !== undefined) return answer;
  const { Place, translate } = require('internal/errors/engine_message');
  const lines = stack.split('\n').map(parseFrame);
  const at = lines.findIndex((frame) => frame.file);
  const native = at > 0 && lines[at - 1].native ? lines[at - 1].name : undefined;
  answer = translate(message, new Place(lines[at], native, lines[0].name, readText), isSyntax);
  if (answers.size >= kAnswersKept) answers.clear();
  answers.set(question, answer);
  return answer;
}

// Called when such an error is first read (runtime/engine/value/error.c), and for one that is reported without that.
function adopt(error) {
  if (!isNativeError(error) || Stack.has(error)) return error;
  words[kMakingError] = 1;
  const own = Object.getOwnPropertyDescriptor(error, 'stack');
  words[kMakingError] = 0;
  if (own === undefined || typeof own.value !== 'string' || !own.writable) return error;
  if (/^\s+at /m.test(own.value)) return error; // it is formatted already
  try {
    const { message } = error;
    if (typeof message === 'string') {
      const value = wordsFor(message, own.value, error.name === 'SyntaxError');
      if (value !== message)
        defineProperty(error, 'message', { value, writable: true, configurable: true, enumerable: false });
    }
    finish(error, realmOf(error));
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
  return originOf === null || frame === undefined ? frame : originOf(frame);
}

install();

module.exports = {
  install,
  installIn,
  mapFrames,
  placeOf: (frame) => (originOf === null ? frame : originOf(frame)),
  isLoaded: (file) => sources.has(file),
  adopt,
  topFrame,
  registerSource,
  registerColumns,
  isNativeError,
  framesOf,
  callSites(limit) {
    return framesOf(mainRealm.lines(this.callSites, Math.max(0, limit - 8)), limit);
  },
};
