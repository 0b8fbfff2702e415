'use strict';

// node:buffer: the function Buffer is in internal/buffer/class.

const { codes } = require('internal/errors');
const { isAnyArrayBuffer, isTypedArray, isUint8Array } = require('internal/util/views');
const { defineLazyProperties } = require('internal/util/lazy_properties');
const text = require('internal/buffer/text');
const { getCodec } = text;
const memory = require('internal/buffer/class');
const { Buffer } = memory;
const search = require('internal/buffer/search');

const native = internalBinding('buffer');

function viewOf(input) {
  const isView = isTypedArray(input);
  if (!isView && !isAnyArrayBuffer(input))
    throw new codes.ERR_INVALID_ARG_TYPE('input', ['ArrayBuffer', 'Buffer', 'TypedArray'], input);
  // A detached buffer is empty.
  if ((isView ? input.buffer : input).detached === true) return new Uint8Array(0);
  return isView ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength) : new Uint8Array(input);
}

function isUtf8(input) {
  return native.isUtf8(viewOf(input));
}

function isAscii(input) {
  return native.isAscii(viewOf(input));
}

function badCharacter(message) {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException(message, 'InvalidCharacterError');
}

function btoa(input) {
  if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('input');
  const latin1 = `${input}`;

  if (/[^\u0000-\u00ff]/.test(latin1)) throw badCharacter('Invalid character');
  return memory.from(latin1, 'latin1').toString('base64');
}

function atob(input) {
  if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('input');
  let digits = `${input}`.replace(/[\t\n\f\r ]+/g, '');
  if (digits.length % 4 === 0) digits = digits.replace(/==?$/, '');
  if (/[^A-Za-z0-9+/]/.test(digits)) throw badCharacter('Invalid character');
  if (digits.length % 4 === 1) throw badCharacter('The string to be decoded is not correctly encoded.');
  return memory.from(digits, 'base64').toString('latin1');
}

// Converts between the encodings of characters; a character that the new one lacks becomes a question mark.
const highest = { ascii: 0x7f, latin1: 0xff, utf8: Infinity, utf16le: Infinity };

function transcode(source, fromEnc, toEnc) {
  if (!isUint8Array(source)) throw new codes.ERR_INVALID_ARG_TYPE('source', search.bytesOrBuffer, source);
  if (source.length === 0) return memory.alloc(0);
  const from = getCodec(fromEnc || 'utf8')?.encoding;
  const to = getCodec(toEnc || 'utf8')?.encoding;
  if (highest[from] === undefined || highest[to] === undefined) {
    throw Object.assign(new Error('Unable to transcode Buffer [U_ILLEGAL_ARGUMENT_ERROR]'), {
      code: 'U_ILLEGAL_ARGUMENT_ERROR',
      errno: 1,
    });
  }
  const characters = text.methods.toString.call(source, from);
  if (highest[to] === Infinity) return memory.from(characters, to);
  return memory.from(Array.from(characters, (each) => (each.codePointAt(0) <= highest[to] ? each.codePointAt(0) : 63)));
}

module.exports = {
  Buffer,
  transcode,
  isUtf8,
  isAscii,
  kMaxLength: memory.largest,
  kStringMaxLength: text.longestText,
  btoa,
  atob,
};
const fixed = (value) => ({ value, enumerable: true });
Object.defineProperties(module.exports, {
  constants: {
    ...fixed(
      Object.defineProperties({}, { MAX_LENGTH: fixed(memory.largest), MAX_STRING_LENGTH: fixed(text.longestText) }),
    ),
  },
  INSPECT_MAX_BYTES: { configurable: true, enumerable: true, get: () => text.shown.bytes, set: text.setShown },
});
defineLazyProperties(module.exports, 'internal/blob', ['Blob', 'resolveObjectURL', 'File']);
