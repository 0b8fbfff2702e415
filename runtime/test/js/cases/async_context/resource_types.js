'use strict';
// The types of the resources that are made for requests, in which of them the callback runs, and that the store is there.
const { AsyncLocalStorage, createHook, executionAsyncId } = require('node:async_hooks');
const crypto = require('node:crypto');
const dns = require('node:dns');
const fs = require('node:fs');
const net = require('node:net');
const zlib = require('node:zlib');
const { mkdtempSync, rmSync, writeFileSync } = fs;
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const usual = /^(TickObject|PROMISE|Microtask|Timeout|Immediate)$/;
const types = new Map();
const alive = new Map();
let made = [];
createHook({
  init(id, type) {
    types.set(id, type);
    if (usual.test(type)) return;
    made.push(type);
    alive.set(id, type);
  },
  destroy(id) { alive.delete(id); },
}).enable();

const store = new AsyncLocalStorage();
const directory = mkdtempSync(join(tmpdir(), 'types-'));
const file = join(directory, 'file');
writeFileSync(file, 'text');
const local = (make, done) => {
  const server = net.createServer((socket) => {
    socket.end();
    server.close();
  }).listen(make, () => {
    const { port } = server.address();
    const client = net.connect(port === undefined ? make : { port, host: '127.0.0.1' });
    client.resume();
    client.on('close', () => done());
  });
};

const requests = {
  pbkdf2: (done) => crypto.pbkdf2('a', 'b', 1, 8, 'sha1', done),
  scrypt: (done) => crypto.scrypt('a', 'b', 8, { N: 2 }, done),
  hkdf: (done) => crypto.hkdf('sha256', 'key', 'salt', 'info', 8, done),
  randomBytes: (done) => crypto.randomBytes(4, done),
  randomFill: (done) => crypto.randomFill(Buffer.alloc(4), done),
  generateKey: (done) => crypto.generateKey('hmac', { length: 64 }, done),
  generateKeyPair: (done) => crypto.generateKeyPair('ed25519', done),
  checkPrime: (done) => crypto.checkPrime(7n, done),
  generatePrime: (done) => crypto.generatePrime(16, done),
  digest: (done) => crypto.subtle.digest('SHA-256', Buffer.from('x')).then(() => done()),
  gzip: (done) => zlib.gzip('x', done),
  deflate: (done) => zlib.createDeflate().on('data', () => {}).on('end', () => done()).end('x'),
  brotli: (done) => zlib.brotliCompress('x', done),
  lookup: (done) => dns.lookup('localhost', done),
  resolver: (done) => { new dns.Resolver(); done(); },
  stat: (done) => fs.stat(file, done),
  promised: (done) => fs.promises.stat(file).then(() => done()),
  handle: (done) => fs.promises.open(file).then((handle) => handle.close()).then(() => done()),
  directory: (done) => fs.opendir(directory, (error, open) => open.close(done)),
  tcp: (done) => local(0, done),
  pipe: (done) => local(join(directory, 'pipe'), done),
};

(async () => {
  for (const [name, request] of Object.entries(requests)) {
    made = [];
    alive.clear();
    const seen = await new Promise((resolve) => {
      store.run(name, () => request((error) => resolve([store.getStore() === name, error ? error.message : 'ok', types.get(executionAsyncId())])));
    });
    await new Promise((resolve) => { setTimeout(resolve, 20); });
    console.log(name, seen.join(' '), '|', made.join(' '), '|', [...alive.values()].filter((type) => type.endsWith('REQUEST')).join(' '));
  }
  rmSync(directory, { recursive: true });
})();
