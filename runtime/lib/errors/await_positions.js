'use strict';

// Functions that wait at an `await`, for stacks: where they wait, and what they are called. The engine tells the code
// of such a function and the number of the await; it knows no position of it. So the text of the code is parsed, when
// a stack is first read that has the function.

const toText = internalBinding('runtime').engineText;
const { place } = internalBinding('trace');
const { apply } = Reflect;

const kLongest = 200_000; // characters of a function that is parsed
const kLinesBefore = 20; // that may have a function's head
const kKept = 200;
const points = new Map(); // the place of a code -> the offsets of its awaits
const names = new Map();

function keep(map, key, make) {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    if (map.size >= kKept) map.clear();
    map.set(key, value);
  }
  return value;
}

// A line as the engine's stacks have them. If the await is not found, it is where the code begins.
function lineFor(code, number, isGenerator) {
  const [file, line, column] = place(code) ?? ['', 0, 0];
  const own = Object.getOwnPropertyDescriptor(code, 'name')?.value ?? '';
  const text = apply(toText, code, []);
  const offsets = keep(points, `${file}:${line}:${column}`, () =>
    text.length > kLongest ? [] : require('internal/errors/suspension').pointsIn(text, isGenerator),
  );
  const offset = offsets[number - 1] ?? 0;
  let lines = 0;
  let start = -1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    lines++;
    start = at;
  }
  return `${own}@${file}:${line + lines}:${lines === 0 ? column + offset : offset - start}`;
}

// ---- names ----

// The code of an arrow function, or of a function that got its name from where it is assigned, has no name itself. What
// stands before it tells the name that the language gives it.
function nameFor({ callee }, parseFrame) {
  const found = place(callee);
  if (found === undefined || found[0].startsWith('node:')) return '';
  return keep(names, found.join(':'), () => {
    const { file, line, column } = parseFrame(`@${found.join(':')}`);
    const { sourceLine } = require('internal/process/execution');
    let text = sourceLine(file, line)?.slice(0, column - 1) ?? '';
    for (let i = 1; i <= kLinesBefore && i < line; i++) {
      const name = nameBefore(text);
      if (name !== undefined) return name;
      text = `${sourceLine(file, line - i)}\n${text}`;
    }
    return nameBefore(text) ?? '';
  });
}

const isBlank = (code) => code === 32 || (code >= 9 && code <= 13);
const isWord = (code) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 36;

// The place of the bracket that the one at `end` closes; -1: there is none.
function opening(text, end, open, close) {
  let depth = 0;
  for (let at = end; at >= 0; at--) {
    if (text[at] === close) depth++;
    else if (text[at] === open && --depth === 0) return at;
  }
  return -1;
}

// Reads a text from its end.
class Backwards {
  constructor(text) {
    this.text = text;
    this.skip();
  }

  skip() {
    let { length } = this.text;
    while (length > 0 && isBlank(this.text.charCodeAt(length - 1))) length--;
    this.text = this.text.slice(0, length);
  }

  drop(count) {
    this.text = this.text.slice(0, this.text.length - count);
    this.skip();
    return true;
  }

  take(word) {
    return this.text.endsWith(word) && this.drop(word.length);
  }

  takeBrackets(open, close) {
    const at = this.text.endsWith(close) ? opening(this.text, this.text.length - 1, open, close) : -1;
    if (at === -1) return undefined;
    const inside = this.text.slice(at + 1, -1);
    this.drop(this.text.length - at);
    return inside;
  }

  takeWord() {
    let at = this.text.length;
    while (at > 0 && (isWord(this.text.charCodeAt(at - 1)) || this.text.charCodeAt(at - 1) >= 128)) at--;
    if (this.text[at - 1] === '#') at--;
    const word = this.text.slice(at);
    this.drop(word.length);
    return word;
  }
}

// -> a name, '' for none, or undefined: more of the text is needed.
function nameBefore(text) {
  const rest = new Backwards(text);
  const isArrow = rest.take('=>');
  if (rest.takeBrackets('(', ')') === undefined && (!isArrow || rest.takeWord() === '')) {
    return rest.text.includes('(') ? '' : undefined;
  }
  if (!isArrow) {
    const key = rest.takeBrackets('[', ']');
    if (key !== undefined) return key.startsWith('Symbol.') ? `[${key}]` : '';
    rest.take('*');
    const word = rest.takeWord();
    if (word !== 'function') return word === '' ? undefined : word;
  }
  if (!rest.take('async') && isArrow) return rest.text === '' ? undefined : '';
  return assignedName(rest);
}

function assignedName(rest) {
  while (rest.text.endsWith('(') && '=:('.includes(rest.text.slice(0, -1).trimEnd().at(-1))) rest.drop(1);
  if (rest.text === '') return undefined;
  if (rest.take('=')) {
    if (rest.text !== '' && '=!<>+-*/%&|^?'.includes(rest.text.at(-1))) return '';
    const word = rest.takeWord();
    return rest.text.endsWith('.') ? '' : word;
  }
  if (!rest.take(':')) return '';
  const quote = rest.text.at(-1);
  let name;
  if (quote === "'" || quote === '"') {
    name = rest.text.slice(rest.text.lastIndexOf(quote, rest.text.length - 2) + 1, -1);
    rest.drop(name.length + 2);
  } else {
    name = rest.takeWord();
  }
  // Otherwise it may be a part of a condition.
  if (rest.text === '') return undefined;
  return rest.text.endsWith('{') || rest.text.endsWith(',') ? name : '';
}

module.exports = { lineFor, nameFor };
