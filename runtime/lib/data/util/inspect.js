'use strict';

// util.inspect and util.format, as other modules load them; the work is done in internal/inspect.

const { inspect, kWithoutStacks } = require('internal/inspect/main');
const { format, formatWithOptions } = require('internal/inspect/format');
const { getStringWidth, withoutSequences } = require('internal/inspect/width');

function stripVTControlCharacters(str) {
  require('internal/validators').validateString(str, 'str');
  return withoutSequences(str);
}

module.exports = {
  inspect,
  kWithoutStacks,
  format,
  formatWithOptions,
  getStringWidth,
  stripVTControlCharacters,
  isError: (value) => require('internal/inspect/errors').isError(value),
};
