'use strict';

// What a timer is to call must be a function.

function requireFunction(callback) {
  if (typeof callback === 'function') return;
  const { codes } = require('internal/errors');
  throw new codes.ERR_INVALID_ARG_TYPE('callback', 'Function', callback);
}

module.exports = { requireFunction };
