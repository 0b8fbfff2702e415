'use strict';
// A thousand reads at once. Behind a pool of four threads they stand in a queue for most of their time; where the loop's ring
// reads, there is no queue:
//
//   ROTA_POLLER=epoll rota examples/reads.js
//   ROTA_POLLER=uring rota examples/reads.js

const fs = require('fs');

if (process.rota === undefined) throw new Error('This wants rota: its figures of the loop are in process.rota');
process.rota.start();
const fd = fs.openSync(__filename, 'r');
const begin = performance.now();
let left = 1000;
for (let i = 0; i < 1000; i++) {
  fs.read(fd, Buffer.alloc(4096), 0, 4096, 0, function onRead(error) {
    if (error) throw error;
    if (--left > 0) return;
    console.log(`1000 reads in ${(performance.now() - begin).toFixed(1)} ms`);
    const queued = process.rota.figure('file queued');
    if (queued === undefined) console.log('none stood in the queue of the thread pool');
    else console.log(`${queued.count} stood in the queue of the thread pool, half of them for up to ${queued.p50.toFixed(2)} ms, the longest for ${queued.max.toFixed(2)} ms`);
    fs.closeSync(fd);
  });
}
