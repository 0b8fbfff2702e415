'use strict';

// Prime numbers: finding them, and testing whether a number is one.

const { codes, binding } = require('internal/crypto/util');
const { Work, coded, twoForms } = require('internal/crypto/work');
const { validateBoolean, validateInt32, validateObject } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { Buffer } = require('internal/buffer/class');

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

module.exports = { generatePrime, generatePrimeSync, checkPrime, checkPrimeSync };
