'use strict';

// Functions and classes.

const types = require('internal/util/types');
const { getOwnPropertyDescriptor, getPrototypeOf, hasOwn } = Object;
const sourceOf = Function.prototype.toString;

// A class has a prototype that cannot be replaced. So do the engine's own constructors; their source
// text tells them apart.
function isClass(value) {
  const prototype = getOwnPropertyDescriptor(value, 'prototype');
  return prototype !== undefined && prototype.writable === false && sourceOf.call(value).startsWith('class');
}

function classText(value, title) {
  let text = `class ${(hasOwn(value, 'name') && value.name) || '(anonymous)'}`;
  if (title.name !== null && title.name !== 'Function') text += ` [${title.name}]`;
  if (title.tag !== '' && title.tag !== title.name) text += ` [${title.tag}]`;
  if (title.name === null) return `${text} extends [null prototype]`;
  const parent = getPrototypeOf(value).name;
  return parent ? `${text} extends ${parent}` : text;
}

function functionText(describer, value, title, depth) {
  const generator = types.isGeneratorFunction(value) ? 'Generator' : '';
  const type = `${types.isAsyncFunction(value) ? 'Async' : ''}${generator}Function`;
  let text = `[${type}`;
  if (title.name === null) text += ' (null prototype)';
  const { name } = value;
  if (name === '') text += ' (anonymous)';
  else text += `: ${typeof name === 'string' ? name : describer.text(describer.describe(name, depth))}`;
  text += ']';
  if (title.name !== null && title.name !== type && title.name !== 'Function') text += ` ${title.name}`;
  if (title.tag !== '' && title.tag !== title.name) text += ` [${title.tag}]`;
  return text;
}

module.exports = {
  sketch(describer, { value, title, block, isBare, depth }) {
    const text = isClass(value) ? `[${classText(value, title)}]` : functionText(describer, value, title, depth);
    if (isBare) return describer.view.paint(text, 'special');
    block.head = text;
    return undefined;
  },
};
