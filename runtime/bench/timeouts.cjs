'use strict';

// A timeout set and cleared, as around every request.

const { begin, tell } = require('./measure.cjs');

const count = Number(process.argv[2] ?? 1000000);
const nothing = () => {};

function run(n) {
  for (let i = 0; i < n; i++) clearTimeout(setTimeout(nothing, 1000));
}
run(count / 10);
setImmediate(() => {
  begin();
  run(count);
  tell(count, 'timeouts/s');
});
