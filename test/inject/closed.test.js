'use strict';
// Descriptors 0 to 2 are closed when rota starts: it opens /dev/null for them, as Node does, so that neither its own descriptors nor the
// loop's get these numbers. What it starts finds them as without rota.

const { assert, finish, rota, run, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');
const { isMusl, nodes } = require('./nodes.js');

const node = isMusl ? nodes[0] : process.execPath;
const script = path.join(scratch, 'closed.js'), result = path.join(scratch, 'result');
fs.writeFileSync(script, `
  const fs = require('fs'), { spawnSync } = require('child_process');
  const attempt = (what) => { try { return what() ?? 'done'; } catch (error) { return error.code; } };
  const lines = [0, 1, 2].map((fd) => attempt(() => fs.readlinkSync('/proc/self/fd/' + fd)));
  const look = 'for fd in 0 1 2; do readlink /proc/self/fd/$fd; done >"$0"';
  spawnSync('/bin/sh', ['-c', look, process.argv[2] + '.child'], { stdio: 'inherit' });
  lines.push(fs.readFileSync(process.argv[2] + '.child', 'utf8').replaceAll('\\n', ' '));
  lines.push(attempt(() => fs.writeSync(1, 'x')), attempt(() => console.log('x')), attempt(() => fs.closeSync(0)));
  setTimeout(() => fs.writeFileSync(process.argv[2], JSON.stringify(lines)), 1);
`);

function seenBy(command, redirections = '<&- >&- 2>&-') {
  fs.rmSync(result, { force: true });
  const { status, stderr } = run('/bin/sh', ['-c', `exec "$0" "$@" ${redirections}`, ...command, script, result]);
  assert.strictEqual(status, 0, stderr);
  return JSON.parse(fs.readFileSync(result, 'utf8'));
}

const alone = seenBy([node]);
const commands = {
  'the runtime': [rota],
  'the runtime, traced': [rota, `--trace=${path.join(scratch, 'trace.json')}`, '--attach', '--black-box'],
  'the runtime, with a page': [rota, `--timeline=${path.join(scratch, 'own.html')}`],
  'rota run': [rota, 'run', '--attach', '--black-box', '--', node],
  'rota run --virtual-time': [rota, 'run', '--virtual-time', '--', node],
  'rota trace': [rota, 'trace', '-o', path.join(scratch, 'other.json'), '--', node],
  'rota timeline': [rota, 'timeline', '-o', path.join(scratch, 'page.html'), '--', node],
};

test('Node alone has /dev/null for each', () => assert.deepStrictEqual(alone.slice(0, 3), ['/dev/null', '/dev/null', '/dev/null']));

for (const [what, command] of Object.entries(commands))
  test(`${what}: a script sees what Node shows it`, () => assert.deepStrictEqual(seenBy(command), alone));

for (const redirections of ['<&-', '>&-', '2>&-'])
  test(`only ${redirections}`, () => assert.deepStrictEqual(seenBy([rota], `</dev/null >/dev/null 2>/dev/null ${redirections}`), alone));

test('another program finds them closed, as without rota', () => {
  const look = 'ls -l /proc/self/fd | grep -c -- "-> /dev/null" >"$0"';
  for (const command of [[], [rota, 'run', '--']]) {
    run('/bin/sh', ['-c', 'exec "$@" <&- 2>&-', 'sh', ...command, '/bin/sh', '-c', look, result]);
    assert.strictEqual(fs.readFileSync(result, 'utf8'), '0\n', command.join(' '));
  }
});

finish();
