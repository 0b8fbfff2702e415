'use strict';
// A race: a stale cache. A reader puts what it has read into the cache; a writer writes, and then takes the old value out. When the
// writer does both while the reader is under way, the old value stays for ever. The reader has a head start of 200 ms.
//
//   rota fuzz examples/races/stale.js

const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'race-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

const file = path.join(folder, 'settings');
fs.writeFileSync(file, 'old');
const cache = new Map();
let version = 0;

async function read() {
  if (cache.has(file)) return cache.get(file);
  const began = version;
  const text = await fs.promises.readFile(file, 'utf8');
  await fs.promises.access(file);
  if (began === version) cache.set(file, text);
  return text;
}

async function write(text) {
  await fs.promises.writeFile(file, text);
  version++;
  cache.delete(file);
}

async function main() {
  const first = read();
  setTimeout(async function edit() {
    await write('new');
    await first;
    assert.strictEqual(await read(), 'new', 'the cache is stale');
  }, 200);
}

main();
