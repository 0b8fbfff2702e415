'use strict';
// A race: a promise that is kept though it was rejected. The profile is asked for while it is being written. When the first question
// comes too early, its failure is the answer to all later ones.
//
//   rota fuzz examples/races/rejection.js

const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'race-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

const file = path.join(folder, 'profile');
const asked = new Map();

async function read() {
  try {
    return await fs.promises.readFile(file, 'utf8');
  } catch (error) {
    asked.delete(file);
    throw error;
  }
}

function profile() {
  if (!asked.has(file)) asked.set(file, read());
  return asked.get(file);
}

async function main() {
  const written = fs.promises.writeFile(file, 'Ada');
  await new Promise((resolve) => setTimeout(resolve, 100));
  await profile().catch(() => {});
  await written;
  assert.strictEqual(await profile().catch((error) => error.code), 'Ada', 'a failure was kept');
}

main();
