'use strict';
// process.execPath through a link named `node`: programs ask by its name whether this is Node. And what a fatal error of
// a built-in module shows: a place, its line, and a mark.
const { execFileSync, spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'exec-'));
fs.symlinkSync(process.execPath, path.join(directory, 'node'));
const code = 'require("path").basename(process.execPath)';
const twice = `require("child_process").execFileSync(process.execPath, ["-p", ${JSON.stringify(code)}], { encoding: "utf8" })`;
const run = (command, script, options) => execFileSync(command, ['-p', script], { encoding: 'utf8', ...options }).trim();
console.log(run(path.join(directory, 'node'), code));
console.log(run(path.join(directory, 'node'), twice));
console.log(run('./node', code, { cwd: directory }));
console.log(run('node', code, { env: { ...process.env, PATH: `/nowhere:${directory}:${process.env.PATH}` } }));
fs.rmSync(directory, { recursive: true });

for (const text of ['require("./nothing")', 'require("fs").readFileSync("/nothing/at/all")', 'new URL("::")']) {
  const { status, stderr } = spawnSync(process.execPath, ['-e', text], { encoding: 'utf8' });
  console.log(text, status, /^\S+:\d+\n[^\n]+\n *\^\n\n/.test(stderr));
}
