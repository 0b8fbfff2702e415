'use strict';
// The account of account.js, mended: a deposit begins when the one before it has ended.
const fs = require('node:fs/promises');
const os = require('node:os');
const path = require('node:path');

const file = path.join(os.tmpdir(), `account-${process.pid}`);

let last = Promise.resolve();
function deposit(amount) {
  const mine = last.then(async () => {
    const balance = Number(await fs.readFile(file, 'utf8'));
    await fs.writeFile(file, String(balance + amount));
  });
  last = mine.catch(() => {}); // who comes next does not fail with this one
  return mine;
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
