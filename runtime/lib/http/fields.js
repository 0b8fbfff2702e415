'use strict';

// Header fields: what a name and a value may contain, how fields that came twice are joined, and the table of those
// that a message is going to send.
//
// Most messages use the same few names. The properties of a name (is it a token, its lower-case form, how repetitions
// are joined) are kept in a map of bounded size, so that a usual name costs one look-up.

const { codes, hideStackFrames } = require('internal/errors');
const { ERR_INVALID_HTTP_TOKEN, ERR_HTTP_INVALID_HEADER_VALUE, ERR_INVALID_CHAR } = codes;

const kJoin = 0; // ', '
const kFirst = 1; // later ones are dropped
const kList = 2; // an array
const kSemicolon = 3; // '; '

const token = /^[\w!#$%&'*+\-.^`|~]+$/;
const badInValue = /[^\t\x20-\x7e\x80-\xff]/;
const badInRelaxedValue = /[\0\r\n]|[^\0-\xff]/;

const rules = {
  '__proto__': null,
  'set-cookie': kList,
  'cookie': kSemicolon,
  'age': kFirst,
  'authorization': kFirst,
  'content-length': kFirst,
  'content-type': kFirst,
  'etag': kFirst,
  'expires': kFirst,
  'from': kFirst,
  'host': kFirst,
  'if-modified-since': kFirst,
  'if-unmodified-since': kFirst,
  'last-modified': kFirst,
  'location': kFirst,
  'max-forwards': kFirst,
  'proxy-authorization': kFirst,
  'referer': kFirst,
  'retry-after': kFirst,
  'server': kFirst,
  'user-agent': kFirst,
};

const MOST_NAMES = 1024;

// How received names are spelled and joined: raw name -> { lower, rule }.
const received = new Map();
function lookUp(name) {
  let entry = received.get(name);
  if (entry === undefined) {
    const lower = name.toLowerCase();
    entry = { lower, rule: rules[lower] ?? kJoin };
    if (received.size < MOST_NAMES) received.set(name, entry);
  }
  return entry;
}

// What every object has already.
const inherited = new Set(['constructor', '__proto__']);

function addField(into, name, value, joinAll) {
  const { lower, rule } = lookUp(name);
  const before = inherited.has(lower) && !Object.hasOwn(into, lower) ? undefined : into[lower];
  if (before === undefined) {
    into[lower] = rule === kList ? [value] : value;
  } else if (rule === kList) {
    before.push(value);
  } else if (rule === kSemicolon) {
    into[lower] = `${before}; ${value}`;
  } else if (rule === kJoin || joinAll) {
    into[lower] = `${before}, ${value}`;
  }
}

// A list of names and values as an object with one value for each name.
function joinFields(list, into, joinAll) {
  for (let i = 0; i + 1 < list.length; i += 2) addField(into, list[i], list[i + 1], joinAll);
  return into;
}

function addDistinct(into, name, value) {
  const { lower } = lookUp(name);
  if (into[lower] === undefined) into[lower] = [value];
  else into[lower].push(value);
}

function distinctFields(list) {
  const into = { __proto__: null };
  for (let i = 0; i + 1 < list.length; i += 2) addDistinct(into, list[i], list[i + 1]);
  return into;
}

// Names that are known to be valid, with their lower case.
const good = new Map();
function isToken(name) {
  return good.has(name) || token.test(name);
}
function lowerCase(name) {
  let lower = good.get(name);
  if (lower === undefined) {
    lower = name.toLowerCase();
    if (good.size < MOST_NAMES && token.test(name)) good.set(name, lower);
  }
  return lower;
}

const validateHeaderName = hideStackFrames(function validateHeaderName(name, label) {
  if (typeof name !== 'string' || (!good.has(name) && !token.test(name)))
    throw new ERR_INVALID_HTTP_TOKEN(label || 'Header name', name);
});

function hasBadCharacter(value, relaxed) {
  return (relaxed ? badInRelaxedValue : badInValue).test(value);
}

const validateHeaderValue = hideStackFrames(function validateHeaderValue(name, value, relaxed) {
  if (value === undefined) throw new ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  if (hasBadCharacter(value, relaxed === true)) throw new ERR_INVALID_CHAR('header content', name);
});

// The fields that a message will send, in the order in which they were set first.
class FieldTable {
  constructor() {
    this.entries = new Map(); // lower case -> { name, value }
  }

  set(name, value) {
    const lower = lowerCase(name);
    const entry = this.entries.get(lower);
    if (entry === undefined) {
      this.entries.set(lower, { name, value });
    } else {
      entry.name = name;
      entry.value = value;
    }
  }

  append(name, value) {
    const lower = lowerCase(name);
    const entry = this.entries.get(lower);
    if (entry === undefined) this.entries.set(lower, { name, value });
    else entry.value = [].concat(entry.value, value);
  }

  get(name) {
    return this.entries.get(lowerCase(name))?.value;
  }

  has(name) {
    return this.entries.has(lowerCase(name));
  }

  delete(lower) {
    return this.entries.delete(lower);
  }

  names() {
    return [...this.entries.keys()];
  }

  rawNames() {
    const list = [];
    for (const { name } of this.entries.values()) list.push(name);
    return list;
  }

  toObject(raw) {
    const object = { __proto__: null };
    for (const [lower, { name, value }] of this.entries) object[raw ? name : lower] = value;
    return object;
  }
}

module.exports = {
  FieldTable,
  addDistinct,
  addField,
  distinctFields,
  hasBadCharacter,
  isToken,
  joinFields,
  lowerCase,
  validateHeaderName,
  validateHeaderValue,
};
