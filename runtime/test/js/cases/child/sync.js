'use strict';
// Synchronous children.
const { spawnSync, execSync, execFileSync } = require('child_process');
const shown = ({ pid, error, ...rest }) => ({ ...rest, error: error?.message, pid: pid > 0 });
console.log(shown(spawnSync('sh', ['-c', 'echo out; echo err >&2; exit 3'])));
console.log(shown(spawnSync('cat', { input: 'some input', encoding: 'utf8' })));
console.log(shown(spawnSync('nothing-of-that-name', ['x'])));
console.log(shown(spawnSync('sleep', ['10'], { timeout: 50 })));
console.log(shown(spawnSync('sh', ['-c', 'kill -9 $$'])));
console.log(spawnSync('cat', { input: Buffer.alloc(3e6, 'x'), maxBuffer: Infinity }).stdout.length);
console.log(spawnSync('yes', { maxBuffer: 1000 }).error.code);
console.log(execSync('echo $X', { env: { X: 'y' }, encoding: 'utf8' }), String(execFileSync('printf', ['%s', 'a b'])));
try {
  execSync('echo bad >&2; exit 5', { stdio: 'pipe' });
} catch (error) {
  console.log(error.message, error.status, error.signal, String(error.stderr), Object.keys(error));
}
console.log(shown(spawnSync('sh', ['-c', 'cat <&3; echo more >&4'], { stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'pipe'], encoding: 'utf8' })));
