'use strict';
// A chat: a page over HTTP, messages over WebSocket, nothing but Node's own modules.
//
//   rota examples/chat/server.js [port]
//
// Open the address that it prints in two windows. A client that does not read what it is sent is dropped, so that one slow window does not
// make the server keep messages without end.

const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { Reader, acceptKey, encode, encodeClose, encodeText, PONG } = require('./frames.js');

const SLOW = 256 * 1024; // bytes that wait for one client
const page = fs.readFileSync(path.join(__dirname, 'page.html'));
const clients = new Set();
let guests = 0;

function tellAll(message) {
  const frame = encodeText(JSON.stringify(message));
  for (const client of clients) {
    if (client.socket.writableLength > SLOW) leave(client, 1013);
    else client.socket.write(frame);
  }
}

function leave(client, code) {
  if (!clients.delete(client)) return;
  client.socket.end(encodeClose(code));
  tellAll({ from: null, text: `${client.name} has left` });
}

function enter(socket) {
  const client = { socket, name: `guest ${++guests}` };
  const reader = new Reader({
    text: (text) => tellAll({ from: client.name, text: text.slice(0, 1000) }),
    ping: (payload) => socket.write(encode(PONG, payload)),
    close: (code) => leave(client, code === 1000 || code === 1001 ? 1000 : code),
  });
  socket.setNoDelay(true);
  socket.on('data', (bytes) => reader.push(bytes));
  socket.on('error', () => leave(client, 1000));
  socket.on('close', () => leave(client, 1000));
  clients.add(client);
  tellAll({ from: null, text: `${client.name} has come` });
}

const server = http.createServer((request, response) => {
  if (request.url !== '/') return response.writeHead(404).end('There is only one page: /\n');
  response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page);
});

server.on('upgrade', (request, socket) => {
  const key = request.headers['sec-websocket-key'];
  if (key === undefined) return socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${acceptKey(key)}\r\n\r\n`);
  enter(socket);
});

server.listen(Number(process.argv[2] ?? 8080), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));

process.once('SIGTERM', () => {
  for (const client of [...clients]) leave(client, 1001);
  server.close();
});
