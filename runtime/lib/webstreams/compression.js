'use strict';

// CompressionStream and DecompressionStream: a stream of node:zlib as a transform stream. An error in the data is a
// TypeError on the web side, with the error of zlib as its cause.

const { codes } = require('internal/errors');
const { duplexToWeb } = require('internal/webstreams/from_node');
const { reveal } = require('internal/webstreams/text');
const { isSharedArrayBuffer } = require('internal/util/types');

const formats = {
  '__proto__': null,
  'deflate': ['Deflate', 'Inflate'],
  'deflate-raw': ['DeflateRaw', 'InflateRaw'],
  'gzip': ['Gzip', 'Gunzip'],
  'brotli': ['BrotliCompress', 'BrotliDecompress'],
  'zstd': ['ZstdCompress', 'ZstdDecompress'],
};

const wishes = {
  destroysOnThrow: true,
  translate(error) {
    if (error === null || error.errno === undefined || error instanceof TypeError) return error;
    return Object.assign(new TypeError('', { cause: error }), { code: error.code });
  },
  // Shared memory is refused: others could write to it meanwhile.
  check(chunk) {
    if (isSharedArrayBuffer(ArrayBuffer.isView(chunk) ? chunk.buffer : chunk)) {
      throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], chunk);
    }
  },
};

function pairFor(Class, format, which, options) {
  const names = formats[`${format}`];
  if (names === undefined) {
    const text =
      `Failed to construct '${Class.name}': 1st argument '${format}' is not a valid enum value of type ` +
      `CompressionFormat.`;
    throw Object.assign(new TypeError(text), { code: 'ERR_INVALID_ARG_VALUE' });
  }
  return duplexToWeb(new (require('zlib')[names[which]])(options), undefined, wishes);
}

class CompressionStream {
  #transform;

  constructor(format) {
    this.#transform = pairFor(CompressionStream, format, 0);
  }

  static read(stream, name) {
    if (!(#transform in Object(stream))) throw reveal.wrongReceiver('transform');
    return stream.#transform[name];
  }
}

class DecompressionStream {
  #transform;

  constructor(format) {
    this.#transform = pairFor(DecompressionStream, format, 1, { rejectGarbageAfterEnd: true });
  }

  static read(stream, name) {
    if (!(#transform in Object(stream))) throw reveal.wrongReceiver('transform');
    return stream.#transform[name];
  }
}

for (const Class of [CompressionStream, DecompressionStream]) reveal(Class, ['readable', 'writable']);

module.exports = { CompressionStream, DecompressionStream };
