const net = require('node:net');

// A port where nobody listens any more.
const server = net.createServer();
server.listen(0, '127.0.0.1', function onListening() {
  const { port } = server.address();
  server.close(function onClosed() {
    net.connect(port, '127.0.0.1').on('error', function onError(error) {
      console.log(error.code);
    });
  });
});
