'use strict';

// Checks of arguments, with node:sqlite's messages (they differ from the rest of Node).

const { argument, coded, wrongType } = require('internal/sqlite/errors');

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
