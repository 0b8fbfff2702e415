'use strict';
// One connection from its beginning to its end, seen from both sides.
const net = require('net');
const names = ['connect', 'ready', 'data', 'end', 'finish', 'close', 'drain', 'error', 'lookup', 'timeout'];
const results = [];
const sides = { client: [], server: [] };
function watch(side, socket) {
  for (const name of names) {
    socket.on(name, (...args) => {
      const shown = name === 'data' ? String(args[0]) : args.map((a) => (a instanceof Error ? a.code : a)).join(' ');
      sides[side].push(`${name} ${shown}`.trim());
    });
  }
}
const server = net.createServer((socket) => {
  watch('server', socket);
  results.push('open', socket.readyState, socket.remoteFamily, socket.localAddress, socket.pending, socket.connecting);
  socket.on('data', (data) => socket.write(`echo ${data}`));
  socket.on('close', () => {
    results.push('server', socket.bytesRead, socket.bytesWritten, socket.readyState, socket.destroyed);
    server.close(() => results.push(server.address(), server.listening));
  });
});
server.listen(0, () => {
  const { port } = server.address();
  const client = new net.Socket();
  console.log(client.readyState, client.pending, client.connecting, client.bytesRead, client.remoteAddress, client.address());
  watch('client', client);
  client.connect({ port, host: '127.0.0.1' });
  console.log(client.connecting, client.readyState, client.write('before '), client.bytesWritten);
  client.on('connect', () => {
    sides.client.push(client.connecting, client.remotePort === port, client.remoteAddress, client.localFamily);
    client.write(Buffer.from('one '));
    client.cork();
    client.write('zwei \u00fc ');
    client.write('dr\u00e9i ', 'latin1');
    client.write('2034', 'hex');
    client.uncork();
    client.once('data', () => client.end('last'));
  });
});
process.on('exit', () => console.log(results, sides));
