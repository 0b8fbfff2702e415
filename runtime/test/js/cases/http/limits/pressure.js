// A client that does not read meets backpressure: the server does not buffer everything that it asks for.
const http = require('http');
const net = require('net');

let asked = 0;
const server = http.createServer((req, res) => {
  asked++;
  res.end(Buffer.alloc(100000));
});
server.listen(0, () => {
  const socket = net.connect(server.address().port);
  socket.pause();
  let sent = 0;
  const timer = setInterval(() => {
    for (let i = 0; i < 50 && sent < 3000; i++, sent++) socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
  }, 1);
  setTimeout(() => {
    clearInterval(timer);
    console.log('held back', asked < 2000);
    socket.destroy();
    server.close();
  }, 600);
});
