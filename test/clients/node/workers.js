// Worker threads, each with a loop of its own: messages, shared memory, files, termination; and the thread pool.
'use strict';
const assert = require('assert');
const crypto = require('crypto');
const { once } = require('events');
const { promisify } = require('util');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const zlib = require('zlib');
const { finished, mapped } = require('./library.cjs');
mapped();

if (isMainThread) {
  main().catch((error) => {
    console.error(error);
    process.exit(1);
  });
} else {
  parentPort.on('message', async (n) => {
    if (n === null) return parentPort.close();
    Atomics.add(new Int32Array(workerData), 0, n);
    await new Promise((resolve) => setTimeout(resolve, n % 3));
    await require('fs').promises.stat('.');
    parentPort.postMessage(n * 2);
  });
}

async function main() {
  const shared = new SharedArrayBuffer(4);
  const workers = Array.from({ length: 6 }, () => new Worker(__filename, { workerData: shared }));
  const sums = await Promise.all(workers.map(async (worker) => {
    let sum = 0;
    let answers = 0;
    const all = new Promise((resolve, reject) => {
      worker.on('error', reject);
      worker.on('message', (n) => {
        sum += n;
        if (++answers === 100) resolve();
      });
    });
    for (let i = 1; i <= 100; i++) worker.postMessage(i);
    await all;
    worker.postMessage(null);
    await once(worker, 'exit');
    return sum;
  }));
  assert.deepStrictEqual(sums, Array(6).fill(10100));
  assert.strictEqual(new Int32Array(shared)[0], 6 * 5050);

  const stuck = new Worker('for (;;);', { eval: true });
  await once(stuck, 'online');
  assert.strictEqual(await stuck.terminate(), 1);

  const keys = await Promise.all(Array.from({ length: 20 }, (_, i) => promisify(crypto.pbkdf2)('p', `s${i}`, 1000, 32, 'sha256')));
  assert.strictEqual(new Set(keys.map((k) => k.toString('hex'))).size, 20);
  const packed = await promisify(zlib.gzip)(Buffer.alloc(1 << 20));
  assert.strictEqual((await promisify(zlib.gunzip)(packed)).length, 1 << 20);
  finished();
  console.log('6 workers, 600 messages, one terminated; keys and gzip on the thread pool');
}
