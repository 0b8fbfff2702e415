'use strict';

// Comparing, finding, filling, copying and swapping bytes. The loops are in C, or the engine's own.

const { codes } = require('internal/errors');
const { validateInteger } = require('internal/validators');
const { isUint8Array } = require('internal/util/views');
const { getCodec, utf16le, needCodec } = require('internal/buffer/text');

const native = internalBinding('buffer');
const fillBytes = Uint8Array.prototype.fill;
const bytesOrBuffer = ['Buffer', 'Uint8Array'];
const mostSafe = Number.MAX_SAFE_INTEGER;
const few = 24; // up to this many bytes, a loop here is faster than a call into C

function needBytes(value, name) {
  if (!isUint8Array(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, bytesOrBuffer, value);
}

function compareBytes(a, b) {
  needBytes(a, 'buf1');
  needBytes(b, 'buf2');
  return a === b ? 0 : native.compare(a, b);
}

function isEqual(a, b) {
  const { length } = a;
  if (length !== b.length) return false;
  if (length > few) return native.compare(a, b) === 0;
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return false;
  return true;
}

// An end of a comparison: a whole number, 0 to the limit.
function bound(value, name, otherwise, limit) {
  if (value === undefined) return otherwise;
  validateInteger(value, name, 0, limit);
  return value;
}

// A position in bytes, from any value: a value that is no number is 0.
function whole(value) {
  const number = Math.trunc(+value);
  return Number.isFinite(number) ? number : 0;
}

const patternKinds = ['number', 'string', ...bytesOrBuffer];

// Where a search begins: a negative index counts from the end. Undefined stands for "nowhere".
function startAt(length, offset, forwards) {
  if (typeof offset !== 'number') offset = +offset;
  if (Number.isNaN(offset)) return forwards ? 0 : length;
  offset = Math.trunc(offset);
  if (offset >= 0) return Math.min(offset, length);
  if (offset + length >= 0) return offset + length;
  return forwards ? 0 : undefined;
}

// (value), then up to three of: begin, end, encoding. A text is always the encoding.
function find(all, value, start, end, encoding, forwards) {
  if (!ArrayBuffer.isView(all))
    throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['Buffer', 'TypedArray', 'DataView'], all);
  if (typeof start === 'string') {
    encoding = start;
    start = undefined;
    end = undefined;
  } else if (typeof end === 'string') {
    encoding = end;
    end = undefined;
  }
  let bytes = all;
  let from = startAt(all.length, start, forwards);
  if (end !== undefined) {
    const limit = end < 0 ? 0 : startAt(all.length, end, true);
    bytes = new Uint8Array(all.buffer, all.byteOffset, limit);
    if (from !== undefined) from = Math.min(from, limit);
  }
  const { length } = bytes;
  if (typeof value === 'number') {
    if (from === undefined) return -1;
    const byte = value & 255;
    if (forwards) return Uint8Array.prototype.indexOf.call(bytes, byte, from);
    return length === 0 ? -1 : Uint8Array.prototype.lastIndexOf.call(bytes, byte, Math.min(from, length - 1));
  }
  const codec = encoding === undefined ? getCodec() : getCodec(encoding);
  let pattern = value;
  if (typeof value === 'string') {
    if (codec === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    pattern = new Uint8Array(codec.byteLength(value));
    const written = codec.write(pattern, value, 0, pattern.length);
    if (written < pattern.length) pattern = pattern.subarray(0, written);
  } else if (!isUint8Array(value)) {
    throw new codes.ERR_INVALID_ARG_TYPE('value', patternKinds, value);
  }
  // An empty value is found at any position.
  if (pattern.length === 0) return value.length === 0 ? (from ?? 0) : -1;
  if (from === undefined) return -1;
  const step = codec === utf16le ? 2 : 1;
  if (step === 2 && (pattern.length < 2 || length < 2)) return -1;
  if (forwards) return native.indexOf(bytes, pattern, from, step);
  return native.lastIndexOf(bytes, pattern, from, step);
}

// The bytes that are repeated to fill a range.
function fillWith(bytes, pattern, start, end) {
  const first = Math.min(pattern.length, end - start);
  bytes.set(first === pattern.length ? pattern : pattern.subarray(0, first), start);
  for (let done = first; done < end - start; done *= 2)
    bytes.copyWithin(start + done, start, Math.min(start + done, end - done));
  return bytes;
}

function patternOf(value, encoding) {
  if (typeof value === 'string') {
    const codec = encoding === undefined || encoding === null || encoding === '' ? getCodec() : needCodec(encoding);
    if (value === '') return 0;
    const pattern = new Uint8Array(codec.byteLength(value));
    const count = codec.write(pattern, value, 0, pattern.length);
    if (count === 0) throw new codes.ERR_INVALID_ARG_VALUE('value', value);
    return count === 1 ? pattern[0] : pattern.subarray(0, count);
  }
  if (ArrayBuffer.isView(value)) {
    const bytes = isUint8Array(value) ? value : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    if (bytes.length === 0) throw new codes.ERR_INVALID_ARG_VALUE('value', value);
    return bytes;
  }
  return typeof value === 'boolean' ? +value : value & 255;
}

function fill(bytes, value, offset, end, encoding) {
  if (typeof value === 'string') {
    if (offset === undefined || typeof offset === 'string') {
      encoding = offset;
      offset = undefined;
      end = undefined;
    } else if (typeof end === 'string') {
      encoding = end;
      end = undefined;
    }
    if (encoding !== undefined && encoding !== null && typeof encoding !== 'string') {
      throw new codes.ERR_INVALID_ARG_TYPE('encoding', 'string', encoding);
    }
    if (encoding) needCodec(encoding);
  }
  if (offset === undefined) offset = 0;
  else validateInteger(offset, 'offset', 0);
  if (end === undefined) end = bytes.length;
  else validateInteger(end, 'end', 0, bytes.length);
  if (offset >= end) return bytes;
  const pattern = patternOf(value, encoding);
  return typeof pattern === 'number'
    ? fillBytes.call(bytes, pattern, offset, end)
    : fillWith(bytes, pattern, offset, end);
}

function turn(bytes, width) {
  if (bytes.length % width !== 0) throw new codes.ERR_INVALID_BUFFER_SIZE(`${width * 8}-bits`);
  native.swap(bytes, width);
  return bytes;
}

const methods = {
  copy(target, targetStart, sourceStart, sourceEnd) {
    if (!ArrayBuffer.isView(target)) needBytes(target, 'target');
    const room = target.byteLength;
    const to = targetStart === undefined ? 0 : whole(targetStart);
    if (to < 0) throw new codes.ERR_OUT_OF_RANGE('targetStart', '>= 0', to);
    const from = sourceStart === undefined ? 0 : whole(sourceStart);
    if (from < 0 || from > this.length)
      throw new codes.ERR_OUT_OF_RANGE('sourceStart', `>= 0 && <= ${this.length}`, from);
    const end = sourceEnd === undefined ? this.length : whole(sourceEnd);
    if (end < 0) throw new codes.ERR_OUT_OF_RANGE('sourceEnd', '>= 0', end);
    const count = Math.min(end, this.length) - from;
    const fitting = Math.min(count, room - to);
    if (fitting <= 0) return 0;
    const part =
      from === 0 && fitting === this.length ? this : new Uint8Array(this.buffer, this.byteOffset + from, fitting);
    const place = isUint8Array(target) ? target : new Uint8Array(target.buffer, target.byteOffset, room);
    Uint8Array.prototype.set.call(place, part, to);
    return fitting;
  },

  equals(otherBuffer) {
    needBytes(otherBuffer, 'otherBuffer');
    return this === otherBuffer || isEqual(this, otherBuffer);
  },

  compare(target, targetStart, targetEnd, sourceStart, sourceEnd) {
    needBytes(target, 'target');
    if (arguments.length === 1) return native.compare(this, target);
    const from = bound(targetStart, 'targetStart', 0, mostSafe);
    const to = bound(targetEnd, 'targetEnd', target.length, target.length);
    const start = bound(sourceStart, 'sourceStart', 0, mostSafe);
    const end = bound(sourceEnd, 'sourceEnd', this.length, this.length);
    if (start >= end) return from >= to ? 0 : -1;
    return from >= to ? 1 : native.compare(this, target, start, end, from, to);
  },

  indexOf(value, start, end, encoding) {
    return find(this, value, start, end, encoding, true);
  },

  lastIndexOf: function lastIndexOf(value, start, end, encoding) {
    return find(this, value, start, end, encoding, false);
  },

  includes(value, start, end, encoding) {
    return find(this, value, start, end, encoding, true) !== -1;
  },

  fill(value, offset, end, encoding) {
    return fill(this, value, offset, end, encoding);
  },

  swap16() {
    return turn(this, 2);
  },

  swap32() {
    return turn(this, 4);
  },

  swap64() {
    return turn(this, 8);
  },
};

module.exports = { bytesOrBuffer, compareBytes, fill, methods };
