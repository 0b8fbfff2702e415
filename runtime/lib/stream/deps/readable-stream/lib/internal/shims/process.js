'use strict';

// In the place of readable-stream's look at the global object. An object of its own, so that its ticks can be seen
// (internal/streams/constructing).

const process = require('process');

module.exports = { __proto__: process, nextTick: process.nextTick };
