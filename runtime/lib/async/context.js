'use strict';

// The asynchronous context. Code that queues a callback saves `current` (an immutable map from stores to values,
// or undefined) and restores it around the call. `tracker` is null until the program asks for asynchronous
// identities (internal/async/tracker); code that makes a resource then tells it. `job` is only of use while hooks
// hear of promises (internal/async/promise_jobs).
//
// `scheduled(type, resource)` is called for timers and immediates; the tracker or the trace of causes
// (internal/trace/install) sets it. It is null while there is neither.
//
// `followed` says that promises are followed without the engine's help (internal/async/promises).
//
// `stored` says that the program has stored a value, or has a domain: then microtasks are resources, as in Node.
//
// `current` and `job` must stay the first properties: runtime/engine/jobs/await.c reads them there.

module.exports = { current: undefined, job: undefined, tracker: null, scheduled: null, followed: false, stored: false };
