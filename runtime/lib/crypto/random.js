'use strict';

// Random values, comparison of secrets, and prime numbers.
//
// Random bytes, numbers and UUIDs, and comparing secrets.

const { codes, binding, job } = require('internal/crypto/util');
const { coded, Work, twoForms } = require('internal/crypto/work');
const {
  validateBoolean,
  validateFunction,
  validateNumber,
  validateObject,
  validateInt32,
} = require('internal/validators');
const {
  isAnyArrayBuffer,
  isArrayBufferView,
  isTypedArray,
  isFloat32Array,
  isFloat64Array,
} = require('internal/util/types');
const { Buffer } = require('internal/buffer/class');

const most = 2 ** 31 - 1; // bytes that are generated at once

const isMemory = (value) => isAnyArrayBuffer(value) || isArrayBufferView(value);
const fillNow = (bytes, from = 0, count = bytes.byteLength) => binding.randomFill(-1, bytes, from, count);

function fillLater(bytes, from, count, callback) {
  binding.randomFill(
    job((error) => (error ? callback(error) : callback(null, bytes)), 'RANDOMBYTESREQUEST'),
    bytes,
    from,
    count,
  );
}

function readCount(count, name, limit) {
  validateNumber(count, name);
  if (!(count >= 0 && count <= limit)) throw new codes.ERR_OUT_OF_RANGE(name, `>= 0 && <= ${limit}`, count);
  return Math.trunc(count);
}

// A part of memory in bytes, from an offset and a size in elements.
class Part {
  constructor(memory, offset, size) {
    if (!isMemory(memory)) throw new codes.ERR_INVALID_ARG_TYPE('buf', ['ArrayBuffer', 'ArrayBufferView'], memory);
    const width = memory.BYTES_PER_ELEMENT || 1;
    const all = memory.byteLength;
    if (offset !== undefined) validateNumber(offset, 'offset');
    this.from = readCount((offset ?? 0) * width, 'offset', Math.min(all, most));
    if (size === undefined) {
      this.count = all - this.from;
      return;
    }
    validateNumber(size, 'size');
    this.count = readCount(size * width, 'size', most);
    if (this.from + this.count > all)
      throw new codes.ERR_OUT_OF_RANGE('size + offset', `<= ${all}`, this.from + this.count);
  }
}

function randomBytes(size, callback) {
  const count = readCount(size, 'size', most);
  if (callback !== undefined) validateFunction(callback, 'callback');
  const bytes = Buffer.alloc(count);
  if (callback !== undefined) fillLater(bytes, 0, count, callback);
  else if (count > 0) fillNow(bytes);
  return callback === undefined ? bytes : undefined;
}

function randomFillSync(buffer, offset = 0, size) {
  const { from, count } = new Part(buffer, offset, size);
  if (count > 0) fillNow(buffer, from, count);
  return buffer;
}

function randomFill(buffer, offset, size, callback) {
  if (!isMemory(buffer)) new Part(buffer);
  const [heard, ...where] =
    typeof offset === 'function' ? [offset] : typeof size === 'function' ? [size, offset] : [callback, offset, size];
  validateFunction(heard, 'callback');
  const { from, count } = new Part(buffer, ...where);
  if (count > 0) fillLater(buffer, from, count, heard);
  else heard(null, buffer);
}

// ---------------------------------------------------------------- from a store

// Bytes that are generated in advance and given out in pieces of one size. Bytes that were given out are wiped.
class Store {
  #bytes;
  #at;
  #piece;

  constructor(piece, pieces) {
    this.#piece = piece;
    this.#at = piece * pieces;
    this.#bytes = Buffer.alloc(piece * pieces);
  }

  take(use) {
    if (this.#at === this.#bytes.length) {
      fillNow(this.#bytes);
      this.#at = 0;
    }
    const end = this.#at + this.#piece;
    const result = use(this.#bytes, this.#at);
    this.#bytes.fill(0, this.#at, end);
    this.#at = end;
    return result;
  }
}

const numberRange = 2 ** 48 - 1;
const read48 = (bytes, at) => bytes.readUIntBE(at, 6);
let numbers;

function needSafe(value, name) {
  if (!Number.isSafeInteger(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, 'a safe integer', value);
}

// The distribution is even: the incomplete range at the end of the 48 bits is not used.
function drawBelow(range) {
  numbers ??= new Store(6, 1024);
  const usable = numberRange - (numberRange % range);
  let drawn;
  do drawn = numbers.take(read48);
  while (drawn >= usable);
  return drawn % range;
}

function randomInt(...given) {
  const fromZero = given[1] === undefined || typeof given[1] === 'function';
  const [low, high, callback] = fromZero ? [0, given[0], given[1]] : given;
  if (callback !== undefined) validateFunction(callback, 'callback');
  needSafe(low, 'min');
  needSafe(high, 'max');
  if (high <= low) throw new codes.ERR_OUT_OF_RANGE('max', `greater than the value of "min" (${low})`, high);
  const range = high - low;
  if (range > numberRange) throw new codes.ERR_OUT_OF_RANGE(fromZero ? 'max' : 'max - min', `<= ${numberRange}`, range);
  const number = low + drawBelow(range);
  if (callback === undefined) return number;
  process.nextTick(callback, undefined, number);
  return undefined;
}
Object.defineProperty(randomInt, 'length', { value: 3, configurable: true });

const dashed = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
const writeUuid = (bytes) => bytes.hexSlice(0, 16).replace(dashed, '$1-$2-$3-$4-$5');
let identities;

// Sixteen random bytes, of which some bits give the UUID's version and variant; `mark` may set more.
function makeUuid(options, version, mark) {
  if (options !== undefined) validateObject(options, 'options');
  const fresh = options?.disableEntropyCache ?? false;
  validateBoolean(fresh, 'options.disableEntropyCache');
  const bytes = Buffer.alloc(16);
  if (fresh) {
    fillNow(bytes);
  } else {
    identities ??= new Store(16, 128);
    identities.take((store, at) => store.copy(bytes, 0, at, at + 16));
  }
  mark?.(bytes);
  bytes[6] = (version << 4) | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  return writeUuid(bytes);
}

function randomUUID(options) {
  return makeUuid(options, 4);
}

function randomUUIDv7(options) {
  return makeUuid(options, 7, (bytes) => bytes.writeUIntBE(Date.now(), 0, 6));
}

function getRandomValues(array) {
  if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('typedArray');
  const { DOMException } = require('internal/dom_exception');
  if (!isTypedArray(array) || isFloat32Array(array) || isFloat64Array(array)) {
    throw new DOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
  }
  if (array.byteLength > 65536) {
    const { QuotaExceededError } = require('internal/errors/quota_exceeded_error');
    throw new QuotaExceededError('The requested length exceeds 65,536 bytes');
  }
  return randomFillSync(array);
}

// The error does not show the value: it may be a secret.
const notMemory = (name) =>
  coded(
    TypeError,
    'ERR_INVALID_ARG_TYPE',
    `The "${name}" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.`,
  );

function timingSafeEqual(buf1, buf2) {
  if (!isMemory(buf1)) throw notMemory('buf1');
  if (!isMemory(buf2)) throw notMemory('buf2');
  if (buf1.byteLength !== buf2.byteLength) throw new codes.ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH();
  return binding.timingSafeEqual(buf1, buf2);
}

// Prime numbers: finding them, and testing whether a number is one.

const numberKinds = ['ArrayBuffer', 'TypedArray', 'Buffer', 'DataView', 'bigint'];

// A number as bytes, the largest part first.
function toBytes(value, name) {
  if (typeof value === 'bigint') {
    if (value < 0n) throw new codes.ERR_OUT_OF_RANGE(name, '>= 0', value);
    const digits = value.toString(16);
    return Buffer.from(digits.padStart(digits.length + (digits.length & 1), '0'), 'hex');
  }
  if (isAnyArrayBuffer(value)) return new Uint8Array(value);
  if (!isArrayBufferView(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, numberKinds, value);
  return value;
}

const toNumber = (bytes) => BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);

function prepareGeneration(size, options = {}) {
  validateInt32(size, 'size', 1);
  validateObject(options, 'options');
  const { safe = false, bigint = false, add, rem } = options;
  validateBoolean(safe, 'options.safe');
  validateBoolean(bigint, 'options.bigint');
  const step = add === undefined ? undefined : toBytes(add, 'options.add');
  const rest = rem === undefined ? undefined : toBytes(rem, 'options.rem');
  if (step !== undefined) {
    const number = toNumber(step);
    if (number.toString(2).length > size) throw coded(RangeError, 'ERR_OUT_OF_RANGE', 'invalid options.add');
    if (rest !== undefined && number <= toNumber(rest))
      throw coded(RangeError, 'ERR_OUT_OF_RANGE', 'invalid options.rem');
  }
  return new Work(binding.generatePrime, [size, safe, step, rest], (prime) => (bigint ? toNumber(prime) : prime));
}

function prepareCheck(candidate, options = {}) {
  const bytes = toBytes(candidate, 'candidate');
  validateObject(options, 'options');
  const { checks = 0 } = options;
  validateInt32(checks, 'options.checks', 0);
  return new Work(binding.checkPrime, [bytes, checks], (isPrime) => isPrime);
}

const asNode = { optional: 1, callbackFirst: true, nothing: undefined };
const [generatePrime, generatePrimeSync] = twoForms('generatePrime', 2, prepareGeneration, asNode);
const [checkPrime, checkPrimeSync] = twoForms('checkPrime', 2, prepareCheck, asNode);

module.exports = {
  randomBytes,
  randomFill,
  randomFillSync,
  randomInt,
  randomUUID,
  randomUUIDv7,
  getRandomValues,
  timingSafeEqual,
  generatePrime,
  generatePrimeSync,
  checkPrime,
  checkPrimeSync,
};
