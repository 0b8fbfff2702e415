'use strict';

// MIMEType and MIMEParams, after the MIME Sniffing Standard.

const { codes } = require('internal/errors');

const notToken = /[^!#$%&'*+\-.^_`|~A-Za-z0-9]/g;
const notQuoted = /[^\t\u0020-~\u0080-\u00ff]/g;
const endSpace = /[\r\n\t ]*$/;

function asciiLower(text) {
  return text.replace(/[A-Z]/g, (c) => c.toLowerCase());
}

function firstMatch(pattern, text) {
  pattern.lastIndex = 0;
  return text.search(pattern);
}

function parseTypeAndSubtype(text) {
  let position = /[^\r\n\t ]|$/.exec(text).index;
  const typeEnd = text.indexOf('/', position);
  const trimmedType = typeEnd === -1 ? text.slice(position) : text.slice(position, typeEnd);
  const badType = firstMatch(notToken, trimmedType);
  if (trimmedType === '' || badType !== -1 || typeEnd === -1) {
    throw new codes.ERR_INVALID_MIME_SYNTAX('type', text, badType);
  }
  position = typeEnd + 1;
  const type = asciiLower(trimmedType);
  const subtypeEnd = text.indexOf(';', position);
  const raw = subtypeEnd === -1 ? text.slice(position) : text.slice(position, subtypeEnd);
  position += raw.length;
  if (subtypeEnd !== -1) position += 1;
  const trimmed = raw.replace(endSpace, '');
  const bad = firstMatch(notToken, trimmed);
  if (trimmed === '' || bad !== -1) throw new codes.ERR_INVALID_MIME_SYNTAX('subtype', trimmed, bad);
  return { type, subtype: asciiLower(trimmed), parametersStart: position };
}

function unescapeQuoted(text) {
  return text.replace(/\\([^])/g, '$1').replace(/\\$/, '\\');
}

function encode(value) {
  if (value.length === 0) return '""';
  if (firstMatch(notToken, value) === -1) return value;
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}

function parseParameters(data, text) {
  let position = 0;
  const end = text.replace(endSpace, '').length;
  while (position < end) {
    position += /[^\r\n\t ]|$/.exec(text.slice(position)).index;
    const afterName = /[;=]|$/.exec(text.slice(position)).index + position;
    const name = asciiLower(text.slice(position, afterName));
    position = afterName;
    if (position < end) {
      const char = text[position];
      position++;
      if (char === ';') continue;
    }
    if (position >= end) break;
    let value;
    if (text[position] === '"') {
      position++;
      const match = /^(?:([^]*?[^\\](?:\\\\)*|(?:\\\\)*)"|([^]*))/.exec(text.slice(position));
      const inside = match[1] !== undefined ? match[1] : match[2];
      position += match[0].length;
      value = unescapeQuoted(inside);
      position = (() => {
        const semicolon = text.indexOf(';', position);
        return semicolon === -1 ? end : semicolon;
      })();
      position++;
    } else {
      const semicolon = text.indexOf(';', position);
      const valueEnd = semicolon === -1 ? end : semicolon;
      value = text.slice(position, valueEnd).replace(endSpace, '');
      position = valueEnd + 1;
      if (value === '') continue;
    }
    if (name !== '' && firstMatch(notToken, name) === -1 && firstMatch(notQuoted, value) === -1 && !data.has(name))
      data.set(name, value);
  }
}

const fromText = Symbol('fromText');

class MIMEParams {
  #data = new Map();
  #source;

  static [fromText](text) {
    const params = new MIMEParams();
    params.#source = text;
    return params;
  }

  // The parameters are read when they are first wanted.
  #parsed() {
    if (this.#source !== undefined) {
      const text = this.#source;
      this.#source = undefined;
      parseParameters(this.#data, text);
    }
    return this.#data;
  }

  delete(name) {
    this.#parsed().delete(asciiLower(`${name}`));
  }

  get(name) {
    const data = this.#parsed();
    name = asciiLower(`${name}`);
    return data.has(name) ? data.get(name) : null;
  }

  has(name) {
    return this.#parsed().has(asciiLower(`${name}`));
  }

  set(name, value) {
    name = `${name}`;
    value = `${value}`;
    const badName = firstMatch(notToken, name);
    if (name.length === 0 || badName !== -1) throw new codes.ERR_INVALID_MIME_SYNTAX('parameter name', name, badName);
    const badValue = firstMatch(notQuoted, value);
    if (badValue !== -1) throw new codes.ERR_INVALID_MIME_SYNTAX('parameter value', value, badValue);
    this.#parsed().set(asciiLower(name), value);
  }

  *entries() {
    yield* this.#parsed().entries();
  }

  *keys() {
    yield* this.#parsed().keys();
  }

  *values() {
    yield* this.#parsed().values();
  }

  toString() {
    let text = '';
    for (const { 0: key, 1: value } of this.#parsed()) {
      if (text.length > 0) text += ';';
      text += `${key}=${encode(value)}`;
    }
    return text;
  }
}
Object.defineProperty(MIMEParams.prototype, Symbol.iterator, {
  __proto__: null,
  configurable: true,
  enumerable: false,
  writable: true,
  value: MIMEParams.prototype.entries,
});
Object.defineProperty(MIMEParams.prototype, 'toJSON', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  writable: true,
  value: MIMEParams.prototype.toString,
});

class MIMEType {
  #type;
  #subtype;
  #parameters;

  constructor(string) {
    string = `${string}`;
    const data = parseTypeAndSubtype(string);
    this.#type = data.type;
    this.#subtype = data.subtype;
    this.#parameters = MIMEParams[fromText](string.slice(data.parametersStart));
  }

  // Like the constructor, but null for what is ill-formed.
  static parse(string) {
    try {
      return new MIMEType(string);
    } catch (error) {
      if (error.code === 'ERR_INVALID_MIME_SYNTAX') return null;
      throw error;
    }
  }

  get type() {
    return this.#type;
  }

  set type(value) {
    value = `${value}`;
    const bad = firstMatch(notToken, value);
    if (value.length === 0 || bad !== -1) throw new codes.ERR_INVALID_MIME_SYNTAX('type', value, bad);
    this.#type = asciiLower(value);
  }

  get subtype() {
    return this.#subtype;
  }

  set subtype(value) {
    value = `${value}`;
    const bad = firstMatch(notToken, value);
    if (value.length === 0 || bad !== -1) throw new codes.ERR_INVALID_MIME_SYNTAX('subtype', value, bad);
    this.#subtype = asciiLower(value);
  }

  get essence() {
    return `${this.#type}/${this.#subtype}`;
  }

  get params() {
    return this.#parameters;
  }

  toString() {
    const params = this.#parameters.toString();
    return `${this.#type}/${this.#subtype}${params.length > 0 ? ';' : ''}${params}`;
  }
}
Object.defineProperties(MIMEType.prototype, {
  type: { __proto__: null, enumerable: true },
  subtype: { __proto__: null, enumerable: true },
  essence: { __proto__: null, enumerable: true },
  params: { __proto__: null, enumerable: true },
  toString: { __proto__: null, enumerable: true },
  toJSON: { __proto__: null, configurable: true, enumerable: true, writable: true, value: MIMEType.prototype.toString },
});

module.exports = { MIMEParams, MIMEType };
