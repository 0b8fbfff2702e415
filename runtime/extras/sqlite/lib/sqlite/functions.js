'use strict';

// Functions of a program that SQL can call, and the results of an authorizer.

const { argument } = require('internal/sqlite/errors');
const { choice, needFunction, optionsOf } = require('internal/sqlite/arguments');

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

// The states of active aggregations, by number; 0 is one that has not begun. C calls with these tasks (enum
// aggregate_task).
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

module.exports = { aggregate, settings, slot, verdict };
