'use strict';

// The diagnostics channels of the console, after their first use: diagnostics_channel puts them here, so that the
// console need not load it.

module.exports = { any: false, log: undefined, warn: undefined, error: undefined, info: undefined, debug: undefined };
