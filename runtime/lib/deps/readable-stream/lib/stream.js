'use strict';

// Replaces readable-stream's assembly of its parts by ours, which adds newer functions
// (runtime/lib/node/stream.js).

module.exports = require('stream');
