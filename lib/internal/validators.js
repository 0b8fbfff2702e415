'use strict';

// Checks of arguments, each throwing Node's error for it. They are called on hot paths, so each is one test and no
// allocation when the argument is right.

const { codes } = require('internal/errors');

function isInt32(value) {
  return value === (value | 0);
}

function isUint32(value) {
  return value === (value >>> 0);
}

const octalPattern = /^[0-7]+$/;

function parseFileMode(value, name, def) {
  value ??= def;
  if (typeof value === 'string') {
    if (!octalPattern.test(value)) {
      throw new codes.ERR_INVALID_ARG_VALUE(name, value, 'must be a 32-bit unsigned integer or an octal string');
    }
    value = parseInt(value, 8);
  }
  validateUint32(value, name);
  return value;
}

function validateInteger(value, name, min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) {
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', value);
  if (!Number.isInteger(value)) throw new codes.ERR_OUT_OF_RANGE(name, 'an integer', value);
  if (value < min || value > max) throw new codes.ERR_OUT_OF_RANGE(name, `>= ${min} && <= ${max}`, value);
}

function validateInt32(value, name, min = -2147483648, max = 2147483647) {
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', value);
  if (!Number.isInteger(value)) throw new codes.ERR_OUT_OF_RANGE(name, 'an integer', value);
  if (value < min || value > max) throw new codes.ERR_OUT_OF_RANGE(name, `>= ${min} && <= ${max}`, value);
}

function validateUint32(value, name, positive = false) {
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', value);
  if (!Number.isInteger(value)) throw new codes.ERR_OUT_OF_RANGE(name, 'an integer', value);
  const min = positive ? 1 : 0;
  if (value < min || value > 4294967295) throw new codes.ERR_OUT_OF_RANGE(name, `>= ${min} && <= 4294967295`, value);
}

function validateString(value, name) {
  if (typeof value !== 'string') throw new codes.ERR_INVALID_ARG_TYPE(name, 'string', value);
}

function validateNumber(value, name, min = undefined, max) {
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', value);
  if ((min != null && value < min) || (max != null && value > max) || ((min != null || max != null) && value !== value)) {
    throw new codes.ERR_OUT_OF_RANGE(
      name, `${min != null ? `>= ${min}` : ''}${min != null && max != null ? ' && ' : ''}${max != null ? `<= ${max}` : ''}`, value);
  }
}

function validateOneOf(value, name, oneOf) {
  if (!oneOf.includes(value)) {
    const allowed = oneOf.map((v) => (typeof v === 'string' ? `'${v}'` : String(v))).join(', ');
    throw new codes.ERR_INVALID_ARG_VALUE(name, value, `must be one of: ${allowed}`);
  }
}

function validateBoolean(value, name) {
  if (typeof value !== 'boolean') throw new codes.ERR_INVALID_ARG_TYPE(name, 'boolean', value);
}

const kValidateObjectNone = 0;
const kValidateObjectAllowNullable = 1;
const kValidateObjectAllowArray = 2;
const kValidateObjectAllowFunction = 4;
const kValidateObjectAllowObjects = kValidateObjectAllowArray | kValidateObjectAllowFunction;
const kValidateObjectAllowObjectsAndNull = kValidateObjectAllowObjects | kValidateObjectAllowNullable;

function validateObject(value, name, options = kValidateObjectNone) {
  if (options === kValidateObjectNone) {
    if (value === null || Array.isArray(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, 'Object', value);
    if (typeof value !== 'object') throw new codes.ERR_INVALID_ARG_TYPE(name, 'Object', value);
    return;
  }
  if (typeof options === 'object') {
    options = (options.allowArray ? kValidateObjectAllowArray : 0) | (options.allowFunction ? kValidateObjectAllowFunction : 0) |
      (options.nullable ? kValidateObjectAllowNullable : 0);
  }
  if ((kValidateObjectAllowNullable & options) === 0 && value === null) throw new codes.ERR_INVALID_ARG_TYPE(name, 'Object', value);
  if ((kValidateObjectAllowArray & options) === 0 && Array.isArray(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, 'Object', value);
  const type = typeof value;
  if (type !== 'object' && ((kValidateObjectAllowFunction & options) === 0 || type !== 'function')) {
    throw new codes.ERR_INVALID_ARG_TYPE(name, 'Object', value);
  }
}

function validateDictionary(value, name) {
  if (value != null && typeof value !== 'object' && typeof value !== 'function') {
    throw new codes.ERR_INVALID_ARG_TYPE(name, 'a dictionary', value);
  }
}

function validateArray(value, name, minLength = 0) {
  if (!Array.isArray(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, 'Array', value);
  if (value.length < minLength) throw new codes.ERR_INVALID_ARG_VALUE(name, value, `must be longer than ${minLength}`);
}

function validateStringArray(value, name) {
  validateArray(value, name);
  for (let i = 0; i < value.length; i++) validateString(value[i], `${name}[${i}]`);
}

function validateBooleanArray(value, name) {
  validateArray(value, name);
  for (let i = 0; i < value.length; i++) validateBoolean(value[i], `${name}[${i}]`);
}

function validateAbortSignalArray(value, name) {
  validateArray(value, name);
  for (let i = 0; i < value.length; i++) {
    if (value[i] == null) throw new codes.ERR_INVALID_ARG_TYPE(`${name}[${i}]`, 'AbortSignal', value[i]);
    validateAbortSignal(value[i], `${name}[${i}]`);
  }
}

function validateSignalName(signal, name = 'signal') {
  validateString(signal, name);
  const { signals } = require('os').constants;
  if (signals[signal] === undefined) {
    if (signals[signal.toUpperCase()] !== undefined) {
      throw new codes.ERR_UNKNOWN_SIGNAL(`${signal} (signals must use all capital letters)`);
    }
    throw new codes.ERR_UNKNOWN_SIGNAL(signal);
  }
}

function validateBuffer(buffer, name = 'buffer') {
  if (!ArrayBuffer.isView(buffer)) throw new codes.ERR_INVALID_ARG_TYPE(name, ['Buffer', 'TypedArray', 'DataView'], buffer);
}

function validateEncoding(data, encoding) {
  const normalized = require('internal/util').normalizeEncoding(encoding);
  if (normalized === 'hex' && data.length % 2 !== 0) {
    throw new codes.ERR_INVALID_ARG_VALUE('encoding', encoding, `is invalid for data of length ${data.length}`);
  }
}

function validatePort(port, name = 'Port', allowZero = true) {
  if ((typeof port !== 'number' && typeof port !== 'string') || (typeof port === 'string' && port.trim().length === 0) ||
      +port !== (+port >>> 0) || port > 0xffff || (port === 0 && !allowZero)) {
    throw new codes.ERR_SOCKET_BAD_PORT(name, port, allowZero);
  }
  return port | 0;
}

function validateAbortSignal(signal, name) {
  if (signal !== undefined && (signal === null || typeof signal !== 'object' || !('aborted' in signal))) {
    throw new codes.ERR_INVALID_ARG_TYPE(name, 'AbortSignal', signal);
  }
}

function validateFunction(value, name) {
  if (typeof value !== 'function') throw new codes.ERR_INVALID_ARG_TYPE(name, 'Function', value);
}

function validatePlainFunction(value, name) {
  if (typeof value !== 'function' || require('internal/util/types').isAsyncFunction(value)) {
    throw new codes.ERR_INVALID_ARG_TYPE(name, 'Function', value);
  }
}

function validateUndefined(value, name) {
  if (value !== undefined) throw new codes.ERR_INVALID_ARG_TYPE(name, 'undefined', value);
}

function validateUnion(value, name, union) {
  if (!union.includes(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, `('${union.join('|')}')`, value);
}

function validateThisInternalField(object, fieldKey, className) {
  if (typeof object !== 'object' || object === null || !(fieldKey in object)) throw new codes.ERR_INVALID_THIS(className);
}

function validateFinite(value, name) {
  validateNumber(value, name);
  if (!Number.isFinite(value)) throw new codes.ERR_OUT_OF_RANGE(name, 'a finite number', value);
}

function checkRangesOrGetDefault(value, name, lower, upper, def) {
  if (value === undefined) return def;
  if (Number.isNaN(value)) return def;
  validateFinite(value, name);
  if (value < lower || value > upper) throw new codes.ERR_OUT_OF_RANGE(name, `>= ${lower} and <= ${upper}`, value);
  return value;
}

module.exports = {
  isInt32,
  isUint32,
  parseFileMode,
  validateAbortSignal,
  validateAbortSignalArray,
  validateArray,
  validateBoolean,
  validateBooleanArray,
  validateBuffer,
  validateDictionary,
  validateEncoding,
  validateFinite,
  validateFunction,
  validateInt32,
  validateInteger,
  validateNumber,
  validateObject,
  kValidateObjectNone,
  kValidateObjectAllowNullable,
  kValidateObjectAllowArray,
  kValidateObjectAllowFunction,
  kValidateObjectAllowObjects,
  kValidateObjectAllowObjectsAndNull,
  validateOneOf,
  validatePlainFunction,
  validatePort,
  validateSignalName,
  validateString,
  validateStringArray,
  validateThisInternalField,
  validateUint32,
  validateUndefined,
  validateUnion,
  checkRangesOrGetDefault,
};
