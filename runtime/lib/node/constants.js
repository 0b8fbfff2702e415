'use strict';

// node:constants: all numbers in one object. Older versions had them here only.

const os = require('os').constants;
const { defaultCipherList, ...crypto } = require('crypto').constants; // the list is not among the numbers

module.exports = Object.freeze(
  Object.assign({}, os.dlopen, os.errno, os.priority, os.signals, require('fs').constants, crypto),
);
