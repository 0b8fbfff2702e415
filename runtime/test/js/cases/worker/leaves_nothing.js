'use strict';

// Workers that have ended leave nothing behind: the process's own memory stays as it is, and so do its descriptors; threads are
// few (the engine has some of its own).

const fs = require('fs');
const { Worker } = require('worker_threads');

const status = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(fs.readFileSync('/proc/self/status', 'latin1'))[1]);
const now = () => ({ kilobytes: status('RssAnon'), threads: status('Threads'), descriptors: fs.readdirSync('/proc/self/fd').length });
const checked = process.env.ASAN_OPTIONS !== undefined; // a build that keeps what is freed for a while
const run = () => new Promise((resolve) => new Worker('1', { eval: true }).once('exit', resolve));

async function runMany(count) {
  for (let i = 0; i < count; i++) await run();
}

(async () => {
  await runMany(checked ? 2 : 50);
  const before = now();
  await runMany(checked ? 5 : 80);
  const after = now();
  const grown = after.kilobytes - before.kilobytes;
  console.log('memory', grown < (checked ? 200 : 8) * 1024 ? 'stays' : `grew by ${grown} kB`);
  console.log('threads', after.threads < before.threads + 10 ? 'stay' : `${before.threads} -> ${after.threads}`);
  console.log('descriptors', after.descriptors <= before.descriptors ? 'stay' : `${before.descriptors} -> ${after.descriptors}`);
})();
