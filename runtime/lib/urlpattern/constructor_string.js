'use strict';

// A pattern for a whole URL as one text, split into patterns for its components (URL Pattern Standard, "Constructor
// string parsing"). The parser reads the tokens once; its state is the component that is being read.

const { tokenize } = require('internal/urlpattern/tokens');

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

module.exports = { readConstructorString };
