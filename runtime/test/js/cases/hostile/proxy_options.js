'use strict';

// Options that throw when they are read: the error is thrown on, nothing is left half made.
const t = (n, f) => {
  try {
    const r = f();
    console.log(n, typeof r);
  } catch (e) {
    console.log(n, e.code || e.name);
  }
};
const evil = (x) =>
  new Proxy(x ?? {}, {
    get(o, p) {
      if (p === 'then' || typeof p === 'symbol') return undefined;
      throw new Error('get ' + String(p));
    },
    has() {
      throw new TypeError('has');
    },
    ownKeys() {
      throw new RangeError('keys');
    },
  });
const net = require('net'),
  http = require('http'),
  zlib = require('zlib'),
  crypto = require('crypto'),
  tls = require('tls'),
  dgram = require('dgram'),
  cp = require('child_process'),
  wt = require('worker_threads'),
  vm = require('vm'),
  fs = require('fs'),
  dns = require('dns'),
  url = require('url'),
  util = require('util'),
  readline = require('readline'),
  http2 = require('http2');
t('net.connect', () => net.connect(evil()));
t('zlib', () => zlib.createGzip(evil()));
t('brotli', () => zlib.createBrotliCompress({ params: evil() }));
t('hash', () => crypto.createHash('md5', evil()));
t('cipher', () => crypto.createCipheriv('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(12), evil()));
t('tls', () => tls.createSecureContext(evil()));
t('dgram', () => dgram.createSocket(evil()));
t('spawn', () => cp.spawnSync('true', [], evil()));
t('worker', () => new wt.Worker('0', evil()));
t('vm', () => vm.runInNewContext('1', {}, evil()));
t('ctx', () => vm.createContext(evil()));
t('fs', () => fs.readFileSync('/etc/hostname', evil()));
t('readdir', () => fs.readdirSync('/', evil()));
t('dns', () => dns.lookup('localhost', evil(), () => {}));
t('url', () => url.format(evil()));
t('inspect', () => util.inspect({}, evil()));
t('clone', () => structuredClone({}, evil()));
t('genkey', () => crypto.generateKeyPairSync('ec', evil()));
t('sign', () => crypto.sign('sha1', Buffer.alloc(1), evil()));
t('h2', () => http2.createServer(evil()));
t('rl', () => readline.createInterface(evil()));
t('blob', () => new Blob([], evil()));
t('td', () => new TextDecoder('utf8', evil()));
t('abort', () => AbortSignal.any(evil([])));
t('perf', () => performance.mark('a', evil()));
t('ev', () => new Event('x', evil()));
t('parseArgs', () => util.parseArgs(evil()));
t('sc', () => new util.MIMEType(evil()));
