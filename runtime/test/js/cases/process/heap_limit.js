'use strict';
// A program that fills its heap ends with a message and SIGABRT; one that makes as much garbage does not.
const { spawnSync } = require('child_process');
const { Worker } = require('worker_threads');

const programs = {
  atOnce: 'const a = []; for (;;) a.push(new Array(1e4).fill({}));',
  caught: 'const a = []; for (;;) try { a.push(new Array(1e4).fill({})); } catch {}',
  inTurns: 'const a = []; setInterval(() => { for (let i = 0; i < 100; i++) a.push(new Array(1e3).fill(0).map(() => ({}))); }, 1);',
  inPromises: 'const a = []; (async () => { for (;;) { await 0; a.push(new Array(1e4).fill({})); } })();',
  map: 'const a = new Map(); for (let i = 0; ; i++) a.set({}, { i });',
  garbage: 'for (let i = 0; i < 3000; i++) new Array(1e4).fill({}); console.log("went well");',
};

for (const [name, code] of Object.entries(programs)) {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, ['--max-old-space-size=60', '-e', code], { encoding: 'utf8' });
  console.log(name, status, signal, stdout.trim(), /^FATAL ERROR: .*JavaScript heap out of memory$/m.test(stderr), /<--- Last few GCs --->/.test(stderr));
}
const env = { ...process.env, NODE_OPTIONS: '--max-old-space-size=40' };
console.log('by NODE_OPTIONS', spawnSync(process.execPath, ['-e', programs.atOnce], { env }).signal);

const worker = new Worker(programs.atOnce, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 40 } });
worker.on('error', (error) => console.log('a worker', error.code));
worker.on('exit', (code) => console.log('a worker', code));
