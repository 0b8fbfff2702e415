'use strict';

// The function Buffer, with its methods: the parts are in the modules beside this one. It is apart from node:buffer,
// since most programs that use Buffer do not load that.

const { codes } = require('internal/errors');
const memory = require('internal/buffer/memory');
const search = require('internal/buffer/search');
const text = require('internal/buffer/text');
const integers = require('internal/buffer/integers');
const floats = require('internal/buffer/floats');

const { FastBuffer, slab } = memory;

let warned = false;

function isPendingTold() {
  return (
    process.env.NODE_PENDING_DEPRECATION === '1' || require('internal/process/flags').hasFlag('--pending-deprecation')
  );
}

function Buffer(arg, encodingOrOffset, length) {
  if (!warned && (isPendingTold() || !require('internal/modules/caller').calledFromPackage())) {
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

module.exports = { Buffer };
