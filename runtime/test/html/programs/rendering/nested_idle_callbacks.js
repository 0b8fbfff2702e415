// What is asked for in an idle callback waits for the next idle period.
requestIdleCallback(() => {
  console.log('first');
  requestIdleCallback(() => console.log('nested'));
});
requestIdleCallback(() => console.log('second'));
