'use strict';

// The hooks for perf_hooks' observers of 'net' and 'dns'. Without an observer, the two functions are undefined, and
// nothing is measured.

const { now } = internalBinding('performance');

const observed = {
  dns: undefined, // (name, startTime, duration, detail)
  net: undefined,
  now,

  // Wraps a callback (error, ...values): a success becomes an entry first, with the details that `detailOf` gives.
  asked(name, heard, detailOf) {
    const began = now();
    return (error, ...values) => {
      if (!error) observed.dns?.(name, began, now() - began, detailOf(...values));
      heard(error, ...values);
    };
  },

  connected(began, host, port) {
    observed.net?.('connect', began, now() - began, { host, port });
  },
};

module.exports = observed;
