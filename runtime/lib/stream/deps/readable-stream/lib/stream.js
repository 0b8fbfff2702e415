'use strict';

// In the place of readable-stream's assembly of its parts: ours, which adds what is newer
// (runtime/lib/stream/node/stream.js).

module.exports = require('stream');
