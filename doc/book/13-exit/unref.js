setInterval(function never() {
  console.log('never');
}, 60000).unref();

setTimeout(function onTimeout() {
  console.log('this one keeps the process alive');
}, 20);

process.on('exit', () => console.log('exit, although there is an interval'));
