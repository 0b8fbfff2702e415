'use strict';

// node:timers

const timers = require('internal/timers');

module.exports = {
  setTimeout: timers.setTimeout,
  clearTimeout: timers.clearTimeout,
  setImmediate: timers.setImmediate,
  clearImmediate: timers.clearImmediate,
  setInterval: timers.setInterval,
  clearInterval: timers.clearInterval,
};
Object.defineProperty(module.exports, 'promises', {
  get: () => require('timers/promises'),
  configurable: true,
  enumerable: true,
});
