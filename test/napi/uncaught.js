'use strict';

// Errors that leave a callback of an addon are uncaught exceptions, and the loop goes on. napi_make_callback returns
// the error to the addon.

const addon = require(process.argv[2].replace('uncaught', 'order'));
process.on('uncaughtException', (error, origin) => console.log('uncaught:', error.message, origin));

addon.work(() => {
  process.nextTick(() => console.log('tick of the failed work'));
  throw new Error('in complete');
}, 2);
setTimeout(() => {
  try {
    addon.makeCallback(() => { throw new RangeError('in makeCallback'); });
  } catch (error) {
    console.log('caught:', error.message);
  }
  try {
    addon.call(() => { throw 'a text'; });
  } catch (error) {
    console.log('caught:', error);
  }
  addon.timer(1, 2, () => { throw new Error('in a scope'); });
}, 50);
setTimeout(() => {
  addon.threadsafe((n) => {
    process.nextTick(() => console.log('tick', n));
    throw new Error(`item ${n}`);
  }, 2, 0, () => console.log('finished'));
}, 100);
