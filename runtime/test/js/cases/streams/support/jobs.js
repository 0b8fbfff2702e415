'use strict';

// run(programs): runs each after the other, and prints what it logged with `at(name)`: in which job, counted by a chain
// of promises that runs beside it. After 400 jobs only ticks are left.

let jobs = 0;
let log = [];
const chain = () => (++jobs < 400 ? Promise.resolve().then(chain) : undefined);
const shown = (value) => (value instanceof Error ? value.name : typeof value === 'object' && value && 'done' in value ? JSON.stringify(value) : typeof value);
const at = (name) => (value) => log.push(`${name}@${jobs}${value === undefined ? '' : ` ${shown(value)}`}`);

async function run(programs) {
  for (const [title, program] of Object.entries(programs)) {
    jobs = 0;
    Promise.resolve().then(chain);
    program(at);
    await new Promise((resolve) => setTimeout(resolve, 2));
    console.log(title, log.join(' | '));
    log = [];
  }
}

const wait = async (count) => {
  for (let i = 0; i < count; i++) await 0;
};

// Logs the results of four reads at once, and the end.
const drain = (reader, at, name) => {
  for (let i = 1; i < 5; i++) reader.read().then(at(name + i), at(`${name}${i}E`));
  reader.closed.then(at(`${name}closed`), at(`${name}closedE`));
};

module.exports = { run, wait, drain };
