'use strict';

module.exports = require('stream').Transform;
