const net = require('node:net');

const server = net.createServer(function onClient(socket) {
  console.log('poll: a client has come');
  setTimeout(function onTimeout() {
    console.log('timers: a timeout');
  }, 0);
  setImmediate(function onImmediate() {
    console.log('check: an immediate');
  });
  socket.on('close', function onClose() {
    console.log('close: the socket is closed');
  });
  socket.destroy();
  Promise.resolve().then(function job() {
    console.log('a microtask');
  });
  process.nextTick(function tick() {
    console.log('a tick');
  });
  server.close();
});

server.listen(0, '127.0.0.1', function onListening() {
  net.connect(server.address().port, '127.0.0.1').on('error', () => {}).resume();
});
