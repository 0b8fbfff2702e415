'use strict';

// A value as text; the messages of the errors are Node's.
function toText(value) {
  if (typeof value === 'string') return value;
  if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
  try {
    return `${value}`;
  } catch (error) {
    if (error instanceof TypeError && error.message === 'No default value')
      throw new TypeError('Cannot convert object to primitive value');
    throw error;
  }
}

module.exports = { toText };
