'use strict';

// node:util. Each part lives in a file of its own and is loaded when it is first used.

const { codes, ErrnoException, ExceptionWithHostPort } = require('internal/errors');
const {
  validateFunction,
  validateNumber,
  validateString,
  validateObject,
  validateBoolean,
  validateOneOf,
  validateInteger,
} = require('internal/validators');
const { inspect, format, formatWithOptions, stripVTControlCharacters } = require('internal/util/inspect');
const {
  deprecate,
  promisify,
  toUSVString,
  convertProcessSignalToExitCode,
  defineLazyProperties,
  getSystemErrorName: nameOfError,
  getSystemErrorMessage: messageOfError,
} = require('internal/util');
const types = require('internal/util/types');
const { debuglog } = require('internal/util/debuglog');

const isArray = deprecate(
  function isArray(value) {
    return Array.isArray(value);
  },
  'The `util.isArray` API is deprecated. Please use `Array.isArray()` instead.',
  'DEP0044',
);

// ---------------------------------------------------------------- callbackify, inherits

function callbackifyOnRejected(reason, callback) {
  if (!reason) {
    reason = new codes.ERR_FALSY_VALUE_REJECTION(reason);
  }
  return callback(reason);
}

function callbackify(original) {
  if (typeof original !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('original', 'function', original);
  function callbackified(...args) {
    const callback = args.pop();
    validateFunction(callback, 'last argument');
    const bound = callback.bind(this);
    Reflect.apply(original, this, args).then(
      (value) => process.nextTick(bound, null, value),
      (reason) => process.nextTick(callbackifyOnRejected, reason, bound),
    );
  }
  const descriptors = Object.getOwnPropertyDescriptors(original);
  if (typeof descriptors.length.value === 'number') descriptors.length.value++;
  if (typeof descriptors.name.value === 'string') descriptors.name.value += 'Callbackified';
  for (const key of Reflect.ownKeys(descriptors)) Object.setPrototypeOf(descriptors[key], null);
  Object.defineProperties(callbackified, descriptors);
  return callbackified;
}

function inherits(constructor, superConstructor) {
  const refuse = (name, wanted, value) => {
    throw new codes.ERR_INVALID_ARG_TYPE(name, wanted, value);
  };
  if (constructor == null) refuse('ctor', 'function', constructor);
  if (superConstructor == null) refuse('superCtor', 'function', superConstructor);
  const { prototype } = superConstructor;
  if (prototype === undefined) refuse('superCtor.prototype', 'Object', prototype);
  Object.setPrototypeOf(constructor.prototype, prototype);
  Object.defineProperty(constructor, 'super_', {
    __proto__: null,
    value: superConstructor,
    writable: true,
    configurable: true,
  });
}

function _extend(target, source) {
  return source !== null && typeof source === 'object' ? Object.assign(target, source) : target;
}

// ---------------------------------------------------------------- styleText

const hexColor = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;

function hexCode(text) {
  let digits = text.slice(1);
  if (digits.length === 3) digits = digits.replace(/./g, '$&$&');
  const number = parseInt(digits, 16);
  return [`38;2;${number >> 16};${(number >> 8) & 255};${number & 255}`, 39];
}

function styleText(textFormat, text, options = {}) {
  const validateStream = options?.validateStream ?? true;
  const stream = options?.stream ?? process.stdout;
  validateString(text, 'text');
  if (options !== undefined) validateObject(options, 'options');
  validateBoolean(validateStream, 'options.validateStream');
  let skip = false;
  if (validateStream) {
    const isStream =
      stream !== null &&
      typeof stream === 'object' &&
      (typeof stream.write === 'function' ||
        typeof stream.pipe === 'function' ||
        typeof stream.getReader === 'function' ||
        typeof stream.getWriter === 'function');
    if (!isStream) {
      throw new codes.ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
    }
    skip = !require('internal/tty').shouldColorize(stream);
  }
  const formats = Array.isArray(textFormat) ? textFormat : [textFormat];
  let left = '';
  let right = '';
  const closers = [];
  for (const key of formats) {
    if (key === 'none') continue;
    let pair = inspect.colors[key];
    if (pair === undefined && typeof key === 'string' && key[0] === '#') {
      if (!hexColor.test(key))
        throw new codes.ERR_INVALID_ARG_VALUE('format', key, 'must be a valid hex color (#RGB or #RRGGBB)');
      pair = hexCode(key);
    }
    if (pair === undefined) {
      validateOneOf(key, 'format', Object.getOwnPropertyNames(inspect.colors));
    }
    if (skip) continue;
    left += `\u001b[${pair[0]}m`;
    right = `\u001b[${pair[1]}m${right}`;
    closers.push(pair);
  }
  if (skip) return text;
  // A closing code inside the text would end our style as well: after it, the style is opened again.
  let inner = text;
  for (let i = closers.length - 1; i >= 0; i--) {
    const [open, close] = closers[i];
    const closing = `\u001b[${close}m`;
    if (inner.includes(closing)) {
      const opening = `\u001b[${open}m`;
      const reopen = open === 1 || open === 2 ? closing + opening : opening;
      const at = inner.lastIndexOf(closing) + closing.length;
      inner =
        at === inner.length
          ? inner.slice(0, at - closing.length).replaceAll(closing, reopen) + closing
          : inner.replaceAll(closing, reopen);
    }
  }
  return `${left}${inner}${right}`;
}

// ---------------------------------------------------------------- system errors

function checkErrorNumber(err) {
  validateNumber(err, 'err');
  if (err >= 0 || !Number.isSafeInteger(err)) throw new codes.ERR_OUT_OF_RANGE('err', 'a negative integer', err);
}

function getSystemErrorName(err) {
  checkErrorNumber(err);
  return nameOfError(err);
}

function getSystemErrorMessage(err) {
  checkErrorNumber(err);
  return messageOfError(err);
}

function getSystemErrorMap() {
  return internalBinding('uv').getErrorMap();
}

// ---------------------------------------------------------------- call sites, environment files

// getCallSites([frameCount][, options])
function getCallSites(...args) {
  const [frameCount, options] =
    typeof args[0] === 'object' && args[1] === undefined ? [10, args[0]] : [args[0] ?? 10, args[1] ?? {}];
  validateObject(options, 'options');
  if (options.sourceMap !== undefined) validateBoolean(options.sourceMap, 'options.sourceMap');
  validateInteger(frameCount, 'frameCount', 1, 200);
  const sites = internalBinding('util')
    .getCallSites(frameCount + 1)
    .slice(1);
  return options.sourceMap === false ? sites : sites.map(placed);
}

// Mapped to the source, if source maps are switched on.
function placed(site) {
  const { placeOf } = require('internal/errors/frames');
  const { file, line, column } = placeOf({ file: site.scriptName, line: site.lineNumber, column: site.columnNumber });
  return { ...site, scriptName: file, lineNumber: line, columnNumber: column, column };
}

const envLine = /^[ \t]*(?:export[ \t]+)?([^=\s#][^=\n#]*?)[ \t]*=[ \t]*/;

// The lines of a .env file as an object; quoted values may span lines.
function parseEnv(content) {
  validateString(content, 'content');
  const result = { __proto__: null };
  let text = content.replace(/\r\n?/g, '\n');
  while (text.length > 0) {
    text = text.replace(/^\s+/, '');
    if (text === '') break;
    if (text[0] === '#') {
      const end = text.indexOf('\n');
      text = end === -1 ? '' : text.slice(end + 1);
      continue;
    }
    const match = envLine.exec(text);
    if (match === null) {
      const end = text.indexOf('\n');
      text = end === -1 ? '' : text.slice(end + 1);
      continue;
    }
    const key = match[1];
    text = text.slice(match[0].length);
    const quote = text[0];
    if (quote === '"' || quote === "'" || quote === '`') {
      const close = text.indexOf(quote, 1);
      if (close !== -1) {
        let value = text.slice(1, close);
        if (quote === '"') value = value.replaceAll('\\n', '\n');
        result[key] = value;
        const end = text.indexOf('\n', close + 1);
        text = end === -1 ? '' : text.slice(end + 1);
        continue;
      }
    }
    const end = text.indexOf('\n');
    let value = end === -1 ? text : text.slice(0, end);
    const hash = value.indexOf('#');
    if (hash !== -1) value = value.slice(0, hash);
    result[key] = value.trim();
    text = end === -1 ? '' : text.slice(end + 1);
  }
  return result;
}

function isDeepStrictEqual(a, b, options) {
  const skipPrototype = typeof options === 'boolean' ? options : options?.skipPrototype;
  return require('internal/util/comparisons').isDeepStrictEqual(a, b, skipPrototype === true);
}

// A function that makes an error whose stack begins at its caller.
function making(name, Kind) {
  const make = {
    [name](...args) {
      const error = new Kind(...args);
      Error.captureStackTrace(error, make);
      return error;
    },
  }[name];
  return make;
}

module.exports = {
  _errnoException: making('_errnoException', ErrnoException),
  _exceptionWithHostPort: making('_exceptionWithHostPort', ExceptionWithHostPort),
  _extend: deprecate(_extend, 'The `util._extend` API is deprecated. Please use Object.assign() instead.', 'DEP0060'),
  callbackify,
  convertProcessSignalToExitCode,
  debug: debuglog,
  debuglog,
  deprecate,
  format,
  styleText,
  formatWithOptions,
  getCallSites,
  getSystemErrorMap,
  getSystemErrorName,
  getSystemErrorMessage,
  inherits,
  inspect,
  isArray,
  isDeepStrictEqual,
  markPromiseAsHandled(promise) {
    promise.then(undefined, () => {});
  },
  promisify,
  stripVTControlCharacters,
  toUSVString,
  get transferableAbortSignal() {
    return require('internal/abort_controller').transferableAbortSignal;
  },
  get transferableAbortController() {
    return require('internal/abort_controller').transferableAbortController;
  },
  get aborted() {
    return require('internal/abort_controller').aborted;
  },
  types,
  parseEnv,
};
defineLazyProperties(module.exports, 'internal/util/parse_args', ['parseArgs']);
defineLazyProperties(module.exports, 'internal/encoding', ['TextDecoder', 'TextEncoder']);
defineLazyProperties(module.exports, 'internal/mime', ['MIMEType', 'MIMEParams']);
defineLazyProperties(module.exports, 'internal/util/diff', ['diff']);
defineLazyProperties(module.exports, 'internal/util/rate', ['debounce', 'throttle']);
module.exports.setTraceSigInt = function setTraceSigInt(enable) {
  validateBoolean(enable, 'enable');
  internalBinding('util').setTraceSigInt?.(enable);
};
