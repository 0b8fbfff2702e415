'use strict';

// Errors that leave a callback of an addon are uncaught exceptions, and the loop goes on. napi_make_callback returns
// the error to the addon.

const addon = require(process.argv[2].replace('uncaught', 'order'));
let uncaught = 0;
process.on('uncaughtException', (error, origin) => {
  uncaught++;
  console.log('uncaught:', error.message, origin);
});

function afterWork(callback) {
  setTimeout(() => (uncaught === 0 ? afterWork(callback) : callback()), 50);
}

addon.work(() => {
  process.nextTick(() => console.log('tick of the failed work'));
  throw new Error('in complete');
}, 2);
afterWork(() => {
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
  setTimeout(() => {
    addon.threadsafe((n) => {
      process.nextTick(() => console.log('tick', n));
      throw new Error(`item ${n}`);
    }, 2, 0, () => console.log('finished'));
  }, 50);
});
