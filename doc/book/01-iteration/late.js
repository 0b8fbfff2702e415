const net = require('node:net');

const began = Date.now();

setTimeout(function onTimeout() {
  console.log('the timer of 400 ms; 450 ms or more have passed:', Date.now() - began >= 450);
  server.close();
}, 400);

// An operation that takes 100 ms: somebody answers after that time.
const server = net.createServer(function onClient(socket) {
  setTimeout(() => socket.end('answer'), 100);
});
server.listen(0, '127.0.0.1', function onListening() {
  net.connect(server.address().port, '127.0.0.1').on('data', function onAnswer() {
    console.log('the operation is done; now 350 ms of work');
    const start = Date.now();
    while (Date.now() - start < 350);
  });
});
