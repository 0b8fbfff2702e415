// Before it runs, also by another idle callback.
let second;
requestIdleCallback(() => {
  console.log('first');
  cancelIdleCallback(second);
});
second = requestIdleCallback(() => console.log('second'));
requestIdleCallback(() => console.log('third'));
