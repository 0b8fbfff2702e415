'use strict';
// A program that prints into a closed pipe ends with an error.
const { spawn } = require('child_process');

function run(name, fd) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', `setInterval(() => console.${name}("x"), 5)`], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [broken, other] = fd === 1 ? [child.stdout, child.stderr] : [child.stderr, child.stdout];
    let text = '';
    other.on('data', (chunk) => { text += chunk; });
    broken.once('data', () => broken.destroy());
    child.on('close', (code, signal) => resolve([name, code, signal, text.includes('Error: write EPIPE')]));
  });
}

(async () => {
  console.log(...await run('log', 1));
  console.log(...await run('error', 2));
})();
