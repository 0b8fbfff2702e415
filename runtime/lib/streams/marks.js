'use strict';

// High-water marks: how much a stream buffers before write() returns false, or before it stops reading ahead.

const { codes } = require('internal/errors');
const { validateInteger } = require('internal/validators');

let bytes = 65536;
let objects = 16;

const getDefaultHighWaterMark = (isObjectMode) => (isObjectMode ? objects : bytes);

function setDefaultHighWaterMark(isObjectMode, mark) {
  validateInteger(mark, 'value', 0);
  if (isObjectMode) objects = mark;
  else bytes = mark;
}

// The mark of a new side. `ownName` is the option for that side alone, of a stream that has two sides.
function waterMark(isObjectMode, options, ownName) {
  if (!options) return getDefaultHighWaterMark(isObjectMode);
  const mark = options.highWaterMark ?? (ownName === undefined ? undefined : options[ownName]);
  if (mark == null) return getDefaultHighWaterMark(isObjectMode);
  if (!Number.isInteger(mark) || mark < 0)
    throw new codes.ERR_INVALID_ARG_VALUE(`options.${ownName ?? 'highWaterMark'}`, mark);
  return mark;
}

module.exports = { getDefaultHighWaterMark, setDefaultHighWaterMark, waterMark };
