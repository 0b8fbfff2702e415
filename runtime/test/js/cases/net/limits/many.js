'use strict';
// A thousand connections at once, each served and ended; the descriptors are all given back.
const net = require('net');
const fs = require('fs');
const open = () => fs.readdirSync('/proc/self/fd').length;
const count = 1000;
let before;
let served = 0;
let ended = 0;
let closes = 0; // of both sides
const server = net.createServer((socket) => {
  served++;
  socket.on('data', (data) => socket.end(data));
  socket.on('close', closed);
});
function closed() {
  if (++closes === 2) setTimeout(begin, 50);
  if (closes === 2 + 2 * count) setTimeout(finish, 50);
}
server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => {
  // What the first connection brings about stays.
  net.connect(server.address().port, '127.0.0.1').end('first').resume().on('close', closed);
});
function begin() {
  served = 0;
  before = open();
  const { port } = server.address();
  let connected = 0;
  const clients = [];
  for (let i = 0; i < count; i++) {
    const client = net.connect(port, '127.0.0.1', () => {
      if (++connected === count) for (const each of clients) each.write(`number ${clients.indexOf(each)}`);
    });
    clients.push(client);
    let text = '';
    client.setEncoding('utf8');
    client.on('data', (data) => { text += data; });
    client.on('close', (failed) => {
      if (failed || text !== `number ${i}`) console.log('wrong', i, text, failed);
      ended++;
      closed();
    });
  }
}
function finish() {
  server.getConnections((err, left) => {
    console.log(served, ended, left, open() - before);
    server.close(() => console.log('closed'));
  });
}
