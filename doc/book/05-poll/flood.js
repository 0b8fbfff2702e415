const net = require('node:net');

let isOver = false;
const server = net.createServer(function onClient(socket) {
  socket.once('data', function onFirst() {
    setTimeout(function onTimeout() {
      console.log('a timer has come between two messages');
      isOver = true;
      server.close();
    }, 3);
  });
  socket.on('data', function onQuestion(data) {
    socket.write(data);
  });
});
server.listen(0, '127.0.0.1', function onListening() {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.write('x');
  client.on('data', function onAnswer(data) {
    if (isOver) client.destroy();
    else client.write(data); // poll always finds a message
  });
});
