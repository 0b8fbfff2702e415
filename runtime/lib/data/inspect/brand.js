'use strict';

// The kind of an object, by its internal type and not by its prototype: one look-up in a table.

const { kindOf } = require('internal/inspect/kind');

const marks = new Map();
const mark = (kind, ...samples) => {
  for (const sample of samples) marks.set(kindOf(sample), kind);
};

// The first kind that claims a mark keeps it: kinds that the engine does not distinguish from plain objects are
// examined further below.
mark('array', [], new (class extends Array {})());
mark('map', new Map());
mark('set', new Set());
mark('weakmap', new WeakMap());
mark('weakset', new WeakSet());
mark('date', new Date());
mark('regexp', /x/);
mark('promise', new Promise(() => {})); // async hooks would see Promise.resolve()
mark('proxy', new Proxy({}, {}));
mark('mapiterator', new Map().entries());
mark('setiterator', new Set().entries());
mark('number', Object(1));
mark('boolean', Object(true));
mark('string', Object(''), new (class extends String {})());
mark('buffer', new ArrayBuffer(0), new SharedArrayBuffer(0));
mark('view', new DataView(new ArrayBuffer(0)));
mark('function', () => {}, Math.max);
mark(
  'arguments',
  (function () {
    return arguments;
  })(),
);
mark('error', new (internalBinding('runtime').Error ?? Error)());
for (const kind of [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  globalThis.Float16Array,
]) {
  if (kind !== undefined) mark('typedarray', new kind(0));
}
const plain = kindOf({});
marks.delete(plain);

// Those of functions that are not in strict mode. Making such functions from a text takes long, and few programs show such objects.
let knowsArguments = false;
function learnArguments() {
  knowsArguments = true;
  const makeFunction = internalBinding('runtime').Function ?? Function;
  for (const sample of [makeFunction('return arguments')(), makeFunction('a', 'a = 1; return arguments')(1)]) {
    const type = kindOf(sample);
    if (type !== plain && !marks.has(type)) marks.set(type, 'arguments');
  }
}

const symbolValue = Symbol.prototype.valueOf;
const bigintValue = BigInt.prototype.valueOf;
const common = kindOf(Object(1n));

function isBoxed(value, method) {
  try {
    method.call(value);
    return true;
  } catch {
    return false;
  }
}

function brandOf(value) {
  const type = kindOf(value);
  if (type === plain && type !== common) return 'object';
  if (type === common) {
    if (isBoxed(value, symbolValue)) return 'symbol';
    if (isBoxed(value, bigintValue)) return 'bigint';
    return 'object';
  }
  const brand = marks.get(type);
  if (brand !== undefined) return brand;
  if (typeof value === 'function') return 'function';
  if (!knowsArguments && typeof value === 'object' && value !== null) {
    learnArguments();
    return brandOf(value);
  }
  return 'object';
}

module.exports = { brandOf };
