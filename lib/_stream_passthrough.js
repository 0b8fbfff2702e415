'use strict';

module.exports = require('stream').PassThrough;
