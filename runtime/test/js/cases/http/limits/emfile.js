'use strict';

// A server that has run out of descriptors goes on serving once some are free again.

const http = require('http');
const net = require('net');
const { spawn } = require('child_process');

if (process.argv[2] === 'server') {
  http.createServer((req, res) => res.end('served')).listen(0, '127.0.0.1', function() {
    console.log(this.address().port);
  });
  return;
}

const server = spawn('/bin/sh', ['-c', 'ulimit -n 40; exec "$0" "$1" server', process.execPath, __filename], { stdio: ['ignore', 'pipe', 'inherit'] });

const ask = (port) => new Promise((resolve) => {
  http.get({ port, host: '127.0.0.1', agent: false, timeout: 20000 }, (res) => {
    let text = '';
    res.setEncoding('utf8').on('data', (chunk) => text += chunk).on('end', () => resolve(text));
  }).on('error', (error) => resolve(error.code)).on('timeout', function() {
    this.destroy();
  });
});

server.stdout.once('data', async (chunk) => {
  const port = Number(chunk);
  console.log('before:', await ask(port));
  const flood = Array.from({ length: 100 }, () => net.connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(flood.map((socket) => new Promise((resolve) => socket.once('connect', resolve).once('error', resolve))));
  await new Promise((resolve) => setTimeout(resolve, 200));
  console.log('still there:', server.exitCode === null);
  for (const socket of flood) socket.destroy();
  // Until it has noticed that they are gone, it may drop more.
  do await new Promise((resolve) => setTimeout(resolve, 200));
  while (await ask(port) !== 'served');
  for (let i = 0; i < 3; i++) console.log('after:', await ask(port));
  server.kill();
  server.on('exit', (code, signal) => console.log(code, signal));
});
