// The other microtasks run all the same.
addEventListener('error', (event) => {
  console.log(`reported ${event.error.message}`);
  event.preventDefault();
});
queueMicrotask(() => console.log('first'));
queueMicrotask(() => {
  queueMicrotask(() => console.log('nested'));
  throw new Error('in a microtask');
});
queueMicrotask(() => console.log('third'));
setTimeout(() => console.log('timer'), 0);
