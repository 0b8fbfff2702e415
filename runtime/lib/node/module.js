'use strict';

// node:module

module.exports = require('internal/modules/cjs/loader').Module;
