'use strict';
// A race: an await that was forgotten. The report is written, and is sent some steps later. Nobody waits for the end of the writing;
// it is over in time as a rule, as the steps between take longer.
//
//   rota fuzz examples/races/forgotten.js

const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'race-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

const file = path.join(folder, 'report');

async function save(text) {
  await fs.promises.writeFile(file, text);
}

async function main() {
  await save('all is well');
  for (let step = 0; step < 6; step++) await fs.promises.stat(folder);
  const sent = await fs.promises.readFile(file, 'utf8').catch(() => '');
  assert.strictEqual(sent, 'all is well', 'an unfinished report was sent');
}

main();
