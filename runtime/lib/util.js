'use strict';

// Small functions that many modules share. This module must not load a module that loads this one.

const { codes, uvErrmap } = require('internal/errors');

// ---- encodings ----

function encodingNamed(name) {
  switch (name) {
    case '':
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
    case 'base64url':
    case 'hex':
    case 'ascii':
      return name;
    default:
      return undefined;
  }
}

// The name that Buffer uses; undefined for an unknown encoding.
function normalizeEncoding(encoding) {
  if (encoding == null) return 'utf8';
  return encodingNamed(encoding) ?? encodingNamed(`${encoding}`.toLowerCase());
}

// ---- deprecation ----

const toldCodes = new Set(); // each code is warned of once, whichever function has it

function deprecate(fn, msg, code, { modifyPrototype = true } = {}) {
  if (process.noDeprecation === true) return fn;
  if (code !== undefined && typeof code !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('code', 'string', code);
  let isTold = false;
  const tell = () => {
    isTold = true;
    if (code && toldCodes.has(code)) return;
    if (code) toldCodes.add(code);
    process.emitWarning(msg, 'DeprecationWarning', code || undefined, deprecated);
  };
  const deprecated = function (...args) {
    if (!isTold) tell();
    return new.target === undefined ? Reflect.apply(fn, this, args) : Reflect.construct(fn, args, new.target);
  };
  if (modifyPrototype) {
    Object.defineProperty(deprecated, 'length', { __proto__: null, ...Object.getOwnPropertyDescriptor(fn, 'length') });
    if (fn.prototype) deprecated.prototype = fn.prototype;
    Object.setPrototypeOf(deprecated, fn);
  }
  return deprecated;
}

// ---- promisify ----

const kPromisified = Symbol.for('nodejs.util.promisify.custom');
const kValueNames = Symbol('names of the values'); // for functions whose callback gets several

const kMistake = 'Calling promisify on a function that returns a Promise is likely a mistake.';
let hasWarned = false;
function warnOfPromise(value) {
  if (hasWarned || typeof value !== 'object' || value === null || !require('internal/util/types').isPromise(value))
    return;
  hasWarned = true;
  process.emitWarning(kMistake, 'DeprecationWarning', 'DEP0174');
}

// A promisified function is its own promisified form.
const asOwnForm = (fn) => Object.defineProperty(fn, kPromisified, { __proto__: null, value: fn, configurable: true });

function promisify(original) {
  if (typeof original !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('original', 'function', original);
  const given = original[kPromisified];
  if (given) {
    if (typeof given !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('util.promisify.custom', 'Function', given);
    return asOwnForm(given);
  }
  const names = original[kValueNames];
  const valueOf = (values) =>
    names === undefined || values.length < 2
      ? values[0]
      : Object.fromEntries(names.map((name, i) => [name, values[i]]));
  const promisified = function (...args) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const settle = (error, ...values) => {
      if (error) reject(error);
      else resolve(valueOf(values));
    };
    try {
      warnOfPromise(Reflect.apply(original, this, [...args, settle]));
    } catch (error) {
      reject(error);
    }
    return promise;
  };
  Object.setPrototypeOf(promisified, Object.getPrototypeOf(original));
  asOwnForm(promisified);
  for (const key of Reflect.ownKeys(original)) {
    Object.defineProperty(promisified, key, { __proto__: null, ...Object.getOwnPropertyDescriptor(original, key) });
  }
  return promisified;
}
promisify.custom = kPromisified;

// ---- the system's errors and signals ----

const isKnown = (errno) => internalBinding('uv').getErrorMap().has(errno);
const getSystemErrorName = (errno) => (isKnown(errno) ? uvErrmap(errno)[0] : `Unknown system error ${errno}`);
const getSystemErrorMessage = (errno) => (isKnown(errno) ? uvErrmap(errno)[1] : undefined);

const signalNumbers = () => require('os').constants.signals;

// The number of a signal, which may be given as one or by name.
function convertToValidSignal(signal) {
  const signals = signalNumbers();
  const number =
    typeof signal === 'string' ? signals[signal.toUpperCase()] : Object.values(signals).find((each) => each === signal);
  if (!number) throw new codes.ERR_UNKNOWN_SIGNAL(signal);
  return number;
}

// The exit code that a shell shows for a process that a signal ended.
function convertProcessSignalToExitCode(signal) {
  const signals = signalNumbers();
  require('internal/validators').validateOneOf(signal, 'signal', Object.keys(signals));
  return 128 + signals[signal];
}

module.exports = {
  normalizeEncoding,
  deprecate,
  promisify,
  customPromisifyArgs: kValueNames,
  customInspectSymbol: Symbol.for('nodejs.util.inspect.custom'),
  defineLazyProperties: require('internal/util/lazy_properties').defineLazyProperties,
  getSystemErrorName,
  getSystemErrorMessage,
  convertToValidSignal,
  convertProcessSignalToExitCode,
  toText: require('internal/util/text').toText,
  toUSVString: (value) => `${value}`.toWellFormed(),
  sleep: (ms) => {
    internalBinding('util').sleep(ms);
  },
};
