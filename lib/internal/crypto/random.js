'use strict';

// Random bytes, numbers, UUIDs and primes.

const { codes, binding, job } = require('internal/crypto/util');
const { validateBoolean, validateFunction, validateInt32, validateNumber, validateObject } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView, isTypedArray, isFloat32Array, isFloat64Array } = require('internal/util/types');
const { Buffer, kMaxLength } = require('buffer');

const kMaxInt32 = 2 ** 31 - 1;
const kMaxPossibleLength = Math.min(kMaxLength, kMaxInt32);
const kRange = 0xffffffffffff; // 48 bits

function checkOffset(offset, elementSize, length) {
  validateNumber(offset, 'offset');
  offset *= elementSize;
  const max = Math.min(length, kMaxPossibleLength);
  if (Number.isNaN(offset) || offset > max || offset < 0) throw new codes.ERR_OUT_OF_RANGE('offset', `>= 0 && <= ${max}`, offset);
  return offset >>> 0;
}

function checkSize(size, elementSize, offset, length) {
  validateNumber(size, 'size');
  size *= elementSize;
  if (Number.isNaN(size) || size > kMaxPossibleLength || size < 0) throw new codes.ERR_OUT_OF_RANGE('size', `>= 0 && <= ${kMaxPossibleLength}`, size);
  if (size + offset > length) throw new codes.ERR_OUT_OF_RANGE('size + offset', `<= ${length}`, size + offset);
  return size >>> 0;
}

function randomBytes(size, callback) {
  size = checkSize(size, 1, 0, Infinity);
  if (callback !== undefined) validateFunction(callback, 'callback');
  const buffer = Buffer.alloc(size);
  if (callback === undefined) {
    if (size > 0) binding.randomFill(-1, buffer, 0, size);
    return buffer;
  }
  binding.randomFill(job((error) => (error ? callback(error) : callback(null, buffer))), buffer, 0, size);
  return undefined;
}

function checkTarget(buffer, name = 'buf') {
  if (!isAnyArrayBuffer(buffer) && !isArrayBufferView(buffer)) {
    throw new codes.ERR_INVALID_ARG_TYPE(name, ['ArrayBuffer', 'ArrayBufferView'], buffer);
  }
}

function randomFillSync(buffer, offset = 0, size) {
  checkTarget(buffer);
  const elementSize = buffer.BYTES_PER_ELEMENT || 1;
  offset = checkOffset(offset, elementSize, buffer.byteLength);
  size = size === undefined ? buffer.byteLength - offset : checkSize(size, elementSize, offset, buffer.byteLength);
  if (size !== 0) binding.randomFill(-1, buffer, offset, size);
  return buffer;
}

function randomFill(buffer, offset, size, callback) {
  checkTarget(buffer);
  const elementSize = buffer.BYTES_PER_ELEMENT || 1;
  if (typeof offset === 'function') {
    callback = offset;
    offset = 0;
    size = undefined;
  } else if (typeof size === 'function') {
    callback = size;
    size = undefined;
  } else {
    validateFunction(callback, 'callback');
  }
  offset = checkOffset(offset, elementSize, buffer.byteLength);
  size = size === undefined ? buffer.byteLength - offset : checkSize(size, elementSize, offset, buffer.byteLength);
  if (size === 0) {
    callback(null, buffer);
    return;
  }
  binding.randomFill(job((error) => (error ? callback(error) : callback(null, buffer))), buffer, offset, size);
}

// Random numbers in a cache, six bytes each: numbers that would favour some results are thrown away.
const cache = Buffer.alloc(6 * 1024);
let cacheAt = cache.length;

function randomInt(min, max, callback) {
  const minNotSpecified = max === undefined || typeof max === 'function';
  if (minNotSpecified) {
    callback = max;
    max = min;
    min = 0;
  }
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (!Number.isSafeInteger(min)) throw new codes.ERR_INVALID_ARG_TYPE('min', 'a safe integer', min);
  if (!Number.isSafeInteger(max)) throw new codes.ERR_INVALID_ARG_TYPE('max', 'a safe integer', max);
  if (max <= min) throw new codes.ERR_OUT_OF_RANGE('max', `greater than the value of "min" (${min})`, max);
  const range = max - min;
  if (!(range <= kRange)) throw new codes.ERR_OUT_OF_RANGE(minNotSpecified ? 'max' : 'max - min', `<= ${kRange}`, range);
  const limit = kRange - (kRange % range);
  for (;;) {
    if (cacheAt === cache.length) {
      binding.randomFill(-1, cache, 0, cache.length);
      cacheAt = 0;
    }
    const x = cache.readUIntBE(cacheAt, 6);
    cache.fill(0, cacheAt, cacheAt + 6);
    cacheAt += 6;
    if (x < limit) {
      const n = (x % range) + min;
      if (callback === undefined) return n;
      process.nextTick(callback, undefined, n);
      return undefined;
    }
  }
}

let uuidBytes;
let uuidAt = 0;
const hexPairs = Array.from({ length: 256 }, (_, i) => (i + 0x100).toString(16).slice(1));

function formatUuid(b, o) {
  const h = hexPairs;
  return `${h[b[o]]}${h[b[o + 1]]}${h[b[o + 2]]}${h[b[o + 3]]}-${h[b[o + 4]]}${h[b[o + 5]]}-${h[b[o + 6]]}${h[b[o + 7]]}-` +
    `${h[b[o + 8]]}${h[b[o + 9]]}-${h[b[o + 10]]}${h[b[o + 11]]}${h[b[o + 12]]}${h[b[o + 13]]}${h[b[o + 14]]}${h[b[o + 15]]}`;
}

function nextUuidBytes(disableEntropyCache) {
  if (disableEntropyCache) {
    const bytes = Buffer.alloc(16);
    binding.randomFill(-1, bytes, 0, 16);
    return [bytes, 0];
  }
  uuidBytes ??= Buffer.alloc(16 * 128);
  if (uuidAt === 0) binding.randomFill(-1, uuidBytes, 0, uuidBytes.length);
  const at = uuidAt;
  uuidAt = (uuidAt + 16) % uuidBytes.length;
  return [uuidBytes, at];
}

function randomUUID(options) {
  if (options !== undefined) validateObject(options, 'options');
  const { disableEntropyCache = false } = options ?? {};
  validateBoolean(disableEntropyCache, 'options.disableEntropyCache');
  const [bytes, at] = nextUuidBytes(disableEntropyCache);
  bytes[at + 6] = (bytes[at + 6] & 0x0f) | 0x40;
  bytes[at + 8] = (bytes[at + 8] & 0x3f) | 0x80;
  return formatUuid(bytes, at);
}

function randomUUIDv7(options) {
  if (options !== undefined) validateObject(options, 'options');
  const { disableEntropyCache = false, monotonic = false } = options ?? {};
  validateBoolean(disableEntropyCache, 'options.disableEntropyCache');
  void monotonic;
  const [source, from] = nextUuidBytes(disableEntropyCache);
  const bytes = Buffer.from(source.subarray(from, from + 16));
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return formatUuid(bytes, 0);
}

function getRandomValues(array) {
  if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('typedArray');
  const { DOMException } = require('internal/dom_exception');
  if (!isTypedArray(array) || isFloat32Array(array) || isFloat64Array(array)) {
    throw new DOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
  }
  if (array.byteLength > 65536) {
    throw new DOMException(`The requested length exceeds 65,536 bytes`, 'QuotaExceededError');
  }
  randomFillSync(array, 0);
  return array;
}

// ---------------------------------------------------------------- primes

function toUnsignedBytes(value, name) {
  if (value < 0n) throw new codes.ERR_OUT_OF_RANGE(name, '>= 0', value);
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

function bytesOfBigInt(value, name) {
  if (typeof value === 'bigint') return toUnsignedBytes(value, name);
  if (!isAnyArrayBuffer(value) && !isArrayBufferView(value)) {
    throw new codes.ERR_INVALID_ARG_TYPE(name, ['ArrayBuffer', 'TypedArray', 'Buffer', 'DataView', 'bigint'], value);
  }
  return isAnyArrayBuffer(value) ? new Uint8Array(value) : value;
}

function outOfRange(message) {
  return Object.assign(new RangeError(message), { code: 'ERR_OUT_OF_RANGE' });
}

function primeArguments(size, options) {
  validateInt32(size, 'size', 1);
  validateObject(options, 'options');
  const { safe = false, bigint = false } = options;
  let { add, rem } = options;
  validateBoolean(safe, 'options.safe');
  validateBoolean(bigint, 'options.bigint');
  if (add !== undefined) add = bytesOfBigInt(add, 'options.add');
  if (rem !== undefined) rem = bytesOfBigInt(rem, 'options.rem');
  const number = (bytes) => BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  if (add !== undefined) {
    const bits = number(add).toString(2).length;
    if (bits > size) throw outOfRange('invalid options.add');
    if (rem !== undefined && number(add) <= number(rem)) throw outOfRange('invalid options.rem');
  }
  return { safe, bigint, add, rem };
}

function primeResult(value, bigint) {
  if (!bigint) return value;
  return BigInt(`0x${Buffer.from(value).toString('hex')}`);
}

function generatePrime(size, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  validateFunction(callback, 'callback');
  const { safe, bigint, add, rem } = primeArguments(size, options);
  binding.generatePrime(job((error, value) => (error ? callback(error) : callback(undefined, primeResult(value, bigint)))), size, safe, add, rem);
}

function generatePrimeSync(size, options = {}) {
  const { safe, bigint, add, rem } = primeArguments(size, options);
  return primeResult(binding.generatePrime(-1, size, safe, add, rem), bigint);
}

function checkArguments(candidate, options) {
  if (typeof candidate === 'bigint') candidate = toUnsignedBytes(candidate, 'candidate');
  if (!isAnyArrayBuffer(candidate) && !isArrayBufferView(candidate)) {
    throw new codes.ERR_INVALID_ARG_TYPE('candidate', ['ArrayBuffer', 'TypedArray', 'Buffer', 'DataView', 'bigint'], candidate);
  }
  validateObject(options, 'options');
  const { checks = 0 } = options;
  validateInt32(checks, 'options.checks', 0);
  return [candidate, checks];
}

function checkPrime(candidate, options = {}, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = {};
  }
  validateFunction(callback, 'callback');
  const [bytes, checks] = checkArguments(candidate, options);
  binding.checkPrime(job((error, value) => (error ? callback(error) : callback(undefined, value))), bytes, checks);
}

function checkPrimeSync(candidate, options = {}) {
  const [bytes, checks] = checkArguments(candidate, options);
  return binding.checkPrime(-1, bytes, checks);
}

function timingSafeEqual(a, b) {
  for (const [value, name] of [[a, 'buf1'], [b, 'buf2']]) {
    if (!isAnyArrayBuffer(value) && !isArrayBufferView(value)) {
      throw new codes.ERR_INVALID_ARG_TYPE(name, ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], value);
    }
  }
  if (a.byteLength !== b.byteLength) throw new codes.ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH();
  return binding.timingSafeEqual(a, b);
}

module.exports = {
  randomBytes, randomFill, randomFillSync, randomInt, randomUUID, randomUUIDv7, getRandomValues, generatePrime, generatePrimeSync,
  checkPrime, checkPrimeSync, timingSafeEqual,
};
