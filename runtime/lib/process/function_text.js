'use strict';

// The result of Function.prototype.toString. The engine's result is changed where it would show internals:
// - functions that are not written in JavaScript have V8's one line;
// - functions of ours that replace one of the language's have it, too;
// - if a module's text was edited before the engine got it (internal/modules/esm/transform), a function has its
//   original text: programs send functions to workers and browsers.

const { editedFiles } = require('internal/modules/columns');
const { place } = internalBinding('trace');
const { proxyDetails } = internalBinding('util');

const kEdited = '__rota_'; // every edit inside of a function has it
const kNativeBody = '{\n    [native code]\n}';
const nativeText = (name) => `function ${name}() { [native code] }`;

const prepared = new WeakMap(); // a record of edits -> an EditedText

// The original text and the edited one, and the mapping between them.
class EditedText {
  #text;
  #edits; // in their order: { start, end, replacement }, offsets in #text
  #code; // what the engine got, but for what stands around it; made when first wanted
  #jumps; // { from, to, shift }: a replacement's place in #code, and how far it moves what follows

  constructor({ text, edits }) {
    this.#text = text;
    this.#edits = edits;
  }

  static of(record) {
    let found = prepared.get(record);
    if (found === undefined) prepared.set(record, (found = new EditedText(record)));
    return found;
  }

  #prepare() {
    let code = '';
    let at = 0;
    this.#jumps = [];
    for (const { start, end, replacement } of this.#edits) {
      code += this.#text.slice(at, start);
      this.#jumps.push({
        from: code.length,
        to: code.length + replacement.length,
        shift: replacement.length - (end - start),
      });
      code += replacement;
      at = end;
    }
    this.#code = code + this.#text.slice(at);
  }

  // An offset in #code -> the offset in #text; undefined inside of a replacement. Text that was removed at the offset
  // itself is before a part that starts there, and after one that ends there.
  #offsetBefore(offset, isStart) {
    let shift = 0;
    for (const jump of this.#jumps) {
      if (offset < jump.from || (offset === jump.from && !(isStart && jump.from === jump.to))) break;
      if (offset < jump.to) return undefined;
      shift += jump.shift;
    }
    return offset - shift;
  }

  // The words before an asynchronous generator method were taken out (internal/modules/order_edits).
  #withHead(start) {
    const edit = this.#edits.find(({ end }) => end === start);
    const head = edit && /\basync\s*\*\s*$/.exec(this.#text.slice(edit.start, start));
    return head ? edit.start + head.index : start;
  }

  // Edits keep lines. Among functions with the same text, it is the one around the line.
  before(part, line) {
    if (this.#code === undefined) this.#prepare();
    const code = this.#code;
    const height = countLines(part, 0, part.length);
    let first = 1;
    let counted = 0;
    for (let at = code.indexOf(part); at !== -1; at = code.indexOf(part, at + 1)) {
      first += countLines(code, counted, at);
      counted = at;
      if (line !== undefined && (line < first || line > first + height)) continue;
      const start = this.#offsetBefore(at, true);
      const end = this.#offsetBefore(at + part.length, false);
      return start === undefined || end === undefined ? undefined : this.#text.slice(this.#withHead(start), end);
    }
    return undefined;
  }
}

function countLines(text, from, to) {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

// A class without a constructor has no position.
function asWritten(value, text) {
  const [file, line] = place(value) ?? [];
  const record = editedFiles.get(file);
  if (record !== undefined) return EditedText.of(record).before(text, line) ?? text;
  for (const each of editedFiles.values()) {
    const found = EditedText.of(each).before(text, undefined);
    if (found !== undefined) return found;
  }
  return text;
}

const errors = [...internalBinding('runtime').errorNames, 'SuppressedError'];
const slotsOf = (global) => [
  [global, errors],
  [global.Error, ['captureStackTrace']],
  [global.JSON, ['parse', 'stringify']],
  [global.Promise, ['any']],
  [global.WebAssembly, ['compile', 'instantiate', 'compileStreaming', 'instantiateStreaming']],
  [global.Atomics, ['wait', 'waitAsync', 'notify']],
  [global.Date.prototype, ['toTemporalInstant']],
  [global.Function.prototype, ['toString']],
];
let standIns;

function addStandIns(global) {
  for (const [holder, names] of slotsOf(global)) {
    for (const name of names) if (typeof holder?.[name] === 'function') standIns.add(holder[name]);
  }
}

function isStandIn(value) {
  if (standIns === undefined) {
    standIns = new WeakSet();
    addStandIns(globalThis);
  }
  // A function that the program itself has installed has a file of the program; an engine may tell no files.
  return standIns.has(value) && (place(value)?.[0].startsWith('node:') ?? true);
}

function nameOfNative(value, text) {
  if (proxyDetails(value) !== undefined) return '';
  const name = Object.getOwnPropertyDescriptor(value, 'name')?.value;
  return typeof name === 'string' && name.startsWith('bound ') ? '' : text.slice('function '.length, text.indexOf('('));
}

function textOf(value, engineText) {
  if (typeof value !== 'function')
    throw new TypeError("Function.prototype.toString requires that 'this' be a Function");
  const text = Reflect.apply(engineText, value, []);
  if (text.endsWith(kNativeBody)) return nativeText(nameOfNative(value, text));
  if (isStandIn(value)) return nativeText(value.name);
  return text.includes(kEdited) && editedFiles.size > 0 ? asWritten(value, text) : text;
}

// For the global of another realm of the engine.
function installIn(global) {
  const engineText = global.Function.prototype.toString;
  const method = {
    toString() {
      return textOf(this, engineText);
    },
  };
  const toString = require('internal/vm/own_errors').ownFunction(global, method.toString);
  Object.defineProperty(global.Function.prototype, 'toString', { value: toString });
  isStandIn(toString);
  addStandIns(global);
}

module.exports = { installIn, textOf };
