'use strict';

// Promises as asynchronous resources, while a hook for them is enabled. The engine does not report when it makes one,
// so a promise gets its number when it is first seen: made by Promise.resolve and the like, returned by `then`, or
// awaited. Each reaction belongs to the promise that `then` returned, or to a promise that represents the `await`; jobs
// of ours run before and after it (runtime/engine/jobs/await.h).

const tracker = require('internal/async/tracker');
const { follow, setJobOf } = require('internal/async/promises');
const { isPromise } = require('internal/util/types');
const { promiseDetails, trackJobs } = internalBinding('util');

const { Promise } = globalThis;
internalBinding('types').promiseKind(); // makes a promise, which no hook shall hear of
const noop = () => {};

let reserved; // the job of the `then` that is being called
let quiet = 0; // looks of the engine's that mean nothing

// Collected promises are destroyed.
let collected;
function watch(promise, { id }) {
  if (!tracker.hears('destroy')) return;
  collected ??= new FinalizationRegistry((gone) => tracker.destroyId(gone, true));
  collected.register(promise, id);
}

function identityOf(promise, trigger) {
  let identity = tracker.idOf(promise);
  if (identity === undefined) {
    identity = tracker.create('PROMISE', promise, trigger, true);
    watch(promise, identity);
  }
  return identity;
}

function jobOf(promise) {
  // A hook may read the constructor of its argument.
  if (quiet > 0 || tracker.isTelling()) return null;
  if (reserved !== undefined) {
    const job = reserved;
    reserved = undefined;
    return job;
  }
  return awaiting(identityOf(promise).id);
}

// The promise that represents the rest of a function after an `await`.
function awaiting(trigger) {
  const resource = new Promise(noop);
  return { identity: identityOf(resource, trigger), resource };
}

// A job without a note: `await` of a value that is no promise, or a promise that is resolved with another.
function announce() {
  return quiet > 0 || tracker.isTelling() ? undefined : awaiting();
}

// ---- in place of the engine's own functions, while hooks are enabled ----

const originals = {
  then: Promise.prototype.then,
  finally: Promise.prototype.finally,
  resolve: Promise.resolve,
  reject: Promise.reject,
  withResolvers: Promise.withResolvers,
};

const replacements = {
  then(onFulfilled, onRejected) {
    if (!isPromise(this)) return Reflect.apply(originals.then, this, [onFulfilled, onRejected]);
    const identity = tracker.reserve(identityOf(this).id);
    const job = { identity, resource: undefined };
    const outside = [reserved, quiet];
    reserved = job;
    quiet = 0;
    let result;
    try {
      result = Reflect.apply(originals.then, this, [onFulfilled, onRejected]);
    } finally {
      [reserved, quiet] = outside;
    }
    job.resource = result;
    if (isPromise(result)) {
      tracker.adopt('PROMISE', result, identity);
      watch(result, identity);
    }
    return result;
  },
  // Reads the constructor before it calls `then`.
  finally(onFinally) {
    quiet++;
    try {
      return Reflect.apply(originals.finally, this, [onFinally]);
    } finally {
      quiet--;
    }
  },
  resolve(value) {
    return settledBy(originals.resolve, this, value);
  },
  reject(reason) {
    return settledBy(originals.reject, this, reason);
  },
  withResolvers() {
    const made = Reflect.apply(originals.withResolvers, this, []);
    if (isPromise(made.promise)) identityOf(made.promise);
    return made;
  },
};

// Returns its argument if that is a promise already: reading its constructor is no `await`.
function settledBy(original, Class, value) {
  quiet++;
  let promise;
  try {
    promise = Reflect.apply(original, Class, [value]);
  } finally {
    quiet--;
  }
  if (isPromise(promise) && promise !== value && tracker.idOf(promise) === undefined) {
    const identity = identityOf(promise);
    if (promiseDetails(promise)[0] !== 0) tracker.resolved(identity);
  }
  return promise;
}

function put(functions) {
  for (const name of Object.keys(originals)) {
    const holder = name === 'then' || name === 'finally' ? Promise.prototype : Promise;
    const other = functions === originals ? replacements : originals;
    if (holder[name] === other[name]) {
      Object.defineProperty(holder, name, {
        __proto__: null,
        value: functions[name],
        writable: true,
        enumerable: false,
        configurable: true,
      });
    }
  }
}

let on = false;

function listen(wanted) {
  if (wanted === on) return;
  on = wanted;
  follow();
  setJobOf(wanted ? jobOf : null);
  if (wanted) trackJobs(announce, tracker.leaveJob);
  else trackJobs();
  put(wanted ? replacements : originals);
}

module.exports = { listen };
