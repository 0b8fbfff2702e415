'use strict';
// A race: a change that comes while the last one is being saved. Changes are saved 100 ms after the last of them; when the file is written
// the document counts as saved, though it may have changed meanwhile.
//
//   rota fuzz examples/races/debounce.js

const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'race-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

const file = path.join(folder, 'document');
let text = '';
let changed = false;
let timer;
let saved; // the last write

async function save() {
  changed = false;
  await saved;
  saved = fs.promises.writeFile(file, text);
  await saved;
}

function type(letter) {
  text += letter;
  changed = true;
  clearTimeout(timer);
  timer = setTimeout(save, 100);
}

async function close() {
  clearTimeout(timer);
  if (changed) await save();
  await saved;
  assert.strictEqual(fs.readFileSync(file, 'utf8'), 'ab', 'the last change was not saved');
}

type('a');
setTimeout(type, 300, 'b');
setTimeout(close, 350);
