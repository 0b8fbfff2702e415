'use strict';

// URL, on the record that the parser makes (internal/url_parser). Its query as pairs is in url_search_params.js, what
// has to do with files in url_files.js.

const { codes } = require('internal/errors');
const { parsePlain, serializeURL, serializePath } = require('internal/url/plain');
const { toText: convert } = require('internal/util/text');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

const toText = (value) => convert(value).toWellFormed();
// Loaded for a URL that is not plain, and to change a part of one.
const parser = () => require('internal/url/parser');
// A base does not matter to a plain one, which is absolute.
const parseURL = (input, base, url, override) =>
  (override === undefined ? parsePlain(input) : undefined) ?? parser().parseURL(input, base, url, override);
// Loaded when a program first looks at a URL's query as pairs.
const query = () => require('internal/url/search_params').access;

let isURL;

// The accessors, in the order in which they are shown.
const parts = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'searchParams',
  'hash',
];

class URL {
  #record;
  #params;

  static {
    isURL = (value) => typeof value === 'object' && value !== null && #record in value;
  }

  constructor(input, base = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('url');
    input = toText(input);
    let baseRecord;
    if (base !== undefined) {
      base = toText(base);
      baseRecord = parseURL(base);
      if (baseRecord === undefined) throw invalidURL(input, base);
    }
    const record = parseURL(input, baseRecord);
    if (record === undefined) throw invalidURL(input, base);
    this.#record = record;
  }

  static parse(input, base = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('url');
    try {
      return new URL(input, base);
    } catch (err) {
      if (err.code === 'ERR_INVALID_URL') return null;
      throw err;
    }
  }

  static canParse(url, base = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('url');
    let baseRecord;
    if (base !== undefined) {
      baseRecord = parseURL(toText(base));
      if (baseRecord === undefined) return false;
    }
    return parseURL(toText(url), baseRecord) !== undefined;
  }

  static createObjectURL(obj) {
    return require('internal/blob').createObjectURL(obj);
  }

  static revokeObjectURL(url) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('url');
    require('internal/blob').revokeObjectURL(url);
  }

  toString() {
    return serializeURL(recordOf(this, () => this.#record, true));
  }

  get href() {
    return serializeURL(recordOf(this, () => this.#record, true));
  }

  set href(value) {
    recordOf(this, () => this.#record);
    value = toText(value);
    const record = parseURL(value);
    if (record === undefined) throw invalidURL(value);
    this.#record = record;
    if (this.#params !== undefined) query().refresh(this.#params, record.query ?? '');
  }

  get origin() {
    const record = recordOf(this, () => this.#record);
    switch (record.scheme) {
      case 'blob': {
        const inner = parseURL(serializePath(record));
        if (inner === undefined || (inner.scheme !== 'http' && inner.scheme !== 'https')) return 'null';
        return `${inner.scheme}://${inner.host}${inner.port === null ? '' : `:${inner.port}`}`;
      }
      case 'http':
      case 'https':
      case 'ws':
      case 'wss':
      case 'ftp':
        return `${record.scheme}://${record.host}${record.port === null ? '' : `:${record.port}`}`;
      default:
        return 'null';
    }
  }

  get protocol() {
    return `${recordOf(this, () => this.#record).scheme}:`;
  }

  set protocol(value) {
    const record = recordOf(this, () => this.#record);
    parseURL(`${toText(value)}:`, undefined, record, 'scheme start');
  }

  get username() {
    return recordOf(this, () => this.#record).username;
  }

  set username(value) {
    const record = recordOf(this, () => this.#record);
    value = toText(value);
    const { cannotHaveCredentialsOrPort } = parser();
    const { percentEncode, userinfoSet } = require('internal/url/hosts');
    if (!cannotHaveCredentialsOrPort(record)) record.username = percentEncode(value, userinfoSet);
  }

  get password() {
    return recordOf(this, () => this.#record).password;
  }

  set password(value) {
    const record = recordOf(this, () => this.#record);
    value = toText(value);
    const { cannotHaveCredentialsOrPort } = parser();
    const { percentEncode, userinfoSet } = require('internal/url/hosts');
    if (!cannotHaveCredentialsOrPort(record)) record.password = percentEncode(value, userinfoSet);
  }

  get host() {
    const record = recordOf(this, () => this.#record);
    if (record.host === null) return '';
    return record.port === null ? record.host : `${record.host}:${record.port}`;
  }

  set host(value) {
    const record = recordOf(this, () => this.#record);
    value = toText(value);
    if (typeof record.path === 'string') return;
    tryUpdate(record, value, 'host');
  }

  get hostname() {
    return recordOf(this, () => this.#record).host ?? '';
  }

  set hostname(value) {
    const record = recordOf(this, () => this.#record);
    value = toText(value);
    if (typeof record.path === 'string') return;
    tryUpdate(record, value, 'hostname');
  }

  get port() {
    const { port } = recordOf(this, () => this.#record);
    return port === null ? '' : `${port}`;
  }

  set port(value) {
    const record = recordOf(this, () => this.#record);
    value = toText(value);
    if (parser().cannotHaveCredentialsOrPort(record)) return;
    if (value === '') record.port = null;
    else tryUpdate(record, value, 'port');
  }

  get pathname() {
    return serializePath(recordOf(this, () => this.#record));
  }

  set pathname(value) {
    const record = recordOf(this, () => this.#record);
    value = toText(value);
    if (typeof record.path === 'string') return;
    record.path = [];
    parseURL(value, undefined, record, 'path start');
  }

  get search() {
    const { query } = recordOf(this, () => this.#record, true);
    return query === null || query === '' ? '' : `?${query}`;
  }

  set search(value) {
    const record = recordOf(this, () => this.#record);
    value = toText(value);
    if (value === '') {
      record.query = null;
      stripSpaces(record);
    } else {
      record.query = '';
      parseURL(value[0] === '?' ? value.slice(1) : value, undefined, record, 'query');
    }
    if (this.#params !== undefined) query().refresh(this.#params, record.query ?? '');
  }

  get searchParams() {
    const record = recordOf(this, () => this.#record);
    this.#params ??= query().create(record.query ?? '', (params) => this.#takeQuery(params.toString()));
    return this.#params;
  }

  // Called after the pairs have changed.
  #takeQuery(text) {
    this.#record.query = text === '' ? null : text;
    if (text === '') stripSpaces(this.#record);
  }

  get hash() {
    const { fragment } = recordOf(this, () => this.#record);
    return fragment === null || fragment === '' ? '' : `#${fragment}`;
  }

  set hash(value) {
    const record = recordOf(this, () => this.#record);
    value = toText(value);
    if (value === '') {
      record.fragment = null;
      stripSpaces(record);
    } else {
      record.fragment = '';
      parseURL(value[0] === '#' ? value.slice(1) : value, undefined, record, 'fragment');
    }
  }

  toJSON() {
    return serializeURL(recordOf(this, () => this.#record, true));
  }

  [kInspect](depth, options) {
    recordOf(this, () => this.#record, true);
    if (typeof depth === 'number' && depth < 0) return this;
    const constructor = this.constructor ?? URL;
    const object = {};
    for (const name of parts) {
      object[name] = this[name];
    }
    return `${constructor.name} ${require('internal/util/inspect').inspect(object, options)}`;
  }
}

// The private field is read in a closure so that a wrong receiver gets Node's message and not the engine's.
function recordOf(url, read, isNamed = false) {
  if (isURL(url)) return read();
  throw new TypeError(
    isNamed
      ? 'Receiver must be an instance of class URL'
      : 'Cannot read private member #context from an object whose class did not declare it',
  );
}

// A setter whose parse fails leaves the URL as it was.
function tryUpdate(record, value, state) {
  const copy = { ...record };
  if (parseURL(value, undefined, copy, state) !== undefined) Object.assign(record, copy);
  else if (state === 'host' && copy.host !== record.host && copy.host !== null && copy.host !== undefined)
    record.host = copy.host;
}

// Trailing spaces of an opaque path are kept only if a query or fragment follows.
function stripSpaces(record) {
  if (typeof record.path !== 'string' || record.fragment !== null || record.query !== null) return;
  record.path = record.path.replace(/ +$/, '');
}

function invalidURL(input, base) {
  const error = new TypeError('Invalid URL');
  error.code = 'ERR_INVALID_URL';
  error.input = input;
  if (base !== undefined) error.base = base;
  return error;
}

for (const name of ['toString', ...parts, 'toJSON']) {
  Object.defineProperty(URL.prototype, name, { __proto__: null, enumerable: true });
}
Object.defineProperties(URL.prototype, { [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'URL' } });
Object.defineProperties(URL, {
  canParse: { __proto__: null, configurable: true, writable: true, enumerable: true },
  parse: { __proto__: null, configurable: true, writable: true, enumerable: true },
  createObjectURL: { __proto__: null, configurable: true, writable: true, enumerable: true },
  revokeObjectURL: { __proto__: null, configurable: true, writable: true, enumerable: true },
});

module.exports = { URL, hasRecord: (value) => isURL(value), invalidURL };
