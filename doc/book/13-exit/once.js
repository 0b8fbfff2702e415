setTimeout(function onTimeout() {
  console.log('the only timer');
}, 20);

process.on('beforeExit', () => console.log('beforeExit'));
process.on('exit', (code) => console.log('exit, code', code));
