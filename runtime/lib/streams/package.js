'use strict';

// What readable-stream (internal/deps/readable-stream) gets from us instead of files of its own
// (runtime/lib/deps/readable-stream.js): errors, utilities, high-water marks, and ticks that can be observed.

const { codes, AbortError, aggregateTwoErrors, hideStackFrames } = require('internal/errors');
const { getDefaultHighWaterMark, setDefaultHighWaterMark, waterMark } = require('internal/streams/properties');

// ---- errors ----

// The package throws Node's errors, with their codes and messages. If the message of
// Node 26 differs from that of the version that the package mirrors, the arguments are changed here.

class ERR_INVALID_ARG_TYPE extends codes.ERR_INVALID_ARG_TYPE {
  constructor(name, expected, actual) {
    super(
      name,
      name === 'chunk' && expected[2] === 'Uint8Array' ? ['string', 'Buffer', 'TypedArray', 'DataView'] : expected,
      actual,
    );
  }
}

class ERR_UNKNOWN_ENCODING extends codes.ERR_UNKNOWN_ENCODING {
  constructor(encoding) {
    super(typeof encoding === 'object' ? require('util').inspect(encoding) : encoding);
  }
}

const errors = {
  codes: { __proto__: codes, ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_ENCODING },
  AbortError,
  aggregateTwoErrors,
  hideStackFrames,
};

// ---- utilities ----

// Each is loaded when the package calls it. (The package's file would load the signals and blobs of the global object
// at once.)
const util = {
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

// ---- others ----

const highWaterMarks = {
  getDefaultHighWaterMark,
  setDefaultHighWaterMark,
  getHighWaterMark: (state, options, ownName, isDuplex) =>
    waterMark(state.objectMode, options, isDuplex ? ownName : undefined),
};

// An object of its own instead of `process`, so that its ticks can be observed (internal/streams/finished).
const clock = { __proto__: process, nextTick: process.nextTick };

module.exports = { errors, util, highWaterMarks, clock };
