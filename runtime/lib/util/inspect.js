'use strict';

// util.inspect and util.format, as other modules load them; the work is done in internal/inspect, whose parts are
// loaded when they are first used.

const { inspect } = require('internal/inspect/main');

let formats;
function format(...args) {
  formats ??= require('internal/inspect/format');
  return formats.format(...args);
}

function formatWithOptions(inspectOptions, ...args) {
  formats ??= require('internal/inspect/format');
  return formats.formatWithOptions(inspectOptions, ...args);
}

function stripVTControlCharacters(str) {
  require('internal/validators').validateString(str, 'str');
  return require('internal/inspect/width').withoutSequences(str);
}

module.exports = {
  inspect,
  get kWithoutStacks() {
    return require('internal/inspect/view').kWithoutStacks;
  },
  format,
  formatWithOptions,
  get getStringWidth() {
    return require('internal/inspect/width').getStringWidth;
  },
  stripVTControlCharacters,
  isError: (value) => require('internal/inspect/errors').isError(value),
};
