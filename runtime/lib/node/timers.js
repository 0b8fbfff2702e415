'use strict';

// node:timers

const timers = require('internal/timers');
const immediates = require('internal/timers/immediates');

module.exports = {
  setTimeout: timers.setTimeout,
  clearTimeout: timers.clearTimeout,
  setImmediate: immediates.setImmediate,
  clearImmediate: immediates.clearImmediate,
  setInterval: timers.setInterval,
  clearInterval: timers.clearInterval,
};
Object.defineProperty(module.exports, 'promises', {
  get: () => require('timers/promises'),
  configurable: true,
  enumerable: true,
});
