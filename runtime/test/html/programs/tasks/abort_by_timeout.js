// A signal that aborts by a timer.
const signal = AbortSignal.timeout(5);
signal.onabort = () => {
  console.log(signal.reason.name);
  queueMicrotask(() => console.log('microtask'));
};
console.log(signal.aborted);
setTimeout(() => console.log(signal.aborted), 300);
