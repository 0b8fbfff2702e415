'use strict';
// A race: a shutdown that drops jobs. The server answers at once and does the work after that. It is ended when all connections are closed,
// not when all work is done.
//
//   rota fuzz examples/races/shutdown.js

const assert = require('assert');
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'race-'));
process.on('exit', () => {
  const written = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  fs.rmSync(folder, { recursive: true });
  assert.strictEqual(written, 'entry', 'work was lost');
});

const file = path.join(folder, 'journal');
let under = 0; // so many are worked on
let closed = false;
const server = net.createServer({ allowHalfOpen: true }, (socket) => {
  let entry = '';
  socket.on('data', (data) => { entry += data; });
  socket.on('end', () => {
    under++;
    fs.appendFile(file, entry, () => under-- === 1 && closed && process.exit());
    socket.end('accepted');
  });
});

server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => client.end('entry'));
  client.resume().on('close', () => server.close(() => {
    closed = true;
    if (under === 0) process.exit();
  }));
});
