'use strict';

// node:constants: all numbers in one object. Older versions had them here only.

const constants = internalBinding('constants');
const os = require('os').constants;

module.exports = Object.freeze(
  Object.assign({}, os.dlopen, os.errno, os.priority, os.signals, constants.fs, constants.crypto),
);
