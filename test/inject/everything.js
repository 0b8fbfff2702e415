'use strict';
// A little of everything that uses the loop. The same lines, sorted, on Node alone and on grafted Node.

const assert = require('assert');
const cluster = require('cluster');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');

if (!isMainThread) {
  parentPort.postMessage({ data: workerData, path: process.env.PATH === undefined ? 'empty' : 'there' });
  parentPort.once('message', () => setImmediate(() => parentPort.close()));
} else if (cluster.isWorker) {
  require('http').createServer((request, response) => response.end(`worker ${cluster.worker.id > 0}`)).listen(0);
} else {
  main();
}

function main() {
  const fs = require('fs'), net = require('net'), http = require('http'), dgram = require('dgram'), dns = require('dns');
  const os = require('os'), path = require('path');
  const { execFile, fork, spawn } = require('child_process');
  const lines = [];
  const say = (...words) => lines.push(words.join(' '));
  process.on('exit', () => console.log(lines.sort().join('\n')));

  const order = [];
  const ran = (what) => {
    if (order.push(what) === 4) say('order', order.slice(0, 2), order.slice(2).sort()); // a timer of 1 ms may be first, or not
  };
  setTimeout(ran, 1, 'timeout');
  setImmediate(ran, 'immediate');
  process.nextTick(ran, 'tick');
  Promise.resolve('microtask').then(ran);

  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'rota-graft-')), file = path.join(directory, 'file');
  process.on('exit', () => fs.rmSync(directory, { recursive: true }));
  const watcher = fs.watch(directory, () => {
    say('watched');
    watcher.close();
  });
  watcher.once('close', () => watcher.removeAllListeners());
  fs.promises.writeFile(file, 'x'.repeat(100000)).then(() => fs.promises.readFile(file)).then((data) => say('file', data.length));
  fs.createReadStream(__filename).on('data', (data) => say('stream', data.length > 100)).on('close', () => say('stream closed'));

  const server = net.createServer((socket) => socket.pipe(socket)).listen(0, () => {
    const socket = net.connect(server.address().port);
    let got = 0;
    socket.end('y'.repeat(300000));
    socket.on('data', (data) => got += data.length).on('close', () => {
      say('echo', got);
      server.close(() => say('server closed'));
    });
  });

  const web = http.createServer((request, response) => request.on('data', () => {}).on('end', () => response.end('hello'))).listen(0, async () => {
    const url = `http://127.0.0.1:${web.address().port}/`;
    for (let i = 0; i < 3; i++) say('http', i, await (await fetch(url, { method: 'POST', body: 'z'.repeat(1000) })).text());
    web.close();
    web.closeAllConnections?.();
  });

  const udp = dgram.createSocket('udp4', (message) => {
    say('udp', message);
    udp.close();
  }).bind(0, '127.0.0.1', () => udp.send('datagram', udp.address().port, '127.0.0.1'));

  dns.lookup('localhost', (error, address) => say('dns', error, /^(127\.0\.0\.1|::1)$/.test(address)));
  execFile(process.execPath, ['-p', '40 + 2'], (error, stdout) => say('child', stdout.trim()));
  spawn('/bin/sh', ['-c', 'kill -TERM $$']).on('exit', (code, signal) => say('signal', signal));
  process.once('SIGUSR1', () => say('own signal')).kill(process.pid, 'SIGUSR1');
  if (process.argv[2] !== 'forked') fork(__filename, ['forked'], { silent: true }).on('exit', (code) => say('forked', code));

  const worker = new Worker(__filename, { workerData: [1, 2, 3] });
  worker.on('message', (message) => {
    say('worker', JSON.stringify(message));
    worker.postMessage('end');
  }).on('exit', (code) => say('worker', code));

  const member = cluster.fork().on('listening', ({ port }) => {
    http.get({ port }, (response) => response.setEncoding('utf8').on('data', (text) => say('cluster', text)).on('end', () => member.kill()));
  }).on('exit', () => say('cluster ended'));

  assert.strictEqual(typeof process.memoryUsage().rss, 'number');
  say('os', os.cpus().length > 0, os.uptime() > 0, os.hostname().length > 0, os.userInfo().uid === process.getuid());
}
