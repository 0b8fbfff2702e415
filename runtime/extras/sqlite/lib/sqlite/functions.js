'use strict';

// What a database has besides statements: functions, aggregates, authorizers and limits.
//
// Functions of a program that SQL can call, and the results of an authorizer.

const {
  argument,
  outOfRange,
  wrongType,
  choice,
  needFunction,
  optionsOf,
  isInt32,
  isObject,
} = require('internal/sqlite/arguments');
const native = internalBinding('sqlite');

const deterministic = 0x800; // SQLITE_DETERMINISTIC
const directOnly = 0x80000; // SQLITE_DIRECTONLY

function settings(options) {
  const bigints = choice(options, 'useBigIntArguments', false);
  const varargs = choice(options, 'varargs', false);
  const flags =
    (choice(options, 'deterministic', false) ? deterministic : 0) |
    (choice(options, 'directOnly', false) ? directOnly : 0);
  return { bigints, varargs, flags };
}

// A function replaces one with the same name and number of arguments.
const slot = (name, count) => `${name.toLowerCase()}/${count}`;

// ---- aggregates ----

// The states of active aggregations, by number; 0 is one that has not begun. C calls with
// these tasks (enum aggregate_task).
class Aggregate {
  #start;
  #step;
  #inverse;
  #result;
  #states = new Map();
  #told = new Set(); // those of windows, whose values SQLite has asked for row by row
  #last = 0;

  constructor(start, step, inverse, result) {
    this.#start = start;
    this.#step = step;
    this.#inverse = inverse;
    this.#result = result;
  }

  #stateOf(number) {
    if (number !== 0) return this.#states.get(number);
    return typeof this.#start === 'function' ? this.#start() : this.#start;
  }

  #change(fn, number, given) {
    const state = fn(this.#stateOf(number), ...given);
    const kept = number === 0 ? ++this.#last : number;
    this.#states.set(kept, state);
    return kept;
  }

  #tell(number) {
    const state = this.#stateOf(number);
    return this.#result === undefined ? state : this.#result(state);
  }

  #drop(number) {
    this.#states.delete(number);
    this.#told.delete(number);
  }

  answer(task, number, given) {
    switch (task) {
      case 0:
        return this.#change(this.#step, number, given);
      case 1:
        return this.#change(this.#inverse, number, given);
      case 2:
        this.#told.add(number);
        return this.#tell(number);
      case 3:
        try {
          return this.#told.has(number) ? undefined : this.#tell(number);
        } finally {
          this.#drop(number);
        }
      default:
        return this.#drop(number);
    }
  }
}

function aggregate(options) {
  const { start, step, inverse, result } = options;
  if (start === undefined) throw argument('options.start', 'a function or a primitive value');
  needFunction(step, 'options.step');
  const { bigints, varargs, flags } = settings(optionsOf(options));
  const isWindow = inverse !== undefined;
  if (isWindow) needFunction(inverse, 'options.inverse');
  // The state is the first parameter of both.
  const count = varargs ? -1 : Math.max(Math.max(step.length, isWindow ? inverse.length : 0) - 1, 0);
  const made = new Aggregate(start, step, inverse, typeof result === 'function' ? result : undefined);
  return { count, flags, bigints, isWindow, answer: (task, number, ...given) => made.answer(task, number, given) };
}

// ---- authorizers ----

function verdict(code) {
  if (typeof code !== 'number' || !Number.isInteger(code))
    throw new TypeError('Authorizer callback must return an integer authorization code');
  if (code < 0 || code > 2) throw new RangeError('Authorizer callback returned a invalid authorization code');
  return code;
}

// A connection's limits: as an option of the constructor, and as the object `database.limits`, whose properties are
// SQLite's current numbers.

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

function viewOf(connection) {
  const view = new Limits();
  for (const [name, number] of numbers) {
    Object.defineProperty(view, name, {
      get: () => native.limit(connection.open(), number, ask),
      set: (value) => {
        native.limit(connection.use(), number, valueOf(value));
      },
      enumerable: true,
    });
  }
  return view;
}

module.exports = { aggregate, settings, slot, verdict, limitsOf, setLimits, viewOf };
