process.on('unhandledRejection', function onRejection(error) {
  console.log('unhandled:', error.message);
});

setImmediate(function onImmediate() {
  console.log('check');
});
Promise.reject(new Error('nobody handles this'));
const late = Promise.reject(new Error('handled in time'));
Promise.resolve().then(function handle() {
  late.catch(() => console.log('caught'));
});
