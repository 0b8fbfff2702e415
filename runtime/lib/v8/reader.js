'use strict';

// Converts bytes to values: the counterpart of internal/v8/writer. A table has a method for each tag; truncated or
// invalid data is an error, never a read beyond the end.

const types = require('internal/util/types');
const { kVersion } = require('internal/v8/writer');

const viewClasses = {
  __proto__: null,
  b: Int8Array,
  B: Uint8Array,
  C: Uint8ClampedArray,
  w: Int16Array,
  W: Uint16Array,
  d: Int32Array,
  D: Uint32Array,
  f: Float32Array,
  F: Float64Array,
  q: BigInt64Array,
  Q: BigUint64Array,
  '?': DataView,
};
if (typeof Float16Array === 'function') viewClasses.h = Float16Array;
const errorClasses = {
  __proto__: null,
  E: EvalError,
  R: RangeError,
  F: ReferenceError,
  S: SyntaxError,
  T: TypeError,
  U: URIError,
};
const flagLetters = [
  ['d', 128],
  ['g', 1],
  ['i', 2],
  ['m', 4],
  ['s', 32],
  ['u', 16],
  ['v', 256],
  ['y', 8],
];

function broken() {
  return new Error('Unable to deserialize cloned data.');
}

function hidden(object, name, value) {
  Object.defineProperty(object, name, {
    __proto__: null,
    value,
    writable: true,
    configurable: true,
    enumerable: false,
  });
}

function put(object, key, value) {
  if (key === '__proto__')
    Object.defineProperty(object, key, {
      __proto__: null,
      value,
      writable: true,
      configurable: true,
      enumerable: true,
    });
  else object[key] = value;
}

class Reader {
  #bytes;
  #data;
  #at = 0;
  #objects = [];
  #owner; // hostObject()
  #transferred = new Map();
  version = 0;

  constructor(bytes, owner) {
    this.#bytes = bytes;
    this.#data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#owner = owner;
  }

  get offset() {
    return this.#at;
  }

  transfer(id, buffer) {
    this.#transferred.set(id, buffer);
  }

  header() {
    if (this.#bytes[this.#at] !== 0xff) throw broken();
    this.#at++;
    this.version = this.varint();
    if (this.version > kVersion) throw broken();
  }

  #byte() {
    if (this.#at >= this.#bytes.length) throw broken();
    return this.#bytes[this.#at++];
  }

  #take(count) {
    const at = this.#at;
    if (count > this.#bytes.length - at) throw broken();
    this.#at = at + count;
    return at;
  }

  varint() {
    let result = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#byte();
      result += (byte & 0x7f) * scale;
      if (byte < 0x80) return result;
      scale *= 0x80;
      if (scale > 2 ** 56) throw broken();
    }
  }

  varint64() {
    let result = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#byte();
      result |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return [Number((result >> 32n) & 0xffffffffn), Number(result & 0xffffffffn)];
  }

  double() {
    return this.#data.getFloat64(this.#take(8), true);
  }

  // The bytes themselves, not a copy.
  raw(count) {
    const at = this.#take(count);
    return this.#bytes.subarray(at, at + count);
  }

  #latin1(length) {
    const at = this.#take(length);
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + at, length).latin1Slice(0, length);
  }

  #wide(size) {
    if (size % 2 !== 0) throw broken();
    const at = this.#take(size);
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + at, size).ucs2Slice(0, size);
  }

  #utf8(size) {
    const at = this.#take(size);
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + at, size).utf8Slice(0, size);
  }

  #string() {
    const text = this.value();
    if (typeof text !== 'string') throw broken();
    return text;
  }

  #tag() {
    let byte;
    do byte = this.#byte();
    while (byte === 0);
    return byte;
  }

  #peek() {
    let at = this.#at;
    while (at < this.#bytes.length && this.#bytes[at] === 0) at++;
    if (at >= this.#bytes.length) throw broken();
    return this.#bytes[at];
  }

  #bigint() {
    const field = this.varint();
    const at = this.#take(field >>> 1);
    let result = 0n;
    for (let i = (field >>> 1) - 1; i >= 0; i--) result = (result << 8n) | BigInt(this.#bytes[at + i]);
    return field & 1 ? -result : result;
  }

  #keep(object) {
    this.#objects.push(object);
    return object;
  }

  #reserve() {
    this.#objects.push(undefined);
    return this.#objects.length - 1;
  }

  // Keys and values up to a closing tag; their number follows.
  #properties(object, end) {
    let count = 0;
    while (this.#peek() !== end) {
      const key = this.value();
      put(object, key, this.value());
      count++;
    }
    this.#tag();
    if (this.varint() !== count) throw broken();
    return object;
  }

  #array(length) {
    const array = this.#keep([]);
    for (let i = 0; i < length; i++) {
      if (this.#peek() === 0x2d) this.#tag();
      else array[i] = this.value();
    }
    array.length = length;
    this.#properties(array, 0x24);
    this.varint();
    return array;
  }

  #sparse(length) {
    const array = this.#keep([]);
    array.length = length;
    this.#properties(array, 0x40);
    this.varint();
    return array;
  }

  #list(end, add) {
    let count = 0;
    while (this.#peek() !== end) {
      add(this.value());
      count++;
    }
    this.#tag();
    if (this.varint() !== count) throw broken();
  }

  #map() {
    const map = this.#keep(new Map());
    const flat = [];
    this.#list(0x3a, (each) => flat.push(each));
    for (let i = 0; i + 1 < flat.length; i += 2) map.set(flat[i], flat[i + 1]);
    return map;
  }

  #set() {
    const set = this.#keep(new Set());
    this.#list(0x2c, (each) => set.add(each));
    return set;
  }

  #regexp() {
    const slot = this.#reserve();
    const source = this.#string();
    const bits = this.varint();
    const regexp = new RegExp(
      source,
      flagLetters
        .filter(([, bit]) => bits & bit)
        .map(([letter]) => letter)
        .join(''),
    );
    this.#objects[slot] = regexp;
    return regexp;
  }

  #error() {
    const slot = this.#reserve();
    let Class = Error;
    const parts = {};
    for (;;) {
      const tag = String.fromCharCode(this.#tag());
      if (tag === '.') break;
      if (errorClasses[tag] !== undefined) Class = errorClasses[tag];
      else if (tag === 'm') parts.message = this.#string();
      else if (tag === 's') parts.stack = this.#string();
      else if (tag === 'c') {
        this.#objects[slot] ??= Reflect.construct(Error, [], Class);
        parts.cause = this.value();
      } else throw broken();
    }
    const error = this.#objects[slot] ?? Reflect.construct(Error, [], Class);
    this.#objects[slot] = error;
    delete error.message;
    for (const name of Object.keys(parts)) hidden(error, name, parts[name]);
    if (parts.stack === undefined) hidden(error, 'stack', undefined);
    return error;
  }

  #buffer(length, most) {
    const at = this.#take(length);
    const buffer = most === undefined ? new ArrayBuffer(length) : new ArrayBuffer(length, { maxByteLength: most });
    new Uint8Array(buffer).set(this.#bytes.subarray(at, at + length));
    return this.#viewed(this.#keep(buffer));
  }

  #moved(id) {
    const buffer = this.#transferred.get(id);
    if (buffer === undefined) throw broken();
    return this.#viewed(this.#keep(buffer));
  }

  // A view directly follows its buffer.
  #viewed(buffer) {
    if (this.#at >= this.#bytes.length || this.#bytes[this.#at] !== 0x56) return buffer;
    this.#at++;
    const Class = viewClasses[String.fromCharCode(this.#byte())];
    const offset = this.varint();
    const length = this.varint();
    if (this.version >= 14) this.varint();
    if (Class === undefined || offset + length > buffer.byteLength) throw broken();
    return this.#keep(new Class(buffer, offset, length / (Class.BYTES_PER_ELEMENT ?? 1)));
  }

  #boxed(value) {
    return this.#keep(Object(value));
  }

  value() {
    const tag = String.fromCharCode(this.#tag());
    switch (tag) {
      case '_':
        return undefined;
      case '0':
        return null;
      case 'T':
        return true;
      case 'F':
        return false;
      case 'I': {
        const folded = this.varint() >>> 0;
        return (folded >>> 1) ^ -(folded & 1);
      }
      case 'U':
        return this.varint();
      case 'N':
        return this.double();
      case 'Z':
        return this.#bigint();
      case '"':
        return this.#latin1(this.varint());
      case 'c':
        return this.#wide(this.varint());
      case 'S':
        return this.#utf8(this.varint());
      case '^': {
        const id = this.varint();
        if (id >= this.#objects.length) throw broken();
        const object = this.#objects[id];
        return types.isAnyArrayBuffer(object) ? this.#viewed(object) : object;
      }
      case 'o':
        return this.#properties(this.#keep({}), 0x7b);
      case 'A':
        return this.#array(this.varint());
      case 'a':
        return this.#sparse(this.varint());
      case 'D':
        return this.#keep(new Date(this.double()));
      case 'y':
        return this.#boxed(true);
      case 'x':
        return this.#boxed(false);
      case 'n':
        return this.#boxed(this.double());
      case 'z':
        return this.#boxed(this.#bigint());
      case 's':
        return this.#boxed(this.#string());
      case 'R':
        return this.#regexp();
      case ';':
        return this.#map();
      case "'":
        return this.#set();
      case 'B':
        return this.#buffer(this.varint());
      case '~':
        return this.#buffer(this.varint(), this.varint());
      case 't':
      case 'u':
        return this.#moved(this.varint());
      case 'r':
        return this.#error();
      case '\\': {
        const slot = this.#reserve();
        const object = this.#owner.hostObject();
        this.#objects[slot] = object;
        return object;
      }
      default:
        throw broken();
    }
  }
}

module.exports = { Reader };
