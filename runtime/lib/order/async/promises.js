'use strict';

// The current frame across promises and `await`: runtime/engine/jobs/await.h explains how. It costs nothing until it is
// switched on, which the first AsyncLocalStorage, AsyncResource, domain or hook does.

const frame = require('internal/async_context');
const tracker = require('internal/async/tracker');
const { followPromises, promiseHandled, promiseUnhandle, runBefore } = internalBinding('util');

const { Promise } = globalThis;
let followed = false;
let jobOf = null; // while hooks for promises are enabled: the resource of the next reaction

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

const { then } = Promise.prototype;
let adding = false;

// If the engine gives no support: `then` adds a reaction before the next one. It costs a promise each time. This
// reaction should not count as handling the promise, but if that cannot be undone, the promise counts as handled.
function reactFirst(promise) {
  const reaction = reactionFor(frame.current, undefined);
  adding = true;
  try {
    const isNew = promise instanceof Promise && promiseHandled(promise) === false;
    Reflect.apply(then, promise, [reaction, reaction]);
    if (isNew) promiseUnhandle(promise);
  } catch {
    // it is no promise
  } finally {
    adding = false;
  }
}

function followByReactions() {
  frame.followed = true;
  watchConstructor(function get() {
    if (!adding && this !== Promise.prototype) reactFirst(this);
    return Promise;
  });
}

// The engine reads this for each promise that is awaited or has `then` called, just before it adds its own reaction.
function watchConstructor(get) {
  get.maker = Promise; // for util.inspect
  Object.defineProperty(Promise.prototype, 'constructor', {
    get,
    set(value) {
      Object.defineProperty(this, 'constructor', {
        value,
        writable: true,
        enumerable: this !== Promise.prototype,
        configurable: true,
      });
    },
    enumerable: false,
    configurable: true,
  });
}

function follow() {
  if (followed) return;
  followed = true;
  if (!followPromises(frame, restore, reactionFor(undefined, undefined))) {
    followByReactions();
    return;
  }
  watchConstructor(function get() {
    const job = jobOf === null ? undefined : jobOf(this);
    // The job of a settled promise is queued at once.
    if (!runBefore(this, reactionFor(frame.current, job))) frame.job = job;
    return Promise;
  });
}

module.exports = {
  follow,
  setJobOf: (function_) => {
    jobOf = function_;
  },
};
