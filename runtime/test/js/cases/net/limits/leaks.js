'use strict';
// Connections that end badly, many of them: half-open, reset, aborted while they connect or write. Descriptors and memory after the
// last rounds are what they were after the first.
const net = require('net');
const fs = require('fs');

const descriptors = () => fs.readdirSync('/proc/self/fd').length;
const ROUND = 120;

const server = net.createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => {});
  socket.on('end', () => socket.end());
  socket.on('data', () => socket.write(Buffer.alloc(20000)));
});

const endings = [
  (client) => client.resetAndDestroy(),
  (client) => client.destroy(),
  (client) => client.end('x'.repeat(1000)),
  (client) => {
    client.write(Buffer.alloc(300000));
    setImmediate(() => client.destroy());
  },
  (client) => {
    client.pause();
    client.write('x', () => setTimeout(() => client.resetAndDestroy(), 5));
  },
];

function round() {
  return new Promise((resolve) => {
    let open = ROUND;
    for (let i = 0; i < ROUND; i++) {
      const client = net.connect({ port: server.address().port, host: '127.0.0.1', allowHalfOpen: i % 2 === 0 });
      client.on('error', () => {});
      client.on('end', () => client.end());
      client.on('close', () => {
        if (--open === 0) setTimeout(resolve, 30);
      });
      client.resume();
      // Some never get as far as being connected.
      if (i % 6 === 5) client.destroy();
      else client.on('connect', () => endings[i % 6](client));
    }
  });
}

async function settled() {
  for (let i = 0; i < 2000; i++) {
    const count = await new Promise((resolve) => server.getConnections((error, n) => resolve(n)));
    if (count === 0) return 0;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return 'some';
}

server.listen(0, '127.0.0.1', async () => {
  for (let i = 0; i < 24; i++) await round(); // the heap has grown as far as it will
  await settled();
  const fds = descriptors();
  const memory = process.memoryUsage().rss;
  for (let i = 0; i < 12; i++) await round();
  console.log('connections', await settled());
  console.log('descriptors', descriptors() - fds);
  console.log('memory', process.memoryUsage().rss - memory < 60e6 ? 'as before' : `grew by ${process.memoryUsage().rss - memory}`);
  server.close(() => console.log('closed'));
});
