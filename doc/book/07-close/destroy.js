const net = require('node:net');

const server = net.createServer(function onClient(socket) {
  socket.on('close', function onClose() {
    console.log('close: the socket is closed');
  });
  socket.destroy();
  setImmediate(function onImmediate() {
    console.log('check: an immediate');
  });
  process.nextTick(function onTick() {
    console.log('a tick');
  });
  server.close();
});
server.listen(0, '127.0.0.1', function onListening() {
  net.connect(server.address().port, '127.0.0.1').on('error', () => {}).resume();
});
