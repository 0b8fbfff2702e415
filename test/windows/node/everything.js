'use strict';

// What a program does with the loop, in lines whose order is fixed: it prints the same with librota and without.
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');
const dgram = require('dgram');
const { execFile, fork, spawn } = require('child_process');
const { Worker, isMainThread, parentPort } = require('worker_threads');

if (!isMainThread) {
  setTimeout(() => parentPort.postMessage('from a worker'), 5);
} else if (process.argv[2] === 'forked') {
  process.on('message', (text) => process.send(`${text} and back`, () => process.disconnect()));
} else {
  main();
}

function timers() {
  return new Promise((resolve) => {
    const order = [];
    setTimeout(() => {
      setTimeout(() => resolve([...order, 'timer'].join(', ')), 1);
      setImmediate(() => order.push('immediate'));
      process.nextTick(() => order.push('tick'));
    }, 10);
  });
}

async function files() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'größe-日本-'));
  const file = path.join(folder, 'ünï.txt');
  await fs.promises.writeFile(file, 'text');
  await fs.promises.appendFile(file, ' and more');
  const { size } = await fs.promises.stat(file);
  const text = await fs.promises.readFile(file, 'utf8');
  const names = await fs.promises.readdir(folder);
  await fs.promises.rm(folder, { recursive: true });
  return `${size} ${text} ${names}`;
}

function server(where) {
  return new Promise((resolve, reject) => {
    const listener = net.createServer((socket) => {
      socket.on('data', (data) => {
        socket.end(`you said ${data}`);
        listener.close();
      });
    });
    listener.on('error', reject).listen(where, () => {
      const client = net.connect(where.path ?? listener.address().port, () => client.write('hello'));
      client.on('error', reject).on('data', (data) => resolve(`${data}`));
    });
  });
}

function datagrams() {
  return new Promise((resolve) => {
    const socket = dgram.createSocket('udp4', (message) => socket.close(() => resolve(`${message}`)));
    socket.bind(0, '127.0.0.1', () => socket.send('a datagram', socket.address().port, '127.0.0.1'));
  });
}

function children() {
  const args = ['', 'a b', 'q"x', 'back\\', 'b\\"c d\\', 'ünï 日本', '%PATH%', 'a&b|c'];
  return new Promise((resolve) => {
    execFile(process.execPath, ['-p', 'JSON.stringify(process.argv.slice(1))', '--', ...args], (error, stdout) =>
      resolve(`${error} ${stdout.trim() === JSON.stringify(args)}`),
    );
  });
}

function exits() {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'ignore' });
    child.on('exit', (code, signal) => {
      spawn(process.execPath, ['-e', 'process.exit(7)']).on('exit', (second) => resolve(`${code} ${signal} ${second}`));
    });
    setTimeout(() => child.kill(), 300);
  });
}

function forked() {
  return new Promise((resolve) => {
    const child = fork(__filename, ['forked']);
    child.on('message', (text) => child.on('exit', (code) => resolve(`${text} ${code}`)));
    child.send('there');
  });
}

function worker() {
  return new Promise((resolve) => {
    const thread = new Worker(__filename);
    thread.on('message', (text) => thread.on('exit', (code) => resolve(`${text} ${code}`)));
  });
}

async function main() {
  console.log('timers:', await timers());
  console.log('files:', await files());
  console.log('TCP:', await server({ port: 0, host: '127.0.0.1' }));
  console.log('pipe:', await server({ path: `\\\\.\\pipe\\rota-test-${process.pid}` }));
  console.log('UDP:', await datagrams());
  console.log('arguments of a child:', await children());
  console.log('ends of children:', await exits());
  console.log('fork:', await forked());
  console.log('worker:', await worker());
  console.log('random:', await new Promise((resolve) => require('crypto').randomBytes(8, (e, b) => resolve(b.length))));
  console.log('name:', await new Promise((resolve) => require('dns').lookup('127.0.0.1', (e, a) => resolve(a))));
  process.on('exit', (code) => console.log('exit', code));
  process.exitCode = 9;
}
