'use strict';
// With allowHalfOpen one side ends and still receives.
const net = require('net');
const log = [];
const server = net.createServer({ allowHalfOpen: true }, (socket) => {
  const parts = [];
  socket.on('data', (data) => parts.push(data));
  socket.on('end', () => {
    log.push(`server end, writable ${socket.writable}, ${socket.readyState}`);
    setTimeout(() => socket.end(`answer to ${Buffer.concat(parts)}`), 20);
  });
  socket.on('close', () => {
    log.push('server close');
    server.close();
  });
});
server.listen(0, () => {
  const client = net.connect({ port: server.address().port, allowHalfOpen: true }, () => client.end('question'));
  client.on('data', (data) => log.push(`client ${data}`));
  client.on('end', () => log.push('client end'));
  client.on('close', () => {
    log.push('client close');
  });
});
process.on('exit', () => console.log(log.sort().join('\n')));
