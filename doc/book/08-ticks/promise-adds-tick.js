Promise.resolve().then(function first() {
  console.log('first job');
  process.nextTick(function tick() {
    console.log('the tick of the first job');
  });
  queueMicrotask(function third() {
    console.log('third job, added by the first');
  });
});
Promise.resolve().then(function second() {
  console.log('second job');
});
