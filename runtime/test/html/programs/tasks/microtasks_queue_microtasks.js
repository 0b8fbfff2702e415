// Microtasks that microtasks queue run in the same checkpoint.
setTimeout(() => console.log('timer'), 0);
let left = 5;
queueMicrotask(function again() {
  console.log(`microtask ${left}`);
  if (--left > 0) queueMicrotask(again);
});
