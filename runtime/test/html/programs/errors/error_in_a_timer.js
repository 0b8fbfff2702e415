// An error is reported; the microtasks of the task run, and so do the next tasks.
addEventListener('error', (event) => {
  console.log(`reported ${event.error.message}`);
  event.preventDefault();
});
setTimeout(() => {
  queueMicrotask(() => console.log('microtask'));
  throw new Error('in a timer');
}, 0);
setTimeout(() => console.log('next timer'), 0);
