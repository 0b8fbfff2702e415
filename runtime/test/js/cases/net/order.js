'use strict';
// The order of events of a socket among ticks, microtasks, immediates and closing.
const net = require('net');
const log = [];
const say = (what) => log.push(what);
const server = net.createServer((socket) => {
  socket.once('data', () => {
    say('data');
    process.nextTick(() => say('tick of data'));
    Promise.resolve().then(() => say('microtask of data'));
    setImmediate(() => say('immediate of data'));
    socket.destroy();
    say(`destroyed ${socket.destroyed}`);
    socket.on('close', (failed) => {
      say(`close ${failed}`);
      process.nextTick(() => say('tick of close'));
      setImmediate(() => say('immediate of close'));
      server.close(() => say('server closed'));
    });
  });
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.on('connect', () => {
    client.write('x', () => {});
    process.nextTick(() => {});
  });
  client.on('end', () => {});
  client.on('error', () => {});
  client.resume();
});
process.on('exit', () => console.log(log.join('\n')));
