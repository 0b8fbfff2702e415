'use strict';

// Replaces readable-stream's file by our high-water marks.

const { getDefaultHighWaterMark, setDefaultHighWaterMark, waterMark } = require('internal/streams/marks');

module.exports = {
  getDefaultHighWaterMark,
  setDefaultHighWaterMark,
  getHighWaterMark: (state, options, ownName, isDuplex) =>
    waterMark(state.objectMode, options, isDuplex ? ownName : undefined),
};
