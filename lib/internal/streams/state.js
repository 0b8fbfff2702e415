'use strict';

// How much a stream holds before it asks its writers to wait.

const { codes } = require('internal/errors');
const { validateInteger } = require('internal/validators');

let defaultBytes = 64 * 1024;
let defaultObjects = 16;

function getDefaultHighWaterMark(objectMode) {
  return objectMode ? defaultObjects : defaultBytes;
}

function setDefaultHighWaterMark(objectMode, value) {
  validateInteger(value, 'value', 0);
  if (objectMode) defaultObjects = value;
  else defaultBytes = value;
}

function getHighWaterMark(state, options, duplexKey, isDuplex) {
  const mark = options.highWaterMark != null ? options.highWaterMark : isDuplex ? options[duplexKey] : null;
  if (mark != null) {
    if (!Number.isInteger(mark) || mark < 0) {
      throw new codes.ERR_INVALID_ARG_VALUE(isDuplex ? `options.${duplexKey}` : 'options.highWaterMark', mark);
    }
    return Math.floor(mark);
  }
  return getDefaultHighWaterMark(state.objectMode);
}

module.exports = { getHighWaterMark, getDefaultHighWaterMark, setDefaultHighWaterMark };
