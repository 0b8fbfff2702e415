'use strict';

// More threads than there are descriptors for: those that cannot be set up say so, the others work, and the process goes on.
const { spawnSync } = require('child_process');
const { Worker } = require('worker_threads');

const COUNT = 24;

if (process.argv[2] !== 'child') {
  const { stdout, status, signal } = spawnSync('sh', ['-c', `ulimit -n 80 && exec "${process.execPath}" "${__filename}" child`], { encoding: 'utf8' });
  console.log(stdout.trim(), status, signal);
} else {
  const codes = new Set();
  let ended = 0;
  let answers = 0;
  let failures = 0;
  for (let i = 0; i < COUNT; i++) {
    const worker = new Worker("require('worker_threads').parentPort.postMessage(2 + 2)", { eval: true });
    worker.on('message', () => answers++);
    worker.on('error', (error) => {
      failures++;
      codes.add(error.code);
    });
    worker.on('exit', () => {
      if (++ended === COUNT) console.log(answers + failures === COUNT, answers > 0, [...codes].filter((code) => code !== 'ERR_WORKER_INIT_FAILED'));
    });
  }
}
