// Aborting calls its listeners at once.
const controller = new AbortController();
controller.signal.addEventListener('abort', () => {
  console.log('aborted');
  queueMicrotask(() => console.log('microtask'));
});
controller.signal.onabort = () => console.log('handler');
controller.abort();
console.log('script');
