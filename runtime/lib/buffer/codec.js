'use strict';

// Text to bytes and back, for each of Buffer's encodings: the length (or the largest possible length) of a text's
// bytes, writing into a part of a view, and reading one. The binding does the work.

const native = internalBinding('buffer');

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

module.exports = { getCodec, utf8, utf16le, latin1, ascii, base64, base64url, hex };
