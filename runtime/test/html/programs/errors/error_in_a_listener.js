// An error in a listener is reported before the next listener is called.
addEventListener('error', (event) => {
  console.log(`reported ${event.error.message}`);
  event.preventDefault();
});
const target = new EventTarget();
target.addEventListener('hello', () => {
  queueMicrotask(() => console.log('microtask'));
  throw new Error('in a listener');
});
target.addEventListener('hello', () => console.log('second listener'));
console.log(target.dispatchEvent(new Event('hello')));
