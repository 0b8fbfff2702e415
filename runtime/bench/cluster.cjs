'use strict';

// An HTTP server with a number of processes, whose answers each take a number of microseconds of JavaScript: cluster.cjs
// 2 500. Prints its port when all of them listen.

const cluster = require('node:cluster');
const http = require('node:http');

const count = Number(process.argv[2]);
const work_us = Number(process.argv[3]);

function compute(microseconds) {
  const until = process.hrtime.bigint() + BigInt(microseconds) * 1000n;
  while (process.hrtime.bigint() < until);
}

if (cluster.isPrimary) {
  let listening = 0;
  cluster.on('listening', (worker, { port }) => {
    if (++listening === count) console.log(port);
  });
  for (let i = 0; i < count; i++) cluster.fork();
} else {
  http.createServer((request, response) => {
    if (work_us > 0) compute(work_us);
    response.end('hello world\n');
  }).listen(0, '127.0.0.1', 1024);
}
