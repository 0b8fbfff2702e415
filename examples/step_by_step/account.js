'use strict';
// An account that is kept in a file. Two deposits at once: 10 + 20 should be 30.
const fs = require('node:fs/promises');
const os = require('node:os');
const path = require('node:path');

const file = path.join(os.tmpdir(), `account-${process.pid}`);

async function deposit(amount) {
  const balance = Number(await fs.readFile(file, 'utf8'));
  await fs.writeFile(file, String(balance + amount));
}

async function main() {
  await fs.writeFile(file, '0');
  const first = deposit(10);
  const second = new Promise((resolve) => setTimeout(resolve, 5)).then(() => deposit(20)); // a moment later
  await Promise.all([first, second]);
  console.log('balance', await fs.readFile(file, 'utf8'));
  await fs.rm(file);
}

main();
