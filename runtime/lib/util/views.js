'use strict';

// Which kind of view or buffer a value is, by its internal slots: the part of internal/util/types that buffers need.
// The whole of it would take longer to load than they do.

const typedArrayTag = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
).get;
const bufferLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength').get;
const sharedLength = Object.getOwnPropertyDescriptor(SharedArrayBuffer.prototype, 'byteLength').get;
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

function tagOf(value) {
  return isObject(value) ? typedArrayTag.call(value) : undefined;
}

function isTypedArray(value) {
  return tagOf(value) !== undefined;
}

function isUint8Array(value) {
  return tagOf(value) === 'Uint8Array';
}

function isAnyArrayBuffer(value) {
  return hasSlot(value, bufferLength) || hasSlot(value, sharedLength);
}

// The classes of typed arrays that the engine has. Formats number them in different orders, which all begin with the
// same integers. The engine makes each class when it is first named, so this waits for a caller.
function typedArrays() {
  const integers = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array];
  const { Float16Array } = globalThis; // undefined in older engines
  const others = [Float32Array, Float64Array, BigInt64Array, BigUint64Array, Float16Array].filter(Boolean);
  return { integers, Float16Array, all: [...integers, ...others] };
}

module.exports = {
  typedArrays,
  bufferLength,
  hasSlot,
  isAnyArrayBuffer,
  isObject,
  isTypedArray,
  isUint8Array,
  sharedLength,
  tagOf,
  typedArrayTag,
};
