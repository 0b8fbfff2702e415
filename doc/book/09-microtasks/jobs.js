Promise.resolve()
  .then(function a1() {
    console.log('a1');
  })
  .then(function a2() {
    console.log('a2');
  });
queueMicrotask(function b1() {
  console.log('b1');
  queueMicrotask(function b2() {
    console.log('b2');
  });
});
