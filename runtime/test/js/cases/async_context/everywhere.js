'use strict';

// AsyncLocalStorage through whatever calls back from the loop.

const { AsyncLocalStorage } = require('async_hooks');
const child_process = require('child_process');
const dgram = require('dgram');
const dns = require('dns');
const fs = require('fs');
const http = require('http');
const net = require('net');
const os = require('os');
const path = require('path');
const { Worker } = require('worker_threads');

const storage = new AsyncLocalStorage();
const seen = {};
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'everywhere-'));
const file = path.join(directory, 'file');
fs.writeFileSync(file, 'one');
let awaited = 0;

// A callback that says in which context it was called.
function see(name, then = () => {}) {
  awaited++;
  let first = true;
  return (...args) => {
    if (first) seen[name] = storage.getStore();
    first = false;
    awaited--;
    then(...args);
    if (awaited === 0) finish();
  };
}

function once(name, then = () => {}) {
  const said = see(name, then);
  let done = false;
  return (...args) => {
    if (!done) {
      done = true;
      said(...args);
    }
  };
}

function finish() {
  awaited = Infinity;
  fs.rmSync(directory, { recursive: true });
  for (const name of Object.keys(seen).sort()) console.log(name, seen[name]);
  process.exit();
}

function begin() {
  dns.lookup('localhost', see('dns.lookup'));
  dns.promises.lookup('localhost').then(see('dns.promises.lookup'));
  dns.lookupService('127.0.0.1', 22, see('dns.lookupService'));
  const resolver = new dns.Resolver({ timeout: 50, tries: 1 });
  resolver.setServers(['127.0.0.1:1']);
  resolver.resolve4('nothing.invalid', see('resolver.resolve4'));

  const child = child_process.spawn('true');
  child.on('exit', see('child exit'));
  child.on('close', see('child close'));

  const watcher = fs.watch(file, once('fs.watch', () => watcher.close()));
  fs.watchFile(file, { interval: 20 }, once('fs.watchFile', () => fs.unwatchFile(file)));
  process.on('SIGUSR2', once('signal'));

  const worker = new Worker('require("worker_threads").parentPort.postMessage(1)', { eval: true });
  worker.on('online', see('worker online'));
  worker.on('message', see('worker message'));
  worker.on('exit', see('worker exit'));

  const { port1, port2 } = new MessageChannel();
  port2.on('message', see('port message', () => port2.close()));
  storage.run('the sender', () => port1.postMessage(1));

  const server = net.createServer(see('net connection', (socket) => {
    socket.on('data', once('net data of the server', () => socket.end('bye')));
  })).listen(0, see('net listening', () => {
    const client = net.connect(server.address().port, see('net connect', () => client.write('hello')));
    client.on('data', once('net data of the client'));
    client.on('close', see('net close', () => server.close()));
  }));

  const web = http.createServer(see('http request', (request, response) => {
    request.resume().on('end', see('http request end', () => response.end('ok')));
  })).listen(0, () => {
    const request = http.request({ port: web.address().port, method: 'POST' }, see('http response', (response) => {
      response.on('data', once('http data')).on('end', see('http end', () => web.close()));
    }));
    request.end('body');
  });

  const socket = dgram.createSocket('udp4');
  socket.on('message', see('udp message', () => socket.close()));
  socket.bind(0, '127.0.0.1', see('udp listening', () => socket.send('a', socket.address().port, '127.0.0.1')));
}

storage.run('mine', begin);
setTimeout(() => {
  process.kill(process.pid, 'SIGUSR2');
  fs.writeFileSync(file, 'other than before');
}, 200);
