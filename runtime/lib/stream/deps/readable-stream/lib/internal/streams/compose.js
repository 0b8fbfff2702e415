'use strict';

// In the place of readable-stream's: ours.

module.exports = require('internal/streams/compose').compose;
