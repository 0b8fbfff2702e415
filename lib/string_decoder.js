'use strict';

// StringDecoder: pieces of bytes to text, keeping a character that a piece ends in the middle of.

const { codes } = require('internal/errors');
const { normalizeEncoding } = require('internal/util');

const kRest = Symbol('kRest');
const kEncoding = Symbol('kEncoding');

function normalize(encoding) {
  const found = normalizeEncoding(encoding);
  if (found === undefined || (encoding !== undefined && encoding !== null && typeof encoding !== 'string')) {
    throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  }
  return found;
}

const noBytes = new Uint8Array(0);

function StringDecoder(encoding) {
  this.encoding = normalize(encoding);
  this[kEncoding] = this.encoding;
  this[kRest] = noBytes;
}

// How many bytes at the end are the beginning of a character, and how many that character needs in all.
function unfinishedUtf8(bytes) {
  const length = bytes.length;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back];
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      let need = 1;
      if ((byte & 0xe0) === 0xc0) need = 2;
      else if ((byte & 0xf0) === 0xe0) need = 3;
      else if ((byte & 0xf8) === 0xf0) need = 4;
      if (need <= back) return 0;
      return back;
    }
  }
  return 0;
}

StringDecoder.prototype.write = function write(chunk) {
  if (typeof chunk === 'string') return chunk;
  if (!ArrayBuffer.isView(chunk)) throw new codes.ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray', 'DataView'], chunk);
  if (this[kEncoding] === undefined) throw new codes.ERR_INVALID_THIS('StringDecoder');
  const { Buffer } = require('buffer');
  let bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const encoding = this[kEncoding];
  if (encoding === 'ascii' || encoding === 'latin1' || encoding === 'hex') return bytes.toString(encoding);
  const hadSurrogate = this[kRest].length >= 2;
  if (this[kRest].length > 0) {
    bytes = Buffer.concat([this[kRest], bytes]);
    this[kRest] = noBytes;
  }
  let keep = 0;
  if (encoding === 'utf8') {
    keep = unfinishedUtf8(bytes);
  } else if (encoding === 'utf16le') {
    keep = bytes.length % 2;
    // A high surrogate waits for its low one.
    if (hadSurrogate && bytes.length < 4) keep = bytes.length;
    else if (keep === 0 && bytes.length >= 2 && (bytes[bytes.length - 1] & 0xfc) === 0xd8) keep = 2;
  } else {
    keep = bytes.length % 3;
  }
  if (keep > 0) {
    this[kRest] = new Uint8Array(bytes.subarray(bytes.length - keep));
    bytes = bytes.subarray(0, bytes.length - keep);
  }
  return bytes.length === 0 ? '' : bytes.toString(encoding);
};

StringDecoder.prototype.end = function end(chunk) {
  let text = chunk !== undefined ? this.write(chunk) : '';
  const rest = this[kRest];
  if (rest.length > 0) {
    const { Buffer } = require('buffer');
    this[kRest] = noBytes;
    const encoding = this[kEncoding];
    text += Buffer.from(rest).toString(encoding);
  }
  return text;
};

StringDecoder.prototype.text = function text(chunk, offset) {
  this[kRest] = noBytes;
  return this.write(chunk.slice(offset));
};

Object.defineProperties(StringDecoder.prototype, {
  lastChar: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      const { Buffer } = require('buffer');
      const bytes = Buffer.alloc(4);
      bytes.set(this[kRest]);
      return bytes;
    },
  },
  lastNeed: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return missingBytes(this[kEncoding], this[kRest]);
    },
  },
  lastTotal: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return this[kRest].length === 0 ? 0 : this[kRest].length + missingBytes(this[kEncoding], this[kRest]);
    },
  },
});

function missingBytes(encoding, rest) {
  if (rest.length === 0) return 0;
  if (encoding === 'utf8') return (rest[0] >= 0xf0 ? 4 : rest[0] >= 0xe0 ? 3 : 2) - rest.length;
  if (encoding === 'utf16le') return rest.length % 2 === 1 ? 1 : 2;
  return 3 - rest.length;
}

module.exports = { StringDecoder };
