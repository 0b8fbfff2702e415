// A frame's microtasks come before the tasks that it queues; the next frame may come before or after those.
requestAnimationFrame(() => {
  setTimeout(() => console.log('timer'), 0);
  queueMicrotask(() => console.log('microtask'));
  console.log('frame');
});
