'use strict';

// Native addons: process.dlopen, and the part of Node-API that is easier to write in JavaScript than with the engine's
// C API. The order of the helpers is that of `enum js_napi_helper` (runtime/napi/napi.h).

const { FastBuffer } = require('internal/buffer/class');
const frame = require('internal/async/context');
const { isSharedArrayBuffer } = require('internal/util/types');
const binding = internalBinding('addons');

const kWritable = 1,
  kEnumerable = 2,
  kConfigurable = 4,
  kSkipStrings = 8,
  kSkipSymbols = 16;
const kRtldLazy = 1;

// ---- properties ----

function define(object, key, value, get, set, attributes) {
  const descriptor = {
    __proto__: null,
    enumerable: (attributes & kEnumerable) !== 0,
    configurable: (attributes & kConfigurable) !== 0,
  };
  if (get !== undefined || set !== undefined) Object.assign(descriptor, { get, set });
  else Object.assign(descriptor, { value, writable: (attributes & kWritable) !== 0 });
  Object.defineProperty(object, key, descriptor);
}

const isIndex = (key) => typeof key === 'string' && String(key >>> 0) === key && key !== '4294967295';

function fits(descriptor, filter) {
  if ((filter & kEnumerable) !== 0 && !descriptor.enumerable) return false;
  if ((filter & kConfigurable) !== 0 && !descriptor.configurable) return false;
  return (filter & kWritable) === 0 || descriptor.writable !== false;
}

// A name of an object hides the same name of its prototypes, also if the filter leaves it out.
function keys(object, ownOnly, filter, keepNumbers) {
  const seen = new Set(),
    found = [];
  if (filter === (kEnumerable | kSkipSymbols) && !keepNumbers) {
    if (ownOnly) return Object.keys(object);
    for (const key in object) found.push(key);
    return found;
  }
  for (let at = object; at !== null; at = ownOnly ? null : Object.getPrototypeOf(at)) {
    for (const key of Reflect.ownKeys(at)) {
      if (seen.has(key) || (filter & (typeof key === 'symbol' ? kSkipSymbols : kSkipStrings)) !== 0) continue;
      const descriptor = Reflect.getOwnPropertyDescriptor(at, key);
      if (descriptor === undefined) continue;
      seen.add(key);
      if (fits(descriptor, filter)) found.push(keepNumbers && isIndex(key) ? Number(key) : key);
    }
  }
  return found;
}

function makeObject(prototype, names, values) {
  const object = Object.create(prototype);
  names.forEach((name, i) =>
    define(object, name, values[i], undefined, undefined, kWritable | kEnumerable | kConfigurable),
  );
  return object;
}

// ---- values ----

const kErrors = [Error, TypeError, RangeError, SyntaxError];

function makeError(kind, message, code) {
  const error = new kErrors[kind](message);
  if (code !== undefined) error.code = code;
  return error;
}

const bigintOfHex = (digits, isNegative) => (isNegative ? -BigInt(`0x${digits}`) : BigInt(`0x${digits}`));

// In the engine's order.
const { integers, Float16Array } = require('internal/util/views').typedArrays();
const kViews = [...integers, Float16Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array, DataView];

const transfer = ArrayBuffer.prototype.transfer;
const detached = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'detached').get;

// ---- asynchronous resources: what the hooks know, and the frame that was current ----

const entered = []; // frames to return to, and whether the tracker was told

function asyncInit(resource, name) {
  const type = `${name}`;
  const async = { resource: resource ?? {}, kept: frame.current, isTold: frame.tracker !== null };
  if (async.isTold) frame.tracker.create(type, async.resource);
  return async;
}

// As in Node, only napi_make_callback restores the frame; other callbacks begin without one.
function asyncEnter(async, isRestored) {
  const isTold = async !== undefined && async.isTold && frame.tracker !== null;
  entered.push({ outside: frame.current, isTold });
  frame.current = isRestored ? async?.kept : undefined;
  if (isTold) frame.tracker.enter(async.resource);
}

function asyncLeave() {
  const { outside, isTold } = entered.pop();
  if (isTold) frame.tracker.leave();
  frame.current = outside;
}

function asyncDestroy(async) {
  if (async.isTold && frame.tracker !== null) frame.tracker.destroy(async.resource);
}

// Addons for older versions of Node-API may throw from some callbacks without an effect, unless
// an option says otherwise.
function warnOfUncaught() {
  const { words } = require('internal/process/flags');
  const option = words().findLast((word) => word.includes('force-node-api-uncaught-exceptions-policy'));
  if (option !== undefined && !option.startsWith('--no-') && !option.endsWith('=false')) return false;
  process.emitWarning(
    'Uncaught Node-API callback exception detected, please run node with option ' +
      '--force-node-api-uncaught-exceptions-policy=true to handle those exceptions properly.',
    'DeprecationWarning',
    'DEP0168',
  );
  return true;
}

const helpers = [
  (fn, self, ...args) => Reflect.apply(fn, self, args),
  define,
  keys,
  (object, key) => Object.hasOwn(object, key),
  (object) => Object.freeze(object),
  (object) => Object.seal(object),
  makeError,
  makeObject,
  () => Object.preventExtensions({ __proto__: null }),
  bigintOfHex,
  (value) => value.toString(16),
  (description) => Symbol.for(description),
  (symbol) => Symbol.keyFor(symbol) !== undefined,
  (length) => new SharedArrayBuffer(length),
  isSharedArrayBuffer,
  (kind, memory, offset, length) => new kViews[kind](memory, offset, length),
  (memory) => transfer.call(memory),
  (memory) => detached.call(memory),
  (memory, offset, length) => new FastBuffer(memory, offset, length),
  (memory) => require('internal/structured_clone').markAsUntransferable(memory),
  asyncInit,
  asyncEnter,
  asyncLeave,
  asyncDestroy,
  warnOfUncaught,
];

// ---- loading ----

const missing = () =>
  Object.assign(new TypeError('process.dlopen needs at least 2 arguments'), { code: 'ERR_MISSING_ARGS' });

const disabled = () =>
  Object.assign(new Error('Cannot load native addon because loading addons is disabled.'), {
    code: 'ERR_DLOPEN_DISABLED',
  });

function dlopen(module, filename, flags = kRtldLazy) {
  if (require('internal/process/flags').hasFlag('--no-addons') || !require('internal/process/permission').hasAddons())
    throw disabled();
  if (arguments.length < 2) throw missing();
  const exports = Object(module).exports;
  if (exports === undefined || exports === null) throw new TypeError('Cannot convert undefined or null to object');
  const path = String(filename);
  const outcome = {};
  const result = binding.open(
    path,
    require('url').pathToFileURL(path).href,
    Object(exports),
    flags | 0,
    helpers,
    outcome,
  );
  if (outcome.failure !== undefined) throw Object.assign(new Error(outcome.failure), { code: 'ERR_DLOPEN_FAILED' });
  if (result !== undefined && result !== exports) module.exports = result;
}

module.exports = { dlopen };
