'use strict';

// Atomics.wait for an engine whose waiting threads cannot be woken: it waits a little at a time, and looks between
// whether this thread is to end, or its time is up.

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
          // If the value changed between two looks, this thread counts as woken, too.
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
