// Those of one checkpoint are told of one after the other, with checkpoints between.
addEventListener('unhandledrejection', (event) => {
  event.preventDefault();
  console.log(`unhandled ${event.reason}`);
  queueMicrotask(() => console.log(`microtask of ${event.reason}`));
});
Promise.reject('one');
queueMicrotask(() => Promise.reject('two'));
(async () => {
  throw 'three';
})();
