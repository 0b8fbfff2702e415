'use strict';
// What the drivers share. A driver runs a package at the version with a known race, or with the word `fixed` at one where it is mended
// (or uses it rightly). It exits with 3 when this bug showed, with 0 when it did not, and with anything else when something else went wrong.

const fs = require('fs');
const os = require('os');
const path = require('path');

const isFixed = process.argv[2] === 'fixed';
const kBug = 3;
let shown = false;

// The oracle says that the bug is there.
function bug(words) {
  if (shown) return;
  shown = true;
  console.log(`the bug: ${words}`);
  process.exitCode = kBug;
}

// The same for a program that would not end by itself then.
function bugAndEnd(words) {
  bug(words);
  process.exit();
}

// A folder of this run, which goes with it.
function folder() {
  const name = fs.mkdtempSync(path.join(os.tmpdir(), 'race-'));
  process.on('exit', () => fs.rmSync(name, { recursive: true, force: true }));
  return name;
}

const pick = (buggy, fixed) => require(isFixed ? fixed : buggy);

module.exports = { bug, bugAndEnd, folder, isFixed, pick };
