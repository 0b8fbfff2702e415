'use strict';
// The packages for npm, which the tests of this folder install: test/package/run has made them if NPM_PACKED says so, else each file does.

const { build, mustRun, root } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');

const [, version] = /^VERSION = (.*)$/m.exec(fs.readFileSync(path.join(root, 'Makefile'), 'utf8'));
const packed = path.join(build, 'npm');
const tarball = (name) => path.join(packed, `${name}-${version}.tgz`);

function packOnce() {
  if (process.env.NPM_PACKED === '1') return;
  mustRun('make', ['--no-print-directory', '-s', '-C', root, `BUILD=${build}`, 'npm'], { timeout: 600000 });
}

module.exports = { packOnce, packed, tarball, version };
