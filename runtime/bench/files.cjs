'use strict';

// A small file read 2,000 times at once; rounds of that.

const fs = require('node:fs');
const { begin, tell } = require('./measure.cjs');

const count = Number(process.argv[2] ?? 2000);
const rounds = Number(process.argv[3] ?? 20);

function round(left, done) {
  let open = count;
  for (let i = 0; i < count; i++) {
    fs.readFile(__filename, (error) => {
      if (error) throw error;
      if (--open === 0) {
        if (left === 1) done();
        else round(left - 1, done);
      }
    });
  }
}
round(2, () => {
  begin();
  round(rounds, () => tell(count * rounds, 'files/s'));
});
