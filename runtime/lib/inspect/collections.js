'use strict';

// Arrays, maps, sets and their iterators: objects whose elements have an order.

const { Block, Entry, plural } = require('internal/inspect/layout');
const { member } = require('internal/inspect/members');
const { brandOf } = require('internal/inspect/brand');

const { hasOwn } = Object;
const isEnumerable = Function.prototype.call.bind(Object.prototype.propertyIsEnumerable);
const { copyIterator, weakEntries } = internalBinding('util');
const nextOfMap = Object.getPrototypeOf(new Map().keys()).next;
const nextOfSet = Object.getPrototypeOf(new Set().keys()).next;
const kPairs = 2;
const forEachOfMap = Map.prototype.forEach;
const forEachOfSet = Set.prototype.forEach;
const sizeOfMap = Object.getOwnPropertyDescriptor(Map.prototype, 'size').get;
const sizeOfSet = Object.getOwnPropertyDescriptor(Set.prototype, 'size').get;

const limitOf = (view, length) => Math.min(Math.max(0, view.maxArrayLength), length);

function tellRest(items, count) {
  if (count > 0) items.push(`... ${plural(count, 'more item')}`);
}

// Elements up to the limit; a run of holes counts as one. After the first hole only enumerable elements are shown.
function fillArray(describer, value, items, level) {
  const { view } = describer;
  const { length } = value;
  const limit = limitOf(view, length);
  let index = 0;
  let isThere = hasOwn;
  while (index < length && items.length < limit) {
    if (isThere(value, index)) {
      items.push(member(describer, value, index, level, true, value, true));
      index++;
      continue;
    }
    isThere = isEnumerable;
    const next = nextElement(value, index, length);
    items.push(view.paint(`<${plural(next - index, 'empty item')}>`, 'undefined'));
    index = next;
  }
  tellRest(items, length - index);
}

// A hole may be huge: then the array has fewer keys than indices.
function nextElement(value, index, length) {
  const nearby = Math.min(length, index + 1000);
  while (index < nearby && !isEnumerable(value, index)) index++;
  if (index < nearby || index === length) return index;
  for (const key of Object.keys(value)) {
    if (+key >= index && +key < length && `${+key}` === key) return +key;
  }
  return length;
}

const array = {
  isIterable: true,
  hasElements: true,
  sketch(describer, { value, title, block, isBare }) {
    const before = title.name !== 'Array' || title.tag !== '' ? title.before('Array', `(${value.length})`) : '';
    block.open = `${before}[`;
    block.close = ']';
    if (value.length === 0 && isBare) return `${block.open}]`;
    block.array = value;
    return undefined;
  },
  fill(describer, { value, block }, level) {
    fillArray(describer, value, block.items, level);
  },
};

// Adds elements until the limit is reached.
class Enough {
  constructor(describer, items, size) {
    this.items = items;
    this.limit = limitOf(describer.view, size);
    this.size = size;
  }

  get isReached() {
    return this.items.length >= this.limit;
  }

  end() {
    tellRest(this.items, this.size - this.limit);
  }
}

function sized(name, sizeOf) {
  return (describer, { value, title, block, isBare }) => {
    const size = sizeOf.call(value);
    const before = title.before(name, `(${size})`);
    if (size === 0 && isBare) return `${before}{}`;
    block.open = `${before}{`;
    return undefined;
  };
}

const set = {
  isIterable: true,
  sketch: sized('Set', sizeOfSet),
  fill(describer, { value, block }, level) {
    const enough = new Enough(describer, block.items, sizeOfSet.call(value));
    const elements = [];
    forEachOfSet.call(value, (element) => {
      elements.push(element);
    });
    for (let i = 0; !enough.isReached; i++) block.items.push(describer.describe(elements[i], level));
    enough.end();
  },
};

const map = {
  isIterable: true,
  sketch: sized('Map', sizeOfMap),
  fill(describer, { value, block }, level) {
    const enough = new Enough(describer, block.items, sizeOfMap.call(value));
    const entries = [];
    forEachOfMap.call(value, (element, key) => {
      entries.push(key, element);
    });
    for (let i = 0; !enough.isReached; i += 2) {
      const key = describer.describe(entries[i], level);
      block.items.push(new Entry(key, describer.describe(entries[i + 1], level)));
    }
    enough.end();
  },
};

function restOf(iterator, copy, next) {
  const given = copyIterator(iterator, copy);
  if (given === undefined) return [[], false, true];
  const inPairs = given === kPairs;
  const values = [];
  for (let step = next.call(copy); !step.done; step = next.call(copy)) {
    if (inPairs) values.push(step.value[0], step.value[1]);
    else values.push(step.value);
  }
  return [values, inPairs];
}

// The values that an iterator over a map or set has still to give, without advancing it: [values, whether they come in
// pairs, whether that is unknown].
function remainingOf(value) {
  return brandOf(value) === 'mapiterator'
    ? restOf(value, new Map().keys(), nextOfMap)
    : restOf(value, new Set().keys(), nextOfSet);
}

function iterator(type) {
  return {
    isIterable: true,
    sketch(describer, sketch) {
      const { title, block, value } = sketch;
      sketch.rest = remainingOf(value);
      const name = `${type} ${sketch.rest[1] ? 'Entries' : 'Iterator'}`;
      const other = title.tag !== '' && title.tag !== `${type} Iterator` ? `[${title.tag}] ` : '';
      block.open = `${other}[${name}] {`;
    },
    fill(describer, { block, rest: [values, inPairs, isUnknown] }, level) {
      const { items } = block;
      if (isUnknown) {
        items.push(describer.view.paint('<items unknown>', 'special'));
        return;
      }
      const step = inPairs ? 2 : 1;
      const count = values.length / step;
      const enough = new Enough(describer, items, count);
      for (let i = 0; !enough.isReached; i += step) {
        const part = describer.describe(values[i], level);
        if (!inPairs) {
          items.push(part);
          continue;
        }
        const pair = new Block();
        pair.open = '[';
        pair.close = ']';
        pair.items.push(part, describer.describe(values[i + 1], level));
        pair.array = [];
        pair.step = 0;
        pair.spread = describer.last - level;
        items.push(pair);
      }
      enough.end();
    },
  };
}

// The entries of a weak collection are shown only with showHidden.
function weak(name, inPairs) {
  return {
    sketch(describer, { title, block }) {
      block.open = `${title.before(name)}{`;
    },
    fill(describer, { value, block }, level) {
      const { items } = block;
      const { view } = describer;
      const entries = view.showHidden ? weakEntries(value, inPairs ? 2 : 1) : undefined;
      if (entries === undefined) {
        items.push(view.paint('<items unknown>', 'special'));
        return;
      }
      const parts = [];
      const step = inPairs ? 2 : 1;
      const limit = limitOf(view, entries.length / step);
      for (let i = 0; i < limit * step; i += step) {
        const part = describer.describe(entries[i], level);
        parts.push(inPairs ? new Entry(part, describer.describe(entries[i + 1], level)) : part);
      }
      // Weak collections have no order: the entries are sorted by their texts.
      const order = (a, b) => (describer.text(a) < describer.text(b) ? -1 : 1);
      items.push(...(limit === entries.length / step ? parts.sort(order) : parts));
      tellRest(items, entries.length / step - limit);
    },
  };
}

const kinds = {
  array,
  set,
  map,
  mapiterator: iterator('Map'),
  setiterator: iterator('Set'),
  weakset: weak('WeakSet', false),
  weakmap: weak('WeakMap', true),
};

module.exports = { kinds, remainingOf };
