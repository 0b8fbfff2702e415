'use strict';

// Structured clones as bytes, for the 'advanced' channel: more than JSON knows (Map, Set, Date, RegExp, Error, BigInt, typed
// arrays, undefined, cycles). A value is a tag and what the tag needs; an object that comes again is a reference to the place
// that it had. What is read is never trusted: a length beyond the end, an unknown tag or reference, or a nesting without end
// is an error.

const { Buffer } = require('buffer');
const types = require('internal/util/types');

const VERSION = 1;
const DEEPEST = 2000;

// A tag is a letter.
const tag = {
  undefined: 'u', null: 'n', true: 't', false: 'f', integer: 'i', number: 'd', bigint: 'b', latin: 's', wide: 'w',
  object: 'o', array: 'a', hole: 'h', date: 'D', regexp: 'R', map: 'M', set: 'S', error: 'E', memory: 'm', view: 'v', boxed: 'x', again: 'r',
};
for (const name of Object.keys(tag)) tag[name] = tag[name].charCodeAt(0);

const viewClasses = [Buffer, Uint8Array, Int8Array, Uint8ClampedArray, Uint16Array, Int16Array, Uint32Array, Int32Array, Float32Array, Float64Array,
  BigInt64Array, BigUint64Array, DataView];
if (typeof Float16Array === 'function') viewClasses.push(Float16Array);
const errorClasses = { __proto__: null, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

const problem = (text) => new Error(text);

function refuse(value) {
  const shown = typeof value === 'object' ? `#<${value.constructor?.name || 'Object'}>` : String(value);
  return problem(`${shown} could not be cloned.`);
}

class Writer {
  #bytes = Buffer.allocUnsafe(256);
  #length = 0;
  #places = new Map();

  get bytes() {
    return this.#bytes.subarray(0, this.#length);
  }

  #room(count) {
    const at = this.#length;
    if (at + count > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, at + count));
      larger.set(this.bytes, 0);
      this.#bytes = larger;
    }
    this.#length = at + count;
    return at;
  }

  byte(value) {
    const at = this.#room(1);
    this.#bytes[at] = value;
  }

  // Counts: seven bits a byte, the lowest first.
  count(value) {
    for (; value > 127; value = Math.floor(value / 128)) this.byte(value % 128 | 128);
    this.byte(value);
  }

  double(value) {
    const at = this.#room(8);
    this.#bytes.writeDoubleLE(value, at);
  }

  raw(view) {
    this.count(view.byteLength);
    const at = this.#room(view.byteLength);
    this.#bytes.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), at);
  }

  text(value) {
    // eslint-disable-next-line no-control-regex
    const narrow = /^[\0-\xff]*$/.test(value);
    this.byte(narrow ? tag.latin : tag.wide);
    this.raw(Buffer.from(value, narrow ? 'latin1' : 'utf16le'));
  }

  value(value) {
    switch (typeof value) {
      case 'undefined': return this.byte(tag.undefined);
      case 'boolean': return this.byte(value ? tag.true : tag.false);
      case 'string': return this.text(value);
      case 'bigint':
        this.byte(tag.bigint);
        return this.text(value.toString(16));
      case 'number':
        if (Number.isInteger(value) && value >= 0 && value < 2 ** 31 && !Object.is(value, -0)) {
          this.byte(tag.integer);
          return this.count(value);
        }
        this.byte(tag.number);
        return this.double(value);
      case 'object': return value === null ? this.byte(tag.null) : this.object(value);
      default: throw refuse(value);
    }
  }

  object(value) {
    const place = this.#places.get(value);
    if (place !== undefined) {
      this.byte(tag.again);
      this.count(place);
      return;
    }
    // What a view looks into comes before it.
    if (ArrayBuffer.isView(value)) return this.view(value);
    this.#places.set(value, this.#places.size);
    for (const [is, write] of kinds) {
      if (is(value)) return write(this, value);
    }
    if (typeof value.then === 'function' || types.isProxy(value) || types.isExternal(value)) throw refuse(value);
    this.byte(tag.object);
    this.pairs(value, Object.keys(value));
  }

  view(value) {
    this.#places.set(value, this.#places.size);
    this.byte(tag.view);
    this.count(viewClasses.findIndex((Class) => value.constructor === Class) >>> 0);
    this.raw(value);
  }

  pairs(value, keys) {
    this.count(keys.length);
    for (const key of keys) {
      this.text(key);
      this.value(value[key]);
    }
  }
}

const kinds = [
  [Array.isArray, (out, list) => {
    out.byte(tag.array);
    out.count(list.length);
    for (let i = 0; i < list.length; i++) {
      if (i in list) out.value(list[i]);
      else out.byte(tag.hole);
    }
    out.pairs(list, Object.keys(list).slice(countIndexes(list)));
  }],
  [types.isDate, (out, date) => {
    out.byte(tag.date);
    out.double(date.getTime());
  }],
  [types.isRegExp, (out, pattern) => {
    out.byte(tag.regexp);
    out.text(pattern.source);
    out.text(pattern.flags);
  }],
  [types.isMap, (out, map) => {
    out.byte(tag.map);
    out.count(map.size);
    for (const [key, value] of [...map]) {
      out.value(key);
      out.value(value);
    }
  }],
  [types.isSet, (out, set) => {
    out.byte(tag.set);
    out.count(set.size);
    for (const value of [...set]) out.value(value);
  }],
  [types.isNativeError, (out, error) => {
    out.byte(tag.error);
    out.text(error.name in errorClasses ? error.name : 'Error');
    out.value(error.message === undefined ? undefined : String(error.message));
    out.value(typeof error.stack === 'string' ? error.stack : undefined);
    out.byte('cause' in error ? tag.true : tag.false);
    if ('cause' in error) out.value(error.cause);
  }],
  [types.isAnyArrayBuffer, (out, memory) => {
    out.byte(tag.memory);
    out.raw(new Uint8Array(memory));
  }],
  [types.isBoxedPrimitive, (out, boxed) => {
    if (types.isSymbolObject(boxed)) throw refuse(boxed);
    out.byte(tag.boxed);
    out.value(boxed.valueOf());
  }],
  [(value) => types.isWeakMap(value) || types.isWeakSet(value) || types.isPromise(value), (out, value) => {
    throw refuse(value);
  }],
];

// How many of an array's own keys are its elements: they come first.
function countIndexes(list) {
  let count = 0;
  for (let i = 0; i < list.length; i++) if (i in list) count++;
  return count;
}

class Reader {
  #bytes;
  #at = 0;
  #objects = [];
  #depth = 0;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  get rest() {
    return this.#bytes.length - this.#at;
  }

  byte() {
    if (this.rest < 1) throw problem('Unable to deserialize cloned data: it ends too early.');
    return this.#bytes[this.#at++];
  }

  count() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += byte % 128 * scale;
      if (byte < 128) break;
      if (scale > 2 ** 35) throw problem('Unable to deserialize cloned data: a number is too long.');
    }
    return value;
  }

  // Of things of which each takes a byte at least.
  plausible() {
    const count = this.count();
    if (count > this.rest) throw problem('Unable to deserialize cloned data: it ends too early.');
    return count;
  }

  double() {
    if (this.rest < 8) throw problem('Unable to deserialize cloned data: it ends too early.');
    this.#at += 8;
    return this.#bytes.readDoubleLE(this.#at - 8);
  }

  raw() {
    const length = this.plausible();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  text() {
    const kind = this.byte();
    if (kind !== tag.latin && kind !== tag.wide) throw problem('Unable to deserialize cloned data: there should be text.');
    return this.raw().toString(kind === tag.latin ? 'latin1' : 'utf16le');
  }

  remember(object) {
    this.#objects.push(object);
    return object;
  }

  again() {
    const object = this.#objects[this.count()];
    if (object === undefined) throw problem('Unable to deserialize cloned data: a reference to nothing.');
    return object;
  }

  value(kind = this.byte()) {
    if (this.#depth > DEEPEST) throw problem('Unable to deserialize cloned data: it is nested too deeply.');
    const read = readers[kind];
    if (read === undefined) throw problem('Unable to deserialize cloned data due to an unknown tag.');
    this.#depth++;
    const value = read(this);
    this.#depth--;
    return value;
  }

  pairs(object) {
    for (let left = this.plausible(); left > 0; left--) {
      const key = this.text();
      // Not by assignment: '__proto__' is a name like another.
      Object.defineProperty(object, key, { value: this.value(), writable: true, enumerable: true, configurable: true });
    }
    return object;
  }
}

const readers = {
  [tag.undefined]: () => undefined,
  [tag.null]: () => null,
  [tag.true]: () => true,
  [tag.false]: () => false,
  [tag.integer]: (from) => from.count(),
  [tag.number]: (from) => from.double(),
  [tag.bigint](from) {
    const text = from.text();
    if (!/^-?[0-9a-f]+$/.test(text)) throw problem('Unable to deserialize cloned data: there should be a number.');
    return text.startsWith('-') ? -BigInt(`0x${text.slice(1)}`) : BigInt(`0x${text}`);
  },
  [tag.latin]: (from) => from.raw().toString('latin1'),
  [tag.wide]: (from) => from.raw().toString('utf16le'),
  [tag.again]: (from) => from.again(),
  [tag.object]: (from) => from.pairs(from.remember({})),
  [tag.array](from) {
    const length = from.plausible();
    const list = from.remember([]);
    for (let i = 0; i < length; i++) {
      const kind = from.byte();
      if (kind !== tag.hole) list[i] = from.value(kind);
    }
    list.length = length;
    return from.pairs(list);
  },
  [tag.date]: (from) => from.remember(new Date(from.double())),
  [tag.regexp]: (from) => from.remember(new RegExp(from.text(), from.text())),
  [tag.map](from) {
    const map = from.remember(new Map());
    for (let left = from.plausible(); left > 0; left--) map.set(from.value(), from.value());
    return map;
  },
  [tag.set](from) {
    const set = from.remember(new Set());
    for (let left = from.plausible(); left > 0; left--) set.add(from.value());
    return set;
  },
  [tag.error](from) {
    const error = from.remember(new (errorClasses[from.text()] ?? Error)());
    for (const name of ['message', 'stack']) {
      const value = from.value();
      if (value !== undefined) Object.defineProperty(error, name, { value: String(value), writable: true, enumerable: false, configurable: true });
    }
    if (from.byte() === tag.true) Object.defineProperty(error, 'cause', { value: from.value(), writable: true, enumerable: false, configurable: true });
    return error;
  },
  [tag.memory](from) {
    const bytes = from.raw();
    return from.remember(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  },
  [tag.view](from) {
    const Class = viewClasses[from.count()] ?? Uint8Array;
    const bytes = from.raw();
    if (Class === Buffer) return from.remember(Buffer.from(bytes));
    const size = Class.BYTES_PER_ELEMENT ?? 1;
    if (bytes.length % size !== 0) throw problem('Unable to deserialize cloned data: an element is not whole.');
    return from.remember(new Class(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), 0, bytes.length / size));
  },
  [tag.boxed]: (from) => from.remember(Object(from.value())),
};

function serialize(value) {
  const out = new Writer();
  out.byte(VERSION);
  out.value(value);
  return out.bytes;
}

function deserialize(bytes) {
  const from = new Reader(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (from.byte() !== VERSION) throw problem('Unable to deserialize cloned data due to invalid or unsupported version.');
  return from.value();
}

module.exports = { serialize, deserialize };
