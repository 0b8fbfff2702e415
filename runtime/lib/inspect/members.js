'use strict';

// The properties of an object: which are shown, their labels, and the values of accessors.

const {
  getOwnPropertyDescriptor,
  getOwnPropertyNames,
  getOwnPropertySymbols,
  getPrototypeOf,
  hasOwn,
  keys: enumerableNames,
} = Object;
const isEnumerable = Object.prototype.propertyIsEnumerable;
const { quote, symbolText, Member, Wrapped } = require('internal/inspect/layout');
const { isBuiltin, makerAt } = require('internal/inspect/names');

const identifier = /^[a-zA-Z_][a-zA-Z_0-9]*$/;
const kPrototypesShown = 3;

function symbolsOf(value, all) {
  const symbols = getOwnPropertySymbols(value);
  if (symbols.length === 0 || all) return symbols;
  return symbols.filter((symbol) => isEnumerable.call(value, symbol));
}

function ownKeys(value, all) {
  let names;
  if (all) {
    names = getOwnPropertyNames(value);
  } else {
    try {
      names = enumerableNames(value);
    } catch {
      names = getOwnPropertyNames(value); // a module's namespace before its bindings are initialized
    }
  }
  const symbols = symbolsOf(value, all);
  return symbols.length === 0 ? names : names.concat(symbols);
}

function isIndex(name) {
  const first = name.charCodeAt(0);
  if (!(first >= 48 && first <= 57)) return false;
  const number = +name;
  return number < 4294967295 && `${number >>> 0}` === name;
}

// Indices come first, in ascending order: other keys come after the last index.
function keysBehindIndices(value, all) {
  const names = all ? getOwnPropertyNames(value) : enumerableNames(value);
  let first = names.length;
  while (first > 0 && !isIndex(names[first - 1])) first--;
  const rest = first === 0 ? names : names.slice(first);
  const symbols = symbolsOf(value, all);
  return symbols.length === 0 ? rest : rest.concat(symbols);
}

function labelOf(key, enumerable, paint) {
  let label;
  if (typeof key === 'symbol') label = paint(symbolText(key), 'symbol');
  else if (key === '__proto__') label = "['__proto__']";
  else if (identifier.test(key)) label = paint(key, 'name');
  else label = paint(quote(key), 'string');
  return enumerable ? label : `[${label}]`;
}

// A property that the kind adds and that is not the object's own, like an ArrayBuffer's byteLength.
function kindMember(describer, name, part) {
  return new Member(describer.view.paint(`[${name}]`, 'string'), part, false);
}

function wantsGetter(view, descriptor) {
  if (!view.getters) return false;
  if (view.getters === true) return true;
  return view.getters === (descriptor.set === undefined ? 'get' : 'set');
}

function accessor(describer, descriptor, receiver, depth) {
  const { view } = describer;
  const { paint } = view;
  if (descriptor.get === undefined)
    return descriptor.set === undefined ? paint('undefined', 'undefined') : paint('[Setter]', 'special');
  const name = descriptor.set === undefined ? 'Getter' : 'Getter/Setter';
  if (!wantsGetter(view, descriptor)) return paint(`[${name}]`, 'special');
  let value;
  try {
    value = descriptor.get.call(receiver);
  } catch (error) {
    const part = describer.describe(error, depth);
    return new Wrapped(`${paint(`[${name}:`, 'special')} <Inspection threw (`, part, `)>${paint(']', 'special')}`);
  }
  if (value !== null && (typeof value === 'object' || typeof value === 'function')) {
    return new Wrapped(`${paint(`[${name}]`, 'special')} `, describer.describe(value, depth), '');
  }
  return new Wrapped(`${paint(`[${name}:`, 'special')} `, describer.describe(value, depth), paint(']', 'special'));
}

// `isElement`: only the value, as in an array. `inArray`: a named property of something with elements.
function member(describer, holder, key, depth, inArray, receiver = holder, isElement = false) {
  const descriptor = getOwnPropertyDescriptor(holder, key);
  const { view } = describer;
  let part;
  let mayDrop = false;
  if (descriptor === undefined) {
    part = describer.describe(holder[key], depth); // a proxy may list what it does not have
  } else if (descriptor.get === undefined && descriptor.set === undefined) {
    part = describer.describe(descriptor.value, depth);
    mayDrop = view.compact === true && !inArray;
  } else {
    part = accessor(describer, descriptor, receiver, depth);
  }
  if (isElement) return part;
  const label = labelOf(key, descriptor === undefined || descriptor.enumerable, view.paint);
  return typeof part === 'string' && !mayDrop ? `${label}: ${part}` : new Member(label, part, mayDrop);
}

// With showHidden: what classes of the program have defined on the prototypes, except methods.
function inheritedMembers(describer, value, title, depth) {
  const parts = [];
  const above = getPrototypeOf(value);
  if (title.holder === undefined) return parts;
  const maker = makerAt(title.holder);
  if (title.holder === above && isBuiltin(maker)) return parts;
  const { view } = describer;
  const seen = new Set();
  let holder = title.holder === value ? value : above;
  for (let i = 0; i < kPrototypesShown; i++) {
    if (i > 0 || holder === value) {
      holder = getPrototypeOf(holder);
      if (holder === null) break;
      const its = makerAt(holder);
      if (typeof its === 'function' && isBuiltin(its)) break;
    }
    for (const key of Reflect.ownKeys(holder)) {
      if (key === 'constructor' || hasOwn(value, key) || seen.has(key)) continue;
      seen.add(key);
      if (typeof getOwnPropertyDescriptor(holder, key).value === 'function') continue;
      describer.path.push(value);
      const part = member(describer, holder, key, depth, false, value);
      describer.path.pop();
      parts.push(view.colors ? new Wrapped('\u001b[2m', part, '\u001b[22m') : part);
    }
  }
  return parts;
}

module.exports = { ownKeys, keysBehindIndices, kindMember, member, inheritedMembers, labelOf };
