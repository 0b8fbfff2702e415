// Connections that are reset, half-open or aborted leave nothing behind.
const http = require('http');
const net = require('net');
const fs = require('fs');

const server = http.createServer((req, res) => {
  req.on('error', () => {});
  res.on('error', () => {});
  if (req.method === 'POST') req.resume();
  else if (req.url === '/big') res.end(Buffer.alloc(1 << 20));
  else res.write('begin');
});
server.on('clientError', (error, socket) => socket.destroy());
const descriptors = () => fs.readdirSync('/proc/self/fd').length;
const once = (emitter, event) => new Promise((resolve) => emitter.once(event, resolve));

server.listen(0, async () => {
  let before;
  for (let i = 0; i < 60; i++) {
    if (i === 5) before = descriptors();
    const socket = net.connect(server.address().port);
    socket.on('error', () => {});
    await once(socket, 'connect');
    if (i % 4 === 0) socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    else if (i % 4 === 1) socket.write('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc');
    else if (i % 4 === 2) socket.write('GET /big HTTP/1.1\r\nHost: h\r\n\r\n');
    else socket.write('GET / HT');
    await new Promise((resolve) => setTimeout(resolve, 2));
    if (i % 3 === 0) socket.resetAndDestroy();
    else if (i % 3 === 1) socket.destroy();
    else { socket.end(); socket.resume(); setTimeout(() => socket.destroy(), 5); }
    await once(socket, 'close');
  }
  const connections = () => new Promise((resolve) => server.getConnections((err, count) => resolve(count)));
  for (let i = 0; i < 200 && await connections() > 0; i++) await new Promise((resolve) => setTimeout(resolve, 100));
  server.getConnections((err, count) => {
    console.log('connections', count, 'descriptors', descriptors() - before <= 2);
    server.close();
  });
});
