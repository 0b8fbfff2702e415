'use strict';

// What -r loads runs before the language's objects are frozen, and knows that it is loaded first; a session and an input type exclude each other.
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'preloaded-'));
process.on('exit', () => fs.rmSync(place, { recursive: true }));
const first = path.join(place, 'first.js');
fs.writeFileSync(first, `
  Object.defineProperty(Object.prototype, 'added', { value: function added() {} });
  console.log('first', module.isPreloading, require('worker_threads').isMainThread);
`);
fs.writeFileSync(path.join(place, 'main.js'), `
  const { Worker, isMainThread } = require('worker_threads');
  console.log('main', module.isPreloading, {}.added.name, Object.isFrozen(Object.prototype));
  if (isMainThread) new Worker(__filename);
`);
function run(options, input = '') {
  const { stdout, stderr, status } = spawnSync(process.execPath, options, { encoding: 'utf8', input });
  console.log(status, stdout.replace(/^Welcome.*\n/, ''), stderr.replace(/^\(.*\n/gm, ''));
}
run(['--frozen-intrinsics', '-r', first, path.join(place, 'main.js')]);
run(['-r', first, '-p', 'Object.getOwnPropertyDescriptor(module.constructor.prototype, "isPreloading")']);
run(['-i', '--input-type=module']);
run(['-i', '-e', 'console.log("evaluated"); x = 41'], 'x + 1\n');
try {
  process._linkedBinding('none');
} catch (error) {
  console.log(error.code, error.message);
}
