'use strict';
// A race: results in the order in which they come. Three files are read at once and put together as they arrive. The pool has four
// threads, and takes up its jobs in order; it does not end them in order.
//
//   rota fuzz examples/races/results.js

const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'race-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

const names = ['begin', 'middle', 'end'].map((name) => path.join(folder, name));
for (const name of names) fs.writeFileSync(name, path.basename(name));

const parts = [];
let left = 3;
for (const [i, name] of names.entries()) {
  fs.readFile(name, 'utf8', function onPart(error, text) {
    if (error) throw error;
    parts[i] = text;
    if (--left === 0) assert.strictEqual(parts.join(' '), 'begin middle end', 'parts are mixed up');
  });
}
