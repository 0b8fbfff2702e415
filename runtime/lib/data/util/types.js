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

// Makes a check of a getter or method that throws on every other kind. A throw is expensive, so it is avoided if the
// object's tag already decides: Object.prototype.toString shows the slots of an object without a Symbol.toStringTag
// (`old` kinds); such an object is no instance of a newer kind unless its prototype was removed.
function bySlot(probe, oldTag) {
  return (value) => {
    if (value === null || typeof value !== 'object') return false;
    if (!(Symbol.toStringTag in value)) {
      if (oldTag !== undefined) return toString.call(value) === oldTag;
      if (Object.getPrototypeOf(value) !== null) return false;
    }
    try {
      probe(value);
      return true;
    } catch {
      return false;
    }
  };
}

function getter(prototype, name) {
  const get = Object.getOwnPropertyDescriptor(prototype, name).get;
  return (value) => get.call(value);
}

function method(prototype, name, ...args) {
  const call = prototype[name];
  return (value) => call.apply(value, args);
}

const noKey = {};
const hasIndices = Object.getOwnPropertyDescriptor(RegExp.prototype, 'hasIndices').get;
const isView = ArrayBuffer.isView;
const iteratorPrototype = (value) => Object.getPrototypeOf(value);
const mapIteratorPrototype = iteratorPrototype(new Map().entries());
const setIteratorPrototype = iteratorPrototype(new Set().values());
const AsyncFunction = (async () => {}).constructor;
const GeneratorFunction = function* () {}.constructor;
const AsyncGeneratorFunction = async function* () {}.constructor;
const functionToString = Function.prototype.toString;

const fallback = {
  isDate: bySlot(method(Date.prototype, 'getTime'), '[object Date]'),
  isMap: bySlot(getter(Map.prototype, 'size')),
  isSet: bySlot(getter(Set.prototype, 'size')),
  isWeakMap: bySlot(method(WeakMap.prototype, 'has', noKey)),
  isWeakSet: bySlot(method(WeakSet.prototype, 'has', noKey)),
  isArrayBuffer: bySlot(getter(ArrayBuffer.prototype, 'byteLength')),
  isSharedArrayBuffer:
    typeof SharedArrayBuffer === 'function' ? bySlot(getter(SharedArrayBuffer.prototype, 'byteLength')) : () => false,
  isNumberObject: bySlot(method(Number.prototype, 'valueOf'), '[object Number]'),
  isStringObject: bySlot(method(String.prototype, 'valueOf'), '[object String]'),
  isBooleanObject: bySlot(method(Boolean.prototype, 'valueOf'), '[object Boolean]'),
  isBigIntObject: bySlot(method(BigInt.prototype, 'valueOf')),
  isSymbolObject: bySlot(method(Symbol.prototype, 'valueOf')),
  isRegExp: (value) => {
    if (!isObject(value)) return false;
    if (!(Symbol.toStringTag in value)) return toString.call(value) === '[object RegExp]';
    try {
      return hasIndices.call(value) !== undefined;
    } catch {
      return false;
    }
  },
  isPromise: (value) => isObject(value) && value instanceof Promise,
  isProxy: () => false,
  // Externals of an addon: they are empty and have no prototype.
  isExternal: (value) =>
    isObject(value) && Object.getPrototypeOf(value) === null && internalBinding('addons').isExternal(value),
  isMapIterator: (value) => isObject(value) && Object.getPrototypeOf(value) === mapIteratorPrototype,
  isSetIterator: (value) => isObject(value) && Object.getPrototypeOf(value) === setIteratorPrototype,
  isModuleNamespaceObject: (value) =>
    isObject(value) &&
    Object.getPrototypeOf(value) === null &&
    Object.getOwnPropertyDescriptor(value, Symbol.toStringTag)?.value === 'Module' &&
    !Object.isExtensible(value),
  isNativeError:
    typeof Error.isError === 'function'
      ? Error.isError
      : (value) => {
          if (!isObject(value)) return false;
          if (Object.prototype.hasOwnProperty.call(value, Symbol.toStringTag))
            return value instanceof Error && Object.prototype.hasOwnProperty.call(value, 'stack');
          return (
            toString.call(value) === '[object Error]' ||
            (value instanceof Error && Object.prototype.hasOwnProperty.call(value, 'stack'))
          );
        },
  isArgumentsObject: (value) =>
    isObject(value) && !(Symbol.toStringTag in value) && toString.call(value) === '[object Arguments]',
  isGeneratorObject: (value) => {
    if (!isObject(value)) return false;
    const tag = toString.call(value);
    return (tag === '[object Generator]' || tag === '[object AsyncGenerator]') && typeof value.next === 'function';
  },
  isAsyncFunction: (value) =>
    typeof value === 'function' &&
    (value instanceof AsyncFunction ||
      value instanceof AsyncGeneratorFunction ||
      /^async\b/.test(functionToString.call(value))),
  isGeneratorFunction: (value) =>
    typeof value === 'function' && (value instanceof GeneratorFunction || value instanceof AsyncGeneratorFunction),
};

const types = {};
for (const name of [
  'isArgumentsObject',
  'isArrayBuffer',
  'isAsyncFunction',
  'isBigIntObject',
  'isBooleanObject',
  'isDate',
  'isExternal',
  'isGeneratorFunction',
  'isGeneratorObject',
  'isMap',
  'isMapIterator',
  'isModuleNamespaceObject',
  'isNativeError',
  'isNumberObject',
  'isPromise',
  'isProxy',
  'isRegExp',
  'isSet',
  'isSetIterator',
  'isSharedArrayBuffer',
  'isStringObject',
  'isSymbolObject',
  'isWeakMap',
  'isWeakSet',
]) {
  const check = typeof native[name] === 'function' ? native[name] : fallback[name];
  // A function of its own with the public name, for util.inspect and stack traces.
  types[name] = { [name]: (value) => check(value) }[name];
}

function tagOf(value) {
  return isObject(value) ? typedArrayTag.call(value) : undefined;
}

Object.assign(types, {
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
});
for (const kind of [
  'Uint8Array',
  'Uint8ClampedArray',
  'Uint16Array',
  'Uint32Array',
  'Int8Array',
  'Int16Array',
  'Int32Array',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
]) {
  const name = `is${kind}`;
  types[name] = { [name]: (value) => tagOf(value) === kind }[name];
}
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
