'use strict';
// A script that needs no loader but for the edits of its asynchronous generators: each value takes as many jobs as in Node.
async function* inner() {
  yield 1;
  yield 2;
}
async function* outer() {
  yield   *   inner();
}
let jobs = 0;
(function count() {
  Promise.resolve().then(() => {
    if (++jobs < 30) count();
  });
})();
const values = outer();
for (let i = 0; i < 3; i++) values.next().then(({ value, done }) => console.log(value, done, 'after', jobs));
