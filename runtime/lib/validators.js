'use strict';

// Checks of arguments, each throwing Node's error for it. Most have one of a few shapes (a type, a whole number within
// bounds, a list), and this file has a function for each shape. A valid argument costs a test and no allocation.

const { codes } = require('internal/errors');

// ---- refusals ----

const refuseType = (name, wanted, value) => {
  throw new codes.ERR_INVALID_ARG_TYPE(name, wanted, value);
};
const refuseValue = (name, value, reason) => {
  throw new codes.ERR_INVALID_ARG_VALUE(name, value, reason);
};
const refuseRange = (name, range, value) => {
  throw new codes.ERR_OUT_OF_RANGE(name, range, value);
};

// ---- shapes ----

function ofType(type, wanted) {
  return (value, name) => {
    if (typeof value !== type) refuseType(name, wanted, value);
  };
}

function wholeNumber(lowest, highest) {
  return (value, name, min = lowest, max = highest) => {
    if (Number.isInteger(value) && value >= min && value <= max) return;
    if (typeof value !== 'number') refuseType(name, 'number', value);
    refuseRange(name, Number.isInteger(value) ? `>= ${min} && <= ${max}` : 'an integer', value);
  };
}

function listOf(check) {
  return (list, name) => {
    validateArray(list, name);
    list.forEach((item, i) => check(item, `${name}[${i}]`));
  };
}

// ---- numbers ----

const validateInteger = wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
const validateInt32 = wholeNumber(-(2 ** 31), 2 ** 31 - 1);
const natural = wholeNumber(0, 2 ** 32 - 1);
const validateUint32 = (value, name, positive = false) => natural(value, name, positive ? 1 : 0);

function validateNumber(value, name, min, max) {
  if (typeof value !== 'number') refuseType(name, 'number', value);
  const bounds = [];
  if (min != null && !(value >= min)) bounds.push(`>= ${min}`);
  if (max != null && !(value <= max)) bounds.push(`<= ${max}`);
  if (bounds.length === 0) return;
  // The error shows both bounds if one is exceeded.
  refuseRange(name, [min != null && `>= ${min}`, max != null && `<= ${max}`].filter(Boolean).join(' && '), value);
}

// A number, or its digits in base eight.
function parseFileMode(mode, name, otherwise) {
  const given = mode ?? otherwise;
  if (typeof given !== 'string') {
    validateUint32(given, name);
    return given;
  }
  if (!/^[0-7]+$/.test(given)) refuseValue(name, given, 'must be a 32-bit unsigned integer or an octal string');
  const number = Number.parseInt(given, 8);
  validateUint32(number, name);
  return number;
}

function isPort(port, allowZero) {
  const isText = typeof port === 'string';
  if (!isText && typeof port !== 'number') return false;
  if (isText && port.trim() === '') return false;
  const number = Number(port);
  return Number.isInteger(number) && number >= 0 && number < 65536 && (allowZero || port !== 0);
}

function validatePort(port, name = 'Port', allowZero = true) {
  if (!isPort(port, allowZero)) throw new codes.ERR_SOCKET_BAD_PORT(name, port, allowZero);
  return Number(port);
}

// ---- texts and choices ----

const validateString = ofType('string', 'string');
const validateBoolean = ofType('boolean', 'boolean');
const validateUndefined = ofType('undefined', 'undefined');

function validateOneOf(value, name, choices) {
  if (choices.includes(value)) return;
  const shown = choices.map((choice) => (typeof choice === 'string' ? `'${choice}'` : String(choice)));
  refuseValue(name, value, `must be one of: ${shown.join(', ')}`);
}

function validateUnion(value, name, choices) {
  if (!choices.includes(value)) refuseType(name, `('${choices.join('|')}')`, value);
}

function validateEncoding(data, encoding) {
  const isHex = require('internal/util').normalizeEncoding(encoding) === 'hex';
  if (isHex && data.length % 2 === 1) refuseValue('encoding', encoding, `is invalid for data of length ${data.length}`);
}

// ---- objects ----

// Values that are accepted as objects besides plain ones: bits, or named { nullable, allowArray, allowFunction }.
const kNull = 1;
const kArray = 2;
const kFunction = 4;

function bitsOf(allowed) {
  if (typeof allowed === 'number') return allowed;
  return (allowed.nullable ? kNull : 0) | (allowed.allowArray ? kArray : 0) | (allowed.allowFunction ? kFunction : 0);
}

// The bit that a value needs; 0 for plain objects, all bits for a value that is no object.
function bitFor(value) {
  if (value === null) return kNull;
  if (typeof value === 'function') return kFunction;
  if (typeof value !== 'object') return -1;
  return Array.isArray(value) ? kArray : 0;
}

function validateObject(value, name, allowed = 0) {
  const bit = bitFor(value);
  if (bit !== 0 && (bit === -1 || (bitsOf(allowed) & bit) === 0)) refuseType(name, 'Object', value);
}

function validateArray(value, name, minLength = 0) {
  if (!Array.isArray(value)) refuseType(name, 'Array', value);
  if (value.length < minLength) refuseValue(name, value, `must be longer than ${minLength}`);
}

function validateBuffer(value, name = 'buffer') {
  if (!ArrayBuffer.isView(value)) refuseType(name, ['Buffer', 'TypedArray', 'DataView'], value);
}

const isSignal = (value) => typeof value === 'object' && value !== null && 'aborted' in value;

function validateAbortSignal(signal, name) {
  if (signal !== undefined && !isSignal(signal)) refuseType(name, 'AbortSignal', signal);
}

const validateFunction = ofType('function', 'Function');

module.exports = {
  isInt32: (value) => value === (value | 0),
  parseFileMode,
  validateInteger,
  validateInt32,
  validateUint32,
  validateNumber,
  validatePort,
  validateString,
  validateBoolean,
  validateUndefined,
  validateOneOf,
  validateUnion,
  validateEncoding,
  validateObject,
  validateArray,
  validateStringArray: listOf(validateString),
  validateBooleanArray: listOf(validateBoolean),
  validateBuffer,
  validateAbortSignal,
  validateFunction,
  kValidateObjectAllowNullable: kNull,
  kValidateObjectAllowObjects: kArray | kFunction,
  kValidateObjectAllowObjectsAndNull: kArray | kFunction | kNull,
};
