'use strict';

// Runs a program with options in a directory of its own, and prints what it printed, with paths of this machine left out.
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const place = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'permission-'));
process.on('exit', () => fs.rmSync(place, { recursive: true, force: true }));

const plain = (text) => text.replaceAll(place, 'PLACE').replaceAll(process.execPath, 'EXEC').replace(/\(node:\d+\)/g, '(PID)')
  .replace(/^\(Use `node .*\n/gm, '');

// The file `main.js` in the place, or code.
function run(options, code, { args = [], env, asCode = false } = {}) {
  const file = path.join(place, 'main.js');
  if (!asCode) fs.writeFileSync(file, code);
  const list = [...options.map((each) => each.replaceAll('PLACE', place)), ...(asCode ? ['-e', code] : [file]), ...args];
  const { stdout, stderr, status } = spawnSync(process.execPath, list, { encoding: 'utf8', cwd: place, env: { ...process.env, NODE_OPTIONS: '', ...env } });
  return { stdout: plain(stdout), stderr: plain(stderr), status };
}

module.exports = { place, plain, run };
