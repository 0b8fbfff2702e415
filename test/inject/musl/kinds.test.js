'use strict';
// Programs with two C libraries below one rota: each runs on the librota that is built for its own, or on its own libuv with a line that says
// why. None is ended by what is meant for the other.

const { assert, build, finish, mustRun, root, rota, run, scratch, test } = require('../../page/harness.js');
const { spawn } = require('child_process');
const { once } = require('events');
const fs = require('fs');
const path = require('path');

const kinds = [
  { name: 'glibc', compiler: 'gcc', rota, library: path.join(build, 'lib') },
  { name: 'musl', compiler: 'musl-gcc', rota: path.join(build, 'musl', 'bin', 'rota-graft'), library: path.join(build, 'musl', 'lib') },
];
const [glibc, musl] = kinds;

// A libuv of its own, and no more: its output begins with the version that it runs on.
function compile(kind, file, source, ...flags) {
  const program = path.join(scratch, `${file}-${kind.name}`);
  mustRun(kind.compiler, ['-D_GNU_SOURCE', '-O2', '-Wall', '-Wextra', '-Werror', source, ...flags, '-o', program]);
  return program;
}
const text = (name, lines) => {
  fs.writeFileSync(path.join(scratch, name), lines);
  return path.join(scratch, name);
};
const starts = text('starts.c', '#include <unistd.h>\nint main(int argc, char **argv) { return argc > 1 ? execv(argv[1], argv + 1) : 0; }\n');
for (const kind of kinds) {
  kind.small = compile(kind, 'small', path.join(__dirname, '..', 'small.c'), '-rdynamic');
  kind.starts = compile(kind, 'starts', starts);
  kind.hello = compile(kind, 'hello', text('hello.c', '#include <stdio.h>\nint main(void) { puts("hello"); }\n'));
}

// As it would be installed: the parts for one C library alone.
function alone(kind) {
  const home = path.join(scratch, `only ${kind.name}`.replace(' ', '-'));
  fs.mkdirSync(path.join(home, 'bin'), { recursive: true });
  fs.copyFileSync(fs.realpathSync(kind.rota), path.join(home, 'bin', 'rota'));
  fs.cpSync(kind.library, path.join(home, 'lib'), { recursive: true });
  return path.join(home, 'bin', 'rota');
}

for (const own of kinds) {
  for (const kind of kinds) {
    test(`rota for ${own.name} starts a program for ${kind.name}`, () => {
      for (const options of [[], ['--virtual-time']])
        assert.match(mustRun(own.rota, ['run', ...options, '--', kind.small]).stdout, /^1\.52 /);
      assert.match(mustRun(own.rota, ['doctor', '--', kind.small]).stdout, /exports it: its functions are redirected\n.*: libuv 1\.44\.0: 5 functions/);
    });

    for (const child of kinds)
      test(`rota for ${own.name} starts a program for ${kind.name}, which starts one for ${child.name}`, () => {
        for (const options of [[], ['--virtual-time']])
          assert.match(mustRun(own.rota, ['run', ...options, '--', kind.starts, child.small]).stdout, /^1\.52 /);
      });
  }

  const other = kinds.find((kind) => kind !== own);
  test(`with parts for ${own.name} alone, programs for ${other.name} run as without rota, and a line says why`, () => {
    const only = alone(own);
    const refused = run(only, ['run', '--', other.small]);
    assert.strictEqual(refused.status, 1, refused.stdout + refused.stderr);
    assert.match(refused.stderr, new RegExp(`^rota: .*: it uses the C library ${other.name}, and this rota has librota for ${own.name} only`));
    for (const options of [[], ['--virtual-time']]) {
      const { stdout, stderr } = mustRun(only, ['run', ...options, '--', own.starts, other.small]);
      assert.match(stdout, /^1\.44 /);
      assert.match(stderr, /^rota: graft: .*: it stays on its own libuv: its C library is not the one that this rota is built for \(glibc or musl\)\n$/);
      assert.strictEqual(mustRun(only, ['run', ...options, '--', own.starts, other.hello]).stderr, '', 'a program without libuv says nothing');
    }
  });
}

test("a child finds its own libuv.so.1, and not that of the other C library", () => {
  for (const own of kinds)
    for (const kind of kinds) {
      const library = path.join(scratch, `of-${kind.name}`, 'libuv.so.1');
      fs.mkdirSync(path.dirname(library), { recursive: true });
      fs.copyFileSync(path.join(kind.library, 'libuv.so.1'), library);
      const program = compile(kind, 'user', path.join(__dirname, '..', 'user.c'), library, '-Wl,--enable-new-dtags', `-Wl,-rpath,${path.dirname(library)}`);
      for (const starter of kinds) assert.match(mustRun(own.rota, ['run', '--', starter.starts, program]).stdout, /^1\.52 /);
    }
});

test('the loader of musl is asked what it would load, and does not run the program', () => {
  const { stdout } = mustRun(glibc.rota, ['doctor', '--', musl.hello]);
  assert.match(stdout, /it has no libuv; what it loads or starts later/);
  assert.doesNotMatch(stdout, /^hello/m);
});

// What is prepared can be asked; nothing is sent to what is not.
const node = process.env.ROTA_MUSL_NODE;
if (node)
  test('rota attach asks a Node on musl that was prepared, and leaves another one alone', async () => {
    for (const [command, args, answers] of [[musl.rota, ['run', '--attach', '--', node], true], [node, [], false]]) {
      const child = spawn(command, [...args, '-e', 'setInterval(() => {}, 1000); console.log(1)'], { cwd: scratch, stdio: ['ignore', 'pipe', 'inherit'] });
      await once(child.stdout, 'data');
      const { status, stdout, stderr } = run(glibc.rota, ['attach', String(child.pid), 'why', ...(answers ? [] : ['--signal'])]);
      if (answers) assert.match(stdout, /alive/, stderr);
      else assert.match(stderr, /it uses the C library musl, where this was never seen to work/);
      assert.strictEqual(status === 0, answers);
      assert.strictEqual(child.exitCode ?? child.signalCode, null);
      child.kill();
      await once(child, 'exit');
    }
  });

test('the static command shows its help, and says what it lacks', () => {
  assert.match(mustRun(musl.rota, ['help', 'trace']).stdout, /^Usage: rota trace/);
  const { status, stderr } = run(musl.rota, [path.join(root, 'examples', 'tour.js')]);
  assert.strictEqual(status, 1);
  assert.match(stderr, /the runtime of rota is not here/);
});

finish();
