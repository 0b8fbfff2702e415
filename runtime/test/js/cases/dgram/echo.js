'use strict';
// Datagrams: there and back, connected and not, lists of buffers, errors.
const dgram = require('dgram');
const server = dgram.createSocket('udp4');
const log = [];
server.on('message', (message, from) => {
  log.push(`server ${message} ${from.size} ${from.family} ${from.address}`);
  server.send(`re: ${message}`, from.port, from.address);
});
server.on('listening', () => log.push(`listening ${server.address().address}`));
server.bind(0, '127.0.0.1', () => {
  const { port } = server.address();
  const client = dgram.createSocket('udp4');
  let answers = 0;
  client.on('message', (message) => {
    log.push(`client ${message}`);
    if (++answers === 3) setImmediate(letGo);
    if (answers === 4) finish();
  });
  client.connect(port, '127.0.0.1', () => {
    log.push(`connected ${client.remoteAddress().port === port}`);
    client.send('one');
    client.send([Buffer.from('tw'), 'o', new Uint8Array([33])], (error, bytes) => log.push(`sent ${error} ${bytes}`));
    client.send(Buffer.from('xthreex'), 1, 5);
    try {
      client.send('x', 0, 1, port, '127.0.0.1');
    } catch (error) {
      log.push(error.code);
    }
  });
  // Letting go of the peer may change the port: nothing may be under way then.
  function letGo() {
    client.disconnect();
    client.send(Buffer.alloc(0), port, '127.0.0.1');
  }
  function finish() {
    log.sort();
    client.close(() => log.push('client closed'));
    server.close(() => {
      log.push('server closed');
      try {
        server.address();
      } catch (error) {
        log.push(error.code);
      }
      console.log(log);
    });
  }
});
