'use strict';

// The two arguments of every server's constructor; either may be left out.

const { validateObject } = require('internal/validators');

// -> { options, listener }
function serverArguments(first, second) {
  if (typeof first === 'function') return { options: {}, listener: first };
  if (first !== undefined && first !== null) validateObject(first, 'options');
  return { options: { ...first }, listener: second };
}

module.exports = { serverArguments };
