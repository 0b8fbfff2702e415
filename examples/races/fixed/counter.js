'use strict';
// A race: read, change, write. Two visits are counted in a file, each by itself; when the second reads before the first has
// written, one of them is lost. Whoever runs it sees the first finish first, as it has a head start.
//
//   rota fuzz examples/races/counter.js

const assert = require('assert');
const fs = require('fs/promises');
const os = require('os');
const path = require('path');
const { setTimeout: pause } = require('timers/promises');

let last = Promise.resolve();

function visit(file) {
  last = last.then(async () => {
    const count = Number(await fs.readFile(file, 'utf8'));
    await fs.writeFile(file, String(count + 1));
  });
  return last;
}

async function main() {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'race-'));
  const file = path.join(folder, 'visits');
  await fs.writeFile(file, '0');
  await Promise.all([visit(file), pause(300).then(() => visit(file))]);
  const count = await fs.readFile(file, 'utf8');
  await fs.rm(folder, { recursive: true });
  assert.strictEqual(count, '2', 'a visit was lost');
}

main();
