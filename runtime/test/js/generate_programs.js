'use strict';

// The programs of many seeds, by one process:
//
//   node generate_programs.js DIRECTORY GENERATOR FIRST_SEED COUNT
//
// A program is DIRECTORY/SEED.cjs or SEED.mjs. It is what `node GENERATOR SEED cjs` (or esm) prints.

const fs = require('fs');
const path = require('path');

const [directory, name, first, count] = process.argv.slice(2);
const generator = path.join(__dirname, name);
const hasModules = ['generate.js', 'generate_jobs.js', 'generate_using.js'].includes(name);

// A generator reads its arguments and prints when it is loaded.
function printed(seed, kind) {
  const log = console.log;
  let text = '';
  console.log = (line) => { text += `${line}\n`; };
  process.argv = [process.argv[0], generator, String(seed), kind];
  delete require.cache[generator];
  require(generator);
  console.log = log;
  return text;
}

for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  const kind = seed % 2 === 1 && hasModules ? 'esm' : 'cjs';
  fs.writeFileSync(path.join(directory, `${seed}.${kind === 'esm' ? 'mjs' : 'cjs'}`), printed(seed, kind));
}
