'use strict';

// Small tools that many modules share. Nothing here may need a module that needs this one at load time.

const { codes } = require('internal/errors');

const kCustomPromisified = Symbol.for('nodejs.util.promisify.custom');
const kCustomPromisifyArgs = Symbol('customPromisifyArgs');
const kEmptyObject = Object.freeze({ __proto__: null });
const kEnumerable = { __proto__: null, enumerable: true };

function normalizeEncoding(encoding) {
  if (encoding == null || encoding === 'utf8' || encoding === 'utf-8') return 'utf8';
  return slowNormalizeEncoding(encoding);
}

function slowNormalizeEncoding(encoding) {
  if (encoding === '') return 'utf8';
  switch (typeof encoding === 'string' ? encoding.toLowerCase() : `${encoding}`.toLowerCase()) {
    case 'utf8':
    case 'utf-8':
      return 'utf8';
    case 'ucs2':
    case 'ucs-2':
    case 'utf16le':
    case 'utf-16le':
      return 'utf16le';
    case 'latin1':
    case 'binary':
      return 'latin1';
    case 'base64':
      return 'base64';
    case 'base64url':
      return 'base64url';
    case 'hex':
      return 'hex';
    case 'ascii':
      return 'ascii';
    default:
      return undefined;
  }
}

const warnedCodes = new Set();

function deprecate(fn, msg, code, { modifyPrototype = true } = kEmptyObject) {
  if (process.noDeprecation === true) return fn;
  if (code !== undefined && typeof code !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('code', 'string', code);
  let warned = false;
  function deprecated(...args) {
    if (!warned) {
      warned = true;
      if (code === undefined || code === '') {
        process.emitWarning(msg, 'DeprecationWarning', undefined, deprecated);
      } else if (!warnedCodes.has(code)) {
        warnedCodes.add(code);
        process.emitWarning(msg, 'DeprecationWarning', code, deprecated);
      }
    }
    if (new.target) return Reflect.construct(fn, args, new.target);
    return Reflect.apply(fn, this, args);
  }
  if (modifyPrototype) {
    Object.setPrototypeOf(deprecated, fn);
    if (fn.prototype) deprecated.prototype = fn.prototype;
  }
  Object.defineProperty(deprecated, 'length', { __proto__: null, ...Object.getOwnPropertyDescriptor(fn, 'length') });
  return deprecated;
}

function getDeprecationWarningEmitter(code, msg, deprecated, useEmitSync, shouldEmit = () => true) {
  let warned = false;
  return () => {
    if (!warned && shouldEmit()) {
      warned = true;
      process.emitWarning(msg, 'DeprecationWarning', code, deprecated);
    }
  };
}

let promisifyWarned = false;
function promisify(original) {
  if (typeof original !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('original', 'function', original);
  if (original[kCustomPromisified]) {
    const fn = original[kCustomPromisified];
    if (typeof fn !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('util.promisify.custom', 'Function', fn);
    return Object.defineProperty(fn, kCustomPromisified, { __proto__: null, value: fn, enumerable: false, writable: false, configurable: true });
  }
  const argumentNames = original[kCustomPromisifyArgs];
  function fn(...args) {
    return new Promise((resolve, reject) => {
      args.push((err, ...values) => {
        if (err) return reject(err);
        if (argumentNames !== undefined && values.length > 1) {
          const result = {};
          for (let i = 0; i < argumentNames.length; i++) result[argumentNames[i]] = values[i];
          resolve(result);
        } else {
          resolve(values[0]);
        }
      });
      const returned = Reflect.apply(original, this, args);
      if (!promisifyWarned && returned !== null && typeof returned === 'object' && require('internal/util/types').isPromise(returned)) {
        promisifyWarned = true;
        process.emitWarning('Calling promisify on a function that returns a Promise is likely a mistake.', 'DeprecationWarning', 'DEP0174');
      }
    });
  }
  Object.setPrototypeOf(fn, Object.getPrototypeOf(original));
  Object.defineProperty(fn, kCustomPromisified, { __proto__: null, value: fn, enumerable: false, writable: false, configurable: true });
  const descriptors = Object.getOwnPropertyDescriptors(original);
  for (const key of Reflect.ownKeys(descriptors)) Object.setPrototypeOf(descriptors[key], null);
  return Object.defineProperties(fn, descriptors);
}
promisify.custom = kCustomPromisified;

function once(callback) {
  let called = false;
  return function (...args) {
    if (called) return undefined;
    called = true;
    return Reflect.apply(callback, this, args);
  };
}

// The methods of an object that stand alone, without an inherited name in the way.
function defineLazyProperties(target, id, names, enumerable = true) {
  for (const name of names) {
    Object.defineProperty(target, name, {
      __proto__: null,
      enumerable,
      configurable: true,
      get() {
        const value = require(id)[name];
        Object.defineProperty(target, name, { __proto__: null, value, writable: true, enumerable, configurable: true });
        return value;
      },
      set(value) {
        Object.defineProperty(target, name, { __proto__: null, value, writable: true, enumerable, configurable: true });
      },
    });
  }
}

function defineOperation(target, name, method) {
  Object.defineProperty(target, name, { __proto__: null, writable: true, enumerable: true, configurable: true, value: method });
}

function createClassWrapper(type) {
  function fn(...args) {
    return Reflect.construct(type, args, new.target || type);
  }
  Object.defineProperties(fn, {
    name: { __proto__: null, value: type.name },
    length: { __proto__: null, value: type.length },
  });
  Object.setPrototypeOf(fn, type);
  fn.prototype = type.prototype;
  return fn;
}

function getSystemErrorName(err) {
  return internalBinding('uv').getErrorMap().get(err)?.[0] ?? `Unknown system error ${err}`;
}

function getSystemErrorMessage(err) {
  return internalBinding('uv').getErrorMap().get(err)?.[1];
}

function getConstructorOf(object) {
  while (object) {
    const descriptor = Object.getOwnPropertyDescriptor(object, 'constructor');
    if (descriptor !== undefined && typeof descriptor.value === 'function' && descriptor.value.name !== '') return descriptor.value;
    object = Object.getPrototypeOf(object);
  }
  return null;
}

let signalNames;
function convertToValidSignal(signal) {
  const { signals } = require('os').constants;
  if (typeof signal === 'number') {
    signalNames ??= new Map(Object.entries(signals).map(([name, number]) => [number, name]));
    if (signalNames.has(signal)) return signal;
  }
  if (typeof signal === 'string') {
    const number = signals[signal.toUpperCase()];
    if (number) return number;
  }
  throw new codes.ERR_UNKNOWN_SIGNAL(signal);
}

function convertProcessSignalToExitCode(signal) {
  const { validateOneOf } = require('internal/validators');
  const { signals } = require('os').constants;
  validateOneOf(signal, 'signal', Object.keys(signals));
  return 128 + signals[signal];
}

function assignFunctionName(name, fn, descriptor = kEmptyObject) {
  if (typeof name !== 'string') name = name.description ? `[${name.description}]` : '';
  return Object.defineProperty(fn, 'name', {
    __proto__: null, writable: false, enumerable: false, configurable: true, ...Object.getOwnPropertyDescriptor(fn, 'name'), ...descriptor, value: name,
  });
}

function isError(value) {
  return require('internal/util/types').isNativeError(value) || value instanceof Error;
}

// A value as text; the words of the errors are those that programs know from Node.
function toText(value) {
  if (typeof value === 'string') return value;
  if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
  try {
    return `${value}`;
  } catch (err) {
    if (err instanceof TypeError && err.message === 'No default value') throw new TypeError('Cannot convert object to primitive value');
    throw err;
  }
}

function toUSVString(value) {
  return `${value}`.toWellFormed();
}

module.exports = {
  assignFunctionName,
  convertProcessSignalToExitCode,
  convertToValidSignal,
  createClassWrapper,
  customInspectSymbol: Symbol.for('nodejs.util.inspect.custom'),
  customPromisifyArgs: kCustomPromisifyArgs,
  defineLazyProperties,
  defineOperation,
  deprecate,
  getConstructorOf,
  getDeprecationWarningEmitter,
  getSystemErrorMessage,
  getSystemErrorName,
  isError,
  kEmptyObject,
  kEnumerableProperty: kEnumerable,
  normalizeEncoding,
  once,
  promisify,
  toText,
  toUSVString,
  sleep(ms) {
    internalBinding('util').sleep(ms);
  },
  isWindows: process.platform === 'win32',
  isMacOS: process.platform === 'darwin',
  SymbolDispose: Symbol.dispose,
  SymbolAsyncDispose: Symbol.asyncDispose,
};
