'use strict';
// A race: an update that is lost across an await. `balance += await ...` reads the balance before it waits, and adds to what it
// was. Two payments at a distance of 300 ms are both there, as long as the price of each is known within that time.
//
//   rota fuzz examples/races/balance.js

const assert = require('assert');
const fs = require('fs/promises');
const { setTimeout: pause } = require('timers/promises');

let balance = 0;

async function price() {
  return (await fs.stat(__filename)).size > 0 ? 10 : 0;
}

async function pay() {
  const paid = await price();
  balance += paid;
}

async function main() {
  await Promise.all([pay(), pause(300).then(pay)]);
  assert.strictEqual(balance, 20, 'a payment was lost');
}

main();
