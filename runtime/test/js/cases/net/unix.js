'use strict';
// Sockets with paths, with abstract names, and with a descriptor; and their permissions.
const net = require('net');
const fs = require('fs');
const os = require('os');
const path = require('path');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rota-'));
const name = path.join(folder, 'socket');
function serve(where, options, done) {
  const server = net.createServer((socket) => {
    socket.end('over ');
    console.log(socket.remoteAddress, socket.remoteFamily, socket.localPort);
  });
  server.listen({ path: where, ...options }, () => {
    console.log(server.address().replace(folder, 'F').replace('\0', '@'));
    if (!where.startsWith('\0')) console.log((fs.statSync(where).mode & 0o444).toString(8));
    const client = net.connect(where);
    let text = '';
    client.on('data', (data) => { text += data; });
    client.on('close', () => {
      console.log(text);
      server.close(() => {
        console.log(fs.existsSync(where.replace('\0', '/')));
        done();
      });
    });
  });
}
serve(name, {}, () => serve(name, { readableAll: true, writableAll: true }, () => serve(`\0rota-test-${process.pid}`.slice(0, 10), {}, () => {
  fs.writeFileSync(name, '');
  net.createServer().on('error', (error) => {
    console.log(error.code, error.syscall, error.message.replace(folder, 'F'));
    fs.rmSync(folder, { recursive: true });
  }).listen(name);
})));
