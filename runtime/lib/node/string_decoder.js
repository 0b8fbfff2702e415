'use strict';

// node:string_decoder: text from chunks of bytes; the bytes of an incomplete character wait for the next chunk.

const { Buffer } = require('internal/buffer/class');
const { codes } = require('internal/errors');

// How many bytes at the end of a chunk belong to an incomplete character, and how many bytes it has altogether.
const unfinished = {
  utf8(bytes) {
    for (let back = 1; back <= Math.min(3, bytes.length); back++) {
      const byte = bytes[bytes.length - back];
      if ((byte & 0xc0) === 0x80) continue; // within a character
      // Bytes that only look like the first one of a character wait as well.
      const total = byte >= 0xf8 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
      return total > back ? [back, total] : [0, 0];
    }
    return [0, 0];
  },
  utf16le(bytes, waited) {
    if (bytes.length % 2 === 1) {
      // The odd byte and, before it, the first half of a surrogate pair.
      return waited && bytes.length === 3 && isLeading(bytes, 1) ? [3, 4] : [1, 2];
    }
    return isLeading(bytes, bytes.length - 1) ? [2, 4] : [0, 0];
  },
  base64(bytes) {
    return [bytes.length % 3, 3];
  },
};
unfinished.base64url = unfinished.base64;

function isLeading(bytes, high) {
  return high >= 1 && bytes[high] >= 0xd8 && bytes[high] <= 0xdb;
}

class Decoding {
  constructor(encoding) {
    this.encoding = encoding;
    this.look = unfinished[encoding];
    this.waiting = Buffer.alloc(0);
    this.total = 0;
  }

  write(chunk) {
    if (this.look === undefined) return chunk.toString(this.encoding);
    if (chunk.length === 0) return '';
    // Half a code unit is completed and given out, whatever it is.
    if (this.encoding === 'utf16le' && this.waiting.length === 1) {
      const unit = Buffer.from([this.waiting[0], chunk[0]]).toString('utf16le');
      this.end();
      return unit + this.write(chunk.subarray(1));
    }
    const bytes = this.waiting.length === 0 ? chunk : Buffer.concat([this.waiting, chunk]);
    const [left, total] = this.look(bytes, this.waiting.length > 0);
    this.waiting = left === 0 ? Buffer.alloc(0) : Buffer.from(bytes.subarray(bytes.length - left));
    this.total = left === 0 ? 0 : total;
    return bytes.toString(this.encoding, 0, bytes.length - left);
  }

  end() {
    const rest = this.waiting;
    this.waiting = Buffer.alloc(0);
    this.total = 0;
    // Half a code unit is dropped.
    return rest.toString(this.encoding, 0, this.encoding === 'utf16le' ? rest.length & ~1 : rest.length);
  }
}

const decodings = new WeakMap();

function bytesOf(chunk) {
  if (!ArrayBuffer.isView(chunk))
    throw new codes.ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray', 'DataView'], chunk);
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

function normal(encoding) {
  const name = require('internal/util').normalizeEncoding(encoding);
  if (name === undefined && Buffer.isEncoding(encoding) !== true) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  return name ?? encoding;
}

function StringDecoder(encoding) {
  this.encoding = normal(encoding);
  decodings.set(this, new Decoding(this.encoding));
}

function decodingOf(decoder) {
  const found = decodings.get(decoder);
  if (found === undefined) throw new codes.ERR_INVALID_THIS('StringDecoder');
  return found;
}

Object.assign(StringDecoder.prototype, {
  write(buf) {
    if (typeof buf === 'string') return buf;
    const bytes = bytesOf(buf);
    return decodingOf(this).write(bytes);
  },
  end(buf) {
    const before = buf === undefined ? '' : this.write(buf);
    return before + decodingOf(this).end();
  },
  text(buf, offset) {
    Object.assign(decodingOf(this), { waiting: Buffer.alloc(0), total: 0 });
    return this.write(buf.slice(offset));
  },
});

const states = {
  // Room for the bytes of one character; those that have arrived are in front.
  lastChar({ waiting }) {
    const room = Buffer.alloc(4);
    waiting.copy(room);
    return room;
  },
  lastNeed: ({ waiting, total }) => (total === 0 ? 0 : total - waiting.length),
  lastTotal: ({ total }) => total,
};
for (const name of Object.keys(states)) {
  Object.defineProperty(StringDecoder.prototype, name, {
    get() {
      return states[name](decodingOf(this));
    },
    enumerable: true,
    configurable: true,
  });
}

module.exports = { StringDecoder };
