'use strict';

// The text of a module, as it is on the disk.

const { readText } = internalBinding('modules');
const helpers = require('internal/modules/helpers');

function readSource(filename) {
  const text = readText(filename);
  if (typeof text === 'number') {
    const { uvException } = require('internal/errors');
    throw uvException({ errno: text, syscall: 'open', path: filename });
  }
  return helpers.stripBOM(text);
}

module.exports = { readSource };
