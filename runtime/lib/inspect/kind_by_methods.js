'use strict';

// kindOf(object) if the engine's mark of an object is not known: the language's own methods are called. Many of them
// accept objects of one kind only, and throw for any other. Promises and iterators have no such method without side
// effects, so their prototypes decide.

const { proxyTarget } = internalBinding('util');

const { apply, getPrototypeOf, getOwnPropertyDescriptor } = Reflect;
const none = [];
const getter = (object, name) => getOwnPropertyDescriptor(object, name).get;

const arrays = getPrototypeOf(Uint8Array.prototype);
const tagOfArray = getter(arrays, Symbol.toStringTag);
const tagOfObject = Object.prototype.toString;
const { isArray } = Array;
const { isView } = ArrayBuffer;

// The first method that does not throw decides the kind.
const takesOnly = [
  ['map', getter(Map.prototype, 'size')],
  ['set', getter(Set.prototype, 'size')],
  ['date', Date.prototype.getTime],
  ['regexp', getter(RegExp.prototype, 'source')],
  ['buffer', getter(ArrayBuffer.prototype, 'byteLength')],
  ['shared', getter(SharedArrayBuffer.prototype, 'byteLength')],
  ['weakmap', WeakMap.prototype.has, {}],
  ['weakset', WeakSet.prototype.has, {}],
  ['weakref', WeakRef.prototype.deref],
  ['number', Number.prototype.valueOf],
  ['boolean', Boolean.prototype.valueOf],
  ['string', String.prototype.valueOf],
].map(([kind, method, ...args]) => ({ kind, method, args }));

const inherits = [
  ['promise', Promise.prototype],
  ['mapiterator', getPrototypeOf(new Map().entries())],
  ['setiterator', getPrototypeOf(new Set().entries())],
  [
    'generator',
    getPrototypeOf(
      getPrototypeOf(
        function* () {
          yield 1;
        }.prototype,
      ),
    ),
  ],
];

function isTaken(value, { method, args }) {
  try {
    apply(method, value, args);
    return true;
  } catch {
    return false;
  }
}

// The built-in tag; undefined for an object with a Symbol.toStringTag, which a program can set to any value.
function builtinTag(value) {
  return Symbol.toStringTag in value ? undefined : apply(tagOfObject, value, none);
}

function kindByMethods(value) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return -1;
  if (proxyTarget(value) !== undefined) return 'proxy';
  if (typeof value === 'function') return 'function';
  if (isArray(value)) return 'array';
  if (isView(value)) return apply(tagOfArray, value, none) ?? 'view';
  for (const one of takesOnly) if (value !== RegExp.prototype && isTaken(value, one)) return one.kind;
  for (let at = getPrototypeOf(value); at !== null; at = getPrototypeOf(at)) {
    for (const [kind, prototype] of inherits) if (at === prototype) return kind;
    if (proxyTarget(at) !== undefined) break;
  }
  if (Error.isError?.(value)) return 'error';
  const tag = builtinTag(value);
  return tag === '[object Arguments]' ? 'arguments' : tag === '[object Error]' ? 'error' : 'object';
}

module.exports = { kindOf: kindByMethods };
