const alive = setInterval(() => {}, 1000);

process.once('SIGTERM', function onSignal(name) {
  console.log('got', name);
  clearInterval(alive);
});

process.kill(process.pid, 'SIGTERM');
console.log('sent');
