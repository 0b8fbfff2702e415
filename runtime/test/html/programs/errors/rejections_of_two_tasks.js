// Each task has a checkpoint, and its own unhandled rejections.
let seen = 0;
addEventListener('unhandledrejection', (event) => {
  event.preventDefault();
  console.log(`unhandled ${event.reason}`);
  if (++seen === 1) setTimeout(() => Promise.reject('second task'), 0);
});
setTimeout(() => Promise.reject('first task'), 0);
