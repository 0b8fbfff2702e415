'use strict';
// The servers that bench/trace-overhead loads: an echo of TCP, or HTTP with a small answer. Prints its port.
//
//   rota bench/trace_servers.js echo|http

const [, , kind] = process.argv;
const server = kind === 'http'
  ? require('http').createServer(function onRequest(request, response) {
    response.setHeader('Content-Type', 'text/plain');
    response.end('hello world');
  })
  : require('net').createServer(function onConnection(socket) {
    socket.setNoDelay(true);
    socket.on('data', function onData(data) {
      socket.write(data);
    });
  });
server.keepAliveTimeout = 0; // connections wait for the other servers' turns
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.on('SIGTERM', () => process.exit(0));
