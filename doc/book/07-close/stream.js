const { Readable } = require('node:stream');

const stream = new Readable({ read() {} });
stream.on('close', function onClose() {
  console.log('a stream without a handle: closed in a tick');
});
setImmediate(function onImmediate() {
  console.log('check: an immediate');
});
stream.destroy();
console.log('destroyed');
