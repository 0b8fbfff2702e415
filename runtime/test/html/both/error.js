// An error that nobody catches.
setTimeout(() => {
  queueMicrotask(() => console.log('microtask'));
  throw new Error('in a timer');
}, 1);
setTimeout(() => console.log('next timer'), 1);
