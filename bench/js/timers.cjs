'use strict';

// Many timers with many times, set and fired.

const { begin, tell } = require('./measure.cjs');

const count = Number(process.argv[2] ?? 200000);
let left = count;
begin();
for (let i = 0; i < count; i++) {
  setTimeout(() => {
    if (--left === 0) tell(count, 'timers/s');
  }, 1 + i % 100);
}
