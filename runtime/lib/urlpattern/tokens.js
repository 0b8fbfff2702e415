'use strict';

// The tokens of a pattern (URL Pattern Standard, "Tokens"). A token is { type, index, value }: where it begins, and its
// text without the characters that mark it. Positions count UTF-16 units; no token splits a surrogate pair.

const single = new Map([
  ['*', 'asterisk'],
  ['+', 'modifier'],
  ['?', 'modifier'],
  ['{', 'open'],
  ['}', 'close'],
]);

const nameStart = /[\p{ID_Start}$_]/u;
const namePart = /[\p{ID_Continue}$\u200C\u200D]/u;
const isNamePart = (character) => namePart.test(character);

const characterAt = (text, at) => String.fromCodePoint(text.codePointAt(at));

// The end of a name that begins at `from`.
function endOfName(text, from) {
  let at = from;
  while (at < text.length) {
    const character = characterAt(text, at);
    if (!(at === from ? nameStart : namePart).test(character)) break;
    at += character.length;
  }
  return at;
}

const isAscii = (text, at) => text.charCodeAt(at) < 0x80;

// The end of a regular expression whose opening parenthesis is before `from`: the position after the closing one; -1 if
// there is none. Groups inside must not capture, and only ASCII is allowed.
function endOfRegExp(text, from) {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (!isAscii(text, at)) return -1;
    const character = text[at];
    if (character === '?' && at === from) return -1;
    if (character === '\\') {
      at++;
      if (at === text.length || !isAscii(text, at)) return -1;
    } else if (character === ')') {
      depth--;
      if (depth === 0) return at > from ? at + 1 : -1;
    } else if (character === '(') {
      depth++;
      if (text[at + 1] !== '?') return -1;
    }
  }
  return -1;
}

// Text that is no token is a TypeError or, if that is allowed, a token of type 'invalid'.
function tokenize(text, { isLenient = false } = {}) {
  const tokens = [];
  let at = 0;
  const add = (type, end, from = at, to = end) => {
    tokens.push({ type, index: at, value: text.slice(from, to) });
    at = end;
  };
  const refuse = () => {
    if (!isLenient) throw new TypeError(`invalid pattern: ${text}`);
    add('invalid', at + 1);
  };
  while (at < text.length) {
    const character = characterAt(text, at);
    const next = at + character.length;
    if (single.has(character)) {
      add(single.get(character), next);
    } else if (character === '\\') {
      if (next === text.length) refuse();
      else add('escaped', next + characterAt(text, next).length, next);
    } else if (character === ':') {
      const end = endOfName(text, next);
      if (end === next) refuse();
      else add('name', end, next);
    } else if (character === '(') {
      const end = endOfRegExp(text, next);
      if (end === -1) refuse();
      else add('regexp', end, next, end - 1);
    } else {
      add('character', next);
    }
  }
  add('end', at, at, at);
  return tokens;
}

module.exports = { tokenize, isNamePart };
