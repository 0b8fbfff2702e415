'use strict';

// Replaces the file of readable-stream that reads the global object. It is an object of its own, so that its ticks can
// be observed (internal/streams/constructing).

const process = require('process');

module.exports = { __proto__: process, nextTick: process.nextTick };
