// Promise jobs that wait when a worker ends by process.exit() or by an error do not run.
const { Worker } = require('worker_threads');
const says = (what) => `require('fs').writeSync(1, '${what}\\n')`;
const ways = [
  `Promise.resolve().then(() => ${says('main script')}); process.exit(3)`,
  `setTimeout(() => { Promise.resolve().then(() => ${says('timer')}); process.exit(4); }, 1)`,
  `setImmediate(() => { (async () => { await 1; ${says('await')}; })(); process.exit(5); })`,
  `setTimeout(() => { queueMicrotask(() => ${says('error')}); throw 1; }, 1)`,
  `queueMicrotask(() => { for (;;); }); process.exit(6)`,
  `process.on('exit', () => queueMicrotask(() => ${says('an end without exit()')}))`,
];

(async () => {
  for (const code of ways) {
    const worker = new Worker(code, { eval: true }).on('error', () => {});
    console.log('exit', await new Promise((resolve) => worker.once('exit', resolve)));
  }
})();
