'use strict';
// Two workers on one port: both serve, one dies, the other goes on, and all exit in the end.
const cluster = require('cluster');
const net = require('net');

if (cluster.isWorker) {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.end(String(cluster.worker.id));
  });
  server.listen({ port: 0, host: '127.0.0.1' });
} else {
  const addresses = new Set();
  let port;
  cluster.on('listening', (worker, address) => {
    port = address.port;
    addresses.add(address.port);
    if (Object.values(cluster.workers).every(({ state }) => state === 'listening')) begin();
  });
  cluster.on('exit', (worker, code, signal) => console.log('exit', worker.exitedAfterDisconnect, code, signal));
  cluster.fork();
  cluster.fork();

  const ask = () => new Promise((resolve, reject) => {
    let text = '';
    net.connect(port, '127.0.0.1').setEncoding('utf8').on('data', (data) => (text += data)).on('end', () => resolve(text)).on('error', reject);
  });

  async function begin() {
    console.log('ports', addresses.size);
    const seen = new Set();
    for (let i = 0; i < 20; i++) seen.add(await ask());
    console.log('served by', [...seen].sort().join());
    const [first] = Object.values(cluster.workers);
    first.process.kill('SIGKILL');
    first.once('exit', async () => {
      const later = new Set();
      for (let i = 0; i < 10; i++) later.add(await ask());
      console.log('served by', [...later].join());
      cluster.disconnect(() => console.log('all gone', Object.keys(cluster.workers).length));
    });
  }
}
