'use strict';
// The files that tools write: their owner's alone, and no link is followed. Where the name is refused, it is said in words, and what the
// link leads to is as it was.

const { assert, build, finish, mustRun, root, rota, run, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');

const node = process.execPath;
const hasRuntime = path.basename(rota) === 'rota';
const script = path.join(scratch, 'program.js');
fs.writeFileSync(script, "setTimeout(() => process.exit(process.argv[2] === 'fail' ? 4 : 0), 5);\n");
const room = path.join(scratch, 'files');
const file = path.join(room, 'a.json'), victim = path.join(scratch, 'victim');

const env = (more) => ({ env: { ...process.env, ...more } });
const record = (program) => run(rota, [...program, script], env({ ROTA_SCHEDULE_SEED: '1', ROTA_SCHEDULE_RECORD: file }));
// early: what the command refuses before the program runs. code: the exit code of the program, which it keeps.
const writers = {
  'rota trace': { write: () => run(rota, ['trace', '-o', file, '--', node, script]), early: true },
  'ROTA_TRACE': { write: () => run(rota, ['run', '--', node, script, 'fail'], env({ ROTA_TRACE: file })), code: 4 },
  'a black box': { write: () => run(rota, ['run', '--black-box', '--', node, script, 'fail'], env({ ROTA_BLACKBOX_FILE: file })), code: 4 },
  'a record, of Node': { write: () => record(['run', '--', node]), code: 0 },
  'rota timeline': { write: () => run(rota, ['timeline', '-o', file, '--', node, script]), early: true },
};
if (hasRuntime) {
  writers['rota --trace'] = { write: () => run(rota, [`--trace=${file}`, script]), early: true };
  writers['rota --timeline'] = { write: () => run(rota, [`--timeline=${file}`, script]), early: true };
  writers['rota --black-box'] = { write: () => run(rota, ['--black-box', script, 'fail'], env({ ROTA_BLACKBOX_FILE: file })), code: 4 };
}

function prepare(how) {
  fs.rmSync(room, { recursive: true, force: true });
  fs.mkdirSync(room);
  fs.writeFileSync(victim, 'precious', { mode: 0o644 });
  fs.chmodSync(victim, 0o644);
  if (how === 'link') fs.symlinkSync(victim, file);
  if (how === 'nothing') fs.symlinkSync(path.join(room, 'nowhere'), file);
  if (how === 'second') fs.linkSync(victim, file);
  if (how === 'other') {
    fs.writeFileSync(file, 'precious');
    fs.chownSync(file, 12345, 12345);
  }
  if (how === 'own') {
    fs.writeFileSync(file, 'x'.repeat(1e5), { mode: 0o644 });
    fs.chmodSync(file, 0o666);
  }
}

const refusals = { link: /symbolic link/, nothing: /symbolic link/, second: /second name \(a hard link\)/ };
if (process.getuid() === 0) refusals.other = /belongs to another user/;

for (const [what, { write, early, code = 0 }] of Object.entries(writers)) {
  for (const how of ['new', 'own'])
    test(`${what}: a file that is ${how} belongs to its owner alone`, () => {
      prepare(how);
      const { status, stderr } = write();
      assert.strictEqual(status, code, stderr);
      assert.strictEqual((fs.statSync(file).mode & 0o777).toString(8), '600');
      const text = fs.readFileSync(file, 'utf8');
      assert.ok(text.length > 10 && !text.endsWith('xxxxx'), 'it is written, and what was there is gone');
    });

  for (const [how, words] of Object.entries(refusals))
    test(`${what}: refused: ${how}`, () => {
      prepare(how);
      const { status, stderr } = write();
      assert.match(stderr, words);
      assert.ok(stderr.includes(file), stderr);
      assert.strictEqual(status, early ? 9 : code, stderr);
      assert.strictEqual(fs.readFileSync(victim, 'utf8'), 'precious');
      assert.strictEqual((fs.statSync(victim).mode & 0o777).toString(8), '644');
      if (how === 'other') assert.strictEqual(fs.readFileSync(file, 'utf8'), 'precious');
      if (how === 'nothing') assert.ok(!fs.existsSync(path.join(room, 'nowhere')));
    });
}

test('a name of a descriptor is none of a link: standard output', () => {
  for (const name of ['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']) {
    const { stdout, stderr } = run('/bin/sh', ['-c', '"$@" | cat', 'sh', rota, 'trace', '-o', name, '--', node, script]);
    assert.match(stdout, /^\[\{"ph":"M","name":"rota"/, stderr);
  }
});

test('a pipe of the user is written to', () => {
  prepare('new');
  const pipe = path.join(room, 'pipe');
  const { stdout, stderr } = run('/bin/sh', ['-c', 'mkfifo "$0"; cat "$0" & "$@"; wait', pipe, rota, 'trace', '-o', pipe, '--', node, script]);
  assert.match(stdout, /^\[\{"ph":"M","name":"rota"/, stderr);
});

test('what rota fuzz keeps', () => {
  prepare('new');
  const racy = path.join(scratch, 'racy.js');
  fs.writeFileSync(racy, "let a; require('fs').stat('/', () => { a = 1; }); require('fs').stat('/tmp', () => { if (!a) process.exit(3); });\n");
  const { stdout, stderr } = run(rota, ['fuzz', '--seeds=200', '-o', room, '--', node, racy]);
  const kept = fs.readdirSync(room);
  assert.ok(kept.some((name) => name.endsWith('.schedule')) && kept.some((name) => name.endsWith('.html')), stdout + stderr);
  for (const name of kept) assert.strictEqual((fs.statSync(path.join(room, name)).mode & 0o777).toString(8), '600', name);
});

// ---- what is in them ----

const secretive = [[script, '--token', 'V.SECRET', 'a/SECRET'], ['-e', 'setTimeout(() => {}, 1)', 'SECRET'], ['-p', 'setTimeout(() => {}, 1); 1', '/SECRET']];
for (const words of secretive)
  test(`arguments are not told: ${words.slice(-2).join(' ')}`, () => {
    const commands = [['trace', '-o', file, '--', node, ...words], ['timeline', '-o', file, '--', node, ...words]];
    if (hasRuntime) commands.push([`--trace=${file}`, ...words], [`--timeline=${file}`, ...words]);
    for (const command of commands) {
      prepare('new');
      const { status, stderr } = run(rota, command);
      assert.strictEqual(status, 0, stderr);
      assert.doesNotMatch(fs.readFileSync(file, 'utf8'), /SECRET/, command[0]);
    }
  });

test('the value of an option is not taken for the script', () => {
  prepare('new');
  const program = path.join(scratch, 'option');
  fs.writeFileSync(`${program}.c`, '#include <uv.h>\nint main(void) { return uv_run(uv_default_loop(), UV_RUN_DEFAULT); }\n');
  mustRun('gcc', [`-I${root}/include`, `${program}.c`, `-L${build}/lib`, '-l:libuv.so.1', '-o', program]);
  mustRun(rota, ['trace', '-o', file, '--', program, '--password', 'a.SECRET', script]);
  const text = fs.readFileSync(file, 'utf8');
  assert.doesNotMatch(text, /SECRET/);
  assert.match(text, /"labels":"option program.js"/);
});

finish();
