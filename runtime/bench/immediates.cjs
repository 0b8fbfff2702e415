'use strict';

// One setImmediate after the other.

const { begin, tell } = require('./measure.cjs');

const count = Number(process.argv[2] ?? 1000000);
let left = count / 10; // to warm up
let measured = false;

function next() {
  if (--left > 0) {
    setImmediate(next);
  } else if (measured) {
    tell(count, 'immediates/s');
  } else {
    measured = true;
    left = count;
    begin();
    setImmediate(next);
  }
}
setImmediate(next);
