'use strict';

// A callback of the loop that throws is not followed by a drain: what it has queued waits for the next callback.
const { stat } = require('node:fs');

process.on('uncaughtException', (error) => console.log('uncaught', error.message));
stat(__filename, () => {
  process.nextTick(() => console.log('tick'));
  Promise.resolve().then(() => console.log('job'));
  setImmediate(() => console.log('immediate'));
  throw new Error('thrown by a callback of stat');
});
