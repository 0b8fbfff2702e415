'use strict';

// Text in buffers: encodings, and the methods that read and write text.
//
// Text to bytes and back, for each of Buffer's encodings: the length (or the largest possible length) of a text's
// bytes, writing into a part of a view, and reading one. The binding does the work.

const native = internalBinding('buffer');
const { codes } = require('internal/errors');
const { validateNumber } = require('internal/validators');

const padding = 61;

// Up to two characters at the end may be padding. Characters outside of the alphabet are counted as well: this is an
// upper limit.
function base64Length(text) {
  let { length } = text;
  for (let i = 0; i < 2 && length > 1 - i && text.charCodeAt(length - 1) === padding; i++) length--;
  return (length * 3) >>> 2;
}

class Codec {
  constructor(encoding, byteLength, write, slice) {
    this.encoding = encoding;
    this.byteLength = byteLength;
    this.write = write; // (bytes, text, offset, length) -> how many were written
    this.slice = slice; // (bytes, start, end) -> text
  }
}

const unitLength = (text) => text.length;
const utf8 = new Codec('utf8', native.byteLengthUtf8, native.utf8Write, native.utf8Slice);
const utf16le = new Codec('utf16le', (text) => text.length * 2, native.ucs2Write, native.ucs2Slice);
const latin1 = new Codec('latin1', unitLength, native.latin1Write, native.latin1Slice);
const ascii = new Codec('ascii', unitLength, native.latin1Write, native.asciiSlice);
const base64 = new Codec('base64', base64Length, native.base64Write, native.base64Slice);
const base64url = new Codec('base64url', base64Length, native.base64Write, native.base64urlSlice);
const hex = new Codec('hex', (text) => text.length >>> 1, native.hexWrite, native.hexSlice);

// A switch is no table that must be filled before the first use.
function byName(name) {
  switch (name) {
    case 'utf8':
    case 'utf-8':
      return utf8;
    case 'latin1':
    case 'binary':
      return latin1;
    case 'base64':
      return base64;
    case 'hex':
      return hex;
    case 'ucs2':
    case 'ucs-2':
    case 'utf16le':
    case 'utf-16le':
      return utf16le;
    case 'ascii':
      return ascii;
    case 'base64url':
      return base64url;
    default:
      return undefined;
  }
}

function getCodec(encoding) {
  if (encoding === undefined || encoding === 'utf8') return utf8;
  return byName(encoding) ?? byName(`${encoding}`.toLowerCase());
}

// Buffers and text: the methods that read, write and show bytes as text.

const longestText = 536870888;
const shown = { bytes: 50 }; // how many bytes inspect shows

function needCodec(encoding) {
  const codec = getCodec(encoding);
  if (codec === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  return codec;
}

// Converts any value to an index: a value that is not a number becomes 0, and the result is limited to the range.
function toIndex(value, limit) {
  const index = Math.trunc(value);
  return index > 0 ? Math.min(index, limit) : 0;
}

function readText(bytes, codec, start, end) {
  const text = codec.slice(bytes, start, end);
  if (text.length <= longestText) return text;
  const error = new Error(`Cannot create a string longer than 0x${longestText.toString(16)} characters`);
  error.code = 'ERR_STRING_TOO_LONG';
  throw error;
}

// Offset or length of a write: undefined or a whole number within the limit.
function checkPlace(value, name, limit) {
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', value);
  if (!Number.isInteger(value)) throw new codes.ERR_OUT_OF_RANGE(name, 'an integer', value);
  if (value < 0 || value > limit) throw new codes.ERR_OUT_OF_RANGE(name, `>= 0 && <= ${limit}`, value);
  return value;
}

const plainError = (Kind, code, message) => Object.assign(new Kind(message), { code });

const methods = {
  toString(encoding, start, end) {
    const { length } = this;
    if (arguments.length === 0) return readText(this, utf8, 0, length);
    const from = toIndex(start, length);
    const to = end === undefined ? length : toIndex(end, length);
    if (to <= from) return '';
    return readText(this, needCodec(encoding), from, to);
  },

  // (text), (text, encoding), (text, offset), (text, offset, encoding), (text, offset, length[, encoding])
  write(string, offset, length, encoding) {
    if (offset === undefined || (length === undefined && typeof offset === 'string')) {
      const codec = offset ? needCodec(offset) : utf8;
      if (typeof string !== 'string') throw plainError(TypeError, 'ERR_INVALID_ARG_TYPE', 'argument must be a string');
      return codec.write(this, string, 0, this.length);
    }
    const at = checkPlace(offset, 'offset', this.length);
    const room = this.length - at;
    let count = room;
    if (typeof length === 'string') encoding = length;
    else if (length !== undefined) count = Math.min(room, checkPlace(length, 'length', this.length));
    const codec = encoding ? needCodec(encoding) : utf8;
    if (typeof string !== 'string') throw plainError(TypeError, 'ERR_INVALID_ARG_TYPE', 'argument must be a string');
    return codec.write(this, string, at, count);
  },

  toJSON() {
    return { type: 'Buffer', data: this.length > 0 ? Array.from(this) : [] };
  },

  inspect(recurseTimes, ctx) {
    const count = Math.min(shown.bytes, this.length);
    const parts = [];
    if (count > 0) parts.push(hex.slice(this, 0, count).match(/../g).join(' '));
    const rest = this.length - count;
    let text = parts.join('');
    if (rest > 0) text += ` ... ${rest} more byte${rest > 1 ? 's' : ''}`;
    const extra = ctx === undefined ? '' : describeExtras(this, ctx);
    if (extra !== '') text += text === '' ? extra : `, ${extra}`;
    let { name } = this.constructor;
    if (name !== 'Buffer' && this.constructor === undefined) name = 'Buffer';
    return `<${name} ${text}>`;
  },
};
methods[Symbol.for('nodejs.util.inspect.custom')] = methods.inspect;
methods.toLocaleString = methods.toString;

// Properties that the program added to the bytes.
function describeExtras(bytes, ctx) {
  const extras = { __proto__: null };
  let some = false;
  const native = internalBinding('buffer');
  const Kind = bytes.constructor?.[Symbol.species] ?? Uint8Array;
  if (!native.sameShape(bytes, new Kind(0))) {
    for (const key of Reflect.ownKeys(bytes)) {
      const property = Object.getOwnPropertyDescriptor(bytes, key);
      if ((typeof key === 'string' && /^\d+$/.test(key)) || (!property.enumerable && !ctx.showHidden)) continue;
      some = true;
      extras[key] = bytes[key];
    }
  }
  if (!some) return '';
  const text = require('internal/util/inspect').inspect(extras, { ...ctx, breakLength: Infinity, compact: true });
  return text.slice('[Object: null prototype] { '.length, -2);
}

// The raw methods, one for each encoding, as old programs and decoders call them.
for (const [name, codec] of Object.entries({ ascii, base64, base64url, latin1, hex, ucs2: utf16le, utf8 })) {
  methods[`${name}Slice`] = function (start, end) {
    const { length } = this;
    const from = start === undefined ? 0 : Math.trunc(start) || 0;
    const to = end === undefined ? length : Math.trunc(end) || 0;
    if (from < 0 || to < 0 || (to > length && from <= length))
      throw plainError(RangeError, 'ERR_OUT_OF_RANGE', 'Index out of range');
    return to <= from ? '' : readText(this, codec, from, Math.min(to, length));
  };
  methods[`${name}Write`] = function (string, offset, length) {
    const room = this.length;
    const strict = name === 'utf8' || name === 'ascii' || name === 'latin1';
    if (typeof string !== 'string') throw plainError(TypeError, 'ERR_INVALID_ARG_TYPE', 'argument must be a string');
    const at = offset === undefined ? 0 : Math.trunc(offset) || 0;
    if (at < 0 && !strict) throw plainError(RangeError, 'ERR_OUT_OF_RANGE', 'Index out of range');
    if (at < 0 || at > room) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('offset');
    const count = length === undefined ? room - at : Math.trunc(length) || 0;
    if (strict && (count < 0 || count > room - at)) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('length');
    return codec.write(this, string, at, Math.max(0, Math.min(count, room - at)));
  };
}

// The number of bytes of a text, or of bytes. An unknown encoding counts as UTF-8.
function byteLength(string, encoding) {
  if (typeof string === 'string') return string === '' ? 0 : (getCodec(encoding || 'utf8') ?? utf8).byteLength(string);
  if (ArrayBuffer.isView(string) || require('internal/util/views').isAnyArrayBuffer(string)) return string.byteLength;
  throw new codes.ERR_INVALID_ARG_TYPE('string', ['string', 'Buffer', 'ArrayBuffer'], string);
}

const isEncoding = (encoding) => typeof encoding === 'string' && encoding !== '' && getCodec(encoding) !== undefined;

function setShown(value) {
  validateNumber(value, 'INSPECT_MAX_BYTES', 0);
  shown.bytes = value;
}

module.exports = {
  getCodec,
  utf8,
  utf16le,
  latin1,
  ascii,
  base64,
  byteLength,
  isEncoding,
  longestText,
  methods,
  needCodec,
  setShown,
  shown,
};
