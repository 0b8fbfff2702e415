process.nextTick(function first() {
  console.log('first tick');
  Promise.resolve().then(function job() {
    console.log('the promise of the first tick');
  });
});
process.nextTick(function second() {
  console.log('second tick');
  process.nextTick(function third() {
    console.log('third tick, added by the second');
  });
});
