process.on('exit', function onExit() {
  console.log('exit');
  setTimeout(() => console.log('never: a timer'), 0);
  setImmediate(() => console.log('never: an immediate'));
  process.nextTick(() => console.log('never: a tick'));
  Promise.resolve().then(() => console.log('a promise job still runs'));
});
