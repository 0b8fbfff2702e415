'use strict';

// In the place of readable-stream's copy: the validators of the whole library.

module.exports = require('internal/validators');
