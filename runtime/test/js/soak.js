'use strict';

// A soak: timers, ticks, promises, immediates and file reads for a given time, with a line about memory at intervals.
//
//   soak.js [seconds] [seconds between lines]
//
// Memory must stay flat: after a first part, in which the engine finds its size, the process may grow by no more than the
// tolerance, and nothing that was opened may stay open. Exits with 1 if it does not hold.

const fs = require('fs');
const os = require('os');
const path = require('path');

const seconds = Number(process.argv[2] ?? 600);
const interval = Number(process.argv[3] ?? 10);
const toleranceInMB = 24;
const ending = Date.now() + seconds * 1000;
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'soak-'));
const files = Array.from({ length: 64 }, (_, i) => {
  const name = path.join(directory, `${i}`);
  fs.writeFileSync(name, `${i}`.repeat(1 + i * 50));
  return name;
});
const done = { timers: 0, ticks: 0, promises: 0, immediates: 0, reads: 0, writes: 0 };
const isOver = () => Date.now() >= ending;

function timers() {
  if (isOver()) return;
  for (let i = 0; i < 200; i++) {
    const timer = setTimeout(() => done.timers++, i % 17);
    if (i % 3 === 0) clearTimeout(timer);
  }
  setTimeout(timers, 5);
}

function ticks() {
  if (isOver()) return;
  for (let i = 0; i < 1000; i++) process.nextTick((value) => { done.ticks += value; }, 1);
  setImmediate(ticks);
  done.immediates++;
}

async function promises() {
  while (!isOver()) {
    for (let i = 0; i < 500; i++) done.promises += await 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function reads(who) {
  for (let i = 0; !isOver(); i++) {
    const name = files[i % files.length];
    const [text, bytes] = await Promise.all([
      fs.promises.readFile(name, 'utf8'),
      new Promise((resolve, reject) => fs.readFile(name, (error, data) => (error ? reject(error) : resolve(data)))),
    ]);
    if (text.length !== bytes.length) throw new Error(`${name} was read as ${text.length} and as ${bytes.length} bytes`);
    done.reads += 2;
    if (i % 64 === 0) {
      await fs.promises.writeFile(`${name}.${who}`, bytes);
      await fs.promises.rename(`${name}.${who}`, name);
      done.writes++;
    }
    if (i % 16 === 0) await new Promise((resolve) => fs.createReadStream(name).on('close', resolve).resume());
  }
}

const descriptors = () => fs.readdirSync('/proc/self/fd').length;
const residentMB = () => Math.round(process.memoryUsage.rss() / 1e5) / 10;
const samples = [];

function sample() {
  samples.push(residentMB());
  const counts = Object.entries(done).map(([name, count]) => `${name} ${count}`).join(', ');
  console.log(`${Math.round((Date.now() - ending) / 1000 + seconds)} s: ${samples.at(-1)} MB, ${descriptors()} descriptors; ${counts}`);
}

const opened = descriptors();
const sampler = setInterval(sample, interval * 1000);
timers();
ticks();
Promise.all([promises(), reads('a'), reads('b')]).then(() => {
  clearInterval(sampler);
  sample();
  fs.rmSync(directory, { recursive: true });
  // The heap needs some time to reach its size: the first third is not compared.
  const settled = samples.slice(Math.ceil(samples.length / 3));
  const growth = settled.at(-1) - Math.min(...settled.slice(0, Math.max(1, settled.length >> 1)));
  const left = descriptors() - opened;
  const isFlat = growth <= toleranceInMB && left <= 4;
  console.log(`grew by ${growth.toFixed(1)} MB (at most ${toleranceInMB}), ${left} descriptors more: ${isFlat ? 'flat' : 'NOT FLAT'}`);
  process.exitCode = isFlat ? 0 : 1;
});
