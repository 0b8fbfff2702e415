'use strict';

// stream/promises, as readable-stream has it.

module.exports = require('internal/deps/readable-stream/lib/stream/promises');
