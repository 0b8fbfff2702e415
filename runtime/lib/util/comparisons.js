'use strict';

// Deep equality, in three modes: loose (==), strict (Object.is, prototypes too) and partial (strict, but `expected` may
// leave things out). Cycles are followed once: a pair that is already being compared counts as equal.

const types = require('internal/util/types');

const native = internalBinding('buffer');

const kLoose = 0;
const kStrict = 1;
const kPartial = 2;

const hasOwn = Object.prototype.hasOwnProperty;
const isEnumerable = Object.prototype.propertyIsEnumerable;
const toString = Object.prototype.toString;

function sameBytes(a, b) {
  if (a.byteLength !== b.byteLength) return false;
  const left = new Uint8Array(a.buffer ?? a, a.byteOffset ?? 0, a.byteLength);
  const right = new Uint8Array(b.buffer ?? b, b.byteOffset ?? 0, b.byteLength);
  return native.compare(left, right) === 0;
}

// A view with the shape of an empty one of its class has no own properties except its indices, which
// need not be listed.
const emptyViews = new Map();
function isPlainView(view) {
  const prototype = Object.getPrototypeOf(view);
  let empty = emptyViews.get(prototype);
  if (empty === undefined) {
    const { Buffer } = require('internal/buffer/class');
    const known = [
      Buffer,
      Uint8Array,
      Int8Array,
      Uint8ClampedArray,
      Uint16Array,
      Int16Array,
      Uint32Array,
      Int32Array,
      Float32Array,
      Float64Array,
      BigInt64Array,
      BigUint64Array,
    ].find((each) => each.prototype === prototype);
    empty = known === undefined ? null : known === Buffer ? Buffer.alloc(0) : new known(0);
    emptyViews.set(prototype, empty);
  }
  return empty !== null && native.sameShape(view, empty);
}

// A shorter view is part of a longer one if the longer one has its elements in the same order.
function partOfView(actual, expected) {
  let from = 0;
  for (let i = 0; i < expected.length; i++) {
    let found = false;
    while (from < actual.length) {
      if (Object.is(actual[from++], expected[i])) {
        found = true;
        break;
      }
    }
    if (!found) return false;
  }
  return true;
}

function sameFloats(a, b, mode) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (mode === kLoose ? a[i] !== b[i] && !(a[i] !== a[i] && b[i] !== b[i]) : !Object.is(a[i], b[i])) return false;
  }
  return true;
}

function enumerableKeys(value) {
  const keys = Object.keys(value);
  for (const symbol of Object.getOwnPropertySymbols(value)) {
    if (isEnumerable.call(value, symbol)) keys.push(symbol);
  }
  return keys;
}

function nonIndexKeys(value, mode) {
  if (ArrayBuffer.isView(value) && isPlainView(value)) return [];
  const keys = [];
  const all = Object.keys(value);
  const { length } = value;
  // Indices come first: if none is missing, they need not be compared one by one.
  const dense = all.length >= length && (length === 0 || all[length - 1] === `${length - 1}`);
  for (const key of dense ? all.slice(length) : all) {
    const index = key >>> 0;
    if (String(index) === key && index !== 4294967295) continue;
    keys.push(key);
  }
  if (mode !== kLoose) {
    for (const symbol of Object.getOwnPropertySymbols(value)) {
      if (isEnumerable.call(value, symbol)) keys.push(symbol);
    }
  }
  return keys;
}

function sameBoxed(a, b) {
  if (types.isNumberObject(a))
    return types.isNumberObject(b) && Object.is(Number.prototype.valueOf.call(a), Number.prototype.valueOf.call(b));
  if (types.isStringObject(a))
    return types.isStringObject(b) && String.prototype.valueOf.call(a) === String.prototype.valueOf.call(b);
  if (types.isBooleanObject(a))
    return types.isBooleanObject(b) && Boolean.prototype.valueOf.call(a) === Boolean.prototype.valueOf.call(b);
  if (types.isBigIntObject(a))
    return types.isBigIntObject(b) && BigInt.prototype.valueOf.call(a) === BigInt.prototype.valueOf.call(b);
  return types.isSymbolObject(b) && Symbol.prototype.valueOf.call(a) === Symbol.prototype.valueOf.call(b);
}

class Comparison {
  constructor(mode, skipPrototype) {
    this.mode = mode;
    this.skipPrototype = skipPrototype;
    this.seen = undefined;
  }

  equal(a, b) {
    if (a === b) {
      return a !== 0 || this.mode === kLoose || Object.is(a, b);
    }
    if (this.mode !== kLoose) {
      if (typeof a !== 'object') return typeof a === 'number' && a !== a && b !== b;
      if (typeof b !== 'object' || a === null || b === null) return false;
      if (!this.skipPrototype && Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    } else {
      if (a === null || typeof a !== 'object') {
        return (b === null || typeof b !== 'object') && (a == b || (a !== a && b !== b));
      }
      if (b === null || typeof b !== 'object') return false;
    }
    return this.objects(a, b);
  }

  views(a, b) {
    const { mode } = this;
    if (mode === kPartial) {
      if (!partOfView(a, b)) return false;
    } else if (types.isFloat32Array(a) || types.isFloat64Array(a) || types.isFloat16Array(a)) {
      if (!sameFloats(a, b, mode)) return false;
    } else if (a.constructor === b.constructor ? !sameBytes(a, b) : !sameFloats(a, b, mode)) {
      return false;
    }
    const keysA = nonIndexKeys(a, mode);
    const keysB = nonIndexKeys(b, mode);
    if (mode !== kPartial ? keysA.length !== keysB.length : keysA.length < keysB.length) return false;
    return this.content(a, b, keysB, undefined);
  }

  objects(a, b) {
    const { mode } = this;
    if (toString.call(a) !== toString.call(b)) return false;
    if (Array.isArray(a)) {
      if (!Array.isArray(b) || (mode !== kPartial ? a.length !== b.length : a.length < b.length)) return false;
      const keysA = nonIndexKeys(a, mode);
      const keysB = nonIndexKeys(b, mode);
      if (mode !== kPartial ? keysA.length !== keysB.length : keysA.length < keysB.length) return false;
      return this.content(a, b, keysB, compareArrays);
    }
    if (Array.isArray(b)) return false;
    const proto = Object.getPrototypeOf(a);
    if (
      proto === Object.prototype &&
      Object.getPrototypeOf(b) === Object.prototype &&
      toString.call(a) === '[object Object]'
    ) {
      return this.content(a, b, undefined, undefined);
    }
    if (types.isDate(a)) {
      if (!types.isDate(b)) return false;
      const timeA = Date.prototype.getTime.call(a);
      const timeB = Date.prototype.getTime.call(b);
      if (timeA !== timeB && !(timeA !== timeA && timeB !== timeB)) return false;
    } else if (types.isRegExp(a)) {
      if (!types.isRegExp(b) || a.source !== b.source || a.flags !== b.flags || a.lastIndex !== b.lastIndex)
        return false;
    } else if (types.isNativeError(a) || a instanceof Error) {
      if ((!types.isNativeError(b) && !(b instanceof Error)) || !this.sameErrors(a, b)) return false;
    } else if (types.isTypedArray(a)) {
      return types.isTypedArray(b) && this.views(a, b);
    } else if (types.isSet(a)) {
      if (!types.isSet(b) || (mode !== kPartial ? a.size !== b.size : a.size < b.size)) return false;
      return this.content(a, b, undefined, compareSets);
    } else if (types.isMap(a)) {
      if (!types.isMap(b) || (mode !== kPartial ? a.size !== b.size : a.size < b.size)) return false;
      return this.content(a, b, undefined, compareMaps);
    } else if (types.isAnyArrayBuffer(a)) {
      if (!types.isAnyArrayBuffer(b)) return false;
      if (mode === kPartial ? !partOfView(new Uint8Array(a), new Uint8Array(b)) : !sameBytes(a, b)) return false;
    } else if (types.isDataView(a)) {
      if (!types.isDataView(b)) return false;
      if (
        mode === kPartial
          ? !partOfView(
              new Uint8Array(a.buffer, a.byteOffset, a.byteLength),
              new Uint8Array(b.buffer, b.byteOffset, b.byteLength),
            )
          : !sameBytes(a, b)
      )
        return false;
    } else if (types.isBoxedPrimitive(a)) {
      if (!types.isBoxedPrimitive(b) || !sameBoxed(a, b)) return false;
    } else if (
      types.isBoxedPrimitive(b) ||
      types.isDate(b) ||
      types.isRegExp(b) ||
      types.isSet(b) ||
      types.isMap(b) ||
      types.isNativeError(b) ||
      types.isTypedArray(b) ||
      types.isAnyArrayBuffer(b)
    ) {
      return false;
    } else if (types.isWeakMap(a) || types.isWeakSet(a) || types.isPromise(a)) {
      return false;
    } else if (globalThis.URL !== undefined && a instanceof globalThis.URL) {
      if (!(b instanceof globalThis.URL) || a.href !== b.href) return false;
    } else if (types.isKeyObject(a)) {
      if (!types.isKeyObject(b) || !this.sameKeys(a, b)) return false;
    } else if (types.isCryptoKey(a)) {
      if (!types.isCryptoKey(b) || !this.sameKeys(a, b)) return false;
    }
    return this.content(a, b, undefined, undefined);
  }

  // Properties that a program has added do not count.
  sameKeys(a, b) {
    const { areSame, getKeySlots } = require('internal/crypto/keys');
    const [own, other] = [getKeySlots(a), getKeySlots(b)];
    return (
      own.extractable === other.extractable &&
      this.equal(own.algorithm, other.algorithm) &&
      this.equal(own.usages, other.usages) &&
      areSame(own, other)
    );
  }

  sameErrors(a, b) {
    const pairs = ['message', 'name', 'cause', 'errors'];
    for (const name of pairs) {
      const ownA = name === 'message' || name === 'name' || hasOwn.call(a, name);
      const ownB = name === 'message' || name === 'name' || hasOwn.call(b, name);
      // Enumerable ones are compared with the other properties.
      const enumerableA = isEnumerable.call(a, name);
      const enumerableB = isEnumerable.call(b, name);
      if (name === 'message' || name === 'name') {
        if (this.mode === kPartial && !enumerableB && !hasOwn.call(b, name) && name === 'name') continue;
        if (!(enumerableA && enumerableB) && !this.equal(a[name], b[name])) return false;
        continue;
      }
      if (this.mode === kPartial ? ownB && !ownA : ownA !== ownB) return false;
      if (ownB && !(enumerableA && enumerableB) && !this.equal(a[name], b[name])) return false;
    }
    return true;
  }

  // Compares the own properties, then the contents of the kind of object; guards against cycles.
  content(a, b, keysB, compare) {
    const { mode } = this;
    if (keysB === undefined) {
      if (mode === kLoose) {
        keysB = Object.keys(b);
        if (Object.keys(a).length !== keysB.length) return false;
      } else {
        keysB = enumerableKeys(b);
        if (mode === kStrict && enumerableKeys(a).length !== keysB.length) return false;
      }
    }
    for (let i = 0; i < keysB.length; i++) {
      if (!isEnumerable.call(a, keysB[i])) return false;
    }
    if (keysB.length === 0 && compare === undefined) return true;
    if (compare !== undefined && keysB.length === 0 && (Array.isArray(b) ? b.length === 0 : b.size === 0)) return true;

    this.seen ??= new Map();
    const known = this.seen.get(a);
    if (known !== undefined) {
      if (known.includes(b)) return true;
      known.push(b);
    } else {
      this.seen.set(a, [b]);
    }
    let result = true;
    for (let i = 0; i < keysB.length; i++) {
      if (!this.equal(a[keysB[i]], b[keysB[i]])) {
        result = false;
        break;
      }
    }
    if (result && compare !== undefined) result = compare(this, a, b);
    // Only pairs on the current path count as being compared.
    const list = this.seen.get(a);
    list.splice(list.lastIndexOf(b), 1);
    if (list.length === 0) this.seen.delete(a);
    return result;
  }
}

function compareArrays(comparison, a, b) {
  if (comparison.mode === kPartial) return comparePartialArrays(comparison, a, b);
  for (let i = 0; i < a.length; i++) {
    if (hasOwn.call(b, i)) {
      if (!hasOwn.call(a, i) || !comparison.equal(a[i], b[i])) return false;
    } else if (hasOwn.call(a, i)) {
      return false;
    }
  }
  return true;
}

// Every element of `expected` in the same order, with others between.
function comparePartialArrays(comparison, actual, expected) {
  let from = 0;
  for (let i = 0; i < expected.length; i++) {
    const isHole = !hasOwn.call(expected, i);
    let found = false;
    while (from < actual.length) {
      const position = from++;
      if (
        isHole
          ? !hasOwn.call(actual, position)
          : hasOwn.call(actual, position) && comparison.equal(actual[position], expected[i])
      ) {
        found = true;
        break;
      }
    }
    if (!found) return false;
  }
  return true;
}

// In loose mode a primitive may equal another one, so such members are matched one by one.
function mayHaveLooseTwin(value) {
  switch (typeof value) {
    case 'undefined':
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return true;
    case 'object':
      return true;
    default:
      return false;
  }
}

function compareSets(comparison, a, b) {
  const { mode } = comparison;
  let unmatched;
  for (const value of b) {
    if (a.has(value)) continue;
    if ((typeof value !== 'object' || value === null) && (mode !== kLoose || !mayHaveLooseTwin(value))) return false;
    (unmatched ??= []).push(value);
  }
  if (unmatched === undefined) return true;
  const candidates = [];
  for (const value of a) {
    if (!b.has(value)) candidates.push(value);
  }
  for (const value of unmatched) {
    let found = -1;
    for (let i = 0; i < candidates.length; i++) {
      if (comparison.equal(candidates[i], value)) {
        found = i;
        break;
      }
    }
    if (found === -1) return false;
    candidates.splice(found, 1);
  }
  return mode === kPartial || candidates.length === 0;
}

function compareMaps(comparison, a, b) {
  const { mode } = comparison;
  let unmatched;
  for (const [key, value] of b) {
    if (a.has(key)) {
      if (comparison.equal(a.get(key), value)) continue;
      if (mode !== kLoose || typeof key === 'symbol') return false;
    } else if ((typeof key !== 'object' || key === null) && (mode !== kLoose || !mayHaveLooseTwin(key))) {
      return false;
    }
    (unmatched ??= []).push([key, value]);
  }
  if (unmatched === undefined) return true;
  const candidates = [];
  for (const entry of a) {
    if (!b.has(entry[0]) || mode === kLoose) candidates.push(entry);
  }
  for (const [key, value] of unmatched) {
    let found = -1;
    for (let i = 0; i < candidates.length; i++) {
      if (comparison.equal(candidates[i][0], key) && comparison.equal(candidates[i][1], value)) {
        found = i;
        break;
      }
    }
    if (found === -1) return false;
    candidates.splice(found, 1);
  }
  return true;
}

module.exports = {
  isDeepEqual: (a, b) => new Comparison(kLoose, true).equal(a, b),
  isDeepStrictEqual: (a, b, skipPrototype = false) => new Comparison(kStrict, skipPrototype).equal(a, b),
  isPartialStrictEqual: (a, b) => new Comparison(kPartial, false).equal(a, b),
};
