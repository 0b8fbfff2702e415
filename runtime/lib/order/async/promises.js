'use strict';

// The current frame through promises and `await`: runtime/engine/engine_await.h says how. Costs nothing until it is switched on, which
// the first AsyncLocalStorage, AsyncResource, domain or hook does.

const frame = require('internal/async_context');
const tracker = require('internal/async/tracker');
const { followPromises, noteRejections, runBefore } = internalBinding('util');

const { Promise } = globalThis;
let followed = false;
let jobOf = null; // while hooks hear of promises: what the reaction that follows belongs to

function reactionFor(kept, job) {
  return () => {
    frame.current = kept;
    if (job !== undefined && job !== null) tracker.enterJob(job);
  };
}

function restore(_, kept, job) {
  frame.current = kept;
  if (job !== undefined) tracker.enterJob(job);
}

function follow() {
  if (followed) return;
  followed = true;
  if (!followPromises(frame, restore, reactionFor(undefined, undefined))) return;
  // Rejections that nobody handles are told in the frame in which they happened.
  noteRejections((promise, kept) => require('internal/process/promises').noteRejection(promise, kept));
  // The engine looks here for each promise that is awaited or has `then` called, just before it adds its own reaction.
  function get() {
    const job = jobOf === null ? undefined : jobOf(this);
    // One that is settled has its job queued at once.
    if (!runBefore(this, reactionFor(frame.current, job))) frame.job = job;
    return Promise;
  }
  get.maker = Promise; // for util.inspect
  Object.defineProperty(Promise.prototype, 'constructor', {
    get,
    set(value) {
      Object.defineProperty(this, 'constructor', { value, writable: true, enumerable: this !== Promise.prototype, configurable: true });
    },
    enumerable: false,
    configurable: true,
  });
}

module.exports = { follow, setJobOf: (function_) => { jobOf = function_; } };
