setImmediate(function first() {
  console.log('first');
  setImmediate(function nested() {
    console.log('set by the first: the next iteration');
  });
});
setImmediate(function second() {
  console.log('second');
});
setImmediate(function third() {
  console.log('third');
});
