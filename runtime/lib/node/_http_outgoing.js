'use strict';

// An alias that programs know.

const { OutgoingMessage, validateHeaderName, validateHeaderValue } = require('http');

module.exports = { OutgoingMessage, validateHeaderName, validateHeaderValue };
