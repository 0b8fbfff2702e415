'use strict';
// A message, or the result of a job, that came before a socket was ready is told before the socket's data, and after it
// otherwise: each has its place among the events of a poll.
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');
const { MessageChannel } = require('worker_threads');

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'rota-place-'));
const { port1, port2 } = new MessageChannel();
const told = [];
port2.on('message', () => told.push('message'));

const steps = {
  message: () => port1.postMessage(1),
  data: () => client.write('x'),
  // The callback waits until the directory is there; then its result is handed over.
  directory() {
    const made = path.join(directory, 'made');
    fs.mkdir(made, () => told.push('directory'));
    while (!fs.existsSync(made));
    for (const until = Date.now() + 50; Date.now() < until; );
    fs.rmdirSync(made);
  },
  file() {
    fs.open(__filename, (error, descriptor) => {
      told.push('file');
      fs.closeSync(descriptor);
    });
    for (const until = Date.now() + 50; Date.now() < until; );
  },
};
const programs = ['message data', 'data message', 'directory data', 'data directory', 'data file', 'data message directory', 'message data directory', 'directory message data'];

let client;
const server = net.createServer((socket) => {
  socket.on('data', () => told.push('data'));
  function next() {
    const program = programs.shift();
    if (program === undefined) {
      fs.rmdirSync(directory);
      port1.close();
      client.destroy();
      socket.destroy();
      server.close();
      return;
    }
    setImmediate(() => {
      for (const step of program.split(' ')) steps[step]();
      const look = () => {
        if (told.length < program.split(' ').length) return setTimeout(look, 1);
        console.log(`${program}: ${told.splice(0).join(' ')}`);
        next();
      };
      setTimeout(look, 1);
    });
  }
  setTimeout(next, 20);
});
server.listen(0, '127.0.0.1', () => {
  client = net.connect(server.address().port, '127.0.0.1');
});
