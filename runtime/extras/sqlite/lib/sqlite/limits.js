'use strict';

// A connection's limits: as an option of the constructor, and as the object `database.limits`, whose properties are
// SQLite's current numbers.

const native = internalBinding('sqlite');
const { argument, outOfRange, wrongType } = require('internal/sqlite/errors');
const { isInt32, isObject } = require('internal/sqlite/arguments');

// In the order of SQLite's numbers.
const names = [
  'length',
  'sqlLength',
  'column',
  'exprDepth',
  'compoundSelect',
  'vdbeOp',
  'functionArg',
  'attach',
  'likePatternLength',
  'variableNumber',
  'triggerDepth',
];
const numbers = new Map(names.map((name, i) => [name, i]));
const ask = -1; // no value to set
const most = 2 ** 31 - 1;

// The option -> [[SQLite's number, value], ...]
function limitsOf(given) {
  if (given === undefined) return [];
  if (!isObject(given)) throw argument('options.limits', 'an object');
  const pairs = [];
  for (const [name, number] of numbers) {
    const value = given[name];
    if (value === undefined) continue;
    if (!isInt32(value)) throw argument(`options.limits.${name}`, 'an integer');
    if (value < 0) throw outOfRange(`The "options.limits.${name}" argument must be non-negative.`);
    pairs.push([number, value]);
  }
  return pairs;
}

function setLimits(handle, pairs) {
  for (const [number, value] of pairs) native.limit(handle, number, value);
}

function valueOf(value) {
  if (value === Infinity) return most;
  if (!isInt32(value)) throw wrongType('Limit value must be a non-negative integer or Infinity.');
  if (value < 0) throw outOfRange('Limit value must be non-negative.');
  return value;
}

// A view of the limits; inspect shows them as plain numbers.
class Limits {
  [Symbol.for('nodejs.util.inspect.custom')]() {
    return { ...this };
  }
}

function viewOf(door) {
  const view = new Limits();
  for (const [name, number] of numbers) {
    Object.defineProperty(view, name, {
      get: () => native.limit(door.open(), number, ask),
      set: (value) => {
        native.limit(door.use(), number, valueOf(value));
      },
      enumerable: true,
    });
  }
  return view;
}

module.exports = { limitsOf, setLimits, viewOf };
