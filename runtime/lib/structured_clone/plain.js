'use strict';

// structuredClone of plain data: objects, arrays and maps of the language. Whatever else is found is copied by
// internal/structured_clone, which goes on with the same memo. That module and what it needs take longer to load than
// most clones take, so this one is used until a program has needed the other: only then can there be objects that are
// marked as not to be cloned, or exceptions of the DOM.

const { builtinCache, hidesKinds } = internalBinding('runtime');
const { cellType } = internalBinding('util');
const { getPrototypeOf, prototype: objectPrototype } = Object;
const { prototype: arrayPrototype } = Array;
const { prototype: mapPrototype } = Map;
const { entries } = mapPrototype;
const { next } = getPrototypeOf(new Map().entries());
const { apply } = Reflect;

const kClone = Symbol.for('rota.clone');
const kTransfer = Symbol.for('rota.transfer');
const kObject = hidesKinds ? undefined : cellType({});
const kArray = hidesKinds ? undefined : cellType([]);
const kMap = hidesKinds ? undefined : cellType(new Map());

const all = () => require('internal/structured_clone');
const isEnough = () =>
  !hidesKinds && !builtinCache.has('internal/structured_clone') && !builtinCache.has('internal/dom_exception');

function copyPlain(value, state) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'symbol'))
    return value;
  const known = state.memo.get(value);
  if (known !== undefined) return known;
  const kind = typeof value === 'object' ? cellType(value) : undefined;
  if (kind === kObject && getPrototypeOf(value) === objectPrototype) {
    if (value[kClone] === undefined && value[kTransfer] === undefined) return copyInto({}, value, state);
  } else if (kind === kArray && getPrototypeOf(value) === arrayPrototype) {
    return copyInto(new Array(value.length), value, state);
  } else if (kind === kMap && getPrototypeOf(value) === mapPrototype) {
    return copyMap(value, state);
  }
  return all().copyValue(value, state);
}

function copyInto(copy, value, state) {
  state.memo.set(value, copy);
  return copyProperties(value, copy, state, copyPlain);
}

// The entries are listed first: copying them may run the program's accessors, which may change the map.
function copyMap(value, state) {
  const copy = new Map();
  state.memo.set(value, copy);
  const iterator = apply(entries, value, []);
  const list = [];
  for (let step = apply(next, iterator, []); !step.done; step = apply(next, iterator, [])) list.push(step.value);
  for (let i = 0; i < list.length; i++) copy.set(copyPlain(list[i][0], state), copyPlain(list[i][1], state));
  return copy;
}

function copyProperties(value, copy, state, copyValue) {
  const keys = Object.keys(value);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (Object.hasOwn(value, key)) {
      const each = copyValue(value[key], state);
      if (key === '__proto__')
        Object.defineProperty(copy, key, {
          __proto__: null,
          value: each,
          writable: true,
          enumerable: true,
          configurable: true,
        });
      else copy[key] = each;
    }
  }
  return copy;
}

function structuredClone(value, options = undefined) {
  if (arguments.length === 1 && isEnough()) return copyPlain(value, { memo: new Map() });
  return arguments.length === 0 ? all().structuredClone() : all().structuredClone(value, options);
}

module.exports = { structuredClone, copyProperties };
