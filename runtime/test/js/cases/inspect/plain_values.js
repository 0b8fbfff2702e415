'use strict';

// Small plain values, which are shown before the parts of util.inspect are loaded; then values that look like them.

const { inspect } = require('util');

let state = 12345;
function below(limit) {
  state = (state * 1103515245 + 12345) % 2147483648;
  return Math.floor((state / 2147483648) * limit);
}
const words = ['a', 'b1', '_c', 'name', 'Value', 'x y', '', '"', '-'];
const numbers = [0, -0, 1, -1.5, 1e21, NaN, Infinity, 5n, -7n];
const others = [true, false, null, undefined];

function make(depth) {
  const kind = below(depth > 0 ? 8 : 3);
  const some = () => Array.from({ length: below(3) }, () => make(depth - 1));
  if (kind === 0) return words[below(words.length)];
  if (kind === 1) return numbers[below(numbers.length)];
  if (kind === 2) return others[below(others.length)];
  if (kind === 3) return new Map(some().map((value) => [make(depth - 1), value]));
  if (kind === 4) return new Set(some());
  if (kind === 5) return some();
  return Object.fromEntries(some().map((value) => [words[below(5)], value]));
}

const size = (value) =>
  value !== null && typeof value === 'object'
    ? [
        ...(Array.isArray(value) || value instanceof Map || value instanceof Set ? value : Object.entries(value)),
      ].reduce((sum, each) => sum + size(each), 10)
    : `${typeof value === 'symbol' ? '' : value}`.length + 4;
for (let i = 0; i < 400; i++) {
  const value = make(3);
  if (size(value) <= 50) console.log(inspect(value));
}

const wide = (length) => ({ a: 'x'.repeat(length) });
for (let length = 35; length < 90; length++) console.log(inspect(wide(length)), inspect([wide(length)]));
for (let length = 5; length < 40; length++) console.log(inspect(Array.from({ length }, (_, i) => i)));
for (let length = 5; length < 40; length++) console.log(inspect(Object.fromEntries(words.slice(0, length).entries())));
