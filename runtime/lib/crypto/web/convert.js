'use strict';

// Errors of Web Cryptography, and conversions of its arguments.
//
// How operations of the Web Cryptography API fail: with exceptions of the web that have one of a few names.

const { coded } = require('internal/crypto/work');
const { codes } = require('internal/errors');
const { isArrayBuffer, isArrayBufferView, isSharedArrayBuffer, isUint8Array } = require('internal/util/types');
const { CryptoKey, isCryptoKey, usageNames } = require('internal/crypto/web/key');

function exception(name, message, cause) {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException(message, cause === undefined ? { name } : { name, cause });
}

const unsupported = (message) => exception('NotSupportedError', message);
const badData = (message, cause) => exception('DataError', message, cause);
const badAccess = (message) => exception('InvalidAccessError', message);
const badUsage = (message) => exception('SyntaxError', message);
const badOperation = (message) => exception('OperationError', message);

// A failure of the library is shown with this message only; the reason is the cause.
const operationFailed = (cause) =>
  exception('OperationError', 'The operation failed for an operation-specific reason', cause);

// Web IDL conversions: values that a program gives become values of the types that the interface declares. A type is a
// function (value, place) that gives the converted value or throws; a place knows how errors name the value.

// The position of a value in errors: "Failed to ...: name".
class Place {
  constructor(action, name) {
    this.action = action;
    this.name = name;
  }

  member(name) {
    return new Place(this.action, `${name} in ${this.name}`);
  }

  item(index) {
    return new Place(this.action, `${this.name}[${index}]`);
  }

  refuse(what, code = 'ERR_INVALID_ARG_TYPE') {
    return coded(TypeError, code, `${this.action}: ${this.name} ${what}`);
  }
}

const ordinals = ['1st', '2nd', '3rd', '4th', '5th', '6th', '7th'];

// ---------------------------------------------------------------- simple types

const boolean = (value) => Boolean(value);

function text(value, place) {
  if (typeof value === 'symbol') throw place.refuse('is a Symbol and cannot be converted to a string.');
  return String(value);
}

function numberOf(value, place) {
  if (typeof value === 'bigint') throw place.refuse('is a BigInt and cannot be converted to a number.');
  if (typeof value === 'symbol') throw place.refuse('is a Symbol and cannot be converted to a number.');
  return Number(value);
}

// [EnforceRange]: a number out of range is an error.
const integer = (bits) => (value, place) => {
  const number = numberOf(value, place);
  const most = 2 ** bits - 1;
  if (!Number.isFinite(number)) throw place.refuse('is not a finite number.');
  const whole = Math.trunc(number);
  if (whole < 0 || whole > most)
    throw place.refuse(`is outside the expected range of 0 to ${most}.`, 'ERR_OUT_OF_RANGE');
  return whole === 0 ? 0 : whole;
};

const octet = integer(8);
const short = integer(16);
const long = integer(32);
const longOrNull = (value, place) => (value == null ? null : long(value, place));

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

function refuseShared(view, place) {
  if (isSharedArrayBuffer(view.buffer)) throw place.refuse('is a view on a SharedArrayBuffer, which is not allowed.');
}

function bytes(value, place) {
  if (isArrayBuffer(value)) return value;
  if (!isArrayBufferView(value)) throw place.refuse('is not instance of ArrayBuffer, Buffer, TypedArray, or DataView.');
  refuseShared(value, place);
  return value;
}

function bigInteger(value, place) {
  if (!isUint8Array(value)) throw place.refuse('is not an Uint8Array object.');
  refuseShared(value, place);
  return value;
}

function cryptoKey(value, place) {
  if (isCryptoKey(value)) return value;
  // An object that only looks like one.
  if (isObject(value) && Object.prototype.isPrototypeOf.call(CryptoKey.prototype, value))
    throw new codes.ERR_INVALID_THIS('CryptoKey');
  throw place.refuse('is not of type CryptoKey.');
}

const algorithmIdentifier = (value, place) => (isObject(value) ? value : text(value, place));

const oneOf = (name, allowed) => (value, place) => {
  const word = text(value, place);
  if (!allowed.has(word))
    throw place.refuse(`'${word}' is not a valid enum value of type ${name}.`, 'ERR_INVALID_ARG_VALUE');
  return word;
};

const keyFormat = oneOf(
  'KeyFormat',
  new Set(['raw', 'raw-public', 'raw-private', 'raw-seed', 'raw-secret', 'pkcs8', 'spki', 'jwk']),
);
const keyUsage = oneOf('KeyUsage', new Set(usageNames));

const list = (type) => (value, place) => {
  const iterate = isObject(value) ? value[Symbol.iterator] : undefined;
  if (typeof iterate !== 'function') throw place.refuse('cannot be converted to sequence.');
  const items = [];
  const iterator = Reflect.apply(iterate, value, []);
  for (let step = iterator.next(); !step.done; step = iterator.next())
    items.push(type(step.value, place.item(items.length)));
  return items;
};

const usageList = list(keyUsage);

// ---------------------------------------------------------------- dictionaries

// members: [name, type, whether it is required], in the order in which they are read
const dictionary = (name, members) => (value, place) => {
  if (value != null && !isObject(value)) throw place.refuse('cannot be converted to a dictionary');
  const result = { __proto__: null };
  for (const [member, type, isRequired] of members) {
    const given = value == null ? undefined : value[member];
    if (given !== undefined) result[member] = type(given, place.member(member));
    else if (isRequired) {
      throw place.refuse(
        `cannot be converted to '${name}' because '${member}' is required in '${name}'.`,
        'ERR_MISSING_OPTION',
      );
    }
  }
  return result;
};

const sorted = (names, type) => names.map((name) => [name, type]);
const otherPrime = dictionary('RsaOtherPrimesInfo', sorted(['d', 'r', 't'], text));
const jsonWebKey = dictionary('JsonWebKey', [
  ...sorted(['alg', 'crv', 'd', 'dp', 'dq', 'e'], text),
  ['ext', boolean],
  ['k', text],
  ['key_ops', list(text)],
  ...sorted(['kty', 'n'], text),
  ['oth', list(otherPrime)],
  ...sorted(['p', 'priv', 'pub', 'q', 'qi', 'use', 'x', 'y'], text),
]);

// ---------------------------------------------------------------- calls

// The arguments of a method, converted one after the other. `types` are those of its parameters; `needed` of them must
// be there.
function convertArguments(interfaceName, method, given, types, needed = types.length) {
  const action = `Failed to execute '${method}' on '${interfaceName}'`;
  if (given.length < needed) {
    throw coded(
      TypeError,
      'ERR_MISSING_ARGS',
      `${action}: ${needed} argument${needed === 1 ? '' : 's'} required, but only ${given.length} present.`,
    );
  }
  const converted = [];
  for (const [index, type] of types.entries()) {
    const place = new Place(action, `${ordinals[index]} argument`);
    converted.push(index < given.length || index < needed ? type(given[index], place, converted) : undefined);
  }
  return converted;
}

module.exports = {
  unsupported,
  badData,
  badAccess,
  badUsage,
  badOperation,
  operationFailed,
  Place,
  convertArguments,
  dictionary,
  types: {
    boolean,
    text,
    octet,
    short,
    long,
    longOrNull,
    bytes,
    bigInteger,
    cryptoKey,
    algorithmIdentifier,
    keyFormat,
    usageList,
    // The type of the key data depends on the format, which is the argument before it.
    keyData: (value, place, [format]) => (format === 'jwk' ? jsonWebKey(value, place) : bytes(value, place)),
    jsonWebKey,
  },
};
