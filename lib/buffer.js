'use strict';

// node:buffer. A Buffer is a Uint8Array with another prototype; small ones share a pool.

const { codes } = require('internal/errors');
const { validateArray, validateBuffer, validateInteger, validateNumber } = require('internal/validators');
const { isAnyArrayBuffer, isUint8Array, isTypedArray } = require('internal/util/types');
const { getCodec, utf8, latin1, ascii, utf16le, base64, base64url, hex } = require('internal/buffer_codec');
const { normalizeEncoding, defineLazyProperties } = require('internal/util');

const native = internalBinding('buffer');
const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kMaxLength = 9007199254740991;
const kStringMaxLength = 536870888;

let inspectMaxBytes = 50;

class FastBuffer extends Uint8Array {
  // A constructor of its own costs a call; without one the engine passes the arguments on.
}

function Buffer(arg, encodingOrOffset, length) {
  showFlaggedDeprecation();
  if (typeof arg === 'number') {
    if (typeof encodingOrOffset === 'string') throw new codes.ERR_INVALID_ARG_TYPE('string', 'string', arg);
    return Buffer.alloc(arg);
  }
  return Buffer.from(arg, encodingOrOffset, length);
}

let deprecationWarned = false;
function showFlaggedDeprecation() {
  if (deprecationWarned) return;
  deprecationWarned = true;
  process.emitWarning(
    'Buffer() is deprecated due to security and usability issues. Please use the Buffer.alloc(), ' +
    'Buffer.allocUnsafe(), or Buffer.from() methods instead.', 'DeprecationWarning', 'DEP0005');
}

Object.defineProperty(Buffer, Symbol.species, {
  __proto__: null,
  configurable: true,
  enumerable: false,
  get() {
    return FastBuffer;
  },
});

Buffer.prototype = FastBuffer.prototype;
Object.defineProperty(Buffer.prototype, 'constructor', { __proto__: null, value: Buffer, writable: true, enumerable: true, configurable: true });
Object.setPrototypeOf(Buffer, Uint8Array);

Buffer.poolSize = 64 * 1024;
let pool;
let poolSize = 0;
let poolOffset = 0;

function uninitialized(size) {
  if (native.createUninitialized !== undefined) return native.createUninitialized(size);
  return new ArrayBuffer(size);
}

function createPool() {
  poolSize = Buffer.poolSize;
  pool = uninitialized(poolSize);
  poolOffset = 0;
}

function allocate(size) {
  if (size <= 0) return new FastBuffer();
  if (size < Buffer.poolSize >>> 1) {
    if (pool === undefined || size > poolSize - poolOffset) createPool();
    const result = new FastBuffer(pool, poolOffset, size);
    poolOffset = (poolOffset + size + 7) & ~7;
    return result;
  }
  return new FastBuffer(uninitialized(size));
}

function checkAlignment(alignment) {
  validateInteger(alignment, 'alignment', 1, 2 ** 30);
  if ((alignment & (alignment - 1)) !== 0) throw new codes.ERR_INVALID_ARG_VALUE('alignment', alignment, 'must be a power of two');
}

// ---------------------------------------------------------------- making buffers

Buffer.from = function from(value, encodingOrOffset, length) {
  if (typeof value === 'string') return fromString(value, encodingOrOffset);
  if (typeof value === 'object' && value !== null) {
    if (isAnyArrayBuffer(value)) return fromArrayBuffer(value, encodingOrOffset, length);
    const primitive = value.valueOf && value.valueOf();
    if (primitive != null && primitive !== value && (typeof primitive === 'string' || typeof primitive === 'object')) {
      return from(primitive, encodingOrOffset, length);
    }
    const made = fromObject(value);
    if (made !== undefined) return made;
    if (typeof value[Symbol.toPrimitive] === 'function') {
      const text = value[Symbol.toPrimitive]('string');
      if (typeof text === 'string') return fromString(text, encodingOrOffset);
    }
  }
  throw new codes.ERR_INVALID_ARG_TYPE('first argument', ['string', 'Buffer', 'ArrayBuffer', 'Array', 'Array-like Object'], value);
};

function fromString(text, encoding) {
  let codec = utf8;
  if (typeof encoding === 'string' && encoding.length !== 0) {
    codec = getCodec(encoding);
    if (codec === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  }
  if (text.length === 0) return new FastBuffer();
  const length = codec.byteLength(text);
  if (length === 0) return new FastBuffer();
  const result = allocate(length);
  const written = codec.write(result, text, 0, length);
  if (written === length) return result;
  if (pool !== undefined && result.buffer === pool) poolOffset = (result.byteOffset + written + 7) & ~7;
  return new FastBuffer(result.buffer, result.byteOffset, written);
}

function fromArrayBuffer(buffer, byteOffset, length) {
  if (byteOffset === undefined) {
    byteOffset = 0;
  } else {
    byteOffset = +byteOffset;
    if (byteOffset !== byteOffset) byteOffset = 0;
  }
  const max = buffer.byteLength - byteOffset;
  if (max < 0) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('offset');
  if (length !== undefined) {
    length = +length;
    if (length > 0) {
      if (length > max) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('length');
    } else {
      length = 0;
    }
  }
  return new FastBuffer(buffer, byteOffset, length);
}

function fromArrayLike(list) {
  if (!(list.length > 0)) return new FastBuffer();
  const result = allocate(list.length);
  if (isUint8Array(list)) result.set(list);
  else for (let i = 0; i < result.length; i++) result[i] = list[i];
  return result;
}

function fromObject(object) {
  if (object.length !== undefined || isAnyArrayBuffer(object.buffer)) {
    if (typeof object.length !== 'number') return new FastBuffer();
    return fromArrayLike(object);
  }
  if (object.type === 'Buffer' && Array.isArray(object.data)) return fromArrayLike(object.data);
  return undefined;
}

Buffer.copyBytesFrom = function copyBytesFrom(view, offset, length) {
  if (!isTypedArray(view)) throw new codes.ERR_INVALID_ARG_TYPE('view', ['TypedArray'], view);
  const viewLength = view.length;
  if (viewLength === 0) return new FastBuffer();
  let start = 0;
  let end = viewLength;
  if (offset !== undefined) {
    validateInteger(offset, 'offset', 0);
    if (offset >= viewLength) return new FastBuffer();
    start = offset;
  }
  if (length !== undefined) {
    validateInteger(length, 'length', 0);
    end = Math.min(viewLength, start + length);
  }
  const part = view.slice(start, end);
  return fromArrayLike(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
};

const of = (...items) => {
  const result = Buffer.allocUnsafe(items.length);
  for (let k = 0; k < items.length; k++) result[k] = items[k];
  return result;
};
Buffer.of = of;

function checkSize(size) {
  validateNumber(size, 'size', 0, kMaxLength);
}

Buffer.alloc = function alloc(size, fill, encoding) {
  checkSize(size);
  if (fill !== undefined && fill !== 0 && size > 0) {
    return fillBytes(new FastBuffer(size), fill, 0, size, encoding);
  }
  return new FastBuffer(size);
};

Buffer.allocUnsafe = function allocUnsafe(size, alignment) {
  checkSize(size);
  if (alignment !== undefined) {
    checkAlignment(alignment);
    return new FastBuffer(uninitialized(size));
  }
  return allocate(size);
};

Buffer.allocUnsafeSlow = function allocUnsafeSlow(size, alignment) {
  checkSize(size);
  if (alignment !== undefined) checkAlignment(alignment);
  return new FastBuffer(uninitialized(size));
};

Buffer.isBuffer = function isBuffer(b) {
  return b instanceof Buffer;
};

function compareBytes(a, b) {
  if (native.compare !== undefined) return native.compare(a, b);
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return a.length < b.length ? -1 : a.length > b.length ? 1 : 0;
}

Buffer.compare = function compare(buf1, buf2) {
  if (!isUint8Array(buf1)) throw new codes.ERR_INVALID_ARG_TYPE('buf1', ['Buffer', 'Uint8Array'], buf1);
  if (!isUint8Array(buf2)) throw new codes.ERR_INVALID_ARG_TYPE('buf2', ['Buffer', 'Uint8Array'], buf2);
  return buf1 === buf2 ? 0 : compareBytes(buf1, buf2);
};

Buffer.isEncoding = function isEncoding(encoding) {
  return typeof encoding === 'string' && encoding.length !== 0 && normalizeEncoding(encoding) !== undefined;
};

Buffer.concat = function concat(list, length) {
  validateArray(list, 'list');
  if (list.length === 0) return new FastBuffer();
  if (length === undefined) {
    length = 0;
    for (let i = 0; i < list.length; i++) {
      if (list[i].length) length += list[i].length;
    }
  } else {
    validateInteger(length, 'length', 0);
  }
  const result = Buffer.allocUnsafe(length);
  let position = 0;
  for (let i = 0; i < list.length; i++) {
    const part = list[i];
    if (!isUint8Array(part)) throw new codes.ERR_INVALID_ARG_TYPE(`list[${i}]`, ['Buffer', 'Uint8Array'], part);
    if (position + part.length > length) {
      if (position < length) result.set(part.subarray(0, length - position), position);
      position = length;
    } else {
      result.set(part, position);
      position += part.length;
    }
  }
  // The pool's old bytes must not be seen.
  if (position < length) Uint8Array.prototype.fill.call(result, 0, position, length);
  return result;
};

function byteLength(string, encoding) {
  if (typeof string !== 'string') {
    if (ArrayBuffer.isView(string) || isAnyArrayBuffer(string)) return string.byteLength;
    throw new codes.ERR_INVALID_ARG_TYPE('string', ['string', 'Buffer', 'ArrayBuffer'], string);
  }
  if (string.length === 0) return 0;
  const codec = encoding ? getCodec(encoding) : utf8;
  return (codec ?? utf8).byteLength(string);
}
Buffer.byteLength = byteLength;

for (const [name, key] of [['parent', 'buffer'], ['offset', 'byteOffset']]) {
  Object.defineProperty(Buffer.prototype, name, {
    __proto__: null,
    enumerable: true,
    get() {
      return this instanceof Buffer ? this[key] : undefined;
    },
  });
}

// ---------------------------------------------------------------- numbers

function throwBounds(value, length, type) {
  if (Math.floor(value) !== value) {
    validateNumber(value, type);
    throw new codes.ERR_OUT_OF_RANGE(type || 'offset', 'an integer', value);
  }
  if (length < 0) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS();
  throw new codes.ERR_OUT_OF_RANGE(type || 'offset', `>= ${type ? 1 : 0} and <= ${length}`, value);
}

function checkOffset(bytes, offset, width) {
  if (typeof offset !== 'number') throw new codes.ERR_INVALID_ARG_TYPE('offset', 'number', offset);
  if (bytes[offset] === undefined || bytes[offset + width - 1] === undefined) throwBounds(offset, bytes.length - width);
}

function throwValue(value, min, max, width) {
  const n = typeof min === 'bigint' ? 'n' : '';
  let range;
  if (width > 4) {
    if (min === 0 || min === 0n) range = `>= 0${n} and < 2${n} ** ${width * 8}${n}`;
    else range = `>= -(2${n} ** ${width * 8 - 1}${n}) and < 2${n} ** ${width * 8 - 1}${n}`;
  } else {
    range = `>= ${min}${n} and <= ${max}${n}`;
  }
  throw new codes.ERR_OUT_OF_RANGE('value', range, value);
}

function checkValue(value, min, max, width) {
  if (value > max || value < min) throwValue(value, min, max, width);
}

function readUnsigned(bytes, offset, width, little) {
  let value = 0;
  if (little) for (let i = width - 1; i >= 0; i--) value = value * 256 + bytes[offset + i];
  else for (let i = 0; i < width; i++) value = value * 256 + bytes[offset + i];
  return value;
}

function readSigned(bytes, offset, width, little) {
  const value = readUnsigned(bytes, offset, width, little);
  const half = 2 ** (width * 8 - 1);
  return value >= half ? value - half * 2 : value;
}

// Two's complement of any width up to six bytes.
function writeNumber(bytes, value, offset, width, little) {
  let low = value < 0 ? value + 2 ** (width * 8) : value;
  if (little) {
    for (let i = 0; i < width; i++) {
      bytes[offset + i] = low;
      low = Math.floor(low / 256);
    }
  } else {
    for (let i = width - 1; i >= 0; i--) {
      bytes[offset + i] = low;
      low = Math.floor(low / 256);
    }
  }
  return offset + width;
}

const methods = Buffer.prototype;

function checkWidth(byteLength) {
  if (byteLength === undefined) throw new codes.ERR_INVALID_ARG_TYPE('byteLength', 'number', byteLength);
  if (!(byteLength >= 1 && byteLength <= 6) || Math.floor(byteLength) !== byteLength) throwBounds(byteLength, 6, 'byteLength');
}

function defineVariable(name, signed, little) {
  methods[`read${name}`] = { [`read${name}`](offset, byteLength) {
    if (offset === undefined) throw new codes.ERR_INVALID_ARG_TYPE('offset', 'number', offset);
    checkWidth(byteLength);
    checkOffset(this, offset, byteLength);
    return (signed ? readSigned : readUnsigned)(this, offset, byteLength, little);
  } }[`read${name}`];
  methods[`write${name}`] = { [`write${name}`](value, offset, byteLength) {
    checkWidth(byteLength);
    value = +value;
    const max = signed ? 2 ** (byteLength * 8 - 1) - 1 : 2 ** (byteLength * 8) - 1;
    checkValueWide(value, signed ? -max - 1 : 0, max, byteLength);
    checkOffset(this, offset, byteLength);
    return writeNumber(this, Math.trunc(value) || 0, offset, byteLength, little);
  } }[`write${name}`];
}

function checkValueWide(value, min, max, width) {
  if (value > max || value < min) throwValue(value, min, max, width);
}

function checkFixed(value, min, max) {
  if (value > max || value < min) throw new codes.ERR_OUT_OF_RANGE('value', `>= ${min} and <= ${max}`, value);
}

Object.assign(methods, {
  readUInt8(offset = 0) {
    if (typeof offset !== 'number') throw new codes.ERR_INVALID_ARG_TYPE('offset', 'number', offset);
    const value = this[offset];
    if (value === undefined) throwBounds(offset, this.length - 1);
    return value;
  },
  readInt8(offset = 0) {
    if (typeof offset !== 'number') throw new codes.ERR_INVALID_ARG_TYPE('offset', 'number', offset);
    const value = this[offset];
    if (value === undefined) throwBounds(offset, this.length - 1);
    return (value << 24) >> 24;
  },
  readUInt16LE(offset = 0) {
    checkOffset(this, offset, 2);
    return this[offset] | (this[offset + 1] << 8);
  },
  readUInt16BE(offset = 0) {
    checkOffset(this, offset, 2);
    return (this[offset] << 8) | this[offset + 1];
  },
  readInt16LE(offset = 0) {
    checkOffset(this, offset, 2);
    return ((this[offset] | (this[offset + 1] << 8)) << 16) >> 16;
  },
  readInt16BE(offset = 0) {
    checkOffset(this, offset, 2);
    return (((this[offset] << 8) | this[offset + 1]) << 16) >> 16;
  },
  readUInt32LE(offset = 0) {
    checkOffset(this, offset, 4);
    return (this[offset] | (this[offset + 1] << 8) | (this[offset + 2] << 16) | (this[offset + 3] << 24)) >>> 0;
  },
  readUInt32BE(offset = 0) {
    checkOffset(this, offset, 4);
    return ((this[offset] << 24) | (this[offset + 1] << 16) | (this[offset + 2] << 8) | this[offset + 3]) >>> 0;
  },
  readInt32LE(offset = 0) {
    checkOffset(this, offset, 4);
    return this[offset] | (this[offset + 1] << 8) | (this[offset + 2] << 16) | (this[offset + 3] << 24);
  },
  readInt32BE(offset = 0) {
    checkOffset(this, offset, 4);
    return (this[offset] << 24) | (this[offset + 1] << 16) | (this[offset + 2] << 8) | this[offset + 3];
  },
  writeUInt8(value, offset = 0) {
    value = +value;
    validateNumber(offset, 'offset');
    checkFixed(value, 0, 255);
    if (this[offset] === undefined) throwBounds(offset, this.length - 1);
    this[offset] = value;
    return offset + 1;
  },
  writeInt8(value, offset = 0) {
    value = +value;
    validateNumber(offset, 'offset');
    checkFixed(value, -128, 127);
    if (this[offset] === undefined) throwBounds(offset, this.length - 1);
    this[offset] = value;
    return offset + 1;
  },
  writeUInt16LE(value, offset = 0) {
    value = +value;
    checkFixed(value, 0, 65535);
    checkOffset(this, offset, 2);
    this[offset] = value;
    this[offset + 1] = value >>> 8;
    return offset + 2;
  },
  writeUInt16BE(value, offset = 0) {
    value = +value;
    checkFixed(value, 0, 65535);
    checkOffset(this, offset, 2);
    this[offset] = value >>> 8;
    this[offset + 1] = value;
    return offset + 2;
  },
  writeInt16LE(value, offset = 0) {
    value = +value;
    checkFixed(value, -32768, 32767);
    checkOffset(this, offset, 2);
    this[offset] = value;
    this[offset + 1] = value >>> 8;
    return offset + 2;
  },
  writeInt16BE(value, offset = 0) {
    value = +value;
    checkFixed(value, -32768, 32767);
    checkOffset(this, offset, 2);
    this[offset] = value >>> 8;
    this[offset + 1] = value;
    return offset + 2;
  },
  writeUInt32LE(value, offset = 0) {
    value = +value;
    checkFixed(value, 0, 4294967295);
    checkOffset(this, offset, 4);
    this[offset] = value;
    this[offset + 1] = value >>> 8;
    this[offset + 2] = value >>> 16;
    this[offset + 3] = value >>> 24;
    return offset + 4;
  },
  writeUInt32BE(value, offset = 0) {
    value = +value;
    checkFixed(value, 0, 4294967295);
    checkOffset(this, offset, 4);
    this[offset] = value >>> 24;
    this[offset + 1] = value >>> 16;
    this[offset + 2] = value >>> 8;
    this[offset + 3] = value;
    return offset + 4;
  },
  writeInt32LE(value, offset = 0) {
    value = +value;
    checkFixed(value, -2147483648, 2147483647);
    checkOffset(this, offset, 4);
    this[offset] = value;
    this[offset + 1] = value >>> 8;
    this[offset + 2] = value >>> 16;
    this[offset + 3] = value >>> 24;
    return offset + 4;
  },
  writeInt32BE(value, offset = 0) {
    value = +value;
    checkFixed(value, -2147483648, 2147483647);
    checkOffset(this, offset, 4);
    this[offset] = value >>> 24;
    this[offset + 1] = value >>> 16;
    this[offset + 2] = value >>> 8;
    this[offset + 3] = value;
    return offset + 4;
  },
});
defineVariable('UIntLE', false, true);
defineVariable('UIntBE', false, false);
defineVariable('IntLE', true, true);
defineVariable('IntBE', true, false);

// Eight bytes that are seen as every kind of wide number.
const scratch = new DataView(new ArrayBuffer(8));

function defineWide(name, width, little, get, set, check) {
  methods[`read${name}`] = { [`read${name}`](offset = 0) {
    checkOffset(this, offset, width);
    for (let i = 0; i < width; i++) scratch.setUint8(i, this[offset + i]);
    return get(little);
  } }[`read${name}`];
  methods[`write${name}`] = { [`write${name}`](value, offset = 0) {
    value = check(value);
    checkOffset(this, offset, width);
    set(value, little);
    for (let i = 0; i < width; i++) this[offset + i] = scratch.getUint8(i);
    return offset + width;
  } }[`write${name}`];
}
const toNumber = (value) => +value;
for (const little of [true, false]) {
  const end = little ? 'LE' : 'BE';
  defineWide(`Float${end}`, 4, little, (le) => scratch.getFloat32(0, le), (v, le) => scratch.setFloat32(0, v, le), toNumber);
  defineWide(`Double${end}`, 8, little, (le) => scratch.getFloat64(0, le), (v, le) => scratch.setFloat64(0, v, le), toNumber);
  defineWide(`BigUInt64${end}`, 8, little, (le) => scratch.getBigUint64(0, le), (v, le) => scratch.setBigUint64(0, v, le), (value) => {
    if (typeof value !== 'bigint') throw new TypeError('Cannot mix BigInt and other types, use explicit conversions');
    checkValue(value, 0n, 0xffffffffffffffffn, 8);
    return value;
  });
  defineWide(`BigInt64${end}`, 8, little, (le) => scratch.getBigInt64(0, le), (v, le) => scratch.setBigInt64(0, v, le), (value) => {
    if (typeof value !== 'bigint') throw new TypeError('Cannot mix BigInt and other types, use explicit conversions');
    checkValue(value, -0x8000000000000000n, 0x7fffffffffffffffn, 8);
    return value;
  });
}
for (const name of Object.keys(methods)) {
  if (name.includes('UInt')) methods[name.replace('UInt', 'Uint')] = methods[name];
}

// ---------------------------------------------------------------- text

function sliceMethod(codec) {
  return function (start, end) {
    const length = this.length;
    start = start === undefined ? 0 : Math.trunc(start) || 0;
    end = end === undefined ? length : Math.trunc(end) || 0;
    if (start < 0 || end < 0 || end > length) throw rangeError();
    if (end <= start) return '';
    return codec.slice(this, start, end);
  };
}

function rangeError() {
  const error = new RangeError('Index out of range');
  error.code = 'ERR_OUT_OF_RANGE';
  return error;
}

function writeMethod(codec) {
  return function (string, offset = 0, length = undefined) {
    if (typeof string !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('argument', 'string', string);
    offset = +offset;
    length = length === undefined ? this.length - offset : +length;
    if (offset < 0 || offset > this.length) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('offset');
    if (length < 0 || length > this.length - offset) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('length');
    return codec.write(this, string, offset, length);
  };
}

for (const [name, codec] of Object.entries({ ascii, base64, base64url, latin1, hex, ucs2: utf16le, utf8 })) {
  methods[`${name}Slice`] = sliceMethod(codec);
  Object.defineProperty(methods[`${name}Slice`], 'name', { __proto__: null, value: `${name}Slice` });
}
for (const [name, codec] of Object.entries({ ascii, base64, base64url, latin1, hex, ucs2: utf16le, utf8 })) {
  methods[`${name}Write`] = writeMethod(codec);
  Object.defineProperty(methods[`${name}Write`], 'name', { __proto__: null, value: `${name}Write` });
}

function toInteger(value, fallback) {
  value = +value;
  return value !== value ? fallback : Math.trunc(value);
}

Object.assign(methods, {
  copy(target, targetStart, sourceStart, sourceEnd) {
    return copyBytes(this, target, targetStart, sourceStart, sourceEnd);
  },

  toString(encoding, start, end) {
    const length = this.length;
    if (arguments.length === 0) {
      if (length === 0) return '';
      checkStringLength(length);
      return utf8.slice(this, 0, length);
    }
    if (start === undefined || start <= 0) start = 0;
    else if (start >= length) return '';
    else start = Math.trunc(start) || 0;
    if (end === undefined || end >= length) end = length;
    else end = Math.trunc(end) || 0;
    if (end <= start) return '';
    let codec = utf8;
    if (encoding !== undefined) {
      codec = getCodec(encoding);
      if (codec === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    }
    checkStringLength(codec === hex ? (end - start) * 2 : end - start);
    return codec.slice(this, start, end);
  },

  equals(otherBuffer) {
    if (!isUint8Array(otherBuffer)) throw new codes.ERR_INVALID_ARG_TYPE('otherBuffer', ['Buffer', 'Uint8Array'], otherBuffer);
    if (this === otherBuffer) return true;
    if (this.byteLength !== otherBuffer.byteLength) return false;
    return this.byteLength === 0 || compareBytes(this, otherBuffer) === 0;
  },

  inspect(recurseTimes, ctx) {
    const max = inspectMaxBytes;
    const shown = Math.min(max, this.length);
    const remaining = this.length - shown;
    let text = '';
    for (let i = 0; i < shown; i++) text += (i === 0 ? '' : ' ') + (this[i] < 16 ? '0' : '') + this[i].toString(16);
    if (remaining > 0) text += ` ... ${remaining} more byte${remaining > 1 ? 's' : ''}`;
    if (ctx) {
      let extras = false;
      const own = { __proto__: null };
      const keys = ctx.showHidden ? Object.getOwnPropertyNames(this) : Object.keys(this);
      const symbols = Object.getOwnPropertySymbols(this);
      for (const key of [...keys, ...symbols]) {
        if (typeof key === 'string' && String(key >>> 0) === key) continue;
        const descriptor = Object.getOwnPropertyDescriptor(this, key);
        if (!ctx.showHidden && !descriptor.enumerable) continue;
        extras = true;
        own[key] = this[key];
      }
      if (extras) {
        if (this.length !== 0) text += ', ';
        const inner = require('internal/util/inspect').inspect(own, { ...ctx, breakLength: Infinity, compact: true });
        text += inner.slice(27, -2);
      }
    }
    let name = 'Buffer';
    try {
      const { constructor } = this;
      if (typeof constructor === 'function' && Object.hasOwn(constructor, 'name')) name = constructor.name;
    } catch {
      // A constructor that cannot be read: it is a Buffer all the same.
    }
    return `<${name} ${text}>`;
  },

  compare(target, targetStart, targetEnd, sourceStart, sourceEnd) {
    if (!isUint8Array(target)) throw new codes.ERR_INVALID_ARG_TYPE('target', ['Buffer', 'Uint8Array'], target);
    if (arguments.length === 1) return compareBytes(this, target);
    if (targetStart === undefined) targetStart = 0;
    else validateInteger(targetStart, 'targetStart', 0);
    if (targetEnd === undefined) targetEnd = target.length;
    else validateInteger(targetEnd, 'targetEnd', 0, target.length);
    if (sourceStart === undefined) sourceStart = 0;
    else validateInteger(sourceStart, 'sourceStart', 0);
    if (sourceEnd === undefined) sourceEnd = this.length;
    else validateInteger(sourceEnd, 'sourceEnd', 0, this.length);
    if (sourceStart >= sourceEnd) return targetStart >= targetEnd ? 0 : -1;
    if (targetStart >= targetEnd) return 1;
    return compareBytes(Uint8Array.prototype.subarray.call(this, sourceStart, sourceEnd), Uint8Array.prototype.subarray.call(target, targetStart, targetEnd));
  },

  indexOf: function indexOf(value, start, end, encoding) {
    return search(this, value, start, end, encoding, true);
  },

  lastIndexOf: function lastIndexOf(value, start, end, encoding) {
    return search(this, value, start, end, encoding, false);
  },

  includes: function includes(value, start, end, encoding) {
    return search(this, value, start, end, encoding, true) !== -1;
  },

  fill(value, offset, end, encoding) {
    if (typeof value === 'string') {
      if (offset === undefined || typeof offset === 'string') {
        encoding = offset;
        offset = 0;
        end = this.length;
      } else if (typeof end === 'string') {
        encoding = end;
        end = this.length;
      }
    }
    return fillBytes(this, value, offset, end, encoding);
  },

  write(string, offset, length, encoding) {
    if (typeof string !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('argument', 'string', string);
    if (offset === undefined) return utf8.write(this, string, 0, this.length);
    if (length === undefined && typeof offset === 'string') {
      encoding = offset;
      length = this.length;
      offset = 0;
    } else {
      validateInteger(offset, 'offset', 0, this.length);
      const remaining = this.length - offset;
      if (length === undefined) {
        length = remaining;
      } else if (typeof length === 'string') {
        encoding = length;
        length = remaining;
      } else {
        validateInteger(length, 'length', 0, this.length);
        if (length > remaining) length = remaining;
      }
    }
    if (!encoding) return utf8.write(this, string, offset, length);
    const codec = getCodec(encoding);
    if (codec === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    return codec.write(this, string, offset, length);
  },

  toJSON() {
    if (this.length === 0) return { type: 'Buffer', data: [] };
    const data = new Array(this.length);
    for (let i = 0; i < data.length; i++) data[i] = this[i];
    return { type: 'Buffer', data };
  },

  subarray(start, end) {
    const length = this.length;
    start = start === undefined ? 0 : toInteger(start, 0);
    if (start < 0) start = Math.max(0, start + length);
    else if (start > length) start = length;
    end = end === undefined ? length : toInteger(end, 0);
    if (end < 0) end = Math.max(0, end + length);
    else if (end > length) end = length;
    return new FastBuffer(this.buffer, this.byteOffset + start, end > start ? end - start : 0);
  },

  slice(start, end) {
    return this.subarray(start, end);
  },

  swap16() {
    swapBytes(this, 2, '16-bits');
    return this;
  },
  swap32() {
    swapBytes(this, 4, '32-bits');
    return this;
  },
  swap64() {
    swapBytes(this, 8, '64-bits');
    return this;
  },
});
methods.toLocaleString = methods.toString;
methods[kInspect] = methods.inspect;

function checkStringLength(length) {
  if (length > kStringMaxLength) {
    const error = new Error(`Cannot create a string longer than 0x${kStringMaxLength.toString(16)} characters`);
    error.code = 'ERR_STRING_TOO_LONG';
    throw error;
  }
}

function copyBytes(source, target, targetStart, sourceStart, sourceEnd) {
  if (!isUint8Array(source)) throw new codes.ERR_INVALID_ARG_TYPE('source', ['Buffer', 'Uint8Array'], source);
  if (!isUint8Array(target)) {
    if (!ArrayBuffer.isView(target)) throw new codes.ERR_INVALID_ARG_TYPE('target', ['Buffer', 'Uint8Array'], target);
    target = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
  }
  if (targetStart === undefined) {
    targetStart = 0;
  } else {
    targetStart = Number.isInteger(targetStart) ? targetStart : toInteger(targetStart, 0);
    if (targetStart < 0) throw new codes.ERR_OUT_OF_RANGE('targetStart', '>= 0', targetStart);
  }
  if (sourceStart === undefined) {
    sourceStart = 0;
  } else {
    sourceStart = Number.isInteger(sourceStart) ? sourceStart : toInteger(sourceStart, 0);
    if (sourceStart < 0 || sourceStart > source.length) throw new codes.ERR_OUT_OF_RANGE('sourceStart', `>= 0 && <= ${source.length}`, sourceStart);
  }
  if (sourceEnd === undefined) {
    sourceEnd = source.length;
  } else {
    sourceEnd = Number.isInteger(sourceEnd) ? sourceEnd : toInteger(sourceEnd, 0);
    if (sourceEnd < 0) throw new codes.ERR_OUT_OF_RANGE('sourceEnd', '>= 0', sourceEnd);
  }
  if (targetStart >= target.length || sourceStart >= sourceEnd) return 0;
  const count = Math.min(sourceEnd - sourceStart, target.length - targetStart, source.length - sourceStart);
  if (count <= 0) return 0;
  const part = sourceStart === 0 && count === source.length ? source : new Uint8Array(source.buffer, source.byteOffset + sourceStart, count);
  Uint8Array.prototype.set.call(target, part, targetStart);
  return count;
}

function swapBytes(bytes, width, text) {
  if (bytes.length % width !== 0) throw new codes.ERR_INVALID_BUFFER_SIZE(text);
  for (let i = 0; i < bytes.length; i += width) {
    for (let a = i, b = i + width - 1; a < b; a++, b--) {
      const kept = bytes[a];
      bytes[a] = bytes[b];
      bytes[b] = kept;
    }
  }
}

function fillBytes(bytes, value, offset, end, encoding) {
  if (typeof value === 'string') {
    if (encoding !== undefined && encoding !== null && typeof encoding !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('encoding', 'string', encoding);
    const codec = encoding ? getCodec(encoding) : utf8;
    if (codec === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    if (value.length === 0) {
      value = 0;
    } else if (value.length === 1) {
      if (codec === utf8) {
        const code = value.charCodeAt(0);
        if (code < 128) value = code;
      } else if (codec === latin1) {
        value = value.charCodeAt(0);
      }
    }
    if (typeof value === 'string') {
      [offset, end] = fillRange(bytes, offset, end);
      if (offset >= end) return bytes;
      const pattern = new Uint8Array(codec.byteLength(value));
      const length = codec.write(pattern, value, 0, pattern.length);
      if (length === 0) throw new codes.ERR_INVALID_ARG_VALUE('value', value);
      return fillPattern(bytes, pattern.subarray(0, length), offset, end);
    }
  } else if (typeof value === 'boolean') {
    value = +value;
  }
  [offset, end] = fillRange(bytes, offset, end);
  if (offset >= end) return bytes;
  if (ArrayBuffer.isView(value)) {
    const pattern = isUint8Array(value) ? value : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    if (pattern.length === 0) throw new codes.ERR_INVALID_ARG_VALUE('value', value);
    return fillPattern(bytes, pattern, offset, end);
  }
  Uint8Array.prototype.fill.call(bytes, value & 255, offset, end);
  return bytes;
}

function fillRange(bytes, offset, end) {
  if (offset === undefined) {
    return [0, bytes.length];
  }
  validateNumber(offset, 'offset', 0);
  if (end === undefined) end = bytes.length;
  else validateNumber(end, 'end', 0, bytes.length);
  return [offset, end];
}

function fillPattern(bytes, pattern, offset, end) {
  if (pattern.length === 1) {
    Uint8Array.prototype.fill.call(bytes, pattern[0], offset, end);
    return bytes;
  }
  const kept = pattern.buffer === bytes.buffer ? pattern.slice() : pattern;
  for (let i = offset, j = 0; i < end; i++) {
    bytes[i] = kept[j];
    if (++j === kept.length) j = 0;
  }
  return bytes;
}

function search(bytes, value, byteOffset, end, encoding, forward) {
  validateBuffer(bytes);
  if (typeof end === 'string') {
    encoding = end;
    end = undefined;
  } else if (typeof end === 'number' && typeof byteOffset !== 'string') {
    // Only what lies before the end is looked at.
    end = end < 0 ? Math.max(0, end + bytes.length) : Math.min(end, bytes.length);
    if (end < bytes.length) bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, end);
  }
  if (typeof byteOffset === 'string') {
    encoding = byteOffset;
    byteOffset = undefined;
  } else if (byteOffset > 0x7fffffff) {
    byteOffset = 0x7fffffff;
  } else if (byteOffset < -0x80000000) {
    byteOffset = -0x80000000;
  }
  byteOffset = +byteOffset;
  if (byteOffset !== byteOffset) byteOffset = forward ? 0 : bytes.length || bytes.byteLength;
  byteOffset = Math.trunc(byteOffset);
  if (typeof value === 'number') {
    const from = byteOffset < 0 ? byteOffset + bytes.length : byteOffset;
    if (forward) return Uint8Array.prototype.indexOf.call(bytes, value & 255, Math.max(0, from));
    return from < 0 ? -1 : Uint8Array.prototype.lastIndexOf.call(bytes, value & 255, from);
  }
  let step = 1;
  let pattern;
  if (typeof value === 'string') {
    const codec = encoding === undefined || encoding === null || typeof encoding !== 'string' ? utf8 : getCodec(encoding);
    if (codec === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    pattern = fromString(value, codec.encoding);
    if (codec === utf16le) step = 2;
  } else if (isUint8Array(value)) {
    const codec = encoding === undefined ? utf8 : getCodec(encoding);
    if (codec === utf16le) step = 2;
    pattern = value;
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('value', ['number', 'string', 'Buffer', 'Uint8Array'], value);
  }
  return searchPattern(bytes, pattern, byteOffset, step, forward);
}

function searchPattern(bytes, pattern, byteOffset, step, forward) {
  const length = bytes.length;
  const wanted = pattern.length;
  let from = byteOffset;
  if (from < 0) from += length;
  if (from < 0) {
    if (!forward) return -1;
    from = 0;
  }
  if (from > length || (from === length && wanted > 0 && forward)) {
    if (forward) return wanted === 0 ? length : -1;
    from = length;
  }
  if (wanted === 0) return Math.min(from, length);
  if (length < wanted) return -1;
  if (native.indexOf !== undefined && forward && step === 1) return native.indexOf(bytes, pattern, from);
  if (forward) {
    const last = length - wanted;
    const first = pattern[0];
    for (let i = from; i <= last; i++) {
      if (bytes[i] !== first || (step === 2 && (i & 1) !== 0)) continue;
      let j = 1;
      while (j < wanted && bytes[i + j] === pattern[j]) j++;
      if (j === wanted) return i;
    }
    return -1;
  }
  for (let i = Math.min(from, length - wanted); i >= 0; i--) {
    if (step === 2 && (i & 1) !== 0) continue;
    let j = 0;
    while (j < wanted && bytes[i + j] === pattern[j]) j++;
    if (j === wanted) return i;
  }
  return -1;
}

// ---------------------------------------------------------------- beside Buffer

function invalidCharacter() {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException('Invalid character', 'InvalidCharacterError');
}

function btoa(input) {
  if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('input');
  input = `${input}`;
  for (let i = 0; i < input.length; i++) {
    if (input.charCodeAt(i) > 255) throw invalidCharacter();
  }
  return Buffer.from(input, 'latin1').toString('base64');
}

const notBase64 = /[^A-Za-z0-9+/]/;

function atob(input) {
  if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('input');
  let text = `${input}`.replace(/[\t\n\f\r ]+/g, '');
  if (text.length % 4 === 0) text = text.replace(/==?$/, '');
  if (text.length % 4 === 1) {
    const { DOMException } = require('internal/dom_exception');
    if (!notBase64.test(text)) throw new DOMException('The string to be decoded is not correctly encoded.', 'InvalidCharacterError');
    throw invalidCharacter();
  }
  if (notBase64.test(text)) throw invalidCharacter();
  return Buffer.from(text, 'base64').toString('latin1');
}

function viewOf(input) {
  // What a detached buffer holds is nothing.
  if ((isTypedArray(input) ? input.buffer : input)?.detached === true) return new Uint8Array(0);
  if (isTypedArray(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (isAnyArrayBuffer(input)) return new Uint8Array(input);
  throw new codes.ERR_INVALID_ARG_TYPE('input', ['ArrayBuffer', 'Buffer', 'TypedArray'], input);
}

function isUtf8(input) {
  const bytes = viewOf(input);
  if (native.isUtf8 !== undefined) return native.isUtf8(bytes);
  return require('internal/encoding').utf8Decode(bytes, 0, bytes.length, true, undefined) !== undefined;
}

function isAscii(input) {
  const bytes = viewOf(input);
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] > 127) return false;
  }
  return true;
}

function transcode(source, fromEncoding, toEncoding) {
  if (!isUint8Array(source)) throw new codes.ERR_INVALID_ARG_TYPE('source', ['Buffer', 'Uint8Array'], source);
  if (source.length === 0) return Buffer.alloc(0);
  const from = normalizeEncoding(fromEncoding);
  const to = normalizeEncoding(toEncoding);
  const known = ['utf8', 'utf16le', 'latin1', 'ascii'];
  if (!known.includes(from) || !known.includes(to)) {
    const error = new Error('Unable to transcode Buffer [U_ILLEGAL_ARGUMENT_ERROR]');
    error.code = 'U_ILLEGAL_ARGUMENT_ERROR';
    error.errno = 1;
    throw error;
  }
  const text = methods.toString.call(source, from);
  if (to === 'ascii' || to === 'latin1') {
    const limit = to === 'ascii' ? 127 : 255;
    const result = [];
    for (const char of text) {
      const code = char.codePointAt(0);
      result.push(code <= limit ? code : 63);
    }
    return Buffer.from(result);
  }
  return Buffer.from(text, to);
}

module.exports = {
  Buffer,
  transcode,
  isUtf8,
  isAscii,
  kMaxLength,
  kStringMaxLength,
  btoa,
  atob,
};
Object.defineProperties(module.exports, {
  constants: {
    __proto__: null,
    configurable: false,
    enumerable: true,
    value: Object.defineProperties({}, {
      MAX_LENGTH: { __proto__: null, value: kMaxLength, writable: false, enumerable: true },
      MAX_STRING_LENGTH: { __proto__: null, value: kStringMaxLength, writable: false, enumerable: true },
    }),
  },
  INSPECT_MAX_BYTES: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return inspectMaxBytes;
    },
    set(value) {
      validateNumber(value, 'INSPECT_MAX_BYTES', 0);
      inspectMaxBytes = value;
    },
  },
});
defineLazyProperties(module.exports, 'internal/blob', ['Blob', 'resolveObjectURL', 'File']);
