'use strict';

// An alias that programs know.

module.exports = { IncomingMessage: require('http').IncomingMessage };
