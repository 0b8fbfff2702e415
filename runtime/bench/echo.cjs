'use strict';

// An echo server for a load generator (bench/servers/load_echo.c): prints its port.

const net = require('node:net');

const server = net.createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('data', (chunk) => socket.write(chunk));
  socket.on('error', () => {});
});
server.listen(0, '127.0.0.1', 1024, () => console.log(server.address().port));
