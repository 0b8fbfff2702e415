'use strict';

// The classes of typed arrays that the engine has. Formats number them in different orders, which all begin with the
// same integers.

const integers = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array];
const { Float16Array } = globalThis; // undefined in older engines

module.exports = {
  integers,
  Float16Array,
  all: [...integers, Float32Array, Float64Array, BigInt64Array, BigUint64Array, Float16Array].filter(Boolean),
};
