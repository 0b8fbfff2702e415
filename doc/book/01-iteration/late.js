const net = require('node:net');

// Somebody who answers after 100 ms; and at the same time a timer of 400 ms is set.
const server = net.createServer(function onClient(socket) {
  const began = Date.now();
  setTimeout(() => socket.end('answer'), 100);
  setTimeout(function onTimeout() {
    console.log('the timer of 400 ms; 450 ms or more have passed:', Date.now() - began >= 450);
    server.close();
  }, 400);
});

server.listen(0, '127.0.0.1', function onListening() {
  net.connect(server.address().port, '127.0.0.1').on('data', function onAnswer() {
    console.log('the operation is done; now 350 ms of work');
    const start = Date.now();
    while (Date.now() - start < 350);
  });
});
