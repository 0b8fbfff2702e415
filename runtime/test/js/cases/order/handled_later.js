'use strict';

// A rejection that was reported, and is handled in a callback that leaves neither ticks nor rejections, is told at
// once: before the next callback runs.
process.on('unhandledRejection', (reason, promise) => {
  console.log('unhandled', reason);
  setImmediate(() => {
    promise.catch(() => console.log('caught'));
    setImmediate(() => console.log('next callback'));
  });
});
process.on('rejectionHandled', () => console.log('handled'));
Promise.reject(5);
