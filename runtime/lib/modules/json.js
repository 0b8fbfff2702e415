'use strict';

// JSON files. The engine parses; if it refuses a text, this file finds the position of the error and gives V8's message
// for it.

const kShort = 20; // a text up to this length is quoted whole
const kAround = 10; // of a longer one, so much before and behind the place

class Fault {
  constructor(at, what) {
    this.at = at;
    this.what = what;
  }
}

// Scans the text up to the first error.
class Scanner {
  #text;
  #at = 0;

  constructor(text) {
    this.#text = text;
  }

  #skipBlanks() {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? '')) this.#at++;
    return this.#text[this.#at];
  }

  whole() {
    this.#value();
    if (this.#skipBlanks() !== undefined) throw new Fault(this.#at, 'Unexpected non-whitespace character after JSON');
  }

  #value() {
    const first = this.#skipBlanks();
    if (first === '{') return this.#object();
    if (first === '[') return this.#array();
    if (first === '"') return this.#string();
    if (first === '-' || /\d/.test(first ?? '')) return this.#number();
    for (const word of ['true', 'false', 'null']) if (first === word[0]) return this.#word(word);
    throw new Fault(this.#at);
  }

  #word(word) {
    for (const letter of word) {
      if (this.#text[this.#at] !== letter) throw new Fault(this.#at);
      this.#at++;
    }
  }

  #object() {
    this.#at++;
    if (this.#skipBlanks() === '}') return this.#at++;
    for (let isFirst = true; ; isFirst = false) {
      if (this.#skipBlanks() !== '"')
        throw new Fault(this.#at, isFirst ? "Expected property name or '}'" : 'Expected double-quoted property name');
      this.#string();
      if (this.#skipBlanks() !== ':') throw new Fault(this.#at, "Expected ':' after property name");
      this.#at++;
      this.#value();
      const next = this.#skipBlanks();
      if (next !== ',' && next !== '}') throw new Fault(this.#at, "Expected ',' or '}' after property value");
      this.#at++;
      if (next === '}') return undefined;
    }
  }

  #array() {
    this.#at++;
    if (this.#skipBlanks() === ']') return this.#at++;
    for (;;) {
      this.#value();
      const next = this.#skipBlanks();
      if (next !== ',' && next !== ']') throw new Fault(this.#at, "Expected ',' or ']' after array element");
      this.#at++;
      if (next === ']') return undefined;
    }
  }

  #string() {
    for (this.#at++; ; this.#at++) {
      const letter = this.#text[this.#at];
      if (letter === undefined) throw new Fault(this.#at, 'Unterminated string');
      if (letter === '"') return this.#at++;
      if (letter < ' ') throw new Fault(this.#at, 'Bad control character in string literal');
      if (letter === '\\') this.#escape();
    }
  }

  #escape() {
    const letter = this.#text[++this.#at];
    if (letter === undefined) throw new Fault(this.#at);
    if (!'"\\/bfnrtu'.includes(letter)) throw new Fault(this.#at, 'Bad escaped character');
    if (letter !== 'u') return;
    for (let digits = 4; digits > 0; digits--) {
      if (!/[\da-fA-F]/.test(this.#text[++this.#at] ?? '')) throw new Fault(this.#at, 'Bad Unicode escape');
    }
  }

  #digits(what) {
    if (!/\d/.test(this.#text[this.#at] ?? '')) throw new Fault(this.#at, what);
    while (/\d/.test(this.#text[this.#at] ?? '')) this.#at++;
  }

  #number() {
    if (this.#text[this.#at] === '-') this.#at++;
    if (this.#text[this.#at] === '0') {
      this.#at++;
      if (/\d/.test(this.#text[this.#at] ?? '')) throw new Fault(this.#at, 'Unexpected number');
    } else {
      this.#digits('No number after minus sign');
    }
    if (this.#text[this.#at] === '.') {
      this.#at++;
      this.#digits('Unterminated fractional number');
    }
    if (/[eE]/.test(this.#text[this.#at] ?? '')) {
      this.#at++;
      if (/[+-]/.test(this.#text[this.#at] ?? '')) this.#at++;
      this.#digits('Exponent part is missing a number');
    }
  }
}

function quote(text, at) {
  if (text.length <= kShort) return `"${text}"`;
  const from = Math.max(0, at - kAround);
  const to = Math.min(text.length, at + kAround);
  return `${from > 0 ? '...' : ''}"${text.slice(from, to)}"${to < text.length ? '...' : ''}`;
}

function describe(text, { at, what }) {
  if (what !== undefined) {
    const lines = text.slice(0, at).split('\n');
    return (
      `${what}${what.endsWith('JSON') ? '' : ' in JSON'} at position ${at} (line ${lines.length} column ` +
      `${lines.at(-1).length + 1})`
    );
  }
  if (at >= text.length) return 'Unexpected end of JSON input';
  if (/^(?:undefined|NaN|Infinity|\[object Object\])$/.test(text)) return `"${text}" is not valid JSON`;
  return `Unexpected token '${text[at]}', ${quote(text, at)} is not valid JSON`;
}

// The error of this text; undefined if none is found.
function findFault(text) {
  try {
    new Scanner(text).whole();
  } catch (fault) {
    if (fault instanceof Fault) return describe(text, fault);
  }
  return undefined;
}

// JSON.parse; `prefix` comes before the message of an error.
function parseJson(text, prefix = '') {
  try {
    return JSON.parse(text);
  } catch (error) {
    const value = `${prefix}${findFault(text) ?? error.message}`;
    Object.defineProperty(error, 'message', { value, writable: true, configurable: true, enumerable: false });
    throw error;
  }
}

module.exports = { parseJson, findFault };
