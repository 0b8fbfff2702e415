// What the script has queued before its error runs.
addEventListener('error', (event) => {
  console.log(`reported ${event.error.message}`);
  event.preventDefault();
});
queueMicrotask(() => console.log('microtask'));
setTimeout(() => console.log('timer'), 0);
throw new Error('in the script');
