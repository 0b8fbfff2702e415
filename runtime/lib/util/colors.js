'use strict';

// Whether output to a stream should have colours: as the environment demands, or as the stream supports.

function shouldColorize(stream) {
  if (process.env.FORCE_COLOR !== undefined) return require('internal/tty').getColorDepth() > 2;
  if (stream?.isTTY !== true) return false;
  return typeof stream.getColorDepth !== 'function' || stream.getColorDepth() > 2;
}

module.exports = { shouldColorize };
