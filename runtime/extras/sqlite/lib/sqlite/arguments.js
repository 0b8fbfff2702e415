'use strict';

// Errors of node:sqlite, and checks of arguments.
//
// The errors of node:sqlite. They are plain errors with a code; those of SQLite itself have its extended code and its
// name for that. C does not make them: it calls `make` here, with the kind (sqlite_error in runtime/shared.table).

const { isPromise } = require('internal/util/types');
const { sqliteError: kind } = require('internal/shared');

const coded = (Kind, code, message) => Object.assign(new Kind(message), { code });

const wrongType = (message) => coded(TypeError, 'ERR_INVALID_ARG_TYPE', message);
const wrongValue = (message) => coded(TypeError, 'ERR_INVALID_ARG_VALUE', message);
const outOfRange = (message) => coded(RangeError, 'ERR_OUT_OF_RANGE', message);
const wrongState = (message) => coded(Error, 'ERR_INVALID_STATE', message);
const argument = (name, wanted) => wrongType(`The "${name}" argument must be ${wanted}.`);
const makers = {
  [kind.kFailed]: (message, errcode, errstr) =>
    Object.assign(coded(Error, 'ERR_SQLITE_ERROR', message), { errcode, errstr }),
  [kind.kTooLarge]: (digits) => outOfRange(`Value is too large to be represented as a JavaScript number: ${digits}`),
  [kind.kNoValue]: (index) => wrongType(`Provided value cannot be bound to SQLite parameter ${index}.`),
  [kind.kWideBigint]: () => wrongValue('BigInt value is too large to bind.'),
  [kind.kUnsuitable]: (value) =>
    isPromise(value)
      ? 'Asynchronous user-defined functions are not supported'
      : 'Returned JavaScript value cannot be converted to a SQLite value',
};

internalBinding('sqlite').setErrorMaker((number, a, b, c) => makers[number](a, b, c));

// Checks of arguments, with node:sqlite's messages (they differ from the rest of Node).

function needString(value, name) {
  if (typeof value !== 'string') throw argument(name, 'a string');
  return value;
}

function needBoolean(value, name) {
  if (typeof value !== 'boolean') throw argument(name, 'a boolean');
  return value;
}

function needFunction(value, name) {
  if (typeof value !== 'function') throw argument(name, 'a function');
  return value;
}

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

// undefined stands for no options.
function optionsOf(value) {
  if (value === undefined) return {};
  if (!isObject(value)) throw argument('options', 'an object');
  return value;
}

// An optional option.
function choice(options, key, otherwise, need = needBoolean) {
  const value = options[key];
  return value === undefined ? otherwise : need(value, `options.${key}`);
}

const isInt32 = (value) => Number.isInteger(value) && value === (value | 0);

function needInteger(value, name) {
  if (!isInt32(value)) throw argument(name, 'an integer');
  return value;
}

// A path for SQLite: text or bytes. URLs keep their query, which SQLite reads, too.
function pathOf(value) {
  if (typeof value === 'string') {
    if (!value.includes('\0')) return value;
  } else if (value instanceof Uint8Array) {
    if (!value.includes(0)) return value;
  } else if (isObject(value) && typeof value.href === 'string') {
    if (!value.href.startsWith('file:'))
      throw coded(TypeError, 'ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file:');
    return value.href;
  }
  throw wrongType('The "path" argument must be a string, Uint8Array, or URL without null bytes.');
}

// The classes resemble Node's native ones: methods are enumerable and have a length of 0.
function present(Kind, order) {
  const { prototype } = Kind;
  const methods = new Map(order.map((name) => [name, prototype[name]]));
  for (const name of order) delete prototype[name];
  delete prototype.constructor;
  for (const [name, method] of methods) {
    Object.defineProperty(method, 'length', { value: 0, configurable: true });
    Object.defineProperty(prototype, name, { value: method, writable: true, enumerable: true, configurable: true });
  }
  Object.defineProperty(prototype, 'constructor', {
    value: Kind,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  Object.defineProperty(Kind, 'length', { value: 0, configurable: true });
}

// Only this module's own code may make instances of some classes: it passes this key.
const key = Symbol('maker');
function needKey(shown) {
  if (shown !== key) throw coded(Error, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
}

module.exports = {
  argument,
  coded,
  outOfRange,
  wrongState,
  wrongType,
  wrongValue,
  choice,
  isInt32,
  isObject,
  key,
  needBoolean,
  needFunction,
  needInteger,
  needKey,
  needString,
  optionsOf,
  pathOf,
  present,
};
