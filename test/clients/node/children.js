// Child processes: output, input, exit codes, signals, messages with a handle, many at once; signals; names; udp.
'use strict';
const assert = require('assert');
const childProcess = require('child_process');
const dgram = require('dgram');
const dns = require('dns');
const net = require('net');
const { once } = require('events');
const { promisify } = require('util');
const { finished, mapped } = require('./library.cjs');
mapped();
const exec = promisify(childProcess.exec);

if (process.argv[2] === 'child') {
  process.on('message', (message, socket) => {
    if (socket) socket.end('from the child');
    else process.send({ echo: message });
  });
} else {
  main().catch((error) => {
    console.error(error);
    process.exit(1);
  });
}

async function main() {
  const all = await Promise.all(Array.from({ length: 40 }, (_, i) => exec(`echo ${i}; echo error ${i} >&2`)));
  all.forEach(({ stdout, stderr }, i) => assert.deepStrictEqual([stdout, stderr], [`${i}\n`, `error ${i}\n`]));

  const cat = childProcess.spawn('cat');
  const parts = [];
  cat.stdout.on('data', (d) => parts.push(d));
  cat.stdin.end(Buffer.alloc(1 << 20, 'c'));
  assert.deepStrictEqual(await once(cat, 'close'), [0, null]);
  assert.strictEqual(Buffer.concat(parts).length, 1 << 20);

  const sleeper = childProcess.spawn('sleep', ['100']);
  setTimeout(() => sleeper.kill('SIGTERM'), 20);
  assert.deepStrictEqual(await once(sleeper, 'exit'), [null, 'SIGTERM']);
  const [error] = await once(childProcess.spawn('no-such-program'), 'error');
  assert.strictEqual(error.code, 'ENOENT');
  assert.strictEqual(childProcess.execFileSync('sh', ['-c', 'cat; exit 0'], { input: 'sync' }).toString(), 'sync');
  assert.strictEqual(childProcess.spawnSync('sh', ['-c', 'exit 3']).status, 3);

  const child = childProcess.fork(__filename, ['child']);
  child.send('hello');
  assert.deepStrictEqual((await once(child, 'message'))[0], { echo: 'hello' });
  const server = net.createServer((socket) => child.send('socket', socket));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = net.connect(server.address().port, '127.0.0.1');
  let text = '';
  client.on('data', (d) => { text += d; });
  await once(client, 'end');
  assert.strictEqual(text, 'from the child');
  server.close();
  child.disconnect();
  await once(child, 'exit');

  const alive = setTimeout(() => {}, 10000); // waiting for a signal does not keep a process alive
  const signalled = once(process, 'SIGUSR2');
  process.kill(process.pid, 'SIGUSR2');
  assert.deepStrictEqual(await signalled, ['SIGUSR2', 12]);
  clearTimeout(alive);

  const socket = dgram.createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.send('datagram', socket.address().port, '127.0.0.1');
  assert.strictEqual((await once(socket, 'message'))[0].toString(), 'datagram');
  socket.close();
  assert.strictEqual((await dns.promises.lookup('127.0.0.1')).address, '127.0.0.1');
  finished();
  console.log('40 children at once, input and output, signals, messages, a handle passed, a datagram, a name');
}
