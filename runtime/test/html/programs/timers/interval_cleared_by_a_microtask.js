// The microtask runs before the interval's next task.
const id = setInterval(() => {
  console.log('interval');
  queueMicrotask(() => clearInterval(id));
}, 0);
