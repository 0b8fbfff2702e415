// A handler that comes before the end of the checkpoint is in time.
addEventListener('unhandledrejection', (event) => {
  console.log(`unhandled ${event.reason}`);
  event.preventDefault();
});
const rejected = Promise.reject('in time');
queueMicrotask(() => queueMicrotask(() => rejected.catch((reason) => console.log(`caught ${reason}`))));
Promise.reject('never');
setTimeout(() => console.log('end'), 20);
