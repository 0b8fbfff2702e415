'use strict';

// structuredClone: a deep copy by the rules of HTML, within one thread: values are copied directly, without
// serialization. Objects in the transfer list are moved.

const { codes } = require('internal/errors');
const { validateObject, kValidateObjectAllowObjectsAndNull } = require('internal/validators');
const types = require('internal/util/types');
const { DOMException, isDOMException } = require('internal/dom_exception');
const { copyProperties } = require('internal/structured_clone/plain');

// Objects that implement cloning or moving: clone(memo, copy) and transfer().
const kClone = Symbol.for('rota.clone');
const kTransfer = Symbol.for('rota.transfer');
const untransferable = new WeakSet();
const uncloneable = new WeakSet();

// Classes of the platform whose objects cannot be copied. A module that is not loaded has no instances.
const { builtinCache } = internalBinding('runtime');
const unsupported = [
  ['internal/url', 'URL'],
  ['internal/url/search_params', 'URLSearchParams'],
  ['internal/urlpattern/pattern', 'URLPattern'],
];

function isUnsupported(value) {
  return uncloneable.has(value)
    ? !types.isAnyArrayBuffer(value) && !ArrayBuffer.isView(value)
    : unsupported.some(([id, name]) => {
        const Class = builtinCache.get(id)?.exports[name];
        return Class !== undefined && value instanceof Class;
      });
}

const kNeedsTransfer = 'Object that needs transfer was found in message but not listed in transferList';
const needsTransfer = (value) => require('internal/worker/transfer').kindOf(value) !== undefined;

// process.env is a proxy, but programs see a plain object.
const isForeign = (value) => types.isProxy(value) && !require('internal/process/object').isSystemEnv(value);

// Marked by the program, or memory that several buffers share.
function staysHere(object) {
  return untransferable.has(object) || require('internal/buffer/class').isSlab(object);
}

function cloneError(text) {
  return new DOMException(text, 'DataCloneError');
}

function describe(value) {
  if (typeof value === 'function' || typeof value === 'symbol') return String(value);
  if (value === null || typeof value !== 'object') return String(value);
  const name = value.constructor?.name || 'Object';
  return `#<${name}>`;
}

function cannotClone(value) {
  return cloneError(`${describe(value)} could not be cloned.`);
}

const errorClasses = {
  __proto__: null,
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

function cloneErrorObject(error, state) {
  let name = error.name;
  name = name === undefined ? 'Error' : String(name);
  const Class = errorClasses[name] ?? Error;
  const result = Reflect.construct(Error, [], Class);
  delete result.message;
  state.memo.set(error, result);
  const message = Object.getOwnPropertyDescriptor(error, 'message');
  if (message !== undefined && 'value' in message) {
    Object.defineProperty(result, 'message', {
      __proto__: null,
      value: String(message.value),
      writable: true,
      enumerable: false,
      configurable: true,
    });
  }
  const { stack } = error;
  if (typeof stack === 'string') {
    Object.defineProperty(result, 'stack', {
      __proto__: null,
      value: stack,
      writable: true,
      enumerable: false,
      configurable: true,
    });
  }
  if (Object.hasOwn(error, 'cause')) {
    Object.defineProperty(result, 'cause', {
      __proto__: null,
      value: copyValue(error.cause, state),
      writable: true,
      enumerable: false,
      configurable: true,
    });
  }
  return result;
}

function copyBuffer(buffer, state) {
  const seen = state.memo.get(buffer);
  if (seen !== undefined) return seen;
  if (types.isSharedArrayBuffer(buffer)) {
    state.memo.set(buffer, buffer);
    return buffer;
  }
  if (buffer.detached) throw cloneError('An ArrayBuffer is detached and could not be cloned.');
  let copy;
  if (buffer.resizable) {
    copy = new ArrayBuffer(buffer.byteLength, { maxByteLength: buffer.maxByteLength });
    new Uint8Array(copy).set(new Uint8Array(buffer));
  } else {
    copy = buffer.slice(0);
  }
  state.memo.set(buffer, copy);
  return copy;
}

const viewClasses = {
  __proto__: null,
  Uint8Array,
  Uint8ClampedArray,
  Uint16Array,
  Uint32Array,
  Int8Array,
  Int16Array,
  Int32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
};
if (typeof Float16Array === 'function') viewClasses.Float16Array = Float16Array;
const arrays = Object.getPrototypeOf(Uint8Array.prototype);
const viewTag = Object.getOwnPropertyDescriptor(arrays, Symbol.toStringTag).get;
// The language's own properties: an object may have others with the same names.
const own = (prototype, names) => names.map((name) => Object.getOwnPropertyDescriptor(prototype, name).get);
const ofArray = own(arrays, ['buffer', 'byteOffset', 'length']);
const ofView = own(DataView.prototype, ['buffer', 'byteOffset', 'byteLength']);
const { keys } = arrays;

function copyView(value, state) {
  const tag = viewTag.call(value);
  const [memory, ...range] = tag === undefined ? ofView : ofArray;
  const buffer = copyBuffer(memory.call(value), state);
  let place;
  try {
    if (tag !== undefined) keys.call(value); // throws if its buffer has become too short
    place = range.map((get) => get.call(value));
  } catch {
    throw cloneError(`${tag === undefined ? '#<DataView>' : '[object Object]'} could not be cloned.`);
  }
  return new (tag === undefined ? DataView : viewClasses[tag])(buffer, ...place);
}

function copyValue(value, state) {
  if (value === null) return value;
  if (typeof value !== 'object') {
    if (typeof value === 'function' || typeof value === 'symbol') throw cannotClone(value);
    return value;
  }
  const { memo } = state;
  const known = memo.get(value);
  if (known !== undefined) return known;
  if (isForeign(value)) throw cannotClone(value);
  if (uncloneable.has(value) && isUnsupported(value)) throw cloneError('Cannot clone object of unsupported type.');
  if (typeof value[kClone] === 'function') {
    const copy = value[kClone]();
    memo.set(value, copy);
    return copy;
  }
  if (isDOMException(value)) return copyDOMException(value, state);
  if (value[kTransfer] !== undefined) {
    throw cloneError(kNeedsTransfer);
  }
  let copy;
  if (Array.isArray(value)) {
    copy = new Array(value.length);
    memo.set(value, copy);
    return copyProperties(value, copy, state, copyValue);
  }
  const proto = Object.getPrototypeOf(value);
  if (proto === Object.prototype || proto === null) {
    if (proto === Object.prototype || !hasSlots(value)) {
      if (types.isArgumentsObject(value)) throw cannotClone(value);
      if (!types.isNativeError(value)) {
        copy = {};
        memo.set(value, copy);
        return copyProperties(value, copy, state, copyValue);
      }
    }
  }
  if (types.isDate(value)) {
    copy = new Date(Date.prototype.getTime.call(value));
  } else if (types.isRegExp(value)) {
    copy = new RegExp(value.source, value.flags);
  } else if (types.isMap(value)) {
    copy = new Map();
    memo.set(value, copy);
    for (const [key, each] of [...Map.prototype.entries.call(value)])
      copy.set(copyValue(key, state), copyValue(each, state));
    return copy;
  } else if (types.isSet(value)) {
    copy = new Set();
    memo.set(value, copy);
    for (const each of [...Set.prototype.values.call(value)]) copy.add(copyValue(each, state));
    return copy;
  } else if (types.isAnyArrayBuffer(value)) {
    return copyBuffer(value, state);
  } else if (ArrayBuffer.isView(value)) {
    copy = copyView(value, state);
  } else if (types.isNativeError(value)) {
    return cloneErrorObject(value, state);
  } else {
    return copyOther(value, state);
  }
  memo.set(value, copy);
  return copy;
}

// Boxed primitives, what cannot be cloned, and objects of other modules.
function copyOther(value, state) {
  let copy;
  if (types.isBoxedPrimitive(value)) {
    if (types.isSymbolObject(value)) throw cloneError('Object could not be cloned.');
    if (types.isNumberObject(value)) copy = Object(Number.prototype.valueOf.call(value));
    else if (types.isStringObject(value)) copy = Object(String.prototype.valueOf.call(value));
    else if (types.isBooleanObject(value)) copy = Object(Boolean.prototype.valueOf.call(value));
    else copy = Object(BigInt.prototype.valueOf.call(value));
  } else if (
    types.isPromise(value) ||
    types.isExternal(value) ||
    types.isWeakMap(value) ||
    types.isWeakSet(value) ||
    value instanceof WeakRef ||
    types.isGeneratorObject(value) ||
    types.isMapIterator(value) ||
    types.isSetIterator(value)
  ) {
    throw cannotClone(value);
  } else if (isUnsupported(value)) {
    throw cloneError('Cannot clone object of unsupported type.');
  } else if (needsTransfer(value)) {
    throw cloneError(kNeedsTransfer);
  } else if (value instanceof WebAssembly.Module || value instanceof WebAssembly.Memory) {
    copy = value; // a module is immutable; a memory is shared, or cannot be cloned
    if (value instanceof WebAssembly.Memory && !types.isSharedArrayBuffer(value.buffer)) throw cannotClone(value);
  } else {
    const blob = require('internal/blob');
    if (blob.isBlob(value) && !blob.isLoaded(value))
      throw new codes.ERR_INVALID_STATE.TypeError('File-backed Blobs are not cloneable');
    if (blob.isFile(value)) {
      copy = new blob.File([], value.name, { type: value.type, lastModified: value.lastModified });
      blob.adopt(copy, value);
    } else if (blob.isBlob(value)) {
      copy = value.slice(0, value.size, value.type);
    } else {
      copy = {};
      state.memo.set(value, copy);
      return copyProperties(value, copy, state, copyValue);
    }
  }
  state.memo.set(value, copy);
  return copy;
}

function copyDOMException(value, state) {
  const copy = new DOMException(value.message, value.name);
  state.memo.set(value, copy);
  Object.defineProperty(copy, 'stack', {
    __proto__: null,
    value: value.stack,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  return copy;
}

function hasSlots(value) {
  return (
    types.isDate(value) ||
    types.isRegExp(value) ||
    types.isMap(value) ||
    types.isSet(value) ||
    types.isAnyArrayBuffer(value) ||
    ArrayBuffer.isView(value) ||
    types.isBoxedPrimitive(value) ||
    types.isPromise(value)
  );
}

// Copies a value and moves what is in the list; gives [copy, moved ports, what else has moved, if anything].
function cloneWithTransfer(value, transferList) {
  const moved = [];
  try {
    const [copy, ports] = cloneAndMove(value, transferList, moved);
    return [copy, ports, moved.length === 0 ? undefined : moved];
  } catch (error) {
    if (moved.length > 0) require('internal/worker/transfer').forget(moved);
    throw error;
  }
}

function cloneAndMove(value, transferList, arrived) {
  const state = { memo: new Map() };
  const moves = [];
  const ports = [];
  if (transferList.length > 0) {
    const seen = new Set();
    for (const each of transferList) {
      if (seen.has(each)) {
        throw cloneError(
          types.isAnyArrayBuffer(each)
            ? 'Transfer list contains duplicate ArrayBuffer'
            : 'Transfer list contains duplicate MessagePort',
        );
      }
      seen.add(each);
      if (typeof each === 'object' && each !== null && staysHere(each)) {
        throw cloneError('Cannot transfer object of unsupported type.');
      }
      if (types.isArrayBuffer(each)) {
        if (each.detached) throw cloneError('Cannot transfer object of unsupported type.');
        moves.push(each);
      } else if (typeof each === 'object' && each !== null && each[kTransfer] !== undefined) {
        if (each[kTransfer].detached?.(each)) throw cloneError('MessagePort in transfer list is already detached');
        const moved = each[kTransfer].prepare(each);
        state.memo.set(each, moved.target);
        moves.push(moved);
        if (moved.isPort) ports.push(moved.target);
      } else {
        if (typeof each !== 'object' || each === null) throw invalidTransfer();
        const moving = require('internal/worker/transfer');
        const moved = moving.begin(each);
        if (moved === undefined) throw cloneError('Found invalid object in transferList');
        arrived.push(moving.arrive(moved.name, moved.data, moved.ports));
        state.memo.set(each, arrived.at(-1).value);
        moves.push(moved);
      }
    }
    // The new buffers exist before the value is copied, so that views find them; the bytes are moved at the end.
    for (let i = 0; i < moves.length; i++) {
      if (types.isArrayBuffer(moves[i])) {
        const source = moves[i];
        const target = source.resizable
          ? new ArrayBuffer(source.byteLength, { maxByteLength: source.maxByteLength })
          : new ArrayBuffer(source.byteLength);
        state.memo.set(source, target);
        moves[i] = {
          commit() {
            new Uint8Array(target).set(new Uint8Array(source));
            source.transfer?.(0);
          },
        };
      }
    }
  }
  const copy = copyValue(value, state);
  for (const move of moves) move.commit();
  return [copy, ports];
}

function invalidTransfer() {
  const error = new TypeError('Found invalid object in transferList');
  error.code = 'ERR_INVALID_TRANSFER_OBJECT';
  return error;
}

function structuredClone(value, options = undefined) {
  if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('value');
  if (options !== undefined && options !== null && typeof options !== 'object' && typeof options !== 'function') {
    const error = new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
    error.message = "Failed to execute 'structuredClone': Options cannot be converted to a dictionary";
    throw error;
  }
  validateObject(options ?? {}, 'options', kValidateObjectAllowObjectsAndNull);
  const transfer = options?.transfer;
  let list = [];
  if (transfer !== undefined) {
    if (transfer === null || typeof transfer !== 'object' || typeof transfer[Symbol.iterator] !== 'function') {
      const error = new codes.ERR_INVALID_ARG_TYPE('transfer', 'sequence', transfer);
      error.message = "Failed to execute 'structuredClone': transfer in Options cannot be converted to sequence.";
      throw error;
    }
    list = [...transfer];
  }
  const [copy, , moved] = cloneWithTransfer(value, list);
  if (moved !== undefined) require('internal/worker/transfer').received(moved);
  return copy;
}

module.exports = {
  structuredClone,
  copyValue,
  cloneWithTransfer,
  isUnsupported,
  kNeedsTransfer,
  kClone,
  kTransfer,
  markAsUntransferable(object) {
    if ((typeof object !== 'object' && typeof object !== 'function') || object === null) return;
    untransferable.add(object);
  },
  isMarkedAsUntransferable(object) {
    return (typeof object === 'object' || typeof object === 'function') && object !== null && staysHere(object);
  },
  markAsUncloneable(object) {
    if ((typeof object !== 'object' && typeof object !== 'function') || object === null) return;
    uncloneable.add(object);
  },
};
