'use strict';

// Text to bytes and back, for each of Buffer's encodings: byteLength, write (into a part of a view) and slice.
// The binding's function is taken where it exists; else the engine's own (base64, hex); else plain JavaScript.

const native = internalBinding('buffer');
const { utf8Length, utf8Write, utf8Decode } = require('internal/encoding');

const kChunk = 8192;

function fromUnits(read, start, end, step) {
  let text = '';
  let i = start;
  while (i < end) {
    const stop = Math.min(end, i + kChunk * step);
    const units = [];
    for (; i < stop; i += step) units.push(read(i));
    text += String.fromCharCode.apply(null, units);
  }
  return text;
}

function latin1Slice(bytes, start, end) {
  if (end - start <= kChunk) return String.fromCharCode.apply(null, bytes.subarray(start, end));
  let text = '';
  for (let i = start; i < end; i += kChunk) text += String.fromCharCode.apply(null, bytes.subarray(i, Math.min(end, i + kChunk)));
  return text;
}

function asciiSlice(bytes, start, end) {
  return fromUnits((i) => bytes[i] & 0x7f, start, end, 1);
}

function ucs2Slice(bytes, start, end) {
  end -= (end - start) & 1;
  return fromUnits((i) => bytes[i] | (bytes[i + 1] << 8), start, end, 2);
}

const hexDigits = '0123456789abcdef';
const hexPairs = [];
function hexSlice(bytes, start, end) {
  if (bytes.toHex !== undefined) return Uint8Array.prototype.toHex.call(bytes.subarray(start, end));
  if (hexPairs.length === 0) {
    for (let i = 0; i < 256; i++) hexPairs.push(hexDigits[i >> 4] + hexDigits[i & 15]);
  }
  let text = '';
  for (let i = start; i < end; i++) text += hexPairs[bytes[i]];
  return text;
}

const standardAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const urlAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const urlOptions = { alphabet: 'base64url', omitPadding: true };
const engineToBase64 = Uint8Array.prototype.toBase64;

function base64Encode(bytes, start, end, alphabet, padding) {
  let text = '';
  let i = start;
  for (; i + 2 < end; i += 3) {
    const n = (bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2];
    text += alphabet[n >> 18] + alphabet[(n >> 12) & 63] + alphabet[(n >> 6) & 63] + alphabet[n & 63];
  }
  if (i + 1 === end) {
    text += alphabet[bytes[i] >> 2] + alphabet[(bytes[i] & 3) << 4] + (padding ? '==' : '');
  } else if (i + 2 === end) {
    const n = (bytes[i] << 8) | bytes[i + 1];
    text += alphabet[n >> 10] + alphabet[(n >> 4) & 63] + alphabet[(n & 15) << 2] + (padding ? '=' : '');
  }
  return text;
}

function base64Slice(bytes, start, end) {
  if (engineToBase64 !== undefined) return engineToBase64.call(bytes.subarray(start, end));
  return base64Encode(bytes, start, end, standardAlphabet, true);
}

function base64urlSlice(bytes, start, end) {
  if (engineToBase64 !== undefined) return engineToBase64.call(bytes.subarray(start, end), urlOptions);
  return base64Encode(bytes, start, end, urlAlphabet, false);
}

const base64Values = new Int8Array(128).fill(-1);
for (let i = 0; i < 64; i++) {
  base64Values[standardAlphabet.charCodeAt(i)] = i;
  base64Values[urlAlphabet.charCodeAt(i)] = i;
}

// As lenient as Node: both alphabets, anything else is skipped, the first '=' ends it.
function base64Write(bytes, text, offset, length) {
  let at = offset;
  const end = offset + length;
  let bits = 0;
  let count = 0;
  for (let i = 0; i < text.length && at < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 61) break;
    const value = code < 128 ? base64Values[code] : -1;
    if (value === -1) continue;
    bits = (bits << 6) | value;
    if (++count === 4) {
      bytes[at++] = bits >> 16;
      if (at < end) bytes[at++] = bits >> 8;
      if (at < end) bytes[at++] = bits;
      bits = 0;
      count = 0;
    }
  }
  if (at < end && count === 2) {
    bytes[at++] = bits >> 4;
  } else if (at < end && count === 3) {
    bytes[at++] = bits >> 10;
    if (at < end) bytes[at++] = bits >> 2;
  }
  return at - offset;
}

function base64Length(text) {
  let length = text.length;
  if (length === 0) return 0;
  if (text.charCodeAt(length - 1) === 61) length--;
  if (length > 1 && text.charCodeAt(length - 1) === 61) length--;
  return (length * 3) >>> 2;
}

function hexValue(code) {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 102) return code - 87;
  if (code >= 65 && code <= 70) return code - 55;
  return -1;
}

function hexWrite(bytes, text, offset, length) {
  const count = Math.min(length, text.length >> 1);
  for (let i = 0; i < count; i++) {
    const high = hexValue(text.charCodeAt(i * 2));
    const low = hexValue(text.charCodeAt(i * 2 + 1));
    if (high < 0 || low < 0) return i;
    bytes[offset + i] = high * 16 + low;
  }
  return count;
}

function latin1Write(bytes, text, offset, length) {
  const count = Math.min(length, text.length);
  for (let i = 0; i < count; i++) bytes[offset + i] = text.charCodeAt(i);
  return count;
}

function ucs2Write(bytes, text, offset, length) {
  const count = Math.min(length >> 1, text.length);
  for (let i = 0; i < count; i++) {
    const code = text.charCodeAt(i);
    bytes[offset + i * 2] = code;
    bytes[offset + i * 2 + 1] = code >> 8;
  }
  return count * 2;
}

const pick = (name, fallback) => (typeof native[name] === 'function' ? native[name] : fallback);

const utf8 = {
  encoding: 'utf8',
  byteLength: pick('byteLengthUtf8', utf8Length),
  write: pick('utf8Write', (bytes, text, offset, length) => utf8Write(text, bytes, offset, length).written),
  slice: pick('utf8Slice', (bytes, start, end) => utf8Decode(bytes, start, end, false, undefined)),
};
const utf16le = {
  encoding: 'utf16le',
  byteLength: (text) => text.length * 2,
  write: pick('ucs2Write', ucs2Write),
  slice: pick('ucs2Slice', ucs2Slice),
};
const latin1 = {
  encoding: 'latin1',
  byteLength: (text) => text.length,
  write: pick('latin1Write', latin1Write),
  slice: pick('latin1Slice', latin1Slice),
};
const ascii = {
  encoding: 'ascii',
  byteLength: (text) => text.length,
  write: latin1.write,
  slice: pick('asciiSlice', asciiSlice),
};
const base64 = {
  encoding: 'base64',
  byteLength: base64Length,
  write: pick('base64Write', base64Write),
  slice: pick('base64Slice', base64Slice),
};
const base64url = {
  encoding: 'base64url',
  byteLength: base64Length,
  write: base64.write,
  slice: pick('base64urlSlice', base64urlSlice),
};
const hex = {
  encoding: 'hex',
  byteLength: (text) => text.length >>> 1,
  write: pick('hexWrite', hexWrite),
  slice: pick('hexSlice', hexSlice),
};

const byName = {
  __proto__: null,
  'utf8': utf8,
  'utf-8': utf8,
  'ucs2': utf16le,
  'ucs-2': utf16le,
  'utf16le': utf16le,
  'utf-16le': utf16le,
  latin1,
  'binary': latin1,
  ascii,
  base64,
  base64url,
  hex,
};

function getCodec(encoding) {
  if (encoding === undefined || encoding === 'utf8') return utf8;
  const found = byName[encoding];
  if (found !== undefined) return found;
  return byName[`${encoding}`.toLowerCase()];
}

module.exports = { getCodec, utf8, utf16le, latin1, ascii, base64, base64url, hex };
