// A callback can be cancelled by one that runs before it in the same frame.
let second;
requestAnimationFrame(() => {
  console.log('first cancels the second');
  cancelAnimationFrame(second);
});
second = requestAnimationFrame(() => console.log('second'));
requestAnimationFrame(() => console.log('third'));
cancelAnimationFrame(requestAnimationFrame(() => console.log('fourth')));
