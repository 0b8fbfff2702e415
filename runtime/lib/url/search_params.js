'use strict';

// URLSearchParams: the pairs of a query, alone or as the query of a URL, which is told of every change.

const { codes } = require('internal/errors');
const { toText: convert } = require('internal/util/text');
const { percentEncode, percentDecode } = require('internal/url/hosts');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

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
const kept = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._ ';
let formTable;
function formSet() {
  if (formTable !== undefined) return formTable;
  formTable = new Uint8Array(128).fill(1);
  for (let i = 0; i < kept.length; i++) formTable[kept.charCodeAt(i)] = 0;
  return formTable;
}

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

let access; // access to private members, for iterators and for URL

class URLSearchParams {
  #list = [];
  #tellUrl = null; // the URL whose query this is

  static {
    access = {
      create(text, tellUrl) {
        const params = new URLSearchParams();
        params.#list = parseQuery(text);
        params.#tellUrl = tellUrl;
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
          if ((typeof pair !== 'object' && typeof pair !== 'function') || typeof pair[Symbol.iterator] !== 'function') {
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
    this.#tellUrl?.(this);
  }

  get size() {
    check(this, access.is);
    return this.#list.length / 2;
  }

  append(name, value) {
    check(this, access.is);
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('name', 'value');
    this.#list.push(toText(name), toText(value));
    this.#changed();
  }

  delete(name, value = undefined) {
    check(this, access.is);
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
    check(this, access.is);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('name');
    name = toText(name);
    const list = this.#list;
    for (let i = 0; i < list.length; i += 2) if (list[i] === name) return list[i + 1];
    return null;
  }

  getAll(name) {
    check(this, access.is);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('name');
    name = toText(name);
    const list = this.#list;
    const values = [];
    for (let i = 0; i < list.length; i += 2) if (list[i] === name) values.push(list[i + 1]);
    return values;
  }

  has(name, value = undefined) {
    check(this, access.is);
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
    check(this, access.is);
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
    check(this, access.is);
    const pairs = [];
    for (let i = 0; i < this.#list.length; i += 2) pairs.push([this.#list[i], this.#list[i + 1]]);
    pairs.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    this.#list = pairs.flat();
    this.#changed();
  }

  entries() {
    check(this, access.is);
    return new ParamsIterator(this, 'key+value');
  }

  forEach(callback, thisArg = undefined) {
    check(this, access.is);
    if (typeof callback !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('callback', 'Function', callback);
    for (let i = 0; i < this.#list.length; i += 2) callback.call(thisArg, this.#list[i + 1], this.#list[i], this);
  }

  keys() {
    check(this, access.is);
    return new ParamsIterator(this, 'key');
  }

  values() {
    check(this, access.is);
    return new ParamsIterator(this, 'value');
  }

  toString() {
    check(this, access.is);
    return serializeQuery(this.#list);
  }

  [kInspect](depth, ctx) {
    check(this, access.is);
    if (typeof depth === 'number' && depth < 0) return ctx.stylize('[Object]', 'special');
    const { inspect } = require('internal/util/inspect');
    const inner = { ...ctx };
    if (depth !== null) inner.depth = depth - 1;
    const output = [];
    for (let i = 0; i < this.#list.length; i += 2)
      output.push(`${inspect(this.#list[i], inner)} => ${inspect(this.#list[i + 1], inner)}`);
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
for (const name of [
  'append',
  'delete',
  'get',
  'getAll',
  'has',
  'set',
  'size',
  'sort',
  'entries',
  'forEach',
  'keys',
  'values',
  'toString',
]) {
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
    if (typeof this !== 'object' || this === null || !(#params in this))
      throw new codes.ERR_INVALID_THIS('URLSearchParamsIterator');
    const list = access.list(this.#params);
    const i = this.#index;
    if (i >= list.length) return { done: true, value: undefined };
    this.#index += 2;
    return { done: false, value: this.#value(list, i) };
  }

  #value(list, i) {
    return this.#kind === 'key' ? list[i] : this.#kind === 'value' ? list[i + 1] : [list[i], list[i + 1]];
  }

  [kInspect](depth, ctx) {
    if (typeof this !== 'object' || this === null || !(#params in this))
      throw new codes.ERR_INVALID_THIS('URLSearchParamsIterator');
    if (typeof depth === 'number' && depth < 0) return ctx.stylize('[Object]', 'special');
    const { inspect } = require('internal/util/inspect');
    const inner = { ...ctx };
    if (depth !== null) inner.depth = depth - 1;
    const list = access.list(this.#params);
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

module.exports = { URLSearchParams, access, toText };
