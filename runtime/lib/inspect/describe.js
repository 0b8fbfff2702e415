'use strict';

// The first stage: a value becomes a tree of parts, which the layout arranges. Each kind of object has
// its own description (internal/inspect/kinds); this file has what all kinds share: depth, cycles,
// proxies, custom functions, properties.

const {
  Block,
  Lines,
  LongString,
  Wrapped,
  show,
  quote,
  symbolText,
  bigintText,
  numberText,
  plural,
} = require('internal/inspect/layout');
const { Title } = require('internal/inspect/names');
const { brandOf } = require('internal/inspect/brand');
const { kindFor } = require('internal/inspect/kinds');
const { member, ownKeys, keysBehindIndices, inheritedMembers } = require('internal/inspect/members');

const { proxyDetails } = internalBinding('util');
const { getOwnPropertyDescriptor } = Object;
const inspectCustom = Symbol.for('nodejs.util.inspect.custom');

const kShortString = 16; // is never cut
const kPerItem = 10; // characters of an item, about
const kMostText = 2 ** 27; // characters: then nothing more is opened
const kMostNested = 1000; // levels: deeper ones would end the engine's stack
const splitLines = /(?<=\n)/;

let namespaces;
function isNamespace(value) {
  namespaces ??= require('internal/state').namespaces;
  return namespaces.has(value);
}

// What a kind needs to know of the object that it describes, and what it may change: the block and the keys.
class Sketch {
  constructor(value, brand, title, block, keys, hasInherited, inside, depth) {
    this.value = value;
    this.brand = brand;
    this.title = title;
    this.block = block;
    this.keys = keys;
    this.hasInherited = hasInherited;
    this.inside = inside;
    this.depth = depth;
  }

  // There are no properties to show.
  get isBare() {
    return this.keys.length === 0 && !this.hasInherited;
  }
}

class Describer {
  path = []; // the objects that are being described, from the outermost
  circles; // object -> its number, for those that were met again inside of themselves
  last = 0; // the level of what was opened last
  size = 0;

  constructor(view, inspect) {
    this.view = view;
    this.inspect = inspect;
  }

  isBeyond(depth) {
    return this.view.depth !== null && depth > this.view.depth;
  }

  // `inside` says to a buffer that its owner has shown the bytes already.
  describe(value, depth, inside = false) {
    switch (typeof value) {
      case 'string':
        return this.string(value);
      case 'number':
        return this.view.paint(numberText(value, this.view.numericSeparator), 'number');
      case 'bigint':
        return this.view.paint(bigintText(value, this.view.numericSeparator), 'bigint');
      case 'boolean':
        return this.view.paint(`${value}`, 'boolean');
      case 'symbol':
        return this.view.paint(symbolText(value), 'symbol');
      case 'undefined':
        return this.view.paint('undefined', 'undefined');
      default:
        return value === null ? this.view.paint('null', 'null') : this.object(value, depth, inside);
    }
  }

  string(value, paint = this.view.paint) {
    const { view } = this;
    let rest = '';
    if (value.length > view.maxStringLength) {
      const shown = Math.max(view.maxStringLength, 0);
      rest = `... ${plural(value.length - shown, 'more character')}`;
      value = value.slice(0, shown);
    }
    this.size += value.length;
    if (value.length > kShortString && view.compact !== true && value.includes('\n')) {
      const pieces = value.split(splitLines).map((piece) => ({ cut: quote(piece) }));
      pieces.whole = quote(value);
      return new LongString(pieces, value.length, paint, rest);
    }
    return paint(quote(value), 'string') + rest;
  }

  object(value, depth, inside) {
    const { view } = this;
    let brand = brandOf(value);
    let target = value;
    if (brand === 'proxy') {
      if (isNamespace(value)) {
        brand = 'namespace';
      } else if (view.showProxy) {
        return this.openProxy(value, depth);
      } else {
        while (target !== null && brandOf(target) === 'proxy')
          target = proxyDetails(target)[1] === null ? null : proxyDetails(target)[0];
      }
    }
    if (view.customInspect && target !== null) {
      const part = this.custom(target, value, depth);
      if (part !== undefined) return part;
    }
    if (brand === 'proxy') return this.closedProxy(value, depth);
    if (this.path.includes(value)) return this.circle(value);
    return this.open(value, brand, depth, inside);
  }

  // The result of the object's own inspection function, or undefined. `receiver` is the proxy, if there is one.
  custom(value, receiver, depth) {
    const custom = value[inspectCustom];
    if (typeof custom !== 'function' || custom === this.inspect) return undefined;
    const maker = getOwnPropertyDescriptor(value, 'constructor')?.value;
    if (maker != null && maker.prototype === value) return undefined; // a class's prototype, shown by itself
    const { view } = this;
    const left = view.depth === null ? null : view.depth - depth;
    const isForeign = receiver !== value || !(receiver instanceof Object);
    const result = custom.call(receiver, left, view.forProgram(isForeign), this.inspect);
    if (result === receiver) return undefined;
    return typeof result === 'string' ? new Lines(result) : this.describe(result, depth);
  }

  circle(value) {
    this.circles ??= new Map();
    let number = this.circles.get(value);
    if (number === undefined) {
      number = this.circles.size + 1;
      this.circles.set(value, number);
    }
    return this.view.paint(`[Circular *${number}]`, 'special');
  }

  closedProxy(value, depth) {
    const { paint } = this.view;
    const [target, handler] = proxyDetails(value);
    if (handler === null) return paint('<Revoked Proxy>', 'special');
    return new Wrapped(paint('Proxy(', 'special'), this.describe(target, depth), paint(')', 'special'));
  }

  openProxy(value, depth) {
    const { paint } = this.view;
    const [target, handler] = proxyDetails(value);
    if (handler === null) return paint('<Revoked Proxy>', 'special');
    if (this.isBeyond(depth)) return paint('Proxy [Array]', 'special');
    const block = new Block();
    block.open = 'Proxy [';
    block.close = ']';
    block.items.push(this.describe(target, depth + 1), this.describe(handler, depth + 1));
    block.array = [];
    block.spread = this.last - (depth + 1);
    return block;
  }

  open(value, brand, depth, inside) {
    const { view } = this;
    const title = new Title(value, brand, this, depth);
    const kind = kindFor(value, brand, title);
    let inherited = view.showHidden && !this.isBeyond(depth) ? inheritedMembers(this, value, title, depth) : undefined;
    if (inherited !== undefined && inherited.length === 0) inherited = undefined;
    const block = new Block();
    const keys = kind.hasElements ? keysBehindIndices(value, view.showHidden) : ownKeys(value, view.showHidden);
    const sketch = new Sketch(value, brand, title, block, keys, inherited !== undefined, inside, depth);
    const whole = kind.sketch(this, sketch);
    if (whole !== undefined) return whole;
    if (this.isBeyond(depth) || this.size > kMostText) return view.paint(title.closed(), 'special');

    if (this.path.length > kMostNested) return this.interrupted(title);
    const level = depth + 1;
    this.path.push(value);
    this.last = level;
    const { items } = block;
    try {
      kind.fill?.(this, sketch, level);
      const inArray = block.array !== undefined;
      for (const key of sketch.keys) items.push(member(this, value, key, level, inArray));
      block.named = sketch.keys.length;
      if (inherited !== undefined) items.push(...inherited);
    } catch (error) {
      if (!isOverflow(error)) throw error;
      return this.interrupted(title);
    } finally {
      this.path.pop();
    }
    this.size += items.length * (2 * level + kPerItem) || 0;
    const number = this.circles?.get(value);
    if (number !== undefined) {
      const reference = view.paint(`<ref *${number}>`, 'special');
      if (view.compact === true) block.open = `${reference} ${block.open}`;
      else block.head = block.head === '' ? reference : new Wrapped(`${reference} `, block.head, '');
    }
    block.spread = this.last - level;
    return block;
  }

  interrupted(title) {
    const name = title.before(title.native).slice(0, -1);
    return this.view.paint(
      `[${name}: Inspection interrupted prematurely. Maximum call stack size exceeded.]`,
      'special',
    );
  }

  // A prototype as part of a title: its own title without its contents.
  bareText(value) {
    return this.inspect(value, { ...this.view.forProgram(false), customInspect: false, depth: -1 });
  }

  text(part, indent = 0) {
    return show(part, indent, this.view);
  }
}

function isOverflow(error) {
  return error instanceof RangeError && error.message.startsWith('Maximum call stack size');
}

module.exports = { Describer };
