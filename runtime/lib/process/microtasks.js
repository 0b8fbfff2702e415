'use strict';

// queueMicrotask. A job of the engine's costs a promise, a closure and the way through its queue. So callbacks that are
// queued one after the other, with no other job between them, share a job: they would run one after the other anyway.
// The engine numbers its jobs, also those of other threads, and the numbers tell whether there was another job. A
// callback that is queued while its job runs joins it by the same rule.
//
// Invariant: the counts of `counts` add up to the callbacks that wait, and each count has a job in the engine's queue.

const { jobsQueued, queueJob, observed } = internalBinding('runtime');
const { onUncaught } = require('internal/process/execution');
const frame = require('internal/async/context');

const { then } = Promise.prototype;
const { apply } = Reflect;
let resolved; // what jobs of the engine are made with
const isShared = jobsQueued !== undefined && observed === undefined; // a trace counts jobs

const waiting = []; // callbacks
const contexts = []; // theirs, if one of them has one
let hasContexts = false;
let first = 0;
let behind = 0;
const counts = []; // how many of them each job has
let firstCount = 0;
let behindCounts = 0;
let nextNumber = 0; // the engine's number, if no other job is queued after the last callback

function addJob(job) {
  if (queueJob !== undefined) queueJob(job);
  else addReaction(job);
}

function addReaction(job) {
  apply(then, (resolved ??= Promise.resolve()), [job]);
}

function queueMicrotask(callback) {
  if (typeof callback !== 'function') require('internal/validators').validateFunction(callback, 'callback');
  if (frame.tracker !== null && (frame.stored || frame.tracker.hasHooks())) return queueResource(callback);
  if (!isShared) return queueAlone(callback);
  waiting[behind] = callback;
  if (hasContexts || frame.current !== undefined) keepContext();
  behind++;
  const number = jobsQueued();
  if (number === nextNumber && behindCounts !== firstCount) {
    counts[behindCounts - 1]++;
  } else {
    counts[behindCounts++] = 1;
    addJob(runShared);
    nextNumber = jobsQueued();
  }
  nextNumber = (nextNumber + 1) & 0x3fffffff;
}

function keepContext() {
  if (!hasContexts) {
    hasContexts = true;
    for (let i = first; i < behind; i++) contexts[i] = undefined;
  }
  contexts[behind] = frame.current;
}

function runShared() {
  const before = frame.current;
  const mine = firstCount;
  while (counts[mine] > 0) {
    counts[mine]--;
    const callback = waiting[first];
    waiting[first] = undefined;
    frame.current = undefined;
    if (hasContexts) takeContext();
    first++;
    if (first === behind) first = behind = 0;
    else if (first > 8192 && first * 2 > behind) moveToFront();
    try {
      callback();
    } catch (error) {
      onUncaught(error, false, null);
    }
  }
  if (++firstCount === behindCounts) firstCount = behindCounts = 0;
  frame.current = before;
}

function takeContext() {
  frame.current = contexts[first];
  contexts[first] = undefined;
  if (first + 1 === behind) hasContexts = false;
}

function moveToFront() {
  waiting.copyWithin(0, first, behind);
  if (hasContexts) contexts.copyWithin(0, first, behind);
  behind -= first;
  first = 0;
  waiting.length = behind;
  contexts.length = Math.min(contexts.length, behind);
}

// A job of its own.
function queueAlone(callback) {
  const context = frame.current;
  addJob(() => {
    const before = frame.current;
    frame.current = context;
    try {
      callback();
    } catch (error) {
      onUncaught(error, false, null);
    }
    frame.current = before;
  });
}

// While hooks are enabled, and once there are stores, a resource of its own, too. It is left before the error of its
// callback is reported.
function queueResource(callback) {
  const { AsyncResource } = require('internal/async/resource');
  const resource = new AsyncResource('Microtask', { requireManualDestroy: true });
  resource.callback = callback;
  frame.job = null; // the job does not belong to a promise
  addJob(() => {
    try {
      resource.runInAsyncScope(callback);
    } catch (error) {
      onUncaught(error, false, null);
    }
    resource.emitDestroy();
  });
}

module.exports = { queueMicrotask };
