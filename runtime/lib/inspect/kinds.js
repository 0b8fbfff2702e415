'use strict';

// The description of each kind of object. A kind has `sketch`, which gives the whole text if there is nothing to
// expand, or else the brackets and the text before them; and `fill`, which adds what is not a property: elements,
// entries, a promise's result. `hasElements` says that indices are no properties.

const { kinds: collections } = require('internal/inspect/collections');
const binary = require('internal/inspect/binary');
const functions = require('internal/inspect/functions');
const { isInstance } = require('internal/inspect/names');
const { Member, Wrapped, symbolText, bigintText, numberText } = require('internal/inspect/layout');
const { member, labelOf } = require('internal/inspect/members');
const { unpainted } = require('internal/inspect/palette');
const { isExternal } = require('internal/util/types');

const NativeError = internalBinding('runtime').Error ?? Error;
const { promiseDetails } = internalBinding('util');
const dateToISOString = Date.prototype.toISOString;
const dateToString = Date.prototype.toString;
const regexpToString = RegExp.prototype.toString;
const toTime = Date.prototype.getTime;

const externalAddress = (value) => internalBinding('addons').address(value);

function openWith(fallback) {
  return (describer, { title, block }) => {
    block.open = `${title.before(fallback)}{`;
  };
}

const plain = {
  sketch(describer, { value, brand, title, block, isBare }) {
    if (brand === 'arguments') block.open = '[Arguments] {';
    else if (title.name === null && isBare && isExternal(value))
      return describer.view.paint(`[External: ${externalAddress(value)}]`, 'special');
    else if (title.name !== 'Object' || title.tag !== '') block.open = `${title.before(title.native)}{`;
    return isBare ? `${block.open}}` : undefined;
  },
};

const error = {
  sketch(describer, sketch) {
    const head = require('internal/inspect/errors').describeError(describer, sketch);
    if (sketch.isBare) return head;
    sketch.block.head = head;
    return undefined;
  },
};

// Values that are shown by their text alone, unless they have properties.
function withText(style, write) {
  return {
    sketch(describer, { value, title, block, isBare, depth }) {
      const text = write(value, title);
      if (isBare || (style === 'regexp' && describer.isBeyond(depth))) return describer.view.paint(text, style);
      block.head = style === 'regexp' ? describer.view.paint(text, style) : text;
      return undefined;
    },
  };
}

const date = withText('date', (value, title) => {
  const text = Number.isNaN(toTime.call(value)) ? dateToString.call(value) : dateToISOString.call(value);
  const before = title.before('Date');
  return before === 'Date ' ? text : before + text;
});

const regexp = withText('regexp', (value, title) => {
  const text = regexpToString.call(title.name === null ? new RegExp(value) : value);
  const before = title.before('RegExp');
  return before === 'RegExp ' ? text : before + text;
});

const boxes = {
  __proto__: null,
  number: ['Number', (value, view) => numberText(Number.prototype.valueOf.call(value), view.numericSeparator)],
  string: [
    'String',
    (value, view, describer) => describer.text(describer.string(String.prototype.valueOf.call(value), unpainted)),
  ],
  boolean: ['Boolean', (value) => `${Boolean.prototype.valueOf.call(value)}`],
  bigint: ['BigInt', (value, view) => bigintText(BigInt.prototype.valueOf.call(value), view.numericSeparator)],
  symbol: ['Symbol', (value) => symbolText(Symbol.prototype.valueOf.call(value))],
};

const boxed = {
  sketch(describer, sketch) {
    const { value, brand, title, block } = sketch;
    const [type, write] = boxes[brand];
    if (brand === 'string') sketch.keys.splice(0, String.prototype.valueOf.call(value).length); // its characters
    let text = `[${type}`;
    if (title.name === null) text += ' (null prototype)';
    else if (title.name !== type) text += ` (${title.name})`;
    text += `: ${write(value, describer.view, describer)}]`;
    if (title.tag !== '' && title.tag !== title.name) text += ` [${title.tag}]`;
    if (sketch.isBare) return describer.view.paint(text, brand);
    block.head = text;
    return undefined;
  },
};

const promise = {
  sketch: openWith('Promise'),
  fill(describer, { value, block }, level) {
    const { paint } = describer.view;
    const [state, result] = promiseDetails(value);
    if (state === 0 || state === 3) {
      block.items.push(paint(state === 0 ? '<pending>' : '<state unknown>', 'special'));
      return;
    }
    const part = describer.describe(result, level);
    block.items.push(state === 1 ? part : new Wrapped(`${paint('<rejected>', 'special')} `, part, ''));
  },
};

// Reading a binding before its module has run throws.
const namespace = {
  sketch(describer, { block, title }) {
    block.open = `${title.before('Module')}{`;
  },
  fill(describer, sketch, level) {
    const { value, block, keys } = sketch;
    for (const key of keys) {
      try {
        block.items.push(member(describer, value, key, level, false));
      } catch (problem) {
        if (!isInstance(problem, ReferenceError)) throw problem;
        block.items.push(
          new Member(
            labelOf(key, true, describer.view.paint),
            describer.view.paint('<uninitialized>', 'special'),
            false,
          ),
        );
      }
    }
    sketch.keys = [];
  },
};

const table = {
  __proto__: null,
  ...collections,
  ...binary,
  function: functions,
  error,
  date,
  regexp,
  number: boxed,
  string: boxed,
  boolean: boxed,
  bigint: boxed,
  symbol: boxed,
  promise,
  namespace,
  arguments: plain,
  object: plain,
};

// An object counts as such a kind only while it can be iterated over. An object whose constructor is Object is shown as
// a plain object, whatever its internal type.
function kindFor(value, brand, title) {
  if (brand === 'object') return title.name !== 'Object' && isInstance(value, NativeError) ? error : plain;
  const kind = table[brand];
  if (kind.isIterable) return Symbol.iterator in value || title.name === null ? kind : plain;
  if (brand === 'function' || title.name !== 'Object') return kind;
  return plain;
}

module.exports = { kindFor };
