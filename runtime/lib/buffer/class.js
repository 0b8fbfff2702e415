'use strict';

// The class of buffers, their memory, and the function Buffer with its methods.
//
// Where buffers come from: their class, the slab that small buffers share, and conversions of other values to buffers.

const { codes } = require('internal/errors');
const { validateArray, validateInteger, validateNumber } = require('internal/validators');
const { isAnyArrayBuffer, isTypedArray, isUint8Array } = require('internal/util/views');
const text = require('internal/buffer/text');
const { getCodec, utf8 } = text;
const search = require('internal/buffer/search');
const { bytesOrBuffer, fill } = search;
const native = internalBinding('buffer');
const { floats, readers, writers } = require('internal/buffer/numbers');

const largest = Number.MAX_SAFE_INTEGER;

// The public function `Buffer` is no class, as it may be called without `new`; this class shares its prototype.
class FastBuffer extends Uint8Array {
  constructor(memory, byteOffset, length) {
    super(memory, byteOffset, length);
  }
}

// --zero-fill-buffers: new buffers never show earlier contents of memory.
let isZeroed;
const asksForZeros = () =>
  require('internal/process/flags')
    .words()
    .some((option) => option.replaceAll('_', '-') === '--zero-fill-buffers');
// Most programs have no options, and need not look through them.
const mayBeZeroed = () => internalBinding('runtime').isWorker || internalBinding('process').optionWords.length > 0;
function createUnset(length) {
  isZeroed ??= mayBeZeroed() && asksForZeros();
  return isZeroed ? new ArrayBuffer(length) : native.createUninitialized(length);
}

const slabs = new WeakSet(); // shared by many buffers, so it must not be transferred

// Memory for small buffers is cut from a slab, at multiples of 8. A buffer of more than half a slab gets
// memory of its own.
class Slab {
  size = 64 * 1024;
  #memory;
  #used = 0;

  cut(length) {
    if (this.#memory === undefined || length > this.#memory.byteLength - this.#used) this.#renew();
    const bytes = new FastBuffer(this.#memory, this.#used, length);
    this.#used = (this.#used + length + 7) & ~7;
    return bytes;
  }

  #renew() {
    this.#memory = createUnset(this.size);
    slabs.add(this.#memory);
    this.#used = 0;
  }

  // If the last piece turned out too long, the rest is returned to the slab.
  giveBack(bytes, length) {
    if (bytes.buffer === this.#memory) this.#used = (bytes.byteOffset + length + 7) & ~7;
    return new FastBuffer(bytes.buffer, bytes.byteOffset, length);
  }

  holds(length) {
    return length < this.size >>> 1;
  }
}

const slab = new Slab();

function unset(length) {
  if (length <= 0) return new FastBuffer();
  return slab.holds(length) ? slab.cut(length) : new FastBuffer(createUnset(length));
}

function needSize(size) {
  validateNumber(size, 'size', 0, largest);
}

function fromText(text, encoding) {
  const codec = typeof encoding !== 'string' || encoding === '' ? utf8 : getCodec(encoding);
  if (codec === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  const length = codec.byteLength(text);
  if (length === 0) return new FastBuffer();
  const bytes = unset(length);
  const written = codec.write(bytes, text, 0, length);
  return written === length ? bytes : slab.giveBack(bytes, written);
}

// A view on memory that stays the caller's.
function overMemory(memory, byteOffset, length) {
  const start = byteOffset === undefined ? 0 : +byteOffset || 0;
  const room = memory.byteLength - start;
  if (room < 0) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('offset');
  if (length === undefined) return new FastBuffer(memory, start);
  const count = +length;
  if (!(count > 0)) return new FastBuffer(memory, start, 0);
  if (count > room) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('length');
  return new FastBuffer(memory, start, count);
}

function copyList(list) {
  const { length } = list;
  if (!(length > 0)) return new FastBuffer();
  const bytes = unset(length);
  if (isUint8Array(list)) {
    Uint8Array.prototype.set.call(bytes, list);
  } else {
    for (let i = 0; i < bytes.length; i++) bytes[i] = list[i];
  }
  return bytes;
}

const sourceKinds = ['string', 'Buffer', 'ArrayBuffer', 'Array', 'Array-like Object'];
const refuseSource = (value) => new codes.ERR_INVALID_ARG_TYPE('first argument', sourceKinds, value);

// The bytes of an object: bytes, memory, a list, a list in a `data` property, or what its valueOf or toPrimitive gives.
function fromObject(value, encodingOrOffset, length) {
  if (isAnyArrayBuffer(value)) return overMemory(value, encodingOrOffset, length);
  const primitive = value.valueOf?.();
  if (primitive != null && primitive !== value && (typeof primitive === 'string' || typeof primitive === 'object')) {
    return from(primitive, encodingOrOffset, length);
  }
  if (value.length !== undefined || isAnyArrayBuffer(value.buffer))
    return copyList(typeof value.length === 'number' ? value : []);
  if (value.type === 'Buffer' && Array.isArray(value.data)) return copyList(value.data);
  const toPrimitive = value[Symbol.toPrimitive];
  if (typeof toPrimitive === 'function') {
    const text = toPrimitive.call(value, 'string');
    if (typeof text === 'string') return fromText(text, encodingOrOffset);
  }
  throw refuseSource(value);
}

function from(value, encodingOrOffset, length) {
  if (typeof value === 'string') return fromText(value, encodingOrOffset);
  if (typeof value === 'object' && value !== null) return fromObject(value, encodingOrOffset, length);
  throw refuseSource(value);
}

function copyBytesFrom(view, offset, length) {
  if (!isTypedArray(view)) throw new codes.ERR_INVALID_ARG_TYPE('view', ['TypedArray'], view);
  const start = offset ?? 0;
  if (offset !== undefined) validateInteger(offset, 'offset', 0);
  if (length !== undefined) validateInteger(length, 'length', 0);
  const part = view.subarray(Math.min(start, view.length), length === undefined ? undefined : start + length);
  return copyList(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
}

function of(...items) {
  const bytes = unset(items.length);
  for (let i = 0; i < items.length; i++) bytes[i] = items[i];
  return bytes;
}

function alloc(size, value, encoding) {
  needSize(size);
  if (value === undefined || value === 0 || !(size > 0)) return new FastBuffer(Math.trunc(size));
  const bytes = new FastBuffer(Math.trunc(size));
  if (typeof value === 'string' && encoding !== undefined && encoding !== null && typeof encoding !== 'string') {
    throw new codes.ERR_INVALID_ARG_TYPE('encoding', 'string', encoding);
  }
  return fill(bytes, value, 0, bytes.length, typeof encoding === 'string' ? encoding : undefined);
}

function allocUnsafe(size) {
  needSize(size);
  return unset(Math.trunc(size));
}

function allocUnsafeSlow(size) {
  needSize(size);
  const length = Math.trunc(size);
  return length > 0 ? new FastBuffer(createUnset(length)) : new FastBuffer();
}

// The length of an array, even if the program has overridden the property.
const { get } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), 'length');
const lengthOf = (bytes) => Reflect.apply(get, bytes, []);

function concat(list, length) {
  validateArray(list, 'list');
  if (list.length === 0) return new FastBuffer();
  let total = length;
  if (length === undefined) {
    total = 0;
    for (const each of list) total += isUint8Array(each) ? lengthOf(each) : 0;
  } else {
    validateInteger(length, 'length', 0);
  }
  const result = allocUnsafe(total);
  let at = 0;
  for (let i = 0; i < list.length; i++) {
    const part = list[i];
    if (!isUint8Array(part)) throw new codes.ERR_INVALID_ARG_TYPE(`list[${i}]`, bytesOrBuffer, part);
    if (at >= total) continue;
    const size = lengthOf(part);
    const fits = at + size <= total;
    Uint8Array.prototype.set.call(result, fits ? part : part.subarray(0, total - at), at);
    at += fits ? size : total - at;
  }
  // Memory that is not filled must not show earlier contents.
  if (at < total) result.fill(0, at, total);
  return result;
}

// The function Buffer, with its methods: the parts are in the modules beside this one. It is apart from node:buffer,
// since most programs that use Buffer do not load that.

let warned = false;

function isPendingTold() {
  return (
    process.env.NODE_PENDING_DEPRECATION === '1' || require('internal/process/flags').hasFlag('--pending-deprecation')
  );
}

function Buffer(arg, encodingOrOffset, length) {
  if (!warned && (isPendingTold() || !require('internal/modules/helpers').calledFromPackage())) {
    warned = true;
    process.emitWarning(
      'Buffer() is deprecated due to security and usability issues. Please use the Buffer.alloc(), ' +
        'Buffer.allocUnsafe(), or Buffer.from() methods instead.',
      'DeprecationWarning',
      'DEP0005',
    );
  }
  if (typeof arg !== 'number') return from(arg, encodingOrOffset, length);
  if (typeof encodingOrOffset === 'string') throw new codes.ERR_INVALID_ARG_TYPE('string', 'string', arg);
  return alloc(arg);
}

// ---------------------------------------------------------------- the function's own properties

Object.setPrototypeOf(Buffer, Uint8Array);
Object.defineProperty(Buffer, Symbol.species, { configurable: true, enumerable: false, get: () => FastBuffer });
Object.defineProperty(Buffer, 'poolSize', {
  configurable: true,
  enumerable: true,
  get: () => slab.size,
  set(size) {
    slab.size = size;
  },
});

const statics = {
  from(value, encodingOrOffset, length) {
    return from(value, encodingOrOffset, length);
  },
  copyBytesFrom(view, offset, length) {
    return copyBytesFrom(view, offset, length);
  },
  of(...items) {
    return of(...items);
  },
  alloc(size, fill, encoding) {
    return alloc(size, fill, encoding);
  },
  allocUnsafe(size) {
    return allocUnsafe(size);
  },
  allocUnsafeSlow(size) {
    return allocUnsafeSlow(size);
  },
  isBuffer(value) {
    return value instanceof Buffer;
  },
  compare(buf1, buf2) {
    return search.compareBytes(buf1, buf2);
  },
  isEncoding(encoding) {
    return text.isEncoding(encoding);
  },
  concat(list, length) {
    return concat(list, length);
  },
  byteLength(string, encoding) {
    return text.byteLength(string, encoding);
  },
};
Object.assign(Buffer, statics);

// ---------------------------------------------------------------- methods

Buffer.prototype = FastBuffer.prototype;
Object.defineProperty(FastBuffer.prototype, 'constructor', {
  value: Buffer,
  writable: true,
  enumerable: false,
  configurable: true,
});
for (const part of [readers, writers, floats, text.methods, search.methods]) Object.assign(Buffer.prototype, part);

// Methods for unsigned numbers have a second spelling.
for (const name of Object.keys(Buffer.prototype)) {
  const at = name.indexOf('UInt');
  if (at > 0) Buffer.prototype[`${name.slice(0, at)}Uint${name.slice(at + 4)}`] = Buffer.prototype[name];
}

// A view on the same memory, made without Symbol.species.
function part(bytes, start, end) {
  const { length } = bytes;
  const place = (value, otherwise) => {
    const index = value === undefined ? otherwise : Math.trunc(value) || 0;
    return index < 0 ? Math.max(0, length + index) : Math.min(index, length);
  };
  const from = place(start, 0);
  return new FastBuffer(bytes.buffer, bytes.byteOffset + from, Math.max(0, place(end, length) - from));
}

Buffer.prototype.subarray = function subarray(start, end) {
  return part(this, start, end);
};
Buffer.prototype.slice = function slice(start, end) {
  return this.subarray(start, end);
};

for (const [name, property] of [
  ['parent', 'buffer'],
  ['offset', 'byteOffset'],
]) {
  Object.defineProperty(Buffer.prototype, name, {
    enumerable: true,
    get() {
      return this instanceof Buffer ? this[property] : undefined;
    },
  });
}

module.exports = {
  FastBuffer,
  alloc,
  allocUnsafe,
  allocUnsafeSlow,
  concat,
  copyBytesFrom,
  from,
  largest,
  of,
  isSlab: (memory) => slabs.has(memory),
  Buffer,
};
