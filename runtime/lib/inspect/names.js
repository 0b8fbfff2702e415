'use strict';

// The title of a value before its brackets: the name of its class, which is found along its
// prototypes, and its Symbol.toStringTag.

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { hasOwn } = Object;
const isEnumerable = Object.prototype.propertyIsEnumerable;

const typedName = Object.getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
const names = new Map([
  ['weakmap', 'WeakMap'],
  ['weakset', 'WeakSet'],
  ['buffer', 'ArrayBuffer'],
  ['view', 'DataView'],
  ['regexp', 'RegExp'],
  ['bigint', 'BigInt'],
  ['mapiterator', 'Map Iterator'],
  ['setiterator', 'Set Iterator'],
]);

function isInstance(value, maker) {
  try {
    return value instanceof maker;
  } catch {
    return false; // its prototype is no object, or a trap throws
  }
}

function nameByBrand(value, brand) {
  const text = Object.prototype.toString.call(value).slice(8, -1);
  if (text !== 'Object') return text;
  if (brand === 'typedarray') return typedName.call(value);
  return names.get(brand) ?? `${brand[0].toUpperCase()}${brand.slice(1)}`;
}

// There are no private methods in classes of which every object needs an instance: each instance would pay for them.
class Title {
  name = null; // null: there is no prototype
  tag = '';
  holder = undefined; // the object that named the class

  constructor(value, brand, describer, depth) {
    this.value = value;
    this.brand = brand;
    const holder = namingObject(value);
    this.holder = holder;
    if (holder !== undefined) this.name = String(makerAt(holder).name);
    else if (getPrototypeOf(value) !== null) this.name = nameByPrototypes(this, describer, depth);
    this.tag = tagOf(value, describer.view.showHidden);
  }

  // The name if the prototypes do not give one.
  get native() {
    const { value, brand } = this;
    if (brand === 'namespace') return 'Object';
    if (brand !== 'object') return nameByBrand(value, brand);
    const tag = getOwnPropertyDescriptor(value, Symbol.toStringTag)?.value;
    return typeof tag === 'string' && tag !== '' && tag !== this.tag ? tag : 'Object';
  }

  // `kind` is what it is without a prototype, `size` a count like (3).
  before(kind, size = '') {
    const own = this.name === null ? `[${kind}${size}: null prototype]` : `${this.name}${size}`;
    const known = this.name === null ? kind : this.name;
    // If the tag ends with the name (Temporal.Instant), it is shown instead of both.
    if (this.name !== null && this.tag.endsWith(`.${this.name}`)) return `${this.tag}${size} `;
    return this.tag !== '' && this.tag !== known ? `${own} [${this.tag}] ` : `${own} `;
  }

  // Used if the contents are too deep to be shown.
  closed() {
    const text = this.before(this.native).slice(0, -1);
    return this.name === null ? text : `[${text}]`;
  }
}

// The value of `constructor`; that of promises may be an accessor of ours (internal/async/promises).
function makerAt(holder) {
  const own = getOwnPropertyDescriptor(holder, 'constructor');
  return own?.value ?? own?.get?.maker;
}

// The value itself, or the first of its prototypes, that names a class of which the value is an instance.
function namingObject(value) {
  for (let holder = value; holder !== null; holder = getPrototypeOf(holder)) {
    if (!hasOwn(holder, 'constructor')) continue;
    const maker = makerAt(holder);
    if (typeof maker !== 'function') continue;
    // it is on the chain: an instance
    if (holder !== value && maker.prototype === holder && isUsual(maker)) return holder;
    if (maker.name !== '' && isInstance(value, maker)) return holder;
  }
  return undefined;
}

const isUsual = (maker) => maker === Object || maker === Array;

// Prototypes without a constructor are shown in place of a name.
function nameByPrototypes(title, describer, depth) {
  if (describer.isBeyond(depth)) return `${title.native} <Complex prototype>`;
  const above = getPrototypeOf(title.value);
  const inner = new Title(above, 'object', describer, depth + 1);
  return `${title.native} <${inner.name === null ? describer.bareText(above) : inner.name}>`;
}

// A tag that is shown as a member is not shown twice.
function tagOf(value, showHidden) {
  let tag;
  try {
    tag = value[Symbol.toStringTag];
  } catch {
    return '';
  }
  if (typeof tag !== 'string' || tag === '') return '';
  const isShown = showHidden ? hasOwn(value, Symbol.toStringTag) : isEnumerable.call(value, Symbol.toStringTag);
  return isShown ? '' : tag;
}

// The constructors of the language itself, as in Node.
const builtins = new Set([
  'AggregateError',
  'Array',
  'ArrayBuffer',
  'AsyncDisposableStack',
  'BigInt',
  'BigInt64Array',
  'BigUint64Array',
  'Boolean',
  'DataView',
  'Date',
  'DisposableStack',
  'Error',
  'EvalError',
  'FinalizationRegistry',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'Function',
  'Int16Array',
  'Int32Array',
  'Int8Array',
  'Iterator',
  'Map',
  'Number',
  'Object',
  'Promise',
  'Proxy',
  'RangeError',
  'ReferenceError',
  'RegExp',
  'Set',
  'String',
  'SuppressedError',
  'Symbol',
  'SyntaxError',
  'TypeError',
  'URIError',
  'Uint16Array',
  'Uint32Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'WeakMap',
  'WeakRef',
  'WeakSet',
]);
const isBuiltin = (maker) => builtins.has(maker.name);

module.exports = { Title, builtins, isBuiltin, isInstance, makerAt };
