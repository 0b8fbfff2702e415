'use strict';

// In the place of readable-stream's utilities: ours, each loaded when the package calls it. (The package's file would load
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
  once(callback) {
    let pending = callback;
    return function(...args) {
      const call = pending;
      pending = undefined;
      if (call !== undefined) call.apply(this, args);
    };
  },
};
