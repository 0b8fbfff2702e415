const net = require('node:net');

const server = net.createServer(function onClient(socket) {
  console.log('server: a client');
  socket.on('data', function onRequest(data) {
    console.log('server: got', String(data));
    socket.end('pong');
    server.close();
  });
});

server.listen(0, '127.0.0.1', function onListening() {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.write('ping');
  client.on('data', function onAnswer(data) {
    console.log('client: got', String(data));
  });
});
