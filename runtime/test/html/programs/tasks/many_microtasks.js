// A long chain of microtasks delays all tasks.
let count = 0;
setTimeout(() => console.log(`timer after ${count}`), 0);
(function next() {
  if (++count < 5000) Promise.resolve().then(next);
})();
