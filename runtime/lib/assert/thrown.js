'use strict';

// assert.throws, rejects and their opposites: what a function threw, and whether it is what was expected.

const { codes } = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { inspect } = require('internal/util/inspect');
const { isPromise, isRegExp, isNativeError } = require('internal/util/types');
const { AssertionError, kSentence } = require('internal/assert/assertion_error');
const { isDeepStrictEqual } = require('internal/util/comparisons');

const kinds = ['Error', 'Function', 'RegExp', 'Object'];

const isError = (value) => isNativeError(value) || value instanceof Error;
const isThenable = (value) =>
  isPromise(value) ||
  (typeof value === 'object' &&
    value !== null &&
    typeof value.then === 'function' &&
    typeof value.catch === 'function');

// { thrown } if the function threw, else undefined.
function outcomeOf(fn) {
  validateFunction(fn, 'fn');
  try {
    fn();
    return undefined;
  } catch (thrown) {
    return { thrown };
  }
}

async function promisedOutcomeOf(source) {
  const promise = typeof source === 'function' ? source() : source;
  if (!isThenable(promise)) {
    if (typeof source === 'function')
      throw new codes.ERR_INVALID_RETURN_VALUE('instance of Promise', 'promiseFn', promise);
    throw new codes.ERR_INVALID_ARG_TYPE('promiseFn', ['Function', 'Promise'], source);
  }
  try {
    await promise;
    return undefined;
  } catch (thrown) {
    return { thrown };
  }
}

// One check: the assert function (for the stack and the operator), what was thrown, and the program's own message.
class Check {
  constructor(operator, from, thrown, expected, message) {
    this.operator = operator;
    this.from = from;
    this.thrown = thrown;
    this.expected = expected;
    this.message = message;
  }

  // The program's message, or a default one.
  fail(text) {
    if (isError(this.message)) throw this.message;
    const error = new AssertionError({
      actual: this.thrown,
      expected: this.expected,
      operator: this.operator,
      message: this.message || text,
      stackStartFn: this.from,
    });
    error.generatedMessage = !this.message;
    throw error;
  }

  // Two objects, each with the keys that were compared.
  failWith(actual, expected) {
    if (isError(this.message)) throw this.message;
    const error = new AssertionError({
      actual,
      expected,
      operator: 'deepStrictEqual',
      message: this.message,
      [kSentence]: this.message !== undefined,
      stackStartFn: this.from,
    });
    Object.assign(error, {
      actual: this.thrown,
      expected: this.expected,
      operator: this.operator,
      generatedMessage: !this.message,
    });
    throw error;
  }

  run() {
    const { expected } = this;
    if (isRegExp(expected)) this.pattern(expected);
    else if (typeof expected === 'object') this.properties(expected);
    else if (expected.prototype !== undefined && this.thrown instanceof expected) return;
    else if (expected === Error || Object.prototype.isPrototypeOf.call(Error, expected)) this.failClass(expected);
    else this.validate(expected);
  }

  pattern(expected) {
    const text = String(this.thrown);
    if (expected.exec(text) !== null) return;
    this.fail(`The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(text)}\n`);
  }

  properties(expected) {
    const { thrown } = this;
    if (typeof thrown !== 'object' || thrown === null) this.failWith(thrown, expected);
    const keys = Object.keys(expected);
    if (isError(expected)) keys.push('name', 'message');
    else if (keys.length === 0) throw new codes.ERR_INVALID_ARG_VALUE('error', expected, 'may not be an empty object');
    const isRight = (key) =>
      key in thrown && (matches(thrown[key], expected[key]) || isDeepStrictEqual(thrown[key], expected[key]));
    if (keys.every(isRight)) return;
    if (this.message) this.fail();
    this.failWith(new Comparison(thrown, keys, thrown), new Comparison(expected, keys, thrown));
  }

  failClass(expected) {
    const { thrown } = this;
    let received = `"${inspect(thrown, { depth: -1 })}"`;
    let rest = '';
    if (isError(thrown)) {
      const name = thrown.constructor?.name || thrown.name;
      received = expected.name === name ? 'an error with identical name but a different prototype.' : `"${name}"`;
      rest = `\n\nError message:\n\n${thrown.message}`;
    }
    this.fail(`The error is expected to be an instance of "${expected.name}". Received ${received}${rest}`);
  }

  validate(expected) {
    const result = expected.call({}, this.thrown);
    if (result === true) return;
    const name = expected.name ? `"${expected.name}" ` : '';
    const caught = isError(this.thrown) ? `\n\nCaught error:\n\n${this.thrown}` : '';
    this.fail(`The ${name}validation function is expected to return "true". Received ${inspect(result)}${caught}`);
  }
}

const matches = (value, pattern) => typeof value === 'string' && isRegExp(pattern) && pattern.exec(value) !== null;

// The class's name is shown. A pattern that matches is shown as the text that it matched, so that
// only differences are visible.
class Comparison {
  constructor(source, keys, thrown) {
    for (const key of keys) {
      if (key in source) this[key] = matches(thrown[key], source[key]) ? thrown[key] : source[key];
    }
  }
}

const details = (message) => (message ? `: ${message}` : '.');

// expected: (error[, message]) or (message)
function expectThrown(operator, noun, from, outcome, args) {
  let [expected, message] = args;
  if (typeof expected === 'string') {
    if (args.length === 2) throw new codes.ERR_INVALID_ARG_TYPE('error', kinds, expected);
    refuseSameText(outcome, expected);
    message = expected;
    expected = undefined;
  } else if (expected != null && typeof expected !== 'object' && typeof expected !== 'function') {
    throw new codes.ERR_INVALID_ARG_TYPE('error', kinds, expected);
  }
  if (outcome === undefined) {
    const name = expected?.name ? ` (${expected.name})` : '';
    throw new AssertionError({
      actual: undefined,
      expected,
      operator,
      message: `Missing expected ${noun}${name}${details(message)}`,
      stackStartFn: from,
    });
  }
  if (expected) new Check(operator, from, outcome.thrown, expected, message).run();
}

// A text that was meant as the expected message, but is taken for the message of the assertion.
function refuseSameText(outcome, text) {
  if (outcome === undefined) return;
  const { thrown } = outcome;
  const isObject = typeof thrown === 'object' && thrown !== null;
  if ((isObject ? thrown.message : thrown) !== text) return;
  throw new codes.ERR_AMBIGUOUS_ARGUMENT(
    'error/message',
    `The error ${isObject ? 'message ' : ''}"${text}" is identical to the message.`,
  );
}

function isExpected(thrown, expected) {
  if (isRegExp(expected)) return expected.exec(String(thrown)) !== null;
  if (typeof expected !== 'function')
    throw new codes.ERR_INVALID_ARG_TYPE('expected', ['Function', 'RegExp'], expected);
  if (expected.prototype !== undefined && thrown instanceof expected) return true;
  return !Object.prototype.isPrototypeOf.call(Error, expected) && expected.call({}, thrown) === true;
}

function expectNothing(operator, noun, from, outcome, args) {
  if (outcome === undefined) return;
  const { thrown } = outcome;
  const [expected, message] = typeof args[0] === 'string' ? [undefined, args[0]] : args;
  if (expected && !isExpected(thrown, expected)) throw thrown;
  throw new AssertionError({
    actual: thrown,
    expected,
    operator,
    stackStartFn: from,
    message: `Got unwanted ${noun}${details(message)}\nActual message: "${thrown?.message}"`,
  });
}

module.exports = { outcomeOf, promisedOutcomeOf, expectThrown, expectNothing, isError };
