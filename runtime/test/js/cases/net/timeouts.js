'use strict';
// Idle sockets time out; traffic starts the time again; ending it stops it.
const net = require('net');
const server = net.createServer((socket) => {
  let n = 0;
  const timer = setInterval(() => {
    if (++n === 4) clearInterval(timer);
    socket.write('x');
  }, 30);
  socket.on('close', () => {
    clearInterval(timer);
    server.close(() => console.log('closed'));
  });
});
server.listen(0, () => {
  const client = net.connect({ port: server.address().port, timeout: 4000 });
  console.log(client.timeout);
  let data = 0;
  client.on('data', () => data++);
  client.on('timeout', () => {
    console.log('timeout after', data, client.destroyed);
    client.setTimeout(0);
    client.setTimeout(50, () => {
      console.log('second');
      client.destroy();
    });
  });
  client.on('close', (failed) => console.log('close', failed));
});
