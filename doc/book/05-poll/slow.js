setTimeout(function onTimeout() {
  console.log('setTimeout');
}, 0);
setImmediate(function onImmediate() {
  console.log('setImmediate');
});

const began = Date.now();
while (Date.now() - began < 5); // the millisecond of the timeout is over
