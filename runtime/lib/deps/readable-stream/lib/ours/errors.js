'use strict';

// Replaces readable-stream's errors: the package throws Node's errors, with their codes and messages. If the message of
// Node 26 differs from that of the version that the package mirrors, the arguments are changed here.

const { codes, AbortError, aggregateTwoErrors, hideStackFrames } = require('internal/errors');

class ERR_INVALID_ARG_TYPE extends codes.ERR_INVALID_ARG_TYPE {
  constructor(name, expected, actual) {
    super(
      name,
      name === 'chunk' && expected[2] === 'Uint8Array' ? ['string', 'Buffer', 'TypedArray', 'DataView'] : expected,
      actual,
    );
  }
}

class ERR_UNKNOWN_ENCODING extends codes.ERR_UNKNOWN_ENCODING {
  constructor(encoding) {
    super(typeof encoding === 'object' ? require('util').inspect(encoding) : encoding);
  }
}

module.exports = {
  codes: { __proto__: codes, ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_ENCODING },
  AbortError,
  aggregateTwoErrors,
  hideStackFrames,
};
