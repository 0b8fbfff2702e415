'use strict';

// Atomics.wait for an engine whose waiting threads cannot be woken: it waits in short intervals, and checks between
// them whether this thread has to end, was notified, or its timeout is over.
//
// Between two intervals the engine does not know of this thread. Its entry in the list of waiters stays where it is:
// a notify takes it out of there, and that is what ends the wait. Intervals change the engine's order of the threads,
// so the one that the engine wakes may be another one than was taken out: it sleeps on.

const binding = internalBinding('worker');
const { load } = internalBinding('runtime').Atomics;
const { apply } = Reflect;
const { now } = Date;
const { min, max } = Math;

const kSliceMs = 50;

// The function that waits, from the engine's own one. The caller has checked the arguments, and says whether the thread
// is in the list.
function inSlices(wait) {
  return function (view, at, value, ms, isListed) {
    let expected = value;
    let left = ms;
    for (let began = now(); ;) {
      const answer = apply(wait, this, [view, at, expected, min(left, kSliceMs)]);
      if ((answer === 'ok' && !isListed) || (answer === 'not-equal' && expected === value && left === ms))
        return answer;
      binding.look();
      if (isListed && !binding.sleeperWaits()) return 'ok';
      const time = now();
      // Whoever wrote another value has not notified: the wait is for that value from now on.
      if (answer === 'not-equal') expected = apply(load, this, [view, at]);
      else left -= answer === 'ok' ? time - began : max(min(left, kSliceMs), time - began);
      began = time;
      if (left <= 0) return 'timed-out';
    }
  };
}

module.exports = { inSlices };
