'use strict';

// The kind of an object, by its internal slots and not by its prototype. The engine's answer (internalBinding('types'))
// is used if there is one; else a method that works on that kind only is tried.

const native = internalBinding('types');

const { bufferLength, hasSlot, isObject, sharedLength, tagOf, typedArrayTag } = require('internal/util/views');

const toString = Object.prototype.toString;
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
      return isObject(value) && require('internal/state').keys.isKeyObject(value);
    },
  },
  isCryptoKey: {
    __proto__: null,
    configurable: false,
    enumerable: true,
    value(value) {
      return isObject(value) && require('internal/state').keys.isCryptoKey(value);
    },
  },
});

module.exports = types;
