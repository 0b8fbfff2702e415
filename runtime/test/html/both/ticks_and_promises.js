// After each callback of Node: all ticks, then all promise jobs. In a browser there is one queue.
setTimeout(() => {
  Promise.resolve().then(() => console.log('promise 1'));
  process.nextTick(() => console.log('tick 1'));
  Promise.resolve().then(() => {
    console.log('promise 2');
    process.nextTick(() => console.log('tick of promise 2'));
  });
  queueMicrotask(() => console.log('microtask'));
  process.nextTick(() => console.log('tick 2'));
}, 1);
