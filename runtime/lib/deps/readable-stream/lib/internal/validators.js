'use strict';

// Replaces readable-stream's copy by the validators of the whole library.

module.exports = require('internal/validators');
