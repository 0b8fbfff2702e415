'use strict';

// Many timers with many times, set and fired. Waiting for the clock does not count: the program sleeps until the last one is
// due, and then all are fired.

const { begin, pause, tell } = require('./measure.cjs');

const count = Number(process.argv[2] ?? 200000);
let left = count;
begin();
for (let i = 0; i < count; i++) {
  setTimeout(() => {
    if (--left === 0) tell(count, 'timers/s');
  }, 1 + i % 100);
}
pause(110);
