'use strict';
// Memory that another thread changes while it is read: any result is fine, but nothing is written or read out of bounds.
const { Worker } = require('worker_threads');
const zlib = require('zlib');
const crypto = require('crypto');
const shared = new SharedArrayBuffer(1 << 16);
const flag = new Int32Array(new SharedArrayBuffer(4));
const worker = new Worker(`
  const { shared, flag } = require('worker_threads').workerData;
  const bytes = new Uint8Array(shared);
  const kinds = [[0x61], [0xc3, 0xa9], [0xe2, 0x82, 0xac], [0xf0, 0x9f, 0x98, 0x80], [0xff]].map((unit) => {
    const all = new Uint8Array(bytes.length);
    for (let i = 0; i < all.length; i++) all[i] = unit[i % unit.length];
    all[0] = 0xc3;
    all[1] = 0xa9;
    return all;
  });
  while (Atomics.load(flag, 0) === 0) for (const kind of kinds) bytes.set(kind);
`, { eval: true, workerData: { shared, flag } });
worker.on('online', () => {
  const bytes = Buffer.from(shared);
  const decoder = new TextDecoder();
  const end = Date.now() + 1500;
  let rounds = 0;
  while (Date.now() < end) {
    for (const encoding of ['utf8', 'latin1', 'ucs2', 'hex', 'base64', 'ascii']) bytes.toString(encoding);
    decoder.decode(new Uint8Array(shared.slice(0)));
    bytes.indexOf('\u20ac');
    crypto.createHash('sha1').update(bytes).digest('hex');
    zlib.inflateRawSync(zlib.deflateRawSync(bytes));
    for (const decompress of [zlib.brotliDecompressSync, zlib.zstdDecompressSync, zlib.inflateSync]) {
      try {
        decompress(bytes);
      } catch {
        // it is not compressed
      }
    }
    rounds++;
  }
  Atomics.store(flag, 0, 1);
  console.log('done', rounds > 0);
});
worker.on('exit', (code) => console.log('worker', code));
