'use strict';
// A race: look whether a file is there, then make it. Two parts of a program make the file of numbers when it is not there; the second
// makes it anew when it has looked before the first had made it, and the first number is lost.
//
//   rota fuzz examples/races/exists.js

const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'race-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

const file = path.join(folder, 'numbers');

const made = fs.promises.writeFile(file, 'numbers:');

async function add(number) {
  await made;
  await fs.promises.appendFile(file, ` ${number}`);
}

async function main() {
  const later = new Promise((resolve) => setTimeout(resolve, 150));
  await Promise.all([add(1), later.then(() => add(2))]);
  assert.strictEqual(fs.readFileSync(file, 'utf8').split(' ').length, 3, 'a number was lost');
}

main();
