'use strict';
// A race: a buffer that is emptied when it has been written. Lines that come while the write is under way are thrown away with those that were
// written.
//
//   rota fuzz examples/races/flush.js

const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'race-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

const file = path.join(folder, 'log');
let lines = [];
let last; // the last write

async function flush() {
  await last;
  if (lines.length === 0) return;
  const text = lines.join('');
  lines = [];
  last = fs.promises.appendFile(file, text);
  await last;
}

const flusher = setInterval(flush, 100);
let number = 0;
const writer = setInterval(() => {
  lines.push(`${++number} `);
  if (number === 5) clearInterval(writer);
}, 70);

setTimeout(async () => {
  clearInterval(flusher);
  await flush();
  await last;
  assert.match(fs.readFileSync(file, 'utf8'), /1.*2.*3.*4.*5/, 'a line was lost');
}, 600);
