'use strict';

// What AsyncLocalStorage carries along: an immutable map from stores to values, or undefined. Whoever queues a callback
// keeps the frame that is current then and makes it current again around the call.

module.exports = { current: undefined };
