'use strict';
// Children: output, exit codes, signals, what cannot be started, streams of every kind.
const { spawn } = require('child_process');
const fs = require('fs');
const open = () => fs.readdirSync('/proc/self/fd').length;
function run(title, ...args) {
  return new Promise((resolve) => {
    const child = spawn(...args);
    const events = [];
    let out = '';
    let err = '';
    child.stdout?.setEncoding('utf8').on('data', (data) => { out += data; });
    child.stderr?.setEncoding('utf8').on('data', (data) => { err += data; });
    for (const name of ['spawn', 'error', 'exit', 'close']) {
      child.on(name, (...values) => {
        events.push(`${name} ${values.map((v) => (v instanceof Error ? `${v.message} ${v.syscall} ${v.path} ${v.spawnargs}` : v)).join(' ')}`.trim());
        if (name === 'close') {
          console.log(title, events, JSON.stringify(out), JSON.stringify(err), child.exitCode, child.signalCode, child.killed, child.spawnfile);
          resolve();
        }
      });
    }
    if (title === 'input') child.stdin.end('from the parent');
    if (title === 'killed') child.kill();
    if (title === 'aborted') controller.abort();
  });
}
const controller = new AbortController();
(async () => {
  await run('plain', 'echo', ['one', 'two  three']);
  const before = open();
  await run('code', 'sh', ['-c', 'echo err >&2; exit 7']);
  await run('input', 'cat');
  await run('killed', 'sleep', ['10']);
  await run('timeout', 'sleep', ['10'], { timeout: 50, killSignal: 'SIGKILL' });
  await run('missing', '/nonexistent/program', ['a', 'b']);
  await run('shell', 'echo $0 "$A"', { shell: true, env: { A: 'value' } });
  await run('directory', 'pwd', { cwd: '/' });
  await run('ignored', 'sh', ['-c', 'echo lost; echo seen >&2'], { stdio: ['ignore', 'ignore', 'pipe'] });
  await run('name', 'sh', ['-c', 'echo $0'], { argv0: 'other' });
  await run('descriptor', 'sh', ['-c', 'echo here >&3'], { stdio: ['ignore', 'ignore', 'ignore', 1] });
  await run('aborted', 'sleep', ['10'], { signal: controller.signal });
  await run('directory missing', 'pwd', { cwd: '/nonexistent' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  console.log('leaked', open() - before);
})();
