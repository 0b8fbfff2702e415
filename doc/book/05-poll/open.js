setTimeout(function onTimeout() {
  console.log('setTimeout');
}, 0);
setImmediate(function onImmediate() {
  console.log('setImmediate');
});
