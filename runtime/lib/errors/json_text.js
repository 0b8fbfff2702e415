'use strict';

// V8's messages for an invalid text given to JSON.parse, and for an invalid value given to JSON.stringify. The engine's
// own errors do not contain enough; the wrappers that have the text or value examine it again (bootstrap).

const { findFault } = require('internal/modules/json');

const say = (error, value) =>
  Object.defineProperty(error, 'message', { value, writable: true, configurable: true, enumerable: false });

function ofParse(error, text) {
  if (!(error instanceof SyntaxError) || !error.message.startsWith('JSON Parse error')) return error;
  const fault = findFault(typeof text === 'string' ? text : `${text}`);
  return fault === undefined ? error : say(error, fault);
}

const kShown = 4; // up to this length all steps of a cycle are listed; of a longer one, the first two and the last

function makerOf(object) {
  const { constructor } = object;
  const name = typeof constructor === 'function' ? constructor.name : '';
  return `object with constructor '${typeof name === 'string' && name !== '' ? name : 'Object'}'`;
}

// The way from a value back to itself, as [holder, key] pairs; undefined if there is none.
function findCircle(value, way) {
  if (typeof value !== 'object' || value === null) return undefined;
  const seen = way.findIndex(([holder]) => holder === value);
  if (seen !== -1) return way.slice(seen);
  for (const key of Object.keys(value)) {
    let next = value[key];
    if (typeof next?.toJSON === 'function') next = next.toJSON(key);
    const circle = findCircle(next, [...way, [value, key]]);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

const stepOf = ([holder, key]) => (Array.isArray(holder) ? `index ${key}` : `property '${key}'`);

function ofStringify(error, value) {
  if (!(error instanceof TypeError) || !error.message.startsWith('JSON.stringify cannot serialize cyclic'))
    return error;
  const head = 'Converting circular structure to JSON';
  const start = typeof value?.toJSON === 'function' ? value.toJSON('') : value;
  const circle = findCircle(start, []);
  if (circle === undefined) return say(error, head);
  const inner = circle.slice(1).map(([holder], i) => `\n    |     ${stepOf(circle[i])} -> ${makerOf(holder)}`);
  if (inner.length >= kShown) inner.splice(2, inner.length - 3, '\n    |     ...');
  return say(
    error,
    `${head}\n    --> starting at ${makerOf(circle[0][0])}${inner.join('')}\n    --- ${stepOf(circle.at(-1))} ` +
      `closes the circle`,
  );
}

module.exports = { ofParse, ofStringify };
