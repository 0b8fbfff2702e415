process.once('beforeExit', function onBeforeExit() {
  console.log('beforeExit: once more');
  setImmediate(function onImmediate() {
    console.log('check');
  });
});
process.on('exit', () => console.log('exit'));
