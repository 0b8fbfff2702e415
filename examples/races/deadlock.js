'use strict';
// A race: two locks that are taken in another order. Each transfer locks the account that pays and then the one that is paid. When the second
// begins before the first has both, each waits for the other, and both for ever. The second comes 300 ms later.
//
//   rota fuzz examples/races/deadlock.js

const assert = require('assert');
const fs = require('fs');

const locks = new Map();
let done = 0;

// Resolves to what frees it, when all who came before have freed it.
async function lock(account) {
  const before = locks.get(account);
  let free;
  locks.set(account, new Promise((resolve) => { free = resolve; }));
  await before;
  return free;
}

async function transfer(from, to) {
  const accounts = [from, to];
  const frees = [];
  for (const account of accounts) {
    frees.push(await lock(account));
    await fs.promises.stat(__filename); // its balance
  }
  for (const free of frees) free();
  done++;
}

transfer('a', 'b');
setTimeout(transfer, 300, 'b', 'a');
process.on('exit', () => assert.strictEqual(done, 2, 'each waits for the other'));
