'use strict';
// node-persist 4.0.4: getItem during setItem fails ("does not look like a valid storage file"). The file is written in its place,
// which truncates it first; a reader may come between.

const assert = require('assert');
const folder = require('./scratch.js');
const { create } = require('node-persist-4.0.4');

async function main() {
  const storage = create({ dir: folder });
  await storage.init();
  await storage.setItem('key', 'old');
  const [, value] = await Promise.all([storage.setItem('key', 'new'), storage.getItem('key')]);
  assert.ok(value === 'old' || value === 'new', `neither old nor new: ${value}`);
  process.exit(0);
}
main();
