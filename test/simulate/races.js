'use strict';
// Measures rota fuzz by the races of examples/races: how many are found, within how many seeds and seconds; whether their fixed twins
// stay silent; and what a seed costs. `rota races.js [--seeds=200] [--time=60] [--twins=80] [--only=names] [--node=program]
// [--overhead]`. With --node the programs run on that program, grafted. It exits with 1 when fewer are found than are wanted, or a twin
// is not silent.

const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { parseArgs } = require('util');

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    time: { type: 'string', default: '60' },
    twins: { type: 'string', default: '80' },
    only: { type: 'string' },
    node: { type: 'string' },
    wanted: { type: 'string' },
    overhead: { type: 'boolean' },
  },
});
const folder = path.join(__dirname, '..', '..', 'examples', 'races');
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'rota-races-'));
const all = fs.readdirSync(folder).filter((name) => name.endsWith('.js'));
const names = all.map((name) => name.slice(0, -3)).filter((name) => values.only?.split(',').includes(name) ?? true);
const command = values.node === undefined ? [] : ['--', values.node];

function fuzz(seeds, file) {
  const options = [`--seeds=${seeds}`, `--time=${values.time}`, '--no-shrink', '-o', scratch];
  const began = Date.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['fuzz', ...options, ...command, path.join(folder, file)], {
    encoding: 'utf8',
  });
  const tried = /(\d+) seeds? in/.exec(stdout)?.[1];
  return { status, tried, seconds: (Date.now() - began) / 1000, text: stdout + stderr };
}

// Processor time of some runs, in milliseconds.
function cost(args) {
  const before = cpuOfChildren();
  for (let i = 0; i < 5; i++) spawnSync(process.execPath, args, { stdio: 'ignore' });
  return cpuOfChildren() - before;
}

function cpuOfChildren() {
  const fields = fs.readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10; // cutime and cstime, in hundredths of a second
}

let found = 0,
  loud = 0;
for (const name of names) {
  const race = fuzz(values.seeds, `${name}.js`);
  if (race.status === 1) found++;
  const twin = values.twins === '0' ? undefined : fuzz(values.twins, `fixed/${name}.js`);
  if (twin !== undefined && twin.status !== 0) loud++;
  const words = race.status === 1 ? `found by seed ${race.tried}` : race.status === 0 ? 'not found' : 'failed';
  const silence = twin === undefined ? '' : twin.status === 0 ? `twin silent for ${twin.tried} seeds` : 'THE TWIN IS NOT SILENT';
  console.log(`${name.padEnd(10)} ${words.padEnd(20)} ${race.seconds.toFixed(1).padStart(5)} s  ${silence}`);
  if (race.status > 1) console.log(race.text);
  if (twin !== undefined && twin.status !== 0) console.log(twin.text);
}
console.log(`${found} of ${names.length} found; ${loud} twins were not silent`);
if (values.overhead) {
  let plain = 0,
    steered = 0;
  for (const name of names) {
    const file = path.join(folder, `fixed/${name}.js`);
    plain += cost([file]);
    steered += cost(['--schedule-seed=1', file]);
  }
  console.log(`a steered run takes ${(steered / plain).toFixed(2)} times the processor time of a plain one`);
}
fs.rmSync(scratch, { recursive: true });
if (found < Number(values.wanted ?? names.length - 1) || loud > 0) process.exitCode = 1;
