// An error in one callback does not keep the others from running.
addEventListener('error', (event) => {
  console.log(`reported ${event.error.message}`);
  event.preventDefault();
});
requestAnimationFrame(() => {
  queueMicrotask(() => console.log('microtask'));
  throw new Error('in a frame');
});
requestAnimationFrame(() => console.log('next callback'));
