'use strict';

// node:buffer. The parts are in internal/buffer; here they become the function Buffer, its methods, and the module.

const { codes } = require('internal/errors');
const { isAnyArrayBuffer, isTypedArray, isUint8Array } = require('internal/util/views');
const { defineLazyProperties } = require('internal/util');
const { getCodec } = require('internal/buffer_codec');
const memory = require('internal/buffer/memory');
const search = require('internal/buffer/search');
const text = require('internal/buffer/text');
const integers = require('internal/buffer/integers');
const floats = require('internal/buffer/floats');

const native = internalBinding('buffer');
const { FastBuffer, slab } = memory;

let warned = false;

function isPendingTold() {
  return (
    process.env.NODE_PENDING_DEPRECATION === '1' || require('internal/process/flags').hasFlag('--pending-deprecation')
  );
}

function Buffer(arg, encodingOrOffset, length) {
  if (!warned && (isPendingTold() || !require('internal/caller').calledFromPackage())) {
    warned = true;
    process.emitWarning(
      'Buffer() is deprecated due to security and usability issues. Please use the Buffer.alloc(), ' +
        'Buffer.allocUnsafe(), or Buffer.from() methods instead.',
      'DeprecationWarning',
      'DEP0005',
    );
  }
  if (typeof arg !== 'number') return memory.from(arg, encodingOrOffset, length);
  if (typeof encodingOrOffset === 'string') throw new codes.ERR_INVALID_ARG_TYPE('string', 'string', arg);
  return memory.alloc(arg);
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
    return memory.from(value, encodingOrOffset, length);
  },
  copyBytesFrom(view, offset, length) {
    return memory.copyBytesFrom(view, offset, length);
  },
  of(...items) {
    return memory.of(...items);
  },
  alloc(size, fill, encoding) {
    return memory.alloc(size, fill, encoding);
  },
  allocUnsafe(size) {
    return memory.allocUnsafe(size);
  },
  allocUnsafeSlow(size) {
    return memory.allocUnsafeSlow(size);
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
    return memory.concat(list, length);
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
for (const part of [integers.readers, integers.writers, floats, text.methods, search.methods])
  Object.assign(Buffer.prototype, part);

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

// ---------------------------------------------------------------- functions of the module

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
