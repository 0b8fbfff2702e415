'use strict';

// node:assert. Each method lives on a class, Assert, so that options (strictness, the kind of diff) can be bound to a
// set of them; the module is the loose set, `assert.strict` the strict one.

const { codes } = require('internal/errors');
const { validateFunction, validateOneOf } = require('internal/validators');
const { inspect, format } = require('internal/util/inspect');
const { isPromise, isRegExp, isNativeError } = require('internal/util/types');
const { AssertionError } = require('internal/assert/assertion_error');
const comparisons = require('internal/util/comparisons');

const noException = Symbol('noException');
const kOptions = Symbol('options');

function isError(value) {
  return isNativeError(value) || value instanceof Error;
}

// A message may be given as text with values, as an error to throw, or as a function that makes it.
function messageOf(args, actual, expected) {
  const [message, ...rest] = args;
  if (args.length === 0) return undefined;
  if (message === undefined && rest.length === 0) return undefined;
  if (isError(message)) {
    if (rest.length > 0) {
      throw new codes.ERR_AMBIGUOUS_ARGUMENT('message', 'The error message was passed as error object with additional arguments.');
    }
    throw message;
  }
  if (typeof message === 'string') return rest.length > 0 ? format(message, ...rest) : message;
  if (typeof message === 'function') {
    if (rest.length > 0) throw new codes.ERR_AMBIGUOUS_ARGUMENT('message', 'The message function cannot be combined with further arguments.');
    const made = message(actual, expected);
    return typeof made === 'string' ? made : made === undefined ? undefined : String(made);
  }
  throw new codes.ERR_INVALID_ARG_TYPE('message', ['string', 'Error', 'function'], message);
}

function innerFail(self, fn, args, actual, expected, operator) {
  const message = messageOf(args, actual, expected);
  const error = new AssertionError({
    message,
    actual,
    expected,
    operator,
    stackStartFn: fn,
    diff: self?.[kOptions]?.diff ?? 'simple',
    kIsOwn: message !== undefined,
  });
  error.generatedMessage = message === undefined;
  throw error;
}

function checkCount(args) {
  if (args < 2) throw new codes.ERR_MISSING_ARGS('actual', 'expected');
}

class Comparison {
  constructor(object, keys, actual) {
    for (const key of keys) {
      if (key in object) {
        if (actual !== undefined && typeof actual[key] === 'string' && isRegExp(object[key]) && object[key].exec(actual[key]) !== null) {
          this[key] = actual[key];
        } else {
          this[key] = object[key];
        }
      }
    }
  }
}

function compareKey(actual, expected, key, message, keys, fn) {
  if (key in actual && comparisons.isDeepStrictEqual(actual[key], expected[key])) return;
  if (!message) {
    const a = new Comparison(actual, keys);
    const b = new Comparison(expected, keys, actual);
    const error = new AssertionError({ actual: a, expected: b, operator: 'deepStrictEqual', stackStartFn: fn });
    error.actual = actual;
    error.expected = expected;
    error.operator = fn.name;
    throw error;
  }
  innerFail(undefined, fn, [message], actual, expected, fn.name);
}

function checkExpected(actual, expected, message, fn) {
  let generatedMessage = false;
  let throwError = false;
  if (typeof expected !== 'function') {
    if (isRegExp(expected)) {
      const text = String(actual);
      if (expected.exec(text) !== null) return;
      if (!message) {
        generatedMessage = true;
        message = `The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(text)}\n`;
      }
      throwError = true;
    } else if (typeof actual !== 'object' || actual === null) {
      const error = new AssertionError({ actual, expected, message, operator: 'deepStrictEqual', stackStartFn: fn, kIsOwn: true });
      error.operator = fn.name;
      throw error;
    } else {
      const keys = Object.keys(expected);
      if (isError(expected)) keys.push('name', 'message');
      else if (keys.length === 0) throw new codes.ERR_INVALID_ARG_VALUE('error', expected, 'may not be an empty object');
      for (const key of keys) {
        if (typeof actual[key] === 'string' && isRegExp(expected[key]) && expected[key].exec(actual[key]) !== null) continue;
        compareKey(actual, expected, key, message, keys, fn);
      }
      return;
    }
  } else if (expected.prototype !== undefined && actual instanceof expected) {
    return;
  } else if (Object.prototype.isPrototypeOf.call(Error, expected) || expected === Error) {
    if (!message) {
      generatedMessage = true;
      message = `The error is expected to be an instance of "${expected.name}". Received `;
      if (isError(actual)) message += `"${actual.name}"`;
      else message += `"${inspect(actual, { depth: -1 })}"`;
    }
    throwError = true;
    if (generatedMessage && isError(actual)) message += `\n\nError message:\n\n${actual.message}`;
  } else {
    const result = Reflect.apply(expected, {}, [actual]);
    if (result !== true) {
      if (!message) {
        generatedMessage = true;
        const name = expected.name ? `"${expected.name}" ` : '';
        message = `The ${name}validation function is expected to return "true". Received ${inspect(result)}`;
        if (isError(actual)) message += `\n\nCaught error:\n\n${actual}`;
      }
      throwError = true;
    }
  }
  if (throwError) {
    const error = new AssertionError({ actual, expected, message, operator: fn.name, stackStartFn: fn });
    error.generatedMessage = generatedMessage;
    throw error;
  }
}

function getActual(fn) {
  validateFunction(fn, 'fn');
  try {
    fn();
  } catch (err) {
    return err;
  }
  return noException;
}

function isPromiseLike(value) {
  return isPromise(value) || (value !== null && typeof value === 'object' && typeof value.then === 'function' && typeof value.catch === 'function');
}

async function waitForActual(promiseOrFn) {
  let promise;
  if (typeof promiseOrFn === 'function') {
    promise = promiseOrFn();
    if (!isPromiseLike(promise)) throw new codes.ERR_INVALID_RETURN_VALUE('instance of Promise', 'promiseFn', promise);
  } else if (isPromiseLike(promiseOrFn)) {
    promise = promiseOrFn;
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('promiseFn', ['Function', 'Promise'], promiseOrFn);
  }
  try {
    await promise;
  } catch (err) {
    return err;
  }
  return noException;
}

function expectsError(fn, actual, error, message) {
  if (typeof error === 'string') {
    if (arguments.length === 4 && message !== undefined) {
      throw new codes.ERR_INVALID_ARG_TYPE('error', ['Object', 'Error', 'Function', 'RegExp'], error);
    }
    if (typeof actual === 'object' && actual !== null) {
      if (actual.message === error) {
        throw new codes.ERR_AMBIGUOUS_ARGUMENT('error/message', `The error message "${actual.message}" is identical to the message.`);
      }
    } else if (actual === error) {
      throw new codes.ERR_AMBIGUOUS_ARGUMENT('error/message', `The error "${actual}" is identical to the message.`);
    }
    message = error;
    error = undefined;
  } else if (error != null && typeof error !== 'object' && typeof error !== 'function') {
    throw new codes.ERR_INVALID_ARG_TYPE('error', ['Object', 'Error', 'Function', 'RegExp'], error);
  }
  if (actual === noException) {
    let details = '';
    if (error?.name) details += ` (${error.name})`;
    details += message ? `: ${message}` : '.';
    const kind = fn.name === 'rejects' ? 'rejection' : 'exception';
    const failure = new AssertionError({
      actual: undefined, expected: error, operator: fn.name, message: `Missing expected ${kind}${details}`, stackStartFn: fn,
    });
    throw failure;
  }
  if (!error) return;
  checkExpected(actual, error, message, fn);
}

function hasMatchingError(actual, expected) {
  if (typeof expected !== 'function') {
    if (isRegExp(expected)) return expected.exec(String(actual)) !== null;
    throw new codes.ERR_INVALID_ARG_TYPE('expected', ['Function', 'RegExp'], expected);
  }
  if (expected.prototype !== undefined && actual instanceof expected) return true;
  if (Object.prototype.isPrototypeOf.call(Error, expected)) return false;
  return Reflect.apply(expected, {}, [actual]) === true;
}

function expectsNoError(fn, actual, error, message) {
  if (actual === noException) return;
  if (typeof error === 'string') {
    message = error;
    error = undefined;
  }
  if (!error || hasMatchingError(actual, error)) {
    const details = message ? `: ${message}` : '.';
    const kind = fn.name === 'doesNotReject' ? 'rejection' : 'exception';
    throw new AssertionError({
      actual, expected: error, operator: fn.name, message: `Got unwanted ${kind}${details}\nActual message: "${actual?.message}"`, stackStartFn: fn,
    });
  }
  throw actual;
}

function internalMatch(self, string, regexp, args, fn) {
  if (!isRegExp(regexp)) throw new codes.ERR_INVALID_ARG_TYPE('regexp', 'RegExp', regexp);
  const match = fn.name === 'match';
  if (typeof string !== 'string' || (regexp.exec(string) !== null) !== match) {
    const own = messageOf(args, string, regexp);
    const generated = own === undefined;
    const message = own ?? (typeof string !== 'string' ?
      `The "string" argument must be of type string. Received ${require('internal/errors').determineSpecificType(string)}` :
      (match ? 'The input did not match the regular expression ' : 'The input was expected to not match the regular expression ') +
        `${inspect(regexp)}. Input:\n\n${inspect(string)}\n`);
    const error = new AssertionError({ actual: string, expected: regexp, message, operator: fn.name, stackStartFn: fn });
    error.generatedMessage = generated;
    throw error;
  }
}

function innerOk(self, fn, count, value, args) {
  if (value) return;
  let generated = false;
  let message;
  if (count === 0) {
    generated = true;
    message = 'No value argument passed to `assert.ok()`';
  } else {
    message = messageOf(args, value, true);
    if (message === undefined) {
      generated = true;
      message = require('internal/assert/expression').getExpressionMessage(fn);
    }
  }
  const error = new AssertionError({ actual: value, expected: true, message, operator: '==', stackStartFn: fn });
  error.generatedMessage = generated;
  throw error;
}

// ---------------------------------------------------------------- the methods

function looseEqual(a, b) {
  return a == b || (a !== a && b !== b); // eslint-disable-line eqeqeq
}

function strictDeep(self, a, b) {
  return comparisons.isDeepStrictEqual(a, b, self?.[kOptions]?.skipPrototype === true);
}

const methods = {
  fail(message) {
    if (isError(message)) throw message;
    let generated = false;
    if (message === undefined) {
      message = 'Failed';
      generated = true;
    }
    const error = new AssertionError({ operator: 'fail', stackStartFn: methods.fail, message });
    error.generatedMessage = generated;
    throw error;
  },
  equal(actual, expected, ...message) {
    checkCount(arguments.length);
    if (!looseEqual(actual, expected)) innerFail(this, equalFn(this, 'equal'), message, actual, expected, '==');
  },
  notEqual(actual, expected, ...message) {
    checkCount(arguments.length);
    if (looseEqual(actual, expected)) innerFail(this, equalFn(this, 'notEqual'), message, actual, expected, '!=');
  },
  deepEqual(actual, expected, ...message) {
    checkCount(arguments.length);
    if (!comparisons.isDeepEqual(actual, expected)) innerFail(this, equalFn(this, 'deepEqual'), message, actual, expected, 'deepEqual');
  },
  notDeepEqual(actual, expected, ...message) {
    checkCount(arguments.length);
    if (comparisons.isDeepEqual(actual, expected)) innerFail(this, equalFn(this, 'notDeepEqual'), message, actual, expected, 'notDeepEqual');
  },
  deepStrictEqual(actual, expected, ...message) {
    checkCount(arguments.length);
    if (!strictDeep(this, actual, expected)) innerFail(this, equalFn(this, 'deepStrictEqual'), message, actual, expected, 'deepStrictEqual');
  },
  notDeepStrictEqual(actual, expected, ...message) {
    checkCount(arguments.length);
    if (strictDeep(this, actual, expected)) innerFail(this, equalFn(this, 'notDeepStrictEqual'), message, actual, expected, 'notDeepStrictEqual');
  },
  strictEqual(actual, expected, ...message) {
    checkCount(arguments.length);
    if (!Object.is(actual, expected)) innerFail(this, equalFn(this, 'strictEqual'), message, actual, expected, 'strictEqual');
  },
  notStrictEqual(actual, expected, ...message) {
    checkCount(arguments.length);
    if (Object.is(actual, expected)) innerFail(this, equalFn(this, 'notStrictEqual'), message, actual, expected, 'notStrictEqual');
  },
  partialDeepStrictEqual(actual, expected, ...message) {
    checkCount(arguments.length);
    if (!comparisons.isPartialStrictEqual(actual, expected)) {
      innerFail(this, equalFn(this, 'partialDeepStrictEqual'), message, actual, expected, 'partialDeepStrictEqual');
    }
  },
  match(string, regexp, ...message) {
    internalMatch(this, string, regexp, message, methods.match);
  },
  doesNotMatch(string, regexp, ...message) {
    internalMatch(this, string, regexp, message, methods.doesNotMatch);
  },
  throws(fn, ...args) {
    expectsError(methods.throws, getActual(fn), ...args);
  },
  async rejects(promiseFn, ...args) {
    expectsError(methods.rejects, await waitForActual(promiseFn), ...args);
  },
  doesNotThrow(fn, ...args) {
    expectsNoError(methods.doesNotThrow, getActual(fn), ...args);
  },
  async doesNotReject(fn, ...args) {
    expectsNoError(methods.doesNotReject, await waitForActual(fn), ...args);
  },
  ifError(err) {
    if (err === null || err === undefined) return;
    let message = 'ifError got unwanted exception: ';
    if (typeof err === 'object' && typeof err.message === 'string') {
      message += err.message.length === 0 && err.constructor ? err.constructor.name : err.message;
    } else {
      message += inspect(err);
    }
    const error = new AssertionError({ actual: err, expected: null, operator: 'ifError', message, stackStartFn: methods.ifError });
    error.generatedMessage = false;
    // The stack goes on with that of the error it got.
    const original = err.stack;
    if (typeof original === 'string') {
      const start = original.indexOf('\n    at');
      if (start !== -1) {
        const theirs = original.slice(start + 1).split('\n');
        let ours = error.stack.split('\n');
        for (const line of theirs) {
          const position = ours.indexOf(line);
          if (position !== -1) {
            ours = ours.slice(0, position);
            break;
          }
        }
        error.stack = `${ours.join('\n')}\n${theirs.join('\n')}`;
      }
    }
    throw error;
  },
};

function equalFn(self, name) {
  return self?.[name] ?? methods[name];
}

const strictNames = { equal: 'strictEqual', deepEqual: 'deepStrictEqual', notEqual: 'notStrictEqual', notDeepEqual: 'notDeepStrictEqual' };

function Assert(options) {
  if (!new.target) throw new codes.ERR_CONSTRUCT_CALL_REQUIRED('Assert');
  options = { __proto__: null, strict: true, skipPrototype: false, ...options };
  if (options.diff !== undefined) validateOneOf(options.diff, 'options.diff', ['simple', 'full']);
  this.AssertionError = AssertionError;
  Object.defineProperty(this, kOptions, { __proto__: null, value: options, enumerable: false });
  if (options.strict) {
    this.equal = this.strictEqual;
    this.deepEqual = this.deepStrictEqual;
    this.notEqual = this.notStrictEqual;
    this.notDeepEqual = this.notDeepStrictEqual;
  }
}
Assert.prototype.ok = function ok(...args) {
  innerOk(this, this?.ok ?? ok, args.length, args[0], args.slice(1));
};
for (const name of Object.keys(methods)) {
  Object.defineProperty(Assert.prototype, name, { __proto__: null, value: methods[name], writable: true, enumerable: false, configurable: true });
}

const assert = module.exports = function ok(...args) {
  innerOk(undefined, ok, args.length, args[0], args.slice(1));
};

assert.AssertionError = AssertionError;
assert.ok = function ok(...args) {
  innerOk(undefined, ok, args.length, args[0], args.slice(1));
};
for (const name of [
  'fail', 'equal', 'notEqual', 'deepEqual', 'notDeepEqual', 'deepStrictEqual', 'notDeepStrictEqual', 'strictEqual', 'notStrictEqual',
  'partialDeepStrictEqual', 'match', 'doesNotMatch', 'throws', 'rejects', 'doesNotThrow', 'doesNotReject', 'ifError',
]) {
  assert[name] = methods[name];
}

function strict(...args) {
  innerOk(undefined, strict, args.length, args[0], args.slice(1));
}
assert.strict = Object.assign(strict, assert);
for (const [loose, exact] of Object.entries(strictNames)) assert.strict[loose] = assert[exact];
assert.strict.strict = assert.strict;
assert.Assert = Assert;
assert.strict.Assert = Assert;
