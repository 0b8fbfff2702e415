'use strict';
// fs-extra 11.4.1: ensureFile empties a file that another operation has made meanwhile. It looks whether the file exists, and then
// writes an empty one, which truncates it (a flag 'wx' would not). Its documents say that a file that exists is not modified.

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const extra = require('fs-extra-11.4.1');
const folder = require('./scratch.js');

const file = path.join(folder, 'notes.txt');

async function main() {
  await Promise.all([extra.ensureFile(file), extra.outputFile(file, 'text')]);
  assert.strictEqual(fs.readFileSync(file, 'utf8'), 'text', 'what was written is lost');
}
main();
