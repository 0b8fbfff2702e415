'use strict';

// What perf_hooks' observers of 'net' and 'dns' are told. Without an observer, the two functions are undefined, and
// nothing is measured.

const { now } = internalBinding('performance');

const observed = {
  dns: undefined, // (name, startTime, duration, detail)
  net: undefined,
  now,

  // Whoever hears an answer (error, ...values); a good one becomes an entry first, with what `detailOf` says of it.
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
