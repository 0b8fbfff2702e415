'use strict';

// URL and URLSearchParams, and the ways between file URLs and paths.

const { codes } = require('internal/errors');
const { validateString } = require('internal/validators');
const { toText: convert } = require('internal/util');
const { parseURL, serializeURL, serializePath, percentEncode, percentDecode, percentDecodeBytes, isSpecial, cannotHaveCredentialsOrPort,
  userinfoSet } = require('internal/url_parser');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

// ---------------------------------------------------------------- URLSearchParams

function parseQuery(text) {
  const list = [];
  if (text === '') return list;
  for (const part of text.split('&')) {
    if (part === '') continue;
    const at = part.indexOf('=');
    const name = at === -1 ? part : part.slice(0, at);
    const value = at === -1 ? '' : part.slice(at + 1);
    list.push(decodeFormPart(name), decodeFormPart(value));
  }
  return list;
}

function decodeFormPart(text) {
  if (text.includes('+')) text = text.replaceAll('+', ' ');
  return percentDecode(text).toWellFormed();
}

// Everything but letters, digits and * - . _ is encoded; a space is a plus.
const formSet = new Uint8Array(128).fill(1);
for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._ ') formSet[c.charCodeAt(0)] = 0;

function serializeQuery(list) {
  let text = '';
  for (let i = 0; i < list.length; i += 2) {
    if (i > 0) text += '&';
    text += `${encodeFormPart(list[i])}=${encodeFormPart(list[i + 1])}`;
  }
  return text;
}

function encodeFormPart(text) {
  return percentEncode(text, formSet).replaceAll(' ', '+');
}

const toText = (value) => convert(value).toWellFormed();

let setQuery;

class URLSearchParams {
  #list = [];
  #url = null;

  static {
    setQuery = {
      create(text, url) {
        const params = new URLSearchParams();
        params.#list = parseQuery(text);
        params.#url = url;
        return params;
      },
      refresh(params, text) {
        params.#list = parseQuery(text);
      },
      list: (params) => params.#list,
      is: (value) => typeof value === 'object' && value !== null && #list in value,
    };
  }

  constructor(init = undefined) {
    if (init === undefined) return;
    if ((typeof init === 'object' && init !== null) || typeof init === 'function') {
      const method = init[Symbol.iterator];
      if (method === this[Symbol.iterator] && #list in init) {
        this.#list = init.#list.slice();
      } else if (method != null) {
        if (typeof method !== 'function') throw new codes.ERR_ARG_NOT_ITERABLE('Query pairs');
        for (const pair of init) {
          if (pair == null) throw new codes.ERR_INVALID_TUPLE('Each query pair', '[name, value]');
          if (typeof pair !== 'object' && typeof pair !== 'function' || typeof pair[Symbol.iterator] !== 'function') {
            throw new codes.ERR_INVALID_TUPLE('Each query pair', '[name, value]');
          }
          const items = [];
          for (const item of pair) items.push(toText(item));
          if (items.length !== 2) throw new codes.ERR_INVALID_TUPLE('Each query pair', '[name, value]');
          this.#list.push(items[0], items[1]);
        }
      } else {
        const seen = new Map();
        for (const key of Reflect.ownKeys(init)) {
          const descriptor = Reflect.getOwnPropertyDescriptor(init, key);
          if (descriptor === undefined || !descriptor.enumerable) continue;
          const name = toText(key);
          const value = toText(init[key]);
          if (seen.has(name)) {
            this.#list[seen.get(name)] = value;
          } else {
            seen.set(name, this.#list.length + 1);
            this.#list.push(name, value);
          }
        }
      }
    } else {
      init = toText(init);
      this.#list = parseQuery(init[0] === '?' ? init.slice(1) : init);
    }
  }

  #changed() {
    if (this.#url !== null) updateFromParams(this.#url, this);
  }

  get size() {
    check(this, setQuery.is);
    return this.#list.length / 2;
  }

  append(name, value) {
    check(this, setQuery.is);
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('name', 'value');
    this.#list.push(toText(name), toText(value));
    this.#changed();
  }

  delete(name, value = undefined) {
    check(this, setQuery.is);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('name');
    name = toText(name);
    const list = this.#list;
    const kept = [];
    if (value !== undefined) value = toText(value);
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] !== name || (value !== undefined && list[i + 1] !== value)) kept.push(list[i], list[i + 1]);
    }
    this.#list = kept;
    this.#changed();
  }

  get(name) {
    check(this, setQuery.is);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('name');
    name = toText(name);
    const list = this.#list;
    for (let i = 0; i < list.length; i += 2) if (list[i] === name) return list[i + 1];
    return null;
  }

  getAll(name) {
    check(this, setQuery.is);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('name');
    name = toText(name);
    const list = this.#list;
    const values = [];
    for (let i = 0; i < list.length; i += 2) if (list[i] === name) values.push(list[i + 1]);
    return values;
  }

  has(name, value = undefined) {
    check(this, setQuery.is);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('name');
    name = toText(name);
    if (value !== undefined) value = toText(value);
    const list = this.#list;
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] === name && (value === undefined || list[i + 1] === value)) return true;
    }
    return false;
  }

  set(name, value) {
    check(this, setQuery.is);
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('name', 'value');
    name = toText(name);
    value = toText(value);
    const list = this.#list;
    const kept = [];
    let found = false;
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] !== name) {
        kept.push(list[i], list[i + 1]);
      } else if (!found) {
        kept.push(name, value);
        found = true;
      }
    }
    if (!found) kept.push(name, value);
    this.#list = kept;
    this.#changed();
  }

  sort() {
    check(this, setQuery.is);
    const pairs = [];
    for (let i = 0; i < this.#list.length; i += 2) pairs.push([this.#list[i], this.#list[i + 1]]);
    pairs.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    this.#list = pairs.flat();
    this.#changed();
  }

  entries() {
    check(this, setQuery.is);
    return new ParamsIterator(this, 'key+value');
  }

  forEach(callback, thisArg = undefined) {
    check(this, setQuery.is);
    if (typeof callback !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('callback', 'Function', callback);
    for (let i = 0; i < this.#list.length; i += 2) callback.call(thisArg, this.#list[i + 1], this.#list[i], this);
  }

  keys() {
    check(this, setQuery.is);
    return new ParamsIterator(this, 'key');
  }

  values() {
    check(this, setQuery.is);
    return new ParamsIterator(this, 'value');
  }

  toString() {
    check(this, setQuery.is);
    return serializeQuery(this.#list);
  }

  [kInspect](depth, ctx) {
    check(this, setQuery.is);
    if (typeof depth === 'number' && depth < 0) return ctx.stylize('[Object]', 'special');
    const { inspect } = require('internal/util/inspect');
    const inner = { ...ctx };
    if (depth !== null) inner.depth = depth - 1;
    const output = [];
    for (let i = 0; i < this.#list.length; i += 2) output.push(`${inspect(this.#list[i], inner)} => ${inspect(this.#list[i + 1], inner)}`);
    const length = output.reduce((sum, each) => sum + each.replace(/\u001b\[\d\d?m/g, '').length + 2, -2);
    if (length > ctx.breakLength) return `${this.constructor.name} {\n  ${output.join(',\n  ')} }`;
    if (output.length) return `${this.constructor.name} { ${output.join(', ')} }`;
    return `${this.constructor.name} {}`;
  }
}

function check(value, isOne) {
  if (!isOne(value)) throw new codes.ERR_INVALID_THIS('URLSearchParams');
}

Object.defineProperties(URLSearchParams.prototype, {
  [Symbol.iterator]: { __proto__: null, configurable: true, writable: true, value: URLSearchParams.prototype.entries },
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'URLSearchParams' },
});
for (const name of ['append', 'delete', 'get', 'getAll', 'has', 'set', 'size', 'sort', 'entries', 'forEach', 'keys', 'values', 'toString']) {
  Object.defineProperty(URLSearchParams.prototype, name, { __proto__: null, enumerable: true });
}

const IteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));

class ParamsIterator {
  #params;
  #kind;
  #index = 0;

  constructor(params, kind) {
    this.#params = params;
    this.#kind = kind;
  }

  next() {
    if (typeof this !== 'object' || this === null || !(#params in this)) throw new codes.ERR_INVALID_THIS('URLSearchParamsIterator');
    const list = setQuery.list(this.#params);
    const i = this.#index;
    if (i >= list.length) return { done: true, value: undefined };
    this.#index += 2;
    return { done: false, value: this.#value(list, i) };
  }

  #value(list, i) {
    return this.#kind === 'key' ? list[i] : this.#kind === 'value' ? list[i + 1] : [list[i], list[i + 1]];
  }

  [kInspect](depth, ctx) {
    if (typeof this !== 'object' || this === null || !(#params in this)) throw new codes.ERR_INVALID_THIS('URLSearchParamsIterator');
    if (typeof depth === 'number' && depth < 0) return ctx.stylize('[Object]', 'special');
    const { inspect } = require('internal/util/inspect');
    const inner = { ...ctx };
    if (depth !== null) inner.depth = depth - 1;
    const list = setQuery.list(this.#params);
    const output = [];
    for (let i = this.#index; i < list.length; i += 2) output.push(this.#value(list, i));
    const breakLine = inspect(output, inner).includes('\n');
    const texts = output.map((each) => inspect(each, inner));
    const text = breakLine ? `\n  ${texts.join(',\n  ')}` : ` ${texts.join(', ')}`;
    return `${this[Symbol.toStringTag]} {${text} }`;
  }
}
Object.setPrototypeOf(ParamsIterator.prototype, IteratorPrototype);
delete ParamsIterator.prototype.constructor;
Object.defineProperties(ParamsIterator.prototype, {
  next: { __proto__: null, enumerable: true },
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'URLSearchParams Iterator' },
});

// ---------------------------------------------------------------- URL

let updateFromParams;
let isURL;

class URL {
  #record;
  #params;

  static {
    updateFromParams = (url, params) => {
      const text = params.toString();
      url.#record.query = text === '' ? null : text;
      if (text === '') stripSpaces(url.#record);
    };
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
    if (this.#params !== undefined) setQuery.refresh(this.#params, record.query ?? '');
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
    if (!cannotHaveCredentialsOrPort(record)) record.username = percentEncode(value, userinfoSet);
  }

  get password() {
    return recordOf(this, () => this.#record).password;
  }

  set password(value) {
    const record = recordOf(this, () => this.#record);
    value = toText(value);
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
    if (cannotHaveCredentialsOrPort(record)) return;
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
    if (this.#params !== undefined) setQuery.refresh(this.#params, record.query ?? '');
  }

  get searchParams() {
    const record = recordOf(this, () => this.#record);
    this.#params ??= setQuery.create(record.query ?? '', this);
    return this.#params;
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
    for (const name of ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'searchParams', 'hash']) {
      object[name] = this[name];
    }
    return `${constructor.name} ${require('internal/util/inspect').inspect(object, options)}`;
  }
}

// The private field is read in a closure so that a wrong receiver gets Node's words and not the engine's.
function recordOf(url, read, isNamed = false) {
  if (isURL(url)) return read();
  throw new TypeError(isNamed ? 'Receiver must be an instance of class URL' :
    'Cannot read private member #context from an object whose class did not declare it');
}

// A setter whose parse fails leaves the URL as it was.
function tryUpdate(record, value, state) {
  const copy = { ...record };
  if (parseURL(value, undefined, copy, state) !== undefined) Object.assign(record, copy);
  else if (state === 'host' && copy.host !== record.host && copy.host !== null && copy.host !== undefined) record.host = copy.host;
}

// An opaque path's spaces at the end are only kept by what follows them.
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

for (const name of [
  'toString', 'href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'searchParams', 'hash', 'toJSON',
]) {
  Object.defineProperty(URL.prototype, name, { __proto__: null, enumerable: true });
}
Object.defineProperties(URL.prototype, { [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'URL' } });
Object.defineProperties(URL, {
  canParse: { __proto__: null, configurable: true, writable: true, enumerable: true },
  parse: { __proto__: null, configurable: true, writable: true, enumerable: true },
  createObjectURL: { __proto__: null, configurable: true, writable: true, enumerable: true },
  revokeObjectURL: { __proto__: null, configurable: true, writable: true, enumerable: true },
});

// ---------------------------------------------------------------- files, options, domains

function urlToHttpOptions(url) {
  if (url === null || typeof url !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('url', 'object', url);
  const { hostname, pathname, port, username, password, search } = url;
  const options = {
    __proto__: null,
    ...url,
    protocol: url.protocol,
    hostname: hostname && hostname[0] === '[' ? hostname.slice(1, -1) : hostname,
    hash: url.hash,
    search,
    pathname,
    path: `${pathname || ''}${search || ''}`,
    href: url.href,
  };
  if (port !== '') options.port = Number(port);
  if (username || password) options.auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return options;
}

function isURLLike(value) {
  return Boolean(value?.href && value.protocol && value.auth === undefined && value.path === undefined);
}

function checkFileURL(path) {
  if (typeof path === 'string') path = new URL(path);
  else if (!isURLLike(path)) throw new codes.ERR_INVALID_ARG_TYPE('path', ['string', 'URL'], path);
  if (path.protocol !== 'file:') throw new codes.ERR_INVALID_URL_SCHEME('file');
  return path;
}

function badPath(reason, url) {
  const error = new codes.ERR_INVALID_FILE_URL_PATH(reason, url);
  Object.defineProperty(error, 'input', { __proto__: null, value: url, enumerable: true, configurable: true, writable: true });
  return error;
}

// The engine has other words for it.
function decodePath(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new URIError('URI malformed');
  }
}

function getPathFromURLPosix(url) {
  if (url.hostname !== '') throw new codes.ERR_INVALID_FILE_URL_HOST(process.platform);
  const { pathname } = url;
  if (/%2f/i.test(pathname)) throw badPath('must not include encoded / characters', url);
  return decodePath(pathname);
}

function getPathFromURLWin32(url) {
  let { pathname } = url;
  if (/%2f|%5c/i.test(pathname)) throw badPath('must not include encoded \\ or / characters', url);
  pathname = decodePath(pathname.replaceAll('/', '\\'));
  if (url.hostname !== '') return `\\\\${require('internal/idna').toUnicode(url.hostname)}${pathname}`;
  if (!/^\\[A-Za-z]:/.test(pathname)) throw badPath('must be absolute', url);
  return pathname.slice(1);
}

function fileURLToPath(path, options = undefined) {
  const windows = options?.windows ?? process.platform === 'win32';
  const url = checkFileURL(path);
  return windows ? getPathFromURLWin32(url) : getPathFromURLPosix(url);
}

function fileURLToPathBuffer(path, options = undefined) {
  const windows = options?.windows ?? process.platform === 'win32';
  const url = checkFileURL(path);
  const { Buffer } = require('buffer');
  if (windows) return Buffer.from(getPathFromURLWin32(url));
  if (url.hostname !== '') throw new codes.ERR_INVALID_FILE_URL_HOST(process.platform);
  if (/%2f/i.test(url.pathname)) throw badPath('must not include encoded / characters', url);
  const bytes = percentDecodeBytes(url.pathname);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

const pathEscapes = Object.fromEntries([...'%\\\n\r\t?#[]^|~'].map((c) => [c, `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`]));

function pathToFileURL(filepath, options = undefined) {
  validateString(filepath, 'path');
  const windows = options?.windows ?? process.platform === 'win32';
  const path = require('path');
  const isUNC = windows && filepath.startsWith('\\\\');
  let resolved = isUNC ? filepath : (windows ? path.win32 : path.posix).resolve(filepath);
  if (isUNC || (windows && resolved.startsWith('\\\\'))) {
    const isExtended = resolved.startsWith('\\\\?\\UNC\\');
    const prefix = isExtended ? 8 : 2;
    const hostEnd = resolved.indexOf('\\', prefix);
    if (hostEnd === -1) throw new codes.ERR_INVALID_ARG_VALUE('path', resolved, 'Missing UNC resource path');
    if (hostEnd === 2) throw new codes.ERR_INVALID_ARG_VALUE('path', resolved, 'Empty UNC servername');
    const hostname = resolved.slice(prefix, hostEnd);
    const url = new URL('file://');
    url.hostname = hostname;
    if (url.hostname === '') throw invalidURL(hostname);
    url.pathname = resolved.slice(hostEnd).replaceAll('\\', '/').replace(/[%\n\r\t?#[\]^|~]/g, (c) => pathEscapes[c]);
    return url;
  }
  // A slash at the end is kept: resolve takes it away.
  const last = filepath.charCodeAt(filepath.length - 1);
  if ((last === 47 || (windows && last === 92)) && resolved[resolved.length - 1] !== (windows ? '\\' : '/')) resolved += '/';
  let escaped = windows ? resolved.replace(/[%\n\r\t?#[\]^|~]/g, (c) => pathEscapes[c]).replaceAll('\\', '/') :
    resolved.replace(/[%\\\n\r\t?#[\]^|~]/g, (c) => pathEscapes[c]);
  if (windows && escaped[0] !== '/') escaped = `/${escaped}`;
  return new URL(`file://${escaped}`);
}

function toPathIfFileURL(value) {
  if (!isURLLike(value)) return value;
  return fileURLToPath(value);
}

function domainToASCII(domain) {
  if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('domain');
  return URL.parse(`ws://${`${domain}`}`)?.hostname ?? '';
}

function domainToUnicode(domain) {
  if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('domain');
  const host = URL.parse(`ws://${`${domain}`}`)?.hostname;
  return host === undefined ? '' : require('internal/idna').toUnicode(host);
}

module.exports = {
  URL,
  URLSearchParams,
  domainToASCII,
  domainToUnicode,
  fileURLToPath,
  fileURLToPathBuffer,
  isURL: isURLLike,
  hasRecord: (value) => isURL(value),
  isSpecial,
  pathToFileURL,
  toPathIfFileURL,
  urlToHttpOptions,
};
