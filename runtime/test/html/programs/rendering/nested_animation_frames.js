// What is asked for in a frame runs in the next one.
const times = [];
requestAnimationFrame((first) => {
  console.log('first frame');
  requestAnimationFrame((second) => console.log('second frame', second > first));
  queueMicrotask(() => console.log('microtask'));
});
requestAnimationFrame(() => console.log('first frame, too'));
