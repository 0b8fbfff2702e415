'use strict';

// Floating point numbers in bytes. They are converted in a typed array of eight bytes, which is filled and read as
// words.

const { load32BE, load32LE, place, store32 } = require('internal/buffer/integers');

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

module.exports = {
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
