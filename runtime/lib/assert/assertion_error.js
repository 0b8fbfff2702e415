'use strict';

// AssertionError: what was asserted, and the message that tells how it failed.

const { inspect } = require('internal/util/inspect');
const { validateObject } = require('internal/validators');
const { hidden, putCodeIntoStack } = require('internal/errors/stack');
const { messageFor, shortened } = require('internal/assert/message');

// Internal option: the message is a sentence of the program, and the comparison follows below it.
const kSentence = Symbol('sentence');

const kCode = 'ERR_ASSERTION';

class AssertionError extends Error {
  constructor(options) {
    validateObject(options, 'options');
    const { message, operator, actual, expected, details, diff = 'simple' } = options;
    const isGiven = message != null;
    super(
      isGiven && !options[kSentence]
        ? String(message)
        : messageFor({ operator, actual, expected, diff, sentence: isGiven ? String(message) : undefined }),
    );
    Object.defineProperty(this, 'name', hidden('AssertionError'));
    putCodeIntoStack(this, kCode, options.stackStartFn ?? options.stackStartFunction);
    this.generatedMessage = !message;
    Object.defineProperty(this, 'name', hidden('AssertionError'));
    this.code = kCode;
    Object.assign(this, details ? flat(details) : { actual, expected, operator });
    this.diff = diff;
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  [inspect.custom](depth, options) {
    const { actual, expected } = this;
    this.actual = shortened(actual);
    this.expected = shortened(expected);
    try {
      return inspect(this, { ...options, customInspect: false, depth: 0 });
    } finally {
      this.actual = actual;
      this.expected = expected;
    }
  }
}

// If there are several failures: each property with the number of its failure.
function flat(details) {
  const properties = { actual: undefined, expected: undefined, operator: undefined };
  details.forEach((detail, i) => {
    for (const name of ['message', 'actual', 'expected', 'operator']) properties[`${name} ${i}`] = detail[name];
    properties[`stack trace ${i}`] = detail.stack;
  });
  return properties;
}

module.exports = { AssertionError, kSentence };
