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

// What the engine tells of each frame: the function, its `this`, whether it is a generator's code (JS_USE_FRAMES).
const kValues = 3;
const kWaitingValues = 4; // see runtime/engine/value/stack.h

// { calls, at, waiting }: these values, where those of the stack begin that begins with `from`, or with its caller, and
// the functions that wait for the outermost one (internal/process/waiting). Undefined: the engine does not tell.
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

// ---- from the engine's lines to frames ----

const sources = new Map(runtime.sources); // url -> the number of columns that a text before it shifts the first line

function registerSource(url, shift, text) {
  sources.set(url, shift);
  known.clear();
  if (noteText !== null && text !== undefined) noteText(url, text);
}

// A program reads many stacks with the same lines: what a line says by itself -> { frame, column, isNew }, the latter
// two as fixColumn finds them; undefined: not looked for.
const known = new Map();
const kLinesKnown = 500;

function knowledgeOf(line) {
  let knowledge = known.get(line);
  if (knowledge === undefined) {
    if (known.size >= kLinesKnown) known.clear();
    known.set(line, (knowledge = { frame: parseFrame(line), column: undefined, isNew: undefined }));
  }
  return knowledge;
}

const columns = new Map(); // url -> a function that maps a column of an edited text (internal/modules/columns)

function registerColumns(url, find) {
  columns.set(url, find);
  known.clear();
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
    isAsync: false,
    isNew: undefined,
    isConstructor: undefined,
    promiseIndex: undefined, // of Promise.all
    callee: undefined,
    receiver: undefined,
    isBinding: false, // what another module reads a variable by: no function of the program
    isBody: false, // of a generator or an asynchronous function; the callee is its code, not itself
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
    frame.isBinding = frame.column < shift && name !== '__rota_module__' && isUrl(frame.file);
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

// Where the last `await` before a position is, or the position itself.
function findAwait(text, position) {
  const at = text.lastIndexOf('await', position);
  return at === -1 || isWord(text.charCodeAt(at - 1)) || isWord(text.charCodeAt(at + 5)) ? position : at;
}

// The engine's position is after the callee, at the bracket; V8's is at the callee's name, or at `new`.
function fixColumn(frame) {
  readLine ??= require('internal/process/execution').sourceLine;
  const text = readLine(frame.file, frame.line);
  if (text === undefined) return;
  let i = frame.column - 1;
  if (frame.isAsync) {
    frame.column = findAwait(text, i) + 1;
    return;
  }
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

function fixColumnAsKnown(frame, knowledge) {
  if (knowledge.column === undefined) {
    fixColumn(frame);
    knowledge.column = frame.column;
    knowledge.isNew = frame.isNew;
  } else {
    frame.column = knowledge.column;
    frame.isNew = knowledge.isNew;
  }
}

// Native functions that V8 does not show between a caller and its callback, and our own.
const unseen = new Set(['', 'apply', 'call', 'construct', 'evaluate']);

// The constructor of a class without an explicit one.
function isImplicit(frame) {
  return frame.file === '' && frame.line === 0 && !frame.isEval && !frame.isTop && frame.name !== 'anonymous';
}

const isNamed = (callee, name) =>
  typeof callee === 'function' && name !== '' && Object.getOwnPropertyDescriptor(callee, 'name')?.value === name;

const moduleFile = 'node:internal/modules/esm/link';
const namespaceFile = 'node:internal/modules/esm/namespace'; // the traps of namespace objects
const internalFile = 'node:internal/process/stacks';
const microtasksFile = 'node:internal/process/microtasks'; // what calls the callbacks of queueMicrotask
const usingFile = 'node:internal/async/using'; // stands between a block and its resources
const bootstrapFile = 'node:internal/bootstrap'; // in which JSON's functions are wrapped

// What awaits for a module that yields what it awaits.
const isDriver = ({ file, name }) => file === moduleFile && name === 'drive';

function framesOf(raw, limit, receivers) {
  if (typeof raw !== 'string' || raw === '' || !(limit > 0)) return [];
  const frames = [];
  const facts = []; // what is known of each
  const lines = raw.split('\n');
  const told = receivers?.calls;
  let at = receivers?.at; // in what was told
  let waits = false; // some releases of the engine tell who waits; only those that have a name are marked
  const until = receivers?.until ?? -1;
  for (let i = 0; i < lines.length; i++) {
    if (frames.length >= limit) break;
    const knowledge = knowledgeOf(lines[i]);
    const frame = { ...knowledge.frame };
    if (frame.name.startsWith('async ')) {
      frame.name = frame.name.slice('async '.length);
      waits = true;
    }
    if (waits) {
      frame.isAsync = true;
      if (!frame.native && !isImplicit(frame)) {
        frames.push(frame);
        facts.push(knowledge);
      }
      continue;
    }
    // Some natives have no line, as a proxy of a class. Some functions of the engine are JavaScript, but have the line
    // of a native.
    while (!frame.native && told?.[at] === null) at += kValues;
    const isHidden = at < until;
    if (!frame.native || told?.[at] === null || isNamed(told?.[at], frame.name)) {
      frame.callee = told?.[at] ?? undefined;
      frame.receiver = told?.[at + 1];
      frame.isBody = told?.[at + 2] === true;
      at += kValues;
    }
    if (
      isHidden ||
      frame.file === internalFile ||
      frame.file === microtasksFile ||
      frame.file === usingFile ||
      frame.file === namespaceFile ||
      frame.isBinding ||
      (frame.file === bootstrapFile && (frame.name === 'parse' || frame.name === 'stringify'))
    )
      continue;
    if (frame.native ? unseen.has(frame.name) : isImplicit(frame)) continue;
    // A module that awaits is a generator.
    if (frame.file === moduleFile && frames.at(-1)?.native) {
      frames.pop();
      facts.pop();
    }
    if (isDriver(frame)) continue;
    frames.push(frame);
    facts.push(knowledge);
  }
  for (let i = 0; i < frames.length; i++) {
    if (frames[i].isAsync) fixColumn(frames[i]);
    else if (!frames[i].native) fixColumnAsKnown(frames[i], facts[i]);
    // If the frame below has a call `new X`, this frame is a constructor.
    if (i > 0 && frames[i].isNew && frames[i - 1].name !== '') frames[i - 1].isConstructor = true;
    if (i > 0) tellReceiver(frames[i - 1]);
  }
  if (frames.length > 0) tellReceiver(frames.at(-1));
  if (receivers?.waiting !== undefined && frames.length < limit) addWaiting(frames, receivers.waiting, limit);
  return frames;
}

// The functions that wait for the outermost one.
function addWaiting(frames, waiting, limit) {
  const { lineFor } = require('internal/process/waiting');
  for (let i = 0; i < waiting.length && frames.length < limit; i += kWaitingValues) {
    const [callee, receiver, number, isGenerator] = waiting.slice(i, i + kWaitingValues);
    const frame = parseFrame(callee === null ? '@[native code]' : lineFor(callee, number, isGenerator));
    if (isDriver(frame)) continue;
    frame.isAsync = true;
    if (callee === null) {
      frame.promiseIndex = number;
      frame.name = frame.methodName = 'all';
      frame.typeName = 'Promise';
      frame.isMethod = true;
    } else {
      frame.callee = callee;
      frame.receiver = receiver;
      frame.isBody = true;
      tellReceiver(frame);
    }
    frames.push(frame);
  }
}

let calls; // internal/process/receivers, when it is needed

// What the receiver of a function says of its frame.
function tellReceiver(frame) {
  if (frame.callee === undefined || frame.native || frame.name === '__rota_module__' || frame.isTop || frame.isEval)
    return;
  calls ??= require('internal/process/receivers');
  if (frame.isBody && frame.name === '') frame.name = require('internal/process/waiting').nameFor(frame, parseFrame);
  calls.tell(frame);
}

const isUrl = (file) => file.startsWith('file:') || file.startsWith('data:');

function describe(frame) {
  if (frame.promiseIndex !== undefined) return `async Promise.all (index ${frame.promiseIndex})`;
  return frame.isAsync ? `async ${describeCall(frame)}` : describeCall(frame);
}

function describeCall(frame) {
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
  #isSloppy;
  constructor(site, frame, isSloppy) {
    super(site);
    this.#frame = frame;
    this.#isSloppy = isSloppy;
  }
  static isSloppy(site) {
    return typeof site === 'object' && site !== null && #frame in site && site.#isSloppy;
  }
  static frameOf(site) {
    return typeof site === 'object' && site !== null && #frame in site ? site.#frame : undefined;
  }
}
const frameOf = (site) => Framed.frameOf(site) ?? kNoFrame;
const kNoFrame = { name: '', file: undefined, line: 0, column: 0, native: true, isTop: false, isEval: false };

// Strict code keeps its functions and receivers to itself, and those of its callers. `caller` throws for all functions
// but plain ones that are not strict: methods and arrow functions are taken for strict.
const callerOf = Object.getOwnPropertyDescriptor(Function.prototype, 'caller')?.get;
function isSloppyFunction(callee) {
  if (typeof callee !== 'function' || callerOf === undefined) return false;
  try {
    apply(callerOf, callee, []);
    return true;
  } catch {
    return false;
  }
}

// What the code of such a function gets as `this`.
function sloppyThis(value) {
  return value === undefined || value === null ? globalThis : Object(value);
}

// The code of a CommonJS file runs with its exports as `this`.
function hasExports({ name, file }) {
  return name === '__rota_module__' && !isUrl(file);
}

// Another class for each realm: its functions belong to that realm, and throw nothing.
function makeCallSite(functionPrototype, objectPrototype) {
  const CallSite = class CallSite {
    constructor(frame, isSloppy) {
      new Framed(this, frame, isSloppy);
    }
    getThis() {
      return Framed.isSloppy(this) ? sloppyThis(frameOf(this).receiver) : undefined;
    }
    getTypeName() {
      return hasExports(frameOf(this)) ? 'Object' : (frameOf(this).typeName ?? null);
    }
    getFunction() {
      const { callee, name } = frameOf(this);
      return Framed.isSloppy(this) && name !== '__rota_module__' ? callee : undefined;
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
      return frameOf(this).promiseIndex ?? null;
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
      return frameOf(this).isAsync === true;
    }
    isPromiseAll() {
      return frameOf(this).promiseIndex !== undefined;
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

const readText = (file) => require('internal/process/execution').sourceText(file);

// The engine gives no message to those that it makes when a resource is disposed of.
const kSuppressed = 'An error was suppressed during disposal';

// A program that fails repeatedly at one position gets the same result.
const kAnswersKept = 200;
const answers = new Map();

// How an error came about that a variable of another module is read too early: { name, trap, below }, the name that
// it is exported under, the trap of the namespace if it was read by one, and the stack below both.
function readOf(message, raw) {
  if (!message.startsWith('Cannot access ')) return undefined;
  let below = raw;
  let name;
  let trap;
  for (;;) {
    const end = below.indexOf('\n');
    const frame = parseFrame(end === -1 ? below : below.slice(0, end));
    if (frame.isBinding) name = frame.name;
    else if (name !== undefined && frame.file === namespaceFile) trap = frame.name;
    else return name === undefined ? undefined : { name, trap, below };
    below = end === -1 ? '' : below.slice(end + 1);
  }
}

function wordsFor(message, whole, isSyntax) {
  const read = readOf(message, whole);
  const raw = read?.below ?? whole;
  let top = raw.indexOf('\n');
  while (top !== -1 && raw.endsWith('[native code]', top)) top = raw.indexOf('\n', top + 1);
  const stack = top === -1 ? raw : raw.slice(0, top);
  const question = `${message}\n${read?.name ?? ''}\n${read?.trap ?? ''}\n${stack}`;
  let answer = answers.get(question);
  if (answer !== undefined) return answer;
  const { Place, translate } = require('internal/errors/engine_message');
  const lines = stack.split('\n').map(parseFrame);
  const at = lines.findIndex((frame) => frame.file);
  const native = at > 0 && lines[at - 1].native ? lines[at - 1].name : undefined;
  const place = new Place(lines[at], native, lines[0].name, readText);
  place.read = read;
  answer = translate(message, place, isSyntax);
  if (answers.size >= kAnswersKept) answers.clear();
  answers.set(question, answer);
  return answer;
}

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
          : wordsFor(message, own.value, name === 'SyntaxError');
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
  callSites(limit) {
    return framesOf(mainRealm.lines(this.callSites, Math.max(0, limit - 8)), limit);
  },
};
