const net = require('node:net');

setImmediate(function onImmediate() {
  console.log('check');
});

net.connect('/no/such/socket').on('error', function onError(error) {
  console.log('pending:', error.code);
});
console.log('the main script ends');
