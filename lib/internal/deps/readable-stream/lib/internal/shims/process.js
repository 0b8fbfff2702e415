'use strict';

// In the place of readable-stream's look at the global object.

module.exports = require('process');
