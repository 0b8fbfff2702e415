'use strict';

// The text of a URLPattern: its tokens, and the patterns of its components.
//
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

// A pattern for a whole URL as one text, split into patterns for its components (URL Pattern Standard, "Constructor
// string parsing"). The parser reads the tokens once; its state is the component that is being read.

const order = ['protocol', 'authority', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'];
const isBefore = (state, other) => order.indexOf(state) < order.indexOf(other);
const plain = new Set(['character', 'escaped', 'invalid']);
const endsMatcher = new Set(['name', 'regexp', 'close', 'asterisk']);

class Walker {
  #text;
  #tokens;
  #state = 'init';
  #at = 0;
  #start = 0; // the token with which the component begins
  #step = 1;
  #braces = 0;
  #brackets = 0;
  #isSpecial = false;
  #matchesSpecial;
  #found = { __proto__: null };

  constructor(text, matchesSpecial) {
    this.#text = text;
    this.#tokens = tokenize(text, { isLenient: true });
    this.#matchesSpecial = matchesSpecial;
  }

  #token(at) {
    return this.#tokens[at] ?? this.#tokens.at(-1);
  }

  #is(character, at = this.#at) {
    const { type, value } = this.#token(at);
    return value === character && plain.has(type);
  }

  // A question mark after something that matches is a modifier.
  #isSearchPrefix() {
    if (this.#is('?')) return true;
    if (this.#token(this.#at).value !== '?') return false;
    return this.#at === 0 || !endsMatcher.has(this.#token(this.#at - 1).type);
  }

  #component() {
    return this.#text.slice(this.#token(this.#start).index, this.#token(this.#at).index);
  }

  // The component ends. Components between it and the next one are not in the text, so some of them are empty.
  #goTo(next, skipped) {
    const from = this.#state;
    const found = this.#found;
    if (from !== 'init' && from !== 'authority') found[from] = this.#component();
    if (from !== 'init' && next !== 'done') {
      if (isBefore(from, 'hostname') && isBefore('hostname', next)) found.hostname ??= '';
      if (isBefore(from, 'pathname') && isBefore('pathname', next)) found.pathname ??= this.#isSpecial ? '/' : '';
      if (isBefore(from, 'search') && next === 'hash') found.search ??= '';
    }
    this.#state = next;
    this.#at += skipped;
    this.#start = this.#at;
    this.#step = 0;
  }

  #restartAs(state) {
    this.#at = this.#start;
    this.#step = 0;
    this.#state = state;
  }

  // The components that may follow, each with the character that begins it.
  #tryNext(...components) {
    for (const component of components) {
      if (component === 'pathname' && this.#is('/')) return this.#goTo('pathname', 0);
      if (component === 'search' && this.#isSearchPrefix()) return this.#goTo('search', 1);
      if (component === 'hash' && this.#is('#')) return this.#goTo('hash', 1);
    }
    return undefined;
  }

  #states = {
    __proto__: null,
    init: () => {
      if (this.#is(':')) this.#restartAs('protocol');
    },
    protocol: () => {
      if (!this.#is(':')) return;
      this.#isSpecial = this.#matchesSpecial(this.#component());
      if (this.#is('/', this.#at + 1) && this.#is('/', this.#at + 2)) this.#goTo('authority', 3);
      else this.#goTo(this.#isSpecial ? 'authority' : 'pathname', 1);
    },
    authority: () => {
      if (this.#is('@')) this.#restartAs('username');
      else if (this.#is('/') || this.#isSearchPrefix() || this.#is('#')) this.#restartAs('hostname');
    },
    username: () => {
      if (this.#is(':')) this.#goTo('password', 1);
      else if (this.#is('@')) this.#goTo('hostname', 1);
    },
    password: () => {
      if (this.#is('@')) this.#goTo('hostname', 1);
    },
    hostname: () => {
      if (this.#is('[')) this.#brackets++;
      else if (this.#is(']')) this.#brackets--;
      else if (this.#is(':') && this.#brackets === 0) this.#goTo('port', 1);
      else this.#tryNext('pathname', 'search', 'hash');
    },
    port: () => this.#tryNext('pathname', 'search', 'hash'),
    pathname: () => this.#tryNext('search', 'hash'),
    search: () => this.#tryNext('hash'),
    hash() {},
  };

  // The text ends; true if there is no earlier state to return to.
  #end() {
    if (this.#state === 'authority') {
      this.#restartAs('hostname');
      return false;
    }
    if (this.#state !== 'init') {
      this.#goTo('done', 0);
      return true;
    }
    // A text without a protocol is the end of a URL.
    this.#restartAs('init');
    if (this.#is('#')) this.#goTo('hash', 1);
    else if (this.#isSearchPrefix()) this.#goTo('search', 1);
    else this.#goTo('pathname', 0);
    return false;
  }

  walk() {
    while (this.#at < this.#tokens.length) {
      this.#step = 1;
      const { type } = this.#tokens[this.#at];
      if (type === 'end') {
        if (this.#end()) break;
      } else if (type === 'open') {
        this.#braces++;
      } else if (this.#braces > 0) {
        if (type === 'close') this.#braces--;
      } else {
        this.#states[this.#state]();
      }
      this.#at += this.#step;
    }
    if (this.#found.hostname !== undefined) this.#found.port ??= '';
    return this.#found;
  }
}

// matchesSpecial(pattern of a protocol) -> whether it matches one of those that the URL Standard calls special
const readConstructorString = (text, matchesSpecial) => new Walker(text, matchesSpecial).walk();

module.exports = { tokenize, isNamePart, readConstructorString };
