'use strict';
// A bit of everything, to be looked at:
//
//   rota --timeline=page.html examples/timeline.js
//
// Timers, a server and its clients, files, passwords for the thread pool, ticks and microtasks, and one callback that
// blocks the loop for 60 ms: see how the others are late.

const crypto = require('crypto');
const fs = require('fs');
const net = require('net');

function work(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

let beats = 0;
const beat = setInterval(function heartbeat() {
  work(.4);
  if (++beats < 14) return;
  clearInterval(beat);
  server.close();
}, 12);

const server = net.createServer(function onClient(socket) {
  socket.on('data', function onRequest(data) {
    work(1.2);
    process.nextTick(function logRequest() {
      work(.3);
    });
    socket.end(data);
  });
});

server.listen(0, function onListening() {
  for (let i = 0; i < 8; i++) {
    setTimeout(function dial() {
      const client = net.connect(server.address().port, '127.0.0.1');
      client.on('data', function onAnswer() {
        work(.5);
        Promise.resolve().then(() => work(.2)).then(() => work(.2));
      });
      client.write('hello');
    }, 10 + i * 17);
  }
});

for (let i = 0; i < 10; i++) {
  setTimeout(function load() {
    fs.open(__filename, function onOpen(error, fd) {
      fs.read(fd, Buffer.alloc(1000), 0, 1000, 0, function onRead() {
        work(.6);
        fs.close(fd, function onClose() {});
      });
    });
  }, 5 + i * 16);
}

for (let i = 0; i < 6; i++) {
  setTimeout(function login() {
    crypto.pbkdf2('secret', 'salt', 20000, 32, 'sha256', function onKey() {
      work(.5);
      setImmediate(function storeSession() {
        work(1);
      });
    });
  }, 30 + i * 4);
}

setTimeout(function parseReport() {
  work(60);
}, 75);
