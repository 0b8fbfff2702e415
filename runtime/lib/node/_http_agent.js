'use strict';

// An alias that programs know.

const { Agent, globalAgent } = require('http');

module.exports = { Agent, globalAgent };
