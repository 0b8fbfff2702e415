'use strict';

// What travels with asynchronous work. Whoever queues a callback keeps `current` (an immutable map from stores to values, or
// undefined) and makes it current again around the call. `tracker` is null until the program asks for asynchronous
// identities (internal/async/tracker); whoever makes a resource then tells it.
//
// `current` must stay the first property: runtime/engine_await.c reads it there.

module.exports = { current: undefined, tracker: null };
