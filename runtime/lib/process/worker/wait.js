'use strict';

// Atomics.wait for an engine whose waiting threads cannot be woken: it waits in short intervals, and checks between
// them whether this thread has to end, or its timeout is over.

const kSliceMs = 50;

const { apply } = Reflect;
const { now } = Date;

// In this realm of the engine, or in that of another global.
function install(global = globalThis) {
  const { look } = internalBinding('worker');
  const { Atomics } = global;
  const { wait } = Atomics;
  Object.defineProperty(Atomics, 'wait', {
    value: {
      wait(array, index, value, timeout) {
        let left = timeout === undefined ? Infinity : Number(timeout);
        if (Number.isNaN(left)) left = Infinity;
        let answer = apply(wait, Atomics, [array, index, value, Math.min(left, kSliceMs)]);
        for (let began = now(); answer === 'timed-out' && left > kSliceMs;) {
          look();
          const at = now();
          left -= Math.max(kSliceMs, at - began);
          began = at;
          if (left <= 0) break;
          answer = apply(wait, Atomics, [array, index, value, Math.min(left, kSliceMs)]);
          // If the value changed between two checks, this thread counts as woken, too.
          if (answer === 'not-equal') answer = 'ok';
        }
        return answer;
      },
    }.wait,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  Object.setPrototypeOf(Atomics.wait, global.Function.prototype);
}

module.exports = { install };
