'use strict';

// Numbers in buffers: the methods that read and write whole numbers and floating point numbers.
//
// Whole numbers in bytes: Buffer's read and write methods for 8 to 48 bits, and for 64 as BigInts.
//
// Loading and storing are plain functions of (bytes, at), which know nothing of errors; `place` computes the position
// and throws if it is wrong. A reader checks its range first, so that loading never sees an index outside.

const { codes } = require('internal/errors');

// The error for an offset. Some functions have a default offset; in the others undefined is an error like any other
// wrong type.
function refuseOffset(offset, last) {
  if (typeof offset !== 'number') throw new codes.ERR_INVALID_ARG_TYPE('offset', 'number', offset);
  if (Math.floor(offset) !== offset) throw new codes.ERR_OUT_OF_RANGE('offset', 'an integer', offset);
  if (last < 0) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS();
  throw new codes.ERR_OUT_OF_RANGE('offset', `>= 0 and <= ${last}`, offset);
}

function place(bytes, offset, width) {
  if (offset === undefined) offset = 0;
  const last = bytes.length - width;
  if (typeof offset !== 'number' || !(offset >= 0 && offset <= last) || offset !== Math.floor(offset))
    refuseOffset(offset, last);
  return offset;
}

function checkWidth(width) {
  if (width >= 1 && width <= 6 && (width | 0) === width) return;
  if (typeof width !== 'number' && typeof width !== 'bigint')
    throw new codes.ERR_INVALID_ARG_TYPE('byteLength', 'number', width);
  if (Math.floor(width) !== width) throw new codes.ERR_OUT_OF_RANGE('byteLength', 'an integer', width);
  throw new codes.ERR_OUT_OF_RANGE('byteLength', '>= 1 and <= 6', width);
}

// As `place`, where the offset must be given.
function placeOfWidth(bytes, offset, width) {
  if (offset === undefined) refuseOffset(offset, 0);
  checkWidth(width);
  return place(bytes, offset, width);
}

const load16LE = (bytes, at) => bytes[at] | (bytes[at + 1] << 8);
const load16BE = (bytes, at) => (bytes[at] << 8) | bytes[at + 1];
const load32LE = (bytes, at) => bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
const load32BE = (bytes, at) => (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
const load64LE = (bytes, at) => (BigInt(load32LE(bytes, at + 4)) << 32n) | BigInt(load32LE(bytes, at) >>> 0);
const load64BE = (bytes, at) => (BigInt(load32BE(bytes, at)) << 32n) | BigInt(load32BE(bytes, at + 4) >>> 0);

function loadLE(bytes, at, width) {
  let value = 0;
  for (let i = width - 1; i >= 0; i--) value = value * 256 + bytes[at + i];
  return value;
}

function loadBE(bytes, at, width) {
  let value = 0;
  for (let i = 0; i < width; i++) value = value * 256 + bytes[at + i];
  return value;
}

function withSign(value, width) {
  const limit = 2 ** (width * 8 - 1);
  return value < limit ? value : value - limit * 2;
}

const readers = {
  readUInt8(offset) {
    return this[place(this, offset, 1)];
  },
  readInt8(offset) {
    return (this[place(this, offset, 1)] << 24) >> 24;
  },
  readUInt16LE(offset) {
    return load16LE(this, place(this, offset, 2));
  },
  readUInt16BE(offset) {
    return load16BE(this, place(this, offset, 2));
  },
  readInt16LE(offset) {
    return (load16LE(this, place(this, offset, 2)) << 16) >> 16;
  },
  readInt16BE(offset) {
    return (load16BE(this, place(this, offset, 2)) << 16) >> 16;
  },
  readUInt32LE(offset) {
    return load32LE(this, place(this, offset, 4)) >>> 0;
  },
  readUInt32BE(offset) {
    return load32BE(this, place(this, offset, 4)) >>> 0;
  },
  readInt32LE(offset) {
    return load32LE(this, place(this, offset, 4));
  },
  readInt32BE(offset) {
    return load32BE(this, place(this, offset, 4));
  },
  readUIntLE(offset, byteLength) {
    return loadLE(this, placeOfWidth(this, offset, byteLength), byteLength);
  },
  readUIntBE(offset, byteLength) {
    return loadBE(this, placeOfWidth(this, offset, byteLength), byteLength);
  },
  readIntLE(offset, byteLength) {
    return withSign(loadLE(this, placeOfWidth(this, offset, byteLength), byteLength), byteLength);
  },
  readIntBE(offset, byteLength) {
    return withSign(loadBE(this, placeOfWidth(this, offset, byteLength), byteLength), byteLength);
  },
  readBigUInt64LE(offset = 0) {
    return BigInt.asUintN(64, load64LE(this, place(this, offset, 8)));
  },
  readBigUInt64BE(offset = 0) {
    return BigInt.asUintN(64, load64BE(this, place(this, offset, 8)));
  },
  readBigInt64LE(offset = 0) {
    return load64LE(this, place(this, offset, 8));
  },
  readBigInt64BE(offset = 0) {
    return load64BE(this, place(this, offset, 8));
  },
};

// The range of numbers of so many bits, and how an error shows it: as powers where digits would be hard to read.
function rangeText(width, signed, big) {
  const bits = width * 8 - (signed ? 1 : 0);
  const n = big ? 'n' : '';
  if (width > 4)
    return signed ? `>= -(2${n} ** ${bits}${n}) and < 2${n} ** ${bits}${n}` : `>= 0${n} and < 2${n} ** ${bits}${n}`;
  return signed ? `>= ${-(2 ** bits)} and <= ${2 ** bits - 1}` : `>= 0 and <= ${2 ** bits - 1}`;
}

function refuseValue(value, width, signed, big = false) {
  throw new codes.ERR_OUT_OF_RANGE('value', rangeText(width, signed, big), value);
}

// The number to be stored, or an error. NaN is stored as 0, and fractions are dropped.
function fit(value, width, signed) {
  const number = +value;
  const limit = 2 ** (width * 8 - (signed ? 1 : 0));
  if (number > limit - 1 || number < (signed ? -limit : 0)) refuseValue(value, width, signed);
  return number;
}

// For one byte, the type of the offset is checked before the value; for all others, the value is checked first.
function checkKind(offset) {
  if (typeof offset !== 'number' && offset !== undefined) refuseOffset(offset, 0);
}

function write8(bytes, value, offset, signed) {
  checkKind(offset);
  const number = fit(value, 1, signed);
  const at = place(bytes, offset, 1);
  bytes[at] = number;
  return at + 1;
}

function write16(bytes, value, offset, signed, little) {
  const number = fit(value, 2, signed);
  const at = place(bytes, offset, 2);
  bytes[little ? at : at + 1] = number;
  bytes[little ? at + 1 : at] = number >> 8;
  return at + 2;
}

function store32(bytes, at, number, little) {
  const step = little ? 1 : -1;
  let i = little ? at : at + 3;
  bytes[i] = number;
  bytes[(i += step)] = number >>> 8;
  bytes[(i += step)] = number >>> 16;
  bytes[i + step] = number >>> 24;
}

function write32(bytes, value, offset, signed, little) {
  const number = fit(value, 4, signed);
  const at = place(bytes, offset, 4);
  store32(bytes, at, number, little);
  return at + 4;
}

function writeWidth(bytes, value, offset, width, signed, little) {
  checkWidth(width);
  let number = Math.trunc(fit(value, width, signed));
  if (offset === undefined) refuseOffset(offset, 0);
  const at = place(bytes, offset, width);
  if (number < 0) number += 2 ** (width * 8);
  for (let i = 0; i < width; i++) {
    bytes[little ? at + i : at + width - 1 - i] = number % 256;
    number = Math.floor(number / 256);
  }
  return at + width;
}

const bigLimits = { true: [-(2n ** 63n), 2n ** 63n - 1n], false: [0n, 2n ** 64n - 1n] };

function write64(bytes, value, offset, signed, little) {
  const [least, most] = bigLimits[signed];
  if (value > most || value < least) refuseValue(value, 8, signed, true);
  const at = place(bytes, offset, 8);
  const low = Number(value & 0xffffffffn);
  const high = Number((value >> 32n) & 0xffffffffn);
  store32(bytes, little ? at : at + 4, low, little);
  store32(bytes, little ? at + 4 : at, high, little);
  return at + 8;
}

const writers = {
  writeUInt8(value, offset = 0) {
    return write8(this, value, offset, false);
  },
  writeInt8(value, offset = 0) {
    return write8(this, value, offset, true);
  },
  writeUInt16LE(value, offset = 0) {
    return write16(this, value, offset, false, true);
  },
  writeUInt16BE(value, offset = 0) {
    return write16(this, value, offset, false, false);
  },
  writeInt16LE(value, offset = 0) {
    return write16(this, value, offset, true, true);
  },
  writeInt16BE(value, offset = 0) {
    return write16(this, value, offset, true, false);
  },
  writeUInt32LE(value, offset = 0) {
    return write32(this, value, offset, false, true);
  },
  writeUInt32BE(value, offset = 0) {
    return write32(this, value, offset, false, false);
  },
  writeInt32LE(value, offset = 0) {
    return write32(this, value, offset, true, true);
  },
  writeInt32BE(value, offset = 0) {
    return write32(this, value, offset, true, false);
  },
  writeUIntLE(value, offset, byteLength) {
    return writeWidth(this, value, offset, byteLength, false, true);
  },
  writeUIntBE(value, offset, byteLength) {
    return writeWidth(this, value, offset, byteLength, false, false);
  },
  writeIntLE(value, offset, byteLength) {
    return writeWidth(this, value, offset, byteLength, true, true);
  },
  writeIntBE(value, offset, byteLength) {
    return writeWidth(this, value, offset, byteLength, true, false);
  },
  writeBigUInt64LE(value, offset = 0) {
    return write64(this, value, offset, false, true);
  },
  writeBigUInt64BE(value, offset = 0) {
    return write64(this, value, offset, false, false);
  },
  writeBigInt64LE(value, offset = 0) {
    return write64(this, value, offset, true, true);
  },
  writeBigInt64BE(value, offset = 0) {
    return write64(this, value, offset, true, false);
  },
};

// Floating point numbers in bytes. They are converted in a typed array of eight bytes, which is filled
// and read as words.

const words = new DataView(new ArrayBuffer(8));

function readFloat(bytes, offset, little) {
  const at = place(bytes, offset, 4);
  words.setInt32(0, little ? load32LE(bytes, at) : load32BE(bytes, at));
  return words.getFloat32(0);
}

function readDouble(bytes, offset, little) {
  const at = place(bytes, offset, 8);
  words.setInt32(0, little ? load32LE(bytes, at + 4) : load32BE(bytes, at));
  words.setInt32(4, little ? load32LE(bytes, at) : load32BE(bytes, at + 4));
  return words.getFloat64(0);
}

// The number is converted before the offset is checked.
function writeFloat(bytes, value, offset, little) {
  words.setFloat32(0, value);
  const bits = words.getInt32(0);
  const at = place(bytes, offset, 4);
  store32(bytes, at, bits, little);
  return at + 4;
}

function writeDouble(bytes, value, offset, little) {
  words.setFloat64(0, value);
  const high = words.getInt32(0);
  const low = words.getInt32(4);
  const at = place(bytes, offset, 8);
  store32(bytes, little ? at : at + 4, low, little);
  store32(bytes, little ? at + 4 : at, high, little);
  return at + 8;
}

const floats = {
  readFloatLE(offset = 0) {
    return readFloat(this, offset, true);
  },
  readFloatBE(offset = 0) {
    return readFloat(this, offset, false);
  },
  readDoubleLE(offset = 0) {
    return readDouble(this, offset, true);
  },
  readDoubleBE(offset = 0) {
    return readDouble(this, offset, false);
  },
  writeFloatLE(value, offset = 0) {
    return writeFloat(this, value, offset, true);
  },
  writeFloatBE(value, offset = 0) {
    return writeFloat(this, value, offset, false);
  },
  writeDoubleLE(value, offset = 0) {
    return writeDouble(this, value, offset, true);
  },
  writeDoubleBE(value, offset = 0) {
    return writeDouble(this, value, offset, false);
  },
};

module.exports = { floats, readers, writers };
