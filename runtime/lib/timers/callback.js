'use strict';

// Checks that the callback of a timer is a function.

function requireFunction(callback) {
  if (typeof callback === 'function') return;
  const { codes } = require('internal/errors');
  throw new codes.ERR_INVALID_ARG_TYPE('callback', 'Function', callback);
}

module.exports = { requireFunction };
