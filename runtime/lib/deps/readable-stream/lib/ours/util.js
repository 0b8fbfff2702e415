'use strict';

// Replaces readable-stream's utilities by ours, each loaded when the package calls it. (The package's file would load
// the signals and blobs of the global object at once.)

module.exports = {
  kEmptyObject: Object.freeze({ __proto__: null }),
  debuglog: () => () => {},
  deprecate: (...args) => require('util').deprecate(...args),
  inspect: (...args) => require('util').inspect(...args),
  isBlob: (value) => require('internal/blob').isBlob(value),
  addAbortListener: (signal, listener) => require('events').addAbortListener(signal, listener),
  AbortSignalAny: (signals) => AbortSignal.any(signals),
  createDeferredPromise: () => Promise.withResolvers(),
  types: {
    isAsyncFunction: (value) => require('util/types').isAsyncFunction(value),
    isArrayBufferView: ArrayBuffer.isView,
  },
  // For `finished` and `pipeline`: the callback is called in the context in which it was given.
  once(callback) {
    let pending = require('internal/async/bound').once('STREAM_END_OF_STREAM', callback);
    return function (...args) {
      const call = pending;
      pending = undefined;
      if (call !== undefined) call.apply(this, args);
    };
  },
};
