'use strict';
// Aborted connections: by a reset, by destroying with unread bytes, by writing to a closed peer. Nothing may leak.
const net = require('net');
const fs = require('fs');
const open = () => fs.readdirSync('/proc/self/fd').length;
let seen = 0; // ends, of both sides
let before;
const codes = new Set();
const server = net.createServer((socket) => {
  socket.on('error', (error) => codes.add(error.code));
  socket.on('close', count);
  socket.write(Buffer.alloc(1000));
  socket.resume();
});
server.listen(0, '127.0.0.1', () => {
  net.connect(server.address().port, '127.0.0.1').on('error', () => {}).on('close', count).end().resume();
});
function count() {
  if (++seen === 2) setTimeout(begin, 50);
  if (seen === 122) setTimeout(finish, 50);
}
function begin() {
  before = open();
  connect();
}
function connect() {
  const { port } = server.address();
  for (let i = 0; i < 60; i++) {
    const client = net.connect(port, '127.0.0.1', () => {
      client.write('hello');
      if (i % 3 === 0) client.resetAndDestroy();
      else if (i % 3 === 1) client.destroy();
      else client.end();
    });
    client.on('error', () => {}).on('close', count);
    client.resume();
  }
}
function finish() {
  console.log('leaked', open() - before);
  console.log('only resets', [...codes].every((code) => code === 'ECONNRESET' || code === 'EPIPE'));
  const socket = new net.Socket();
  socket.on('error', (error) => console.log(error.code));
  socket.resetAndDestroy();
  server.close(() => console.log('closed'));
}
