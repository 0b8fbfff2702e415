// The results of writes if the handshake fails.
const fs = require('fs');
const net = require('net');
const path = require('path');
const tls = require('tls');

const read = (name) => fs.readFileSync(path.join(__dirname, 'support', name));

function attempt(title, listener, options) {
  return new Promise((resolve) => {
    const server = listener.listen(0, () => {
      const socket = tls.connect({ port: server.address().port, ...options });
      const notes = [];
      socket.write('one', (error) => notes.push(`first ${Boolean(error)}`));
      socket.write('two', (error) => notes.push(`second ${Boolean(error)}`));
      socket.end('three', (error) => notes.push(`end ${Boolean(error)}`));
      socket.on('error', (error) => notes.push(`error ${error.code}`));
      socket.on('close', (failed) => setTimeout(() => {
        console.log(`${title}: close ${failed}, ${notes.sort().join(', ')}, ${socket.bytesWritten}, ${socket.writableLength}`);
        server.close(resolve);
      }, 20));
    });
  });
}

(async () => {
  await attempt('gone', net.createServer((socket) => socket.destroy()));
  await attempt('ended', net.createServer((socket) => socket.on('error', () => {}).resume().end()));
  await attempt('no TLS', net.createServer((socket) => socket.on('error', () => {}).resume().end('hello, this is not what you think it is\n')));
  const options = { key: read('self-key.pem'), cert: read('self.pem') };
  await attempt('stranger', tls.createServer(options, (socket) => socket.on('error', () => {})));
  await attempt('friend', tls.createServer(options, (socket) => socket.resume()), { rejectUnauthorized: false });
})();
