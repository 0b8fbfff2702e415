'use strict';

// node:zlib: a table of formats, each of which is a class of streams, a function that makes one, and two functions for
// whole buffers. The streams are in internal/zlib/stream, the engines in C.

const { codes } = require('internal/errors');
const { validateUint32 } = require('internal/validators');
const { isArrayBufferView } = require('internal/util/types');
const constants = require('internal/zlib/constants');
const { bases } = require('internal/zlib/stream');
const { functionsFor } = require('internal/zlib/whole');

const formats = [
  ['Deflate', 'zlib', 'DEFLATE'],
  ['Inflate', 'zlib', 'INFLATE'],
  ['Gzip', 'zlib', 'GZIP'],
  ['Gunzip', 'zlib', 'GUNZIP'],
  ['DeflateRaw', 'zlib', 'DEFLATERAW'],
  ['InflateRaw', 'zlib', 'INFLATERAW'],
  ['Unzip', 'zlib', 'UNZIP'],
  ['BrotliCompress', 'brotli', 'BROTLI_ENCODE'],
  ['BrotliDecompress', 'brotli', 'BROTLI_DECODE'],
  ['ZstdCompress', 'zstd', 'ZSTD_COMPRESS'],
  ['ZstdDecompress', 'zstd', 'ZSTD_DECOMPRESS'],
];

// May be called without new, which Node deprecates, and on instances of old-style classes.
function defineClass(name, format) {
  const Base = bases[format.family];
  const Class = {
    [name]: function (options) {
      if (!(this instanceof Class)) {
        process.emitWarning(
          `Instantiating ${name} without the 'new' keyword has been deprecated.`,
          'DeprecationWarning',
          'DEP0184',
        );
        return new Class(options);
      }
      Reflect.apply(Base, this, [format, options]);
    },
  }[name];
  Object.setPrototypeOf(Class.prototype, Base.prototype);
  Object.setPrototypeOf(Class, Base);
  return Class;
}

function crc32(data, value = 0) {
  if (typeof data !== 'string' && !isArrayBufferView(data)) {
    throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  }
  validateUint32(value, 'value');
  return require('internal/zlib/engine').crc32(data, value);
}
Object.defineProperty(crc32, 'length', { __proto__: null, value: 1, configurable: true });

const classes = {};
const functions = {};
const makers = {};
for (const [name, family, mode] of formats) {
  const format = { family, mode: constants[mode] };
  const Class = (classes[name] = defineClass(name, format));
  const short = name[0].toLowerCase() + name.slice(1);
  const { whole, sync } = functionsFor(Class, format);
  for (const [key, value] of [
    [short, whole],
    [`${short}Sync`, sync],
  ]) {
    Object.defineProperty(value, 'name', { __proto__: null, value: key, configurable: true });
    functions[key] = value;
  }
  makers[`create${name}`] = { [`create${name}`]: (options) => new Class(options) }[`create${name}`];
}

const errorCodes = {};
const returned =
  'Z_OK Z_STREAM_END Z_NEED_DICT Z_ERRNO Z_STREAM_ERROR Z_DATA_ERROR Z_MEM_ERROR Z_BUF_ERROR Z_VERSION_ERROR';
for (const name of returned.split(' ')) {
  errorCodes[name] = constants[name];
  errorCodes[constants[name]] = name;
}

// In the order in which Node shows them.
const pick = (from, names) => Object.fromEntries(names.split(' ').map((name) => [name, from[name]]));
module.exports = {
  crc32,
  ...classes,
  ...pick(
    functions,
    'deflate deflateSync gzip gzipSync deflateRaw deflateRawSync unzip unzipSync inflate inflateSync gunzip ' +
      'gunzipSync ' +
      'inflateRaw inflateRawSync brotliCompress brotliCompressSync brotliDecompress brotliDecompressSync ' +
      'zstdCompress zstdCompressSync ' +
      'zstdDecompress zstdDecompressSync',
  ),
};
const shown =
  'Deflate Inflate DeflateRaw InflateRaw Gzip Gunzip Unzip BrotliCompress BrotliDecompress ZstdCompress ZstdDecompress';
for (const name of shown.split(' ')) {
  Object.defineProperty(module.exports, `create${name}`, {
    __proto__: null,
    value: makers[`create${name}`],
    writable: false,
    enumerable: true,
    configurable: true,
  });
}
for (const [name, value] of [
  ['constants', constants],
  ['codes', Object.freeze(errorCodes)],
]) {
  Object.defineProperty(module.exports, name, {
    __proto__: null,
    value,
    writable: false,
    enumerable: true,
    configurable: false,
  });
}

// Archives came with Node 26.5 and are experimental there.
for (const name of [
  'ZipEntry',
  'ZipFile',
  'ZipBuffer',
  'createZipArchive',
  'createZipArchiveSync',
  'zipFiles',
  'getMaxZipContentSize',
  'setMaxZipContentSize',
]) {
  module.exports[name] = {
    [name]: function () {
      throw new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`zlib.${name}`);
    },
  }[name];
}

// The numbers of zlib itself existed before `constants`; they are still there, not enumerable.
for (const name of Object.keys(constants)) {
  if (name.startsWith('BROTLI') || name.startsWith('ZSTD')) continue;
  Object.defineProperty(module.exports, name, {
    __proto__: null,
    value: constants[name],
    writable: false,
    enumerable: false,
  });
}
