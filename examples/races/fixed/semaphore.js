'use strict';
// A race: a semaphore that lets one too many in. At most two may work at once; the comparison is wrong by one. Work comes every 100 ms and
// is over long before, so that it takes two slow ones before a third is there.
//
//   rota fuzz examples/races/semaphore.js

const assert = require('assert');
const fs = require('fs/promises');

const limit = 2;
let active = 0;
const waiting = [];

async function work() {
  while (active >= limit) await new Promise((resolve) => waiting.push(resolve));
  active++;
  assert(active <= limit, 'too many at once');
  await fs.stat(__filename);
  active--;
  waiting.shift()?.();
}

for (let i = 0; i < 4; i++) setTimeout(work, 100 * i);
