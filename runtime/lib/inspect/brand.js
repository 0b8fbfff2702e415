'use strict';

// The kind of an object, by its internal type and not by its prototype: one look-up in a table.

// Something that objects of one kind share, whatever their prototypes. The value has no meaning of its own; it is
// compared with those of samples. The engine has a mark on each object.
const kindOf = internalBinding('runtime').hidesKinds
  ? require('internal/inspect/kind_by_methods').kindOf
  : internalBinding('util').cellType;

const { DataView, Map, Proxy, Set, SharedArrayBuffer, String, WeakMap, WeakSet } = globalThis; // as they are now
const marks = new Map();
const mark = (kind, ...samples) => {
  for (const sample of samples) marks.set(kindOf(sample), kind);
};

// Kinds that the engine does not distinguish from plain objects are examined further below.
mark('array', [], new (class extends Array {})());
mark('map', new Map());
mark('set', new Set());
mark('date', new Date());
mark('regexp', /x/);
mark('function', () => {}, Object.keys);
mark('error', new (internalBinding('runtime').Error ?? Error)());
mark('typedarray', new Uint8Array(0));
const plain = kindOf({});
marks.delete(plain);

// Less usual kinds are learned when an object of no kind above is met: the engine takes some time to make the first
// object of a kind, and most of all a function from a text, which `arguments` of sloppy functions need.
let knowsAll = false;
function learnOthers() {
  knowsAll = true;
  const learn = (kind, sample) => {
    const type = kindOf(sample);
    if (type !== plain && !marks.has(type)) marks.set(type, kind);
  };
  const makeFunction = internalBinding('runtime').Function ?? Function;
  learn('weakmap', new WeakMap());
  learn('weakset', new WeakSet());
  marks.set(internalBinding('types').promiseKind(), 'promise');
  learn('proxy', new Proxy({}, {}));
  learn('mapiterator', new Map().entries());
  learn('setiterator', new Set().entries());
  learn('number', Object(1));
  learn('boolean', Object(true));
  learn('string', Object(''));
  learn('string', new (class extends String {})());
  learn('buffer', new ArrayBuffer(0));
  learn('buffer', new SharedArrayBuffer(0));
  learn('view', new DataView(new ArrayBuffer(0)));
  learn('arguments', makeFunction('"use strict"; return arguments')());
  learn('arguments', makeFunction('return arguments')());
  learn('arguments', makeFunction('a', 'a = 1; return arguments')(1));
  for (const View of require('internal/util/views').typedArrays().all) learn('typedarray', new View(0));
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
  if (!knowsAll && typeof value === 'object' && value !== null) {
    learnOthers();
    return brandOf(value);
  }
  return 'object';
}

module.exports = { brandOf };
