'use strict';

// The current frame across promises and `await`: runtime/engine/jobs/await.h explains how. It costs nothing until it is
// switched on, which the first AsyncLocalStorage, AsyncResource, domain or hook does.

const frame = require('internal/async/context');
const realms = require('internal/async/realms');
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
    const isNew = promiseHandled(promise) === false;
    Reflect.apply(then, promise, [reaction, reaction]);
    if (isNew) promiseUnhandle(promise);
  } catch {
    // it is no promise
  } finally {
    adding = false;
  }
}

// The engine reads this for each promise that is awaited or has `then` called, just before it adds its own reaction.
function watchConstructor(Class, get) {
  const { prototype } = Class;
  get.maker = Class; // for util.inspect
  Object.defineProperty(prototype, 'constructor', {
    get,
    set(value) {
      Object.defineProperty(this, 'constructor', {
        value,
        writable: true,
        enumerable: this !== prototype,
        configurable: true,
      });
    },
    enumerable: false,
    configurable: true,
  });
}

function watchByReactions(Class) {
  watchConstructor(Class, function get() {
    if (!adding && this !== Class.prototype) reactFirst(this);
    return Class;
  });
}

function watch(Class) {
  watchConstructor(Class, function get() {
    const job = jobOf === null ? undefined : jobOf(this);
    // The job of a settled promise is queued at once.
    if (!runBefore(this, reactionFor(frame.current, job))) frame.job = job;
    return Class;
  });
}

function follow() {
  if (followed) return;
  followed = true;
  const sees = followPromises(frame, restore, reactionFor(undefined, undefined));
  if (!sees) frame.followed = true;
  (sees ? watch : watchByReactions)(Promise);
  realms.begin((Class, followJobs) => (sees && followJobs() ? watch : watchByReactions)(Class));
}

module.exports = {
  follow,
  setJobOf: (function_) => {
    jobOf = function_;
  },
};
