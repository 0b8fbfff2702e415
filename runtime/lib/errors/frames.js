'use strict';

// The frames of a stack: objects made from the engine's lines (`name@file:line:column`), and their texts in Node's
// format. The engine's positions become V8's, frames of the runtime are left out, and the receivers of functions are
// added, where the engine tells them. The positions of code that a source map belongs to are mapped while source maps
// are on.

const runtime = internalBinding('runtime');

// What the engine tells of each frame: the function, its `this`, whether it is a generator's code (JS_USE_FRAMES).
const kValues = 3;
const kWaitingValues = 4; // see runtime/engine/value/stack.h

const builtinHead = '(function (exports, require, module, process, internalBinding, primordials) {'.length;

const isUrl = (file) => file.startsWith('file:') || file.startsWith('data:');

// Private fields on objects that we did not make: the base constructor returns the object that is to get them.
class Given {
  constructor(object) {
    return object;
  }
}

// ---- source maps ----

// The original position of a frame, while source maps are on (internal/source_map/origin): frame -> frame
let originOf = null;
let noteText = null; // (file, text): what is compiled need not be what is on the disk

function mapFrames(find, note) {
  originOf = find;
  noteText = note;
}

const placeOf = (frame) => (originOf === null ? frame : originOf(frame));
const isMapped = () => originOf !== null;

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
const internalFile = 'node:internal/errors/stacks';
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
  const { lineFor } = require('internal/errors/await_positions');
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

// What the receiver of a function says of its frame.
function tellReceiver(frame) {
  if (frame.callee === undefined || frame.native || frame.name === '__rota_module__' || frame.isTop || frame.isEval)
    return;
  if (frame.isBody && frame.name === '')
    frame.name = require('internal/errors/await_positions').nameFor(frame, parseFrame);
  require('internal/errors/receivers').tell(frame);
}

// ---- from frames to text ----

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
  return require('internal/errors/receivers').calledAs(name, typeName, methodName);
}

// A frame that was mapped by a source map always has a name.
function describeOrigin(frame, place) {
  if (frame.name === '__rota_module__') return `${isUrl(frame.generated.file) ? '' : 'Object.'}<anonymous> (${place})`;
  return `${calledAs(frame)} (${place})`;
}

module.exports = {
  Given,
  kValues,
  describe,
  framesOf,
  isLoaded: (file) => sources.has(file),
  isMapped,
  isUrl,
  mapFrames,
  namespaceFile,
  parseFrame,
  placeOf,
  registerColumns,
  registerSource,
};
