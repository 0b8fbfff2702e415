'use strict';

// Parts of messages: which kinds of values were expected, and which value was given.

const typeNames = new Set(['string', 'function', 'number', 'object', 'boolean', 'bigint', 'symbol']);
const capital = /^[A-Z][A-Za-z\d]*$/;
const kLongestString = 28;

const show = (value, options) => require('internal/util/inspect').inspect(value, options);

// a / a or b / a, b, or c
function listed(words, last) {
  switch (words.length) {
    case 1:
      return words[0];
    case 2:
      return words.join(` ${last} `);
    default:
      return `${words.slice(0, -1).join(', ')}, ${last} ${words.at(-1)}`;
  }
}

function stringReceived(text) {
  const short = text.length > kLongestString ? `${text.slice(0, kLongestString - 3)}...` : text;
  return short.includes("'") ? JSON.stringify(short) : `'${short}'`;
}

// By the type of the given value.
const received = {
  __proto__: null,
  undefined: () => 'undefined',
  string: (value) => `type string (${stringReceived(value)})`,
  number: (value) => `type number (${Object.is(value, -0) ? '-0' : value})`,
  bigint: (value) => `type bigint (${value}n)`,
  boolean: (value) => `type boolean (${value})`,
  symbol: (value) => `type symbol (${value.toString()})`,
  function: (value) => `function ${value.name ?? ''}`,
  object(value) {
    if (value === null) return 'null';
    const maker = value.constructor?.name;
    return maker ? `an instance of ${maker}` : show(value, { depth: -1 });
  },
};

const describeReceived = (value) => received[typeof value](value);

// "of type string or an instance of Buffer": names of types, of classes, and whole phrases, in this order.
function describeExpected(expected) {
  const groups = { types: [], classes: [], phrases: [] };
  for (const word of [expected].flat()) {
    const lower = word.toLowerCase();
    if (typeNames.has(word) || word === 'Function' || word === 'Object') groups.types.push(lower);
    else if (capital.test(word)) groups.classes.push(word);
    else groups.phrases.push(word);
  }
  const { types, classes, phrases } = groups;
  if (classes.length > 0 && types.includes('object')) {
    // together with classes, one phrase is easier to read
    types.splice(types.indexOf('object'), 1);
    classes.push('Object');
  }
  const parts = [];
  if (types.length > 0) parts.push(`${types.length === 1 ? '' : 'one '}of type ${listed(types, 'or')}`);
  if (classes.length > 0) parts.push(`an instance of ${listed(classes, 'or')}`);
  if (phrases.length > 1) parts.push(`one of ${listed(phrases, 'or')}`);
  else if (phrases.length === 1) parts.push(`${/[A-Z]/.test(phrases[0]) ? 'an ' : ''}${phrases[0]}`);
  return parts.join(' or ');
}

// 1_234_567
const withSeparators = (digits) => digits.replace(/\B(?=(?:\d{3})+$)/g, '_');

module.exports = { listed, describeReceived, describeExpected, withSeparators, show };
