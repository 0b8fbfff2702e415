// A hundred timers of 0 ms, each set by the one before it. The time is virtual, so it is exact.
const began = performance.now();
let left = 100;
setTimeout(function next() {
  if (--left > 0) setTimeout(next, 0);
  else console.log(`${Math.round(performance.now() - began)} ms`);
}, 0);
