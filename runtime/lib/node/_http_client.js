'use strict';

// An alias that programs know.

module.exports = { ClientRequest: require('http').ClientRequest };
