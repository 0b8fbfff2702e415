'use strict';
// A race: a pool of two connections, one of which is given back twice. A query that takes too long is given up, and its connection
// goes back; when the answer comes nevertheless, it goes back again, and two queries would get the same one.
//
//   rota fuzz examples/races/pool.js

const assert = require('assert');
const net = require('net');

const server = net.createServer((socket) => {
  socket.on('data', (data) => socket.write(data)).on('error', () => {});
});
const free = [];

function query(text, done) {
  const socket = free.pop();
  assert(socket, 'no connection is free');
  assert(!socket.busy, 'a connection was given to two queries');
  socket.busy = true;
  const giveBack = () => {
    assert(!free.includes(socket), 'a connection was given back twice');
    socket.busy = false;
    free.push(socket);
    done();
  };
  const timer = setTimeout(giveBack, 500);
  socket.once('data', () => {
    clearTimeout(timer);
    giveBack();
  });
  socket.write(text);
}

function main() {
  let left = 4;
  const end = () => {
    if (--left > 0) return;
    for (const socket of free) socket.destroy();
    server.close();
  };
  query('a', () => {
    end();
    query('c', end);
  });
  query('b', () => {
    end();
    query('d', end);
  });
}

server.listen(0, '127.0.0.1', () => {
  for (let i = 0; i < 2; i++) {
    const socket = net.connect(server.address().port, '127.0.0.1', () => {
      if (free.push(socket) === 2) main();
    });
    socket.on('error', () => {}); // a server that closes before it has accepted resets the connection
  }
});
