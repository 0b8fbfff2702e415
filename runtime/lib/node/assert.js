'use strict';

// The module `assert`. The methods are made once; the module is the loose set of them, `assert.strict` the strict one,
// and an instance of Assert a set with options of its own.

const { codes } = require('internal/errors');
const { validateOneOf } = require('internal/validators');
const { inspect, format } = require('internal/util/inspect');
const { isRegExp } = require('internal/util/types');
const { AssertionError, kSentence } = require('internal/assert/assertion_error');
const { outcomeOf, promisedOutcomeOf, expectThrown, expectNothing, isError } = require('internal/assert/thrown');
const comparisons = require('internal/util/comparisons');

const kOptions = Symbol('options');

// ---- failing ----

// The program's message for a failure: text with values, an error to throw instead, or a function that makes a text.
function ownMessage(given, actual, expected) {
  if (given.length === 0) return undefined;
  const [message, ...values] = given;
  if (values.length > 0 && (isError(message) || typeof message === 'function')) {
    const what = isError(message) ? `error message "${message.message}"` : `message function "${message.name}"`;
    throw new codes.ERR_AMBIGUOUS_ARGUMENT('message', `The ${what} was passed together with further arguments.`);
  }
  if (isError(message)) throw message;
  if (typeof message === 'function') {
    const made = message(actual, expected);
    return typeof made === 'string' ? made : kNoText;
  }
  if (typeof message === 'string') return values.length > 0 ? format(message, ...values) : message;
  throw new codes.ERR_INVALID_ARG_TYPE('message', ['string', 'function'], message);
}
const kNoText = Symbol('no text'); // the function gave something else

function fail(self, from, operator, actual, expected, args, text) {
  const own = ownMessage(args, actual, expected);
  const message = own === kNoText ? undefined : (own ?? text);
  const error = new AssertionError({
    actual,
    expected,
    operator,
    message,
    [kSentence]: own !== undefined,
    stackStartFn: from,
    diff: self?.[kOptions]?.diff,
  });
  error.generatedMessage = typeof own !== 'string';
  throw error;
}

// ---- relations of two values ----

const looselyEqual = (a, b) => a == b || (a !== a && b !== b);
const deeplyEqual = (a, b) => comparisons.isDeepEqual(a, b);
const strictlyDeep = (a, b, self) => comparisons.isDeepStrictEqual(a, b, self?.[kOptions]?.skipPrototype === true);
const partially = (a, b) => comparisons.isPartialStrictEqual(a, b);
const not = (relation) => (a, b, self) => !relation(a, b, self);

// method: [the operator of its errors, the condition]
const relations = {
  equal: ['==', looselyEqual],
  notEqual: ['!=', not(looselyEqual)],
  deepEqual: ['deepEqual', deeplyEqual],
  notDeepEqual: ['notDeepEqual', not(deeplyEqual)],
  deepStrictEqual: ['deepStrictEqual', strictlyDeep],
  notDeepStrictEqual: ['notDeepStrictEqual', not(strictlyDeep)],
  strictEqual: ['strictEqual', Object.is],
  notStrictEqual: ['notStrictEqual', not(Object.is)],
  partialDeepStrictEqual: ['partialDeepStrictEqual', partially],
};

function relationMethod(name, [operator, holds]) {
  const method = {
    [name](actual, expected, ...message) {
      if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('actual', 'expected');
      if (!holds(actual, expected, this)) fail(this, method, operator, actual, expected, message);
    },
  }[name];
  return method;
}

function patternMethod(name, isWanted) {
  const wish = isWanted ? 'The input did not match the' : 'The input was expected to not match the';
  const method = {
    [name](string, regexp, ...message) {
      if (!isRegExp(regexp)) throw new codes.ERR_INVALID_ARG_TYPE('regexp', 'RegExp', regexp);
      const isText = typeof string === 'string';
      if (isText && (regexp.exec(string) !== null) === isWanted) return;
      fail(
        this,
        method,
        name,
        string,
        regexp,
        message[0] === undefined ? [] : message,
        isText
          ? `${wish} regular expression ${inspect(regexp)}. Input:\n\n${inspect(string)}\n`
          : `The "string" argument must be of type string. Received type ${typeof string} (${inspect(string)})`,
      );
    },
  }[name];
  return method;
}

// ---- truth ----

// Each set has an `ok` of its own; the expression is read at the position of its caller.
function okMethod(name) {
  const method = {
    [name](...args) {
      const [value, ...message] = args;
      if (value) return;
      const own =
        message.length === 1 && (message[0] === undefined || message[0] === null)
          ? undefined
          : ownMessage(message, value, true);
      const text =
        typeof own === 'string'
          ? own
          : args.length === 0
            ? 'No value argument passed to `assert.ok()`'
            : require('internal/assert/expression').getExpressionMessage(method);
      const error = new AssertionError({
        actual: value,
        expected: true,
        operator: '==',
        message: text,
        stackStartFn: method,
      });
      error.generatedMessage = typeof own !== 'string';
      throw error;
    },
  }[name];
  return method;
}

// ---- all methods ----

// The stack of the unwanted error is appended to ours, up to the frames that both have.
function withStackOf(error, original) {
  const start = typeof original.stack === 'string' ? original.stack.indexOf('\n    at') : -1;
  if (start === -1) return error;
  const theirs = original.stack.slice(start + 1).split('\n');
  const ours = error.stack.split('\n');
  const shared = theirs.map((frame) => ours.indexOf(frame)).find((at) => at !== -1);
  error.stack = [...ours.slice(0, shared), ...theirs].join('\n');
  return error;
}

const methods = {
  fail(message) {
    if (isError(message)) throw message;
    const error = new AssertionError({
      operator: 'fail',
      message: message === undefined ? 'Failed' : message,
      stackStartFn: methods.fail,
    });
    error.generatedMessage = message === undefined;
    throw error;
  },
};
for (const name of Object.keys(relations)) methods[name] = relationMethod(name, relations[name]);
Object.assign(methods, {
  match: patternMethod('match', true),
  doesNotMatch: patternMethod('doesNotMatch', false),
  throws(fn, ...args) {
    expectThrown('throws', 'exception', methods.throws, outcomeOf(fn), args);
  },
  async rejects(promiseFn, ...args) {
    expectThrown('rejects', 'rejection', undefined, await promisedOutcomeOf(promiseFn), args);
  },
  doesNotThrow(fn, ...args) {
    expectNothing('doesNotThrow', 'exception', methods.doesNotThrow, outcomeOf(fn), args);
  },
  async doesNotReject(fn, ...args) {
    expectNothing('doesNotReject', 'rejection', undefined, await promisedOutcomeOf(fn), args);
  },
  ifError(value) {
    if (value == null) return;
    const hasMessage = typeof value === 'object' && typeof value.message === 'string';
    const shown = hasMessage ? value.message || (value.constructor?.name ?? '') : inspect(value);
    const message = `ifError got unwanted exception: ${shown}`;
    const error = new AssertionError({
      actual: value,
      expected: null,
      operator: 'ifError',
      message,
      stackStartFn: methods.ifError,
    });
    error.generatedMessage = false;
    throw withStackOf(error, value);
  },
});

// loose name -> strict name
const strictNames = {
  equal: 'strictEqual',
  deepEqual: 'deepStrictEqual',
  notEqual: 'notStrictEqual',
  notDeepEqual: 'notDeepStrictEqual',
};

function beStrict(set) {
  for (const loose of Object.keys(strictNames)) set[loose] = set[strictNames[loose]];
}

function Assert(options) {
  if (new.target === undefined) throw new codes.ERR_CONSTRUCT_CALL_REQUIRED('Assert');
  const settings = { __proto__: null, strict: true, skipPrototype: false, ...options };
  if (settings.diff !== undefined) validateOneOf(settings.diff, 'options.diff', ['simple', 'full']);
  this.AssertionError = AssertionError;
  Object.defineProperty(this, kOptions, { __proto__: null, value: settings, enumerable: false });
  if (settings.strict) beStrict(this);
}
Assert.prototype.ok = okMethod('ok');
for (const name of Object.keys(methods)) {
  const value = methods[name];
  Object.defineProperty(Assert.prototype, name, {
    __proto__: null,
    value,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}

function makeSet(name) {
  return Object.assign(okMethod(name), { AssertionError, ok: okMethod('ok'), ...methods });
}

const assert = makeSet('ok');
assert.strict = makeSet('strict');
beStrict(assert.strict);
assert.strict.strict = assert.strict;
assert.Assert = Assert;
assert.strict.Assert = Assert;

module.exports = assert;
