'use strict';

// The kind of an object, by its internal slots and not by its prototype. The engine's answer (internalBinding('types'))
// is used if there is one; else a method that works on that kind only is tried.

const native = internalBinding('types');

const typedArrayTag = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
).get;
const toString = Object.prototype.toString;

function isObject(value) {
  return value !== null && typeof value === 'object';
}

// Whether a getter or method, which throws on every other kind, accepts the value. A throw is expensive, so it is
// avoided if the object's tag already decides: Object.prototype.toString shows the slots of an object without a
// Symbol.toStringTag (`old` kinds); such an object is no instance of a newer kind unless its prototype was removed.
function hasSlot(value, probe, oldTag) {
  if (value === null || typeof value !== 'object') return false;
  if (!(Symbol.toStringTag in value)) {
    if (oldTag !== undefined) return toString.call(value) === oldTag;
    if (Object.getPrototypeOf(value) !== null) return false;
  }
  try {
    probe.call(value);
    return true;
  } catch {
    return false;
  }
}

const bufferLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength').get;
const sharedLength = Object.getOwnPropertyDescriptor(SharedArrayBuffer.prototype, 'byteLength').get;
const numberValue = Number.prototype.valueOf;
const stringValue = String.prototype.valueOf;
const booleanValue = Boolean.prototype.valueOf;
const bigintValue = BigInt.prototype.valueOf;
const symbolValue = Symbol.prototype.valueOf;
const isView = ArrayBuffer.isView;
const AsyncFunction = (async () => {}).constructor;
const GeneratorFunction = function* () {}.constructor;
const AsyncGeneratorFunction = async function* () {}.constructor;
const functionToString = Function.prototype.toString;

function tagOf(value) {
  return isObject(value) ? typedArrayTag.call(value) : undefined;
}

// The order is Node's.
const types = {
  isArgumentsObject: (value) =>
    isObject(value) && !(Symbol.toStringTag in value) && toString.call(value) === '[object Arguments]',
  isArrayBuffer: (value) => hasSlot(value, bufferLength),
  isAsyncFunction: (value) =>
    typeof value === 'function' &&
    (value instanceof AsyncFunction ||
      value instanceof AsyncGeneratorFunction ||
      /^async\b/.test(functionToString.call(value))),
  isBigIntObject: (value) => hasSlot(value, bigintValue),
  isBooleanObject: (value) => hasSlot(value, booleanValue, '[object Boolean]'),
  isDate: (value) => native.isDate(value),
  // Externals of an addon: they are empty and have no prototype.
  isExternal: (value) =>
    isObject(value) && Object.getPrototypeOf(value) === null && internalBinding('addons').isExternal(value),
  isGeneratorFunction: (value) =>
    typeof value === 'function' && (value instanceof GeneratorFunction || value instanceof AsyncGeneratorFunction),
  isGeneratorObject: (value) => {
    if (!isObject(value)) return false;
    const tag = toString.call(value);
    return (tag === '[object Generator]' || tag === '[object AsyncGenerator]') && typeof value.next === 'function';
  },
  isMap: (value) => native.isMap(value),
  isMapIterator: (value) => native.isMapIterator(value),
  isModuleNamespaceObject: (value) => native.isModuleNamespaceObject(value),
  isNativeError: (value) => native.isNativeError(value),
  isNumberObject: (value) => hasSlot(value, numberValue, '[object Number]'),
  isPromise: (value) => native.isPromise(value),
  isProxy: (value) => native.isProxy(value),
  isRegExp: (value) => native.isRegExp(value),
  isSet: (value) => native.isSet(value),
  isSetIterator: (value) => native.isSetIterator(value),
  isSharedArrayBuffer: (value) => hasSlot(value, sharedLength),
  isStringObject: (value) => hasSlot(value, stringValue, '[object String]'),
  isSymbolObject: (value) => hasSlot(value, symbolValue),
  isWeakMap: (value) => native.isWeakMap(value),
  isWeakSet: (value) => native.isWeakSet(value),
  isAnyArrayBuffer(value) {
    return types.isArrayBuffer(value) || types.isSharedArrayBuffer(value);
  },
  isBoxedPrimitive(value) {
    return (
      types.isNumberObject(value) ||
      types.isStringObject(value) ||
      types.isBooleanObject(value) ||
      types.isBigIntObject(value) ||
      types.isSymbolObject(value)
    );
  },
  isArrayBufferView: isView,
  isDataView(value) {
    return isView(value) && typedArrayTag.call(value) === undefined;
  },
  isTypedArray(value) {
    return tagOf(value) !== undefined;
  },
  isUint8Array: (value) => tagOf(value) === 'Uint8Array',
  isUint8ClampedArray: (value) => tagOf(value) === 'Uint8ClampedArray',
  isUint16Array: (value) => tagOf(value) === 'Uint16Array',
  isUint32Array: (value) => tagOf(value) === 'Uint32Array',
  isInt8Array: (value) => tagOf(value) === 'Int8Array',
  isInt16Array: (value) => tagOf(value) === 'Int16Array',
  isInt32Array: (value) => tagOf(value) === 'Int32Array',
  isFloat16Array: (value) => tagOf(value) === 'Float16Array',
  isFloat32Array: (value) => tagOf(value) === 'Float32Array',
  isFloat64Array: (value) => tagOf(value) === 'Float64Array',
  isBigInt64Array: (value) => tagOf(value) === 'BigInt64Array',
  isBigUint64Array: (value) => tagOf(value) === 'BigUint64Array',
};
Object.defineProperties(types, {
  isKeyObject: {
    __proto__: null,
    configurable: false,
    enumerable: true,
    value(value) {
      return isObject(value) && require('internal/crypto/brands').isKeyObject(value);
    },
  },
  isCryptoKey: {
    __proto__: null,
    configurable: false,
    enumerable: true,
    value(value) {
      return isObject(value) && require('internal/crypto/brands').isCryptoKey(value);
    },
  },
});

module.exports = types;
