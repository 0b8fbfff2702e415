'use strict';

// resourceLimits: a thread whose heap grows beyond its limit is ended, and its maker is told why.

const { Worker } = require('worker_threads');

const limits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };
const programs = {
  'at once': 'const kept = []; for (;;) kept.push([]);',
  'by and by': 'const kept = []; setInterval(() => { for (let i = 0; i < 20000; i++) kept.push({ i }); }, 1);',
  'in promise jobs': '(async () => { const kept = []; for (;;) { await null; kept.push(new Array(100).fill(1.5)); } })()',
  'as a map of texts': 'const kept = new Map(); for (let i = 0; ; i++) kept.set("key" + i, { value: String(i) });',
  'garbage only': 'let last; for (let i = 0; i < 2e6; i++) last = [i, { i }];',
};

(async () => {
  for (const [name, code] of Object.entries(programs)) {
    const worker = new Worker(code, { eval: true, resourceLimits: limits });
    worker.on('error', (error) => console.log(name, error instanceof Error, error.name, error.code, error.message));
    worker.on('exit', (exitCode) => console.log(name, 'exit', exitCode, worker.resourceLimits));
    await new Promise((resolve) => worker.on('exit', resolve));
  }
  const free = new Worker('const kept = []; for (let i = 0; i < 1e6; i++) kept.push([i]);', { eval: true });
  free.on('exit', (exitCode) => console.log('without limits', exitCode));
})();
