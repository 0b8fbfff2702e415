'use strict';

// queueMicrotask: many at once, and one after the other.

const { begin, tell } = require('./measure.cjs');

const count = Number(process.argv[2] ?? 4000000);
const atOnce = 1000;
let left;
let done;

function nothing() {
  left--;
}

function next() {
  if (--left > 0) queueMicrotask(next);
  else done();
}

function many(total) {
  return new Promise((resolve) => {
    left = total;
    const round = () => {
      if (left <= 0) return resolve();
      for (let i = 0; i < atOnce; i++) queueMicrotask(nothing);
      queueMicrotask(round);
    };
    round();
  });
}

function chain(total) {
  return new Promise((resolve) => {
    left = total;
    done = resolve;
    queueMicrotask(next);
  });
}

async function main() {
  const way = process.argv[3] === 'chain' ? chain : many;
  await way(count / 10); // to warm up
  begin();
  await way(count);
  tell(count, 'microtasks/s');
}
main();
