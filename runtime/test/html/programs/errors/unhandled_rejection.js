// The event is a task: the microtasks of the script come first.
addEventListener('unhandledrejection', (event) => {
  console.log(`unhandled ${event.reason}`);
  event.preventDefault();
});
Promise.reject('one');
queueMicrotask(() => console.log('microtask'));
Promise.resolve().then(() => Promise.resolve().then(() => console.log('nested')));
console.log('script');
