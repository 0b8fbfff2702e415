'use strict';

// Small plain values as util.inspect shows them by default: what fits on a line, without anything that needs a rule.
// The parts of internal/inspect, which know all rules, take twenty times as long to load.

const { cellType } = internalBinding('util');
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;
const { toStringTag } = Symbol;
const custom = Symbol.for('nodejs.util.inspect.custom');
const { forEach: forEachEntry } = Map.prototype;
const { forEach: forEachValue } = Set.prototype;

const objectKind = cellType({});
const arrayKind = cellType([]);
const mapKind = cellType(new Map());
const setKind = cellType(new Set());
const mostLevels = 2; // objects below are not shown
const mostElements = 6; // more elements of an array are put into columns
const longest = 50; // any line with a text this long is short enough not to be broken

// Letters, digits and _ only, and no digit at first.
function isSimpleName(name) {
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
    if (!isLetter && (i === 0 || code < 48 || code > 57)) return false;
  }
  return name.length > 0 && name.length <= longest && name !== '__proto__' && name !== 'constructor';
}

// ASCII, and nothing that needs another quote or an escape.
function isSimpleText(text) {
  if (text.length > longest) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || code > 126 || code === 39 || code === 92) return false;
  }
  return true;
}

// Whether objects with this prototype are called by their class's name.
function isNamed(prototype, Class, name) {
  return getOwnPropertyDescriptor(prototype, 'constructor')?.value === Class && Class.name === name;
}

function showCollection(value, level, Class, name, prefix, forEach) {
  const { prototype } = Class;
  if (getPrototypeOf(value) !== prototype || !isNamed(prototype, Class, name)) return undefined;
  if (ownKeys(value).length > 0 || value[toStringTag] !== name || custom in value) return undefined;
  const parts = [];
  let isSimple = true;
  Reflect.apply(forEach, value, [
    (item, key) => {
      if (!isSimple || parts.length > longest) return;
      const shownKey = prefix === undefined ? '' : show(key, level + 1);
      const shown = show(item, level + 1);
      if (shown === undefined || shownKey === undefined) isSimple = false;
      else parts.push(prefix === undefined ? shown : `${shownKey}${prefix}${shown}`);
    },
  ]);
  if (!isSimple) return undefined;
  return parts.length === 0 ? `${name}(0) {}` : `${name}(${parts.length}) { ${parts.join(', ')} }`;
}

function showObject(value, level, isArray) {
  const prototype = isArray ? Array.prototype : Object.prototype;
  if (getPrototypeOf(value) !== prototype || toStringTag in value || custom in value) return undefined;
  if (isArray ? !isNamed(prototype, Array, 'Array') : !isNamed(prototype, Object, 'Object')) return undefined;
  const keys = ownKeys(value);
  const count = isArray ? value.length : keys.length;
  if (count > (isArray ? mostElements : longest) || (isArray && keys.length !== count + 1)) return undefined;
  let text = '';
  for (let i = 0; i < count; i++) {
    const key = keys[i];
    if (isArray ? key !== `${i}` : typeof key !== 'string' || !isSimpleName(key)) return undefined;
    const property = getOwnPropertyDescriptor(value, key);
    if (!property.enumerable || !('value' in property)) return undefined;
    const shown = show(property.value, level + 1);
    if (shown === undefined) return undefined;
    text += i === 0 ? '' : ', ';
    text += isArray ? shown : `${key}: ${shown}`;
  }
  if (count === 0) return isArray ? '[]' : '{}';
  return isArray ? `[ ${text} ]` : `{ ${text} }`;
}

// undefined: it is not simple.
function show(value, level) {
  switch (typeof value) {
    case 'string':
      return isSimpleText(value) ? `'${value}'` : undefined;
    case 'number':
      return Object.is(value, -0) ? '-0' : `${value}`;
    case 'bigint':
      return `${value}n`;
    case 'boolean':
    case 'undefined':
      return `${value}`;
    case 'object': {
      if (value === null) return 'null';
      const kind = cellType(value);
      if (level > mostLevels || kind === undefined) return undefined;
      if (kind === objectKind || kind === arrayKind) return showObject(value, level, kind === arrayKind);
      if (kind === mapKind) return showCollection(value, level, Map, 'Map', ' => ', forEachEntry);
      if (kind === setKind) return showCollection(value, level, Set, 'Set', undefined, forEachValue);
      return undefined;
    }
    default:
      return undefined;
  }
}

function plainText(value) {
  const text = show(value, 0);
  return text !== undefined && text.length <= longest ? text : undefined;
}

module.exports = { plainText };
