'use strict';

// Converts values to bytes, in the wire format of V8's serializer (version 15): a tag of one byte, then its data. Used
// by v8.serialize, by the 'advanced' channel between processes, and by messages between threads.

const types = require('internal/util/types');

const kVersion = 15;
const scratch = new DataView(new ArrayBuffer(8));
const scratchBytes = new Uint8Array(scratch.buffer);
const viewName = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;

const viewTags = {
  __proto__: null,
  Int8Array: 'b',
  Uint8Array: 'B',
  Uint8ClampedArray: 'C',
  Int16Array: 'w',
  Uint16Array: 'W',
  Int32Array: 'd',
  Uint32Array: 'D',
  Float16Array: 'h',
  Float32Array: 'f',
  Float64Array: 'F',
  BigInt64Array: 'q',
  BigUint64Array: 'Q',
  DataView: '?',
};
const errorTags = {
  __proto__: null,
  EvalError: 'E',
  RangeError: 'R',
  ReferenceError: 'F',
  SyntaxError: 'S',
  TypeError: 'T',
  URIError: 'U',
};
const flagBits = { __proto__: null, g: 1, i: 2, m: 4, y: 8, u: 16, s: 32, d: 128, v: 256 };

// Most messages are small: one piece of memory is reused for all of them.
const kKept = 1 << 16;
let spare = new Uint8Array(1024);

function takeSpare() {
  const taken = spare ?? new Uint8Array(256);
  spare = undefined;
  return taken;
}

// `owner` handles what is beyond the format: dataCloneError(text), hostObject(value) (true if it wrote the value
// itself), sharedId(buffer).
class Writer {
  #bytes = takeSpare();
  #used = 0;
  #seen = new Map();
  #owner;
  #transferred = new Map();
  viewsAreHost = false;

  constructor(owner) {
    this.#owner = owner;
  }

  #room(count) {
    const need = this.#used + count;
    if (need > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(need, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = larger;
    }
    const at = this.#used;
    this.#used = need;
    return at;
  }

  release() {
    const keeps = this.#bytes.length <= kKept && this.#bytes.length > (spare?.length ?? 0);
    const bytes = keeps ? this.#bytes.slice(0, this.#used) : this.#bytes.subarray(0, this.#used);
    if (keeps) spare = this.#bytes;
    this.#bytes = new Uint8Array(0);
    this.#used = 0;
    return bytes;
  }

  header() {
    const at = this.#room(2);
    this.#bytes[at] = 0xff;
    this.#bytes[at + 1] = kVersion;
  }

  tag(character) {
    const at = this.#room(1);
    this.#bytes[at] = character.charCodeAt(0);
  }

  // Seven bits a byte, the lowest first; works up to 2^53.
  varint(number) {
    while (number >= 0x80) {
      const at = this.#room(1);
      this.#bytes[at] = (number % 0x80) | 0x80;
      number = Math.floor(number / 0x80);
    }
    const at = this.#room(1);
    this.#bytes[at] = number;
  }

  varint64(high, low) {
    let number = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
    for (; number >= 0x80n; number >>= 7n) this.raw([Number(number & 0x7fn) | 0x80]);
    this.raw([Number(number)]);
  }

  double(number) {
    scratch.setFloat64(0, number, true);
    this.raw(scratchBytes);
  }

  raw(bytes) {
    const at = this.#room(bytes.length);
    this.#bytes.set(bytes, at);
  }

  transfer(id, buffer) {
    this.#transferred.set(buffer, id);
  }

  #string(text) {
    const { length } = text;
    let wide = false;
    for (let i = 0; i < length; i++) {
      if (text.charCodeAt(i) > 0xff) {
        wide = true;
        break;
      }
    }
    if (!wide) {
      this.tag('"');
      this.varint(length);
      const at = this.#room(length);
      for (let i = 0; i < length; i++) this.#bytes[at + i] = text.charCodeAt(i);
      return;
    }
    // Two bytes for each unit, at an even position.
    const size = length * 2;
    const sizeBytes = size < 0x80 ? 1 : size < 0x4000 ? 2 : size < 0x200000 ? 3 : size < 0x10000000 ? 4 : 5;
    if ((this.#used + 1 + sizeBytes) % 2 !== 0) this.tag('\0');
    this.tag('c');
    this.varint(size);
    const at = this.#room(size);
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      this.#bytes[at + 2 * i] = unit & 0xff;
      this.#bytes[at + 2 * i + 1] = unit >> 8;
    }
  }

  #bigint(number) {
    const negative = number < 0n;
    if (negative) number = -number;
    const digits = [];
    for (; number > 0n; number >>= 64n) {
      scratch.setBigUint64(0, BigInt.asUintN(64, number), true);
      digits.push(...scratchBytes);
    }
    this.varint((digits.length << 1) | (negative ? 1 : 0));
    this.raw(digits);
  }

  value(value) {
    switch (typeof value) {
      case 'undefined':
        this.tag('_');
        return;
      case 'boolean':
        this.tag(value ? 'T' : 'F');
        return;
      case 'string':
        this.#string(value);
        return;
      case 'number':
        if (Number.isInteger(value) && value >= -0x40000000 && value < 0x40000000 && !Object.is(value, -0)) {
          this.tag('I');
          this.varint(((value << 1) ^ (value >> 31)) >>> 0);
        } else {
          this.tag('N');
          this.double(value);
        }
        return;
      case 'bigint':
        this.tag('Z');
        this.#bigint(value);
        return;
      case 'object':
        if (value === null) this.tag('0');
        else this.#object(value);
        return;
      default:
        throw this.#refuse(value);
    }
  }

  #refuse(value) {
    const shown = typeof value === 'object' ? `#<${value.constructor?.name || 'Object'}>` : String(value);
    return this.#owner.dataCloneError(`${shown} could not be cloned.`);
  }

  #object(object) {
    const known = this.#seen.get(object);
    if (known !== undefined) {
      this.tag('^');
      this.varint(known);
      return;
    }
    // A view's buffer comes first, as an object of its own.
    if (ArrayBuffer.isView(object) && !this.viewsAreHost) this.#object(object.buffer);
    this.#remember(object);
    if (Array.isArray(object) && !types.isProxy(object)) this.#array(object);
    else if (ArrayBuffer.isView(object)) this.#view(object);
    else if (types.isAnyArrayBuffer(object)) this.#buffer(object);
    else if (
      (types.isProxy(object) && !require('internal/process/object').isSystemEnv(object)) ||
      types.isPromise(object) ||
      types.isWeakMap(object) ||
      types.isWeakSet(object) ||
      object instanceof WeakRef ||
      types.isGeneratorObject(object)
    )
      throw this.#refuse(object);
    else if (this.#owner.hostObject !== undefined && this.#owner.isHost(object)) this.host(object);
    else if (types.isDate(object)) {
      this.tag('D');
      this.double(Date.prototype.getTime.call(object));
    } else if (types.isRegExp(object)) this.#regexp(object);
    else if (types.isMap(object)) this.#map(object);
    else if (types.isSet(object)) this.#set(object);
    else if (types.isNativeError(object)) this.#error(object);
    else if (types.isBoxedPrimitive(object)) this.#boxed(object);
    else this.#plain(object);
  }

  #remember(object) {
    this.#seen.set(object, this.#seen.size);
  }

  host(object) {
    this.tag('\\');
    this.#owner.hostObject(object);
  }

  #plain(object) {
    this.tag('o');
    const count = this.#properties(object, Object.keys(object));
    this.tag('{');
    this.varint(count);
  }

  // A property that a getter has removed meanwhile is left out.
  #properties(object, keys) {
    let count = 0;
    for (const key of keys) {
      if (!Object.hasOwn(object, key)) continue;
      const index = Number(key);
      this.value(Number.isInteger(index) && index >= 0 && String(index) === key ? index : key);
      this.value(object[key]);
      count++;
    }
    return count;
  }

  #array(array) {
    const { length } = array;
    const keys = Object.keys(array);
    let elements = 0;
    while (elements < keys.length && elements < length && keys[elements] === String(elements)) elements++;
    if (elements === length) {
      this.tag('A');
      this.varint(length);
      for (let i = 0; i < length; i++) this.value(array[i]);
      const count = this.#properties(array, keys.slice(length));
      this.tag('$');
      this.varint(count);
    } else {
      this.tag('a');
      this.varint(length);
      const count = this.#properties(array, keys);
      this.tag('@');
      this.varint(count);
    }
    this.varint(length);
  }

  #map(map) {
    this.tag(';');
    const flat = [...Map.prototype.entries.call(map)].flat();
    for (const each of flat) this.value(each);
    this.tag(':');
    this.varint(flat.length);
  }

  #set(set) {
    this.tag("'");
    const list = [...Set.prototype.values.call(set)];
    for (const each of list) this.value(each);
    this.tag(',');
    this.varint(list.length);
  }

  #regexp(regexp) {
    this.tag('R');
    this.#string(regexp.source);
    let bits = 0;
    for (const flag of regexp.flags) bits |= flagBits[flag];
    this.varint(bits);
  }

  #boxed(object) {
    const value = object.valueOf();
    switch (typeof value) {
      case 'boolean':
        this.tag(value ? 'y' : 'x');
        break;
      case 'number':
        this.tag('n');
        this.double(value);
        break;
      case 'bigint':
        this.tag('z');
        this.#bigint(value);
        break;
      case 'string':
        this.tag('s');
        this.#string(value);
        break;
      default:
        throw this.#owner.dataCloneError('Object could not be cloned.');
    }
  }

  #error(error) {
    this.tag('r');
    const kind = errorTags[String(error.name)];
    if (kind !== undefined) this.tag(kind);
    const message = Object.getOwnPropertyDescriptor(error, 'message');
    if (message !== undefined && 'value' in message) {
      this.tag('m');
      this.#string(String(message.value));
    }
    const { stack } = error;
    if (typeof stack === 'string') {
      this.tag('s');
      this.#string(stack);
    }
    if (Object.hasOwn(error, 'cause')) {
      this.tag('c');
      this.value(error.cause);
    }
    this.tag('.');
  }

  #buffer(buffer) {
    if (types.isSharedArrayBuffer(buffer)) {
      const id = this.#owner.sharedId(buffer);
      this.tag('u');
      this.varint(id);
      return;
    }
    const id = this.#transferred.get(buffer);
    if (id !== undefined) {
      this.tag('t');
      this.varint(id);
      return;
    }
    if (buffer.detached) throw this.#owner.dataCloneError('An ArrayBuffer is detached and could not be cloned.');
    this.tag(buffer.resizable ? '~' : 'B');
    this.varint(buffer.byteLength);
    if (buffer.resizable) this.varint(buffer.maxByteLength);
    this.raw(new Uint8Array(buffer));
  }

  #view(view) {
    if (this.viewsAreHost) {
      this.host(view);
      return;
    }
    this.tag('V');
    this.tag(viewTags[viewName.call(view) ?? 'DataView']);
    this.varint(view.byteOffset);
    this.varint(view.byteLength);
    this.varint(0);
  }
}

module.exports = { Writer, viewName, kVersion };
