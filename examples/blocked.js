'use strict';
// What blocks the loop, named while it does:
//
//   rota --watchdog=50 examples/blocked.js
//
// A callback burns half a second; ticks that always queue another keep the loop from going on, and so do microtasks.

function burn(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

setTimeout(function greedy() {
  burn(500);
  console.error('greedy has ended');
}, 10);

setTimeout(function queueTicks() {
  const end = performance.now() + 500;
  process.nextTick(function endlessTick() {
    if (performance.now() < end) process.nextTick(endlessTick);
  });
}, 20);

setTimeout(function queueMicrotasks() {
  const end = performance.now() + 500;
  queueMicrotask(function endlessMicrotask() {
    if (performance.now() < end) queueMicrotask(endlessMicrotask);
  });
}, 30);

let times = 0;
setTimeout(function oftenTooLong() {
  burn(120);
  if (++times < 8) setTimeout(oftenTooLong, 1);
}, 40);
