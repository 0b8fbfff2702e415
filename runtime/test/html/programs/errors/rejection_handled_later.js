// A handler that comes later gets an event, too.
const rejected = Promise.reject('late');
addEventListener('unhandledrejection', (event) => {
  console.log(`unhandled ${event.reason}`, event.promise === rejected);
  event.preventDefault();
  setTimeout(() => {
    event.promise.catch(() => console.log('caught'));
    queueMicrotask(() => console.log('microtask'));
  }, 5);
});
addEventListener('rejectionhandled', (event) => console.log(`handled ${event.reason}`, event.promise === rejected));
