'use strict';

// What a value calls itself: the name of its class, found along its prototypes, and its Symbol.toStringTag. From both comes the title
// that stands before the brackets.

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { hasOwn } = Object;
const isEnumerable = Object.prototype.propertyIsEnumerable;

const typedName = Object.getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get;
const names = new Map([
  ['weakmap', 'WeakMap'], ['weakset', 'WeakSet'], ['buffer', 'ArrayBuffer'], ['view', 'DataView'], ['regexp', 'RegExp'], ['bigint', 'BigInt'],
  ['mapiterator', 'Map Iterator'], ['setiterator', 'Set Iterator'], ['namespace', 'Module'],
]);

function isInstance(value, maker) {
  try {
    return value instanceof maker;
  } catch {
    return false; // its prototype is no object, or a trap throws
  }
}

// The function whose instance the value is, if `holder` (the value or one of its prototypes) names one.
function makerAt(holder, value) {
  const maker = getOwnPropertyDescriptor(holder, 'constructor')?.value;
  return typeof maker === 'function' && maker.name !== '' && isInstance(value, maker) ? maker : undefined;
}

function nameByBrand(value, brand) {
  const text = Object.prototype.toString.call(value).slice(8, -1);
  if (text !== 'Object') return text;
  if (brand === 'typedarray') return typedName.call(value);
  return names.get(brand) ?? `${brand[0].toUpperCase()}${brand.slice(1)}`;
}

class Title {
  name; // null: there is no prototype
  tag = '';
  holder; // the object that named the class
  #value;
  #brand;

  constructor(value, brand, describer, depth) {
    this.#value = value;
    this.#brand = brand;
    this.name = this.#search(value, describer, depth);
    let tag;
    try {
      tag = value[Symbol.toStringTag];
    } catch {
      return;
    }
    if (typeof tag !== 'string' || tag === '') return;
    // A tag that is shown as a member needs not be shown twice.
    const shown = describer.view.showHidden ? hasOwn(value, Symbol.toStringTag) : isEnumerable.call(value, Symbol.toStringTag);
    if (!shown) this.tag = tag;
  }

  // What it is called where the prototypes do not tell.
  get native() {
    if (this.#brand !== 'object') return nameByBrand(this.#value, this.#brand);
    const tag = getOwnPropertyDescriptor(this.#value, Symbol.toStringTag)?.value;
    return typeof tag === 'string' && tag !== '' && tag !== this.tag ? tag : 'Object';
  }

  #search(value, describer, depth) {
    for (let holder = value; holder !== null; holder = getPrototypeOf(holder)) {
      const maker = makerAt(holder, value);
      if (maker !== undefined) {
        this.holder = holder;
        return String(maker.name);
      }
    }
    const above = getPrototypeOf(value);
    if (above === null) return null;
    // Prototypes without a constructor: they are shown instead of a name.
    if (describer.isBeyond(depth)) return `${this.native} <Complex prototype>`;
    const inner = new Title(above, 'object', describer, depth + 1);
    return `${this.native} <${inner.name === null ? describer.bareText(above) : inner.name}>`;
  }

  // `kind` is what it is without a prototype, `size` a count like (3).
  before(kind, size = '') {
    const own = this.name === null ? `[${kind}${size}: null prototype]` : `${this.name}${size}`;
    const known = this.name === null ? kind : this.name;
    return this.tag !== '' && this.tag !== known ? `${own} [${this.tag}] ` : `${own} `;
  }

  // When what is inside is too deep to be shown.
  closed() {
    const text = this.before(this.native).slice(0, -1);
    return this.name === null ? text : `[${text}]`;
  }
}

// The constructors of the language itself, as Node counts them.
const builtins = new Set([
  'AggregateError', 'Array', 'ArrayBuffer', 'AsyncDisposableStack', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'Boolean', 'DataView', 'Date',
  'DisposableStack', 'Error', 'EvalError', 'FinalizationRegistry', 'Float16Array', 'Float32Array', 'Float64Array', 'Function', 'Int16Array',
  'Int32Array', 'Int8Array', 'Iterator', 'Map', 'Number', 'Object', 'Promise', 'Proxy', 'RangeError', 'ReferenceError', 'RegExp', 'Set',
  'String', 'SuppressedError', 'Symbol', 'SyntaxError', 'TypeError', 'URIError', 'Uint16Array', 'Uint32Array', 'Uint8Array',
  'Uint8ClampedArray', 'WeakMap', 'WeakRef', 'WeakSet',
]);
const isBuiltin = (maker) => builtins.has(maker.name);

module.exports = { Title, isBuiltin, makerAt, isInstance };
