'use strict';

// One process.nextTick after the other.

const { begin, tell } = require('./measure.cjs');

const count = Number(process.argv[2] ?? 5000000);
let left = count / 10; // to warm up
let measured = false;

function next() {
  if (--left > 0) {
    process.nextTick(next);
  } else if (measured) {
    tell(count, 'ticks/s');
  } else {
    measured = true;
    left = count;
    begin();
    process.nextTick(next);
  }
}
process.nextTick(next);
