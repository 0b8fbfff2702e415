'use strict';
// The graft in programs of our own, made for the odd cases: all of a program's libuv is redirected, or nothing, with a line that says why.

const { assert, build, finish, mustRun, root, rota, run, scratch, test } = require('../page/harness.js');
const { spawn } = require('child_process');
const { once } = require('events');
const fs = require('fs');
const path = require('path');
const { compiler, compilerFlags, graft, isMusl, library: parts } = require('./nodes.js');

const archive = '/usr/lib/x86_64-linux-gnu/libuv_a.a';
const intel = process.arch === 'x64';
const source = (name) => path.join(__dirname, `${name}.c`);
const env = (more) => ({ env: { ...process.env, LD_PRELOAD: graft, ROTA_GRAFT: 'verbose', ...more } });

let made = 0;
function compile(name, ...flags) {
  const file = path.join(scratch, `${name}-${++made}`);
  mustRun(compiler, [...compilerFlags, '-D_GNU_SOURCE', '-O2', '-Wall', '-Wextra', '-Werror', source(name), ...flags, '-o', file]);
  return file;
}
const small = (...flags) => compile('small', '-rdynamic', ...flags);
const deny = compile('deny');

function grafted(program, options = env()) {
  const { status, stdout, stderr } = run(program, [], options);
  assert.strictEqual(status, 0, stdout + stderr);
  assert.match(stderr, /functions are redirected to librota/);
  assert.match(stdout, /^1\.52 /);
  return stdout;
}

// It runs as if there were no graft, gives the reason, and with ROTA_GRAFT=require it does not run.
function refused(command, why, version = '1.44', more) {
  const [program, ...args] = [command].flat();
  const asked = run(program, args, env(more));
  assert.strictEqual(asked.status, 0, asked.stderr);
  assert.match(asked.stderr, why);
  assert.strictEqual(asked.stderr.trim().split('\n').length, 1, asked.stderr);
  assert.ok(asked.stdout.startsWith(version), asked.stdout);
  assert.strictEqual(run(program, args, env({ ...more, ROTA_GRAFT: undefined })).stderr, '', 'nobody asked');
  const required = run(program, args, env({ ...more, ROTA_GRAFT: 'require' }));
  assert.strictEqual(required.status, 127);
  assert.match(required.stderr, why);
  assert.strictEqual(required.stdout, '');
}

test('a program that exports its functions is grafted', () => {
  grafted(small('-no-pie'));
  grafted(small('-pie', '-fPIE'));
  grafted(small('-Wl,--hash-style=sysv'));
  grafted(small('-Wl,--hash-style=gnu'));
});

test('it is found without section headers', () => {
  const file = small('-no-pie');
  mustRun('strip', ['-s', file]);
  grafted(file);
  const bytes = fs.readFileSync(file);
  bytes.fill(0, 0x28, 0x30); // where the section headers are
  bytes.writeUInt16LE(0, 0x3c); // how many
  bytes.writeUInt16LE(0, 0x3e); // which has their names
  fs.writeFileSync(file, bytes);
  assert.doesNotMatch(run('readelf', ['-S', file]).stdout, /\.dynsym/);
  grafted(file);
  assert.match(mustRun(rota, ['doctor', '--', file]).stdout, /libuv 1\.44\.0: 5 functions/);
});

test('ROTA_GRAFT=0 leaves it alone', () => {
  const { stdout, stderr } = mustRun(small(), [], env({ ROTA_GRAFT: '0' }));
  assert.match(stdout, /^1\.44 /);
  assert.strictEqual(stderr, '');
});

test('a library that exports them is grafted', () => {
  const library = compile('small', '-DLIBRARY', '-shared', '-fPIC');
  grafted(compile('user', library));
});

test('a function that librota lacks: refused', () => refused(small('-DUNKNOWN'), /exports uv_brand_new, which librota does not have/));
test('another major version: refused', () => refused(small('-DVERSION=0x020000'), /version 2\.0\.0/, '2.0'));
test('a version older than was tried: refused', () => refused(small('-DVERSION=0x010200'), /version 1\.2\.0/, '1.2'));
test('a newer version without new functions: grafted', () => grafted(small('-DVERSION=0x013700')));
test('names with a stub behind them: refused', () => refused(small('-DSTUB'), /uv_run is a stub/));
test('two names for one function: refused', () => refused(small('-DFOLDED'), /uv_handle_get_(data|loop) and uv_handle_get_(data|loop) are the same function/));

test('a loop that exists already: refused', () => {
  const library = compile('small', '-DLIBRARY', '-DEARLY', '-shared', '-fPIC');
  // musl's loader begins with what was preloaded: such a loop is librota's.
  if (isMusl) grafted(compile('user', library));
  else refused(compile('user', library), /a loop seems to exist already/);
});

test('loaded by the program itself: refused', () => {
  const program = path.join(scratch, 'late');
  fs.writeFileSync(`${program}.c`, '#include <dlfcn.h>\n#include <stdio.h>\nunsigned uv_version(void);\n' +
    'int main(int argc, char **argv) { if (!dlopen(argv[argc - 1], RTLD_NOW)) puts(dlerror()); printf("%u.%u\\n", uv_version() >> 16, uv_version() >> 8 & 255); }\n');
  mustRun(compiler, [`${program}.c`, compile('small', '-DLIBRARY', '-shared', '-fPIC'), '-o', program]);
  refused([program, graft], /loaded too late/, '1.44', { LD_PRELOAD: undefined });
});

if (intel) {
  test('functions shorter than a jump: grafted where there is room behind them, else refused', () => {
    grafted(small('-DSHORT'));
    refused(small('-DTIGHT'), /uv_(stop|ref) is too short/);
  });

  test('endbr64 stays', () => {
    assert.match(grafted(small('-fcf-protection=full')), /^1\.52 endbr64/);
    assert.match(grafted(small('-fcf-protection=none')), /no endbr64/);
  });
}

test('memory that must not become executable: refused', () => {
  const program = small('-no-pie');
  refused([deny, 'exec', program], /executable memory cannot be allocated near its code: Permission denied/);
  refused([deny, 'text', program], /the page of its uv_\w+ cannot be written: Permission denied/);
});

test('no page is ever writable and executable', () => {
  const log = path.join(scratch, 'strace');
  mustRun('strace', ['-f', '-o', log, '-E', `LD_PRELOAD=${graft}`, '-e', 'trace=mmap,mprotect,pkey_mprotect', small('-no-pie')], { env: process.env });
  const lines = fs.readFileSync(log, 'utf8').split('\n').filter((line) => line.includes('PROT_EXEC'));
  assert.ok(lines.some((line) => line.includes('mprotect(')), 'the graft was seen');
  assert.deepStrictEqual(lines.filter((line) => line.includes('PROT_WRITE')), []);
});

if (fs.existsSync(archive) && !isMusl) {
  test("a program with the system's whole libuv does all it did, on both backends", () => {
    const program = compile('whole', '-rdynamic', '-Wl,--whole-archive', archive, '-Wl,--no-whole-archive', '-lpthread', '-ldl');
    assert.match(mustRun(program, []).stdout, /, its own/);
    for (const backend of process.env.BACKENDS.split(' ')) {
      const { stdout, stderr } = mustRun(program, [], env({ ROTA_POLLER: backend }));
      assert.match(stderr, /libuv 1\.\d+\.\d+: \d{3} functions/);
      assert.match(stdout, /^libuv 1\.52\.\d, rota/);
    }
    assert.match(mustRun('/bin/sh', ['-c', `ulimit -l 0; exec ${program}`], env()).stdout, /rota/);
    assert.match(mustRun(deny, ['io_uring', program], env()).stdout, /rota/);
    assert.match(mustRun(rota, ['run', '--', program]).stdout, /rota/);
  });
}

if (!isMusl) test('a program that insists on its own libuv.so.1 gets ours all the same', () => {
  const found = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu'].map((place) => path.join(place, 'libuv.so.1')).find(fs.existsSync);
  fs.copyFileSync(found, path.join(scratch, 'libuv.so.1'));
  const program = compile('whole', path.join(scratch, 'libuv.so.1'), `-Wl,--disable-new-dtags,-rpath,${scratch}`);
  assert.match(mustRun(program, []).stdout, /, its own/);
  assert.match(mustRun(rota, ['run', '--', program]).stdout, /^libuv 1\.52\.\d, rota/);
  assert.match(mustRun(rota, ['doctor', '--', program]).stdout, /always loads its own libuv\.so\.1/);
});

// As daemons do: they make their loop, fork, and the child goes on.
test('a child after fork has a trace of its own', () => {
  const file = path.join(scratch, 'daemon'), trace = path.join(scratch, 'daemon.json');
  fs.writeFileSync(`${file}.c`, `#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>
static void called_in_child(uv_timer_t *timer) { (void)timer; }
int main(void) {
  uv_loop_t *loop = uv_default_loop();
  uv_timer_t timer;
  uv_timer_init(loop, &timer);
  pid_t child = fork();
  if (child != 0)
    return waitpid(child, NULL, 0) != child;
  uv_timer_start(&timer, called_in_child, 1, 0);
  return uv_loop_fork(loop) || uv_run(loop, UV_RUN_DEFAULT);
}
`);
  mustRun(compiler, ['-O1', '-g', '-rdynamic', `-I${root}/include`, `${file}.c`, `-L${parts}`, '-l:libuv.so.1', ...(isMusl ? [`-Wl,-rpath,${parts}`] : []), '-o', file]);
  mustRun(rota, ['trace', '-o', trace, '--', file]);
  const names = fs.readdirSync(scratch).filter((entry) => /^daemon\.json\.\d+$/.test(entry));
  assert.strictEqual(names.length, 1);
  JSON.parse(fs.readFileSync(trace, 'utf8'));
  assert.ok(JSON.parse(fs.readFileSync(path.join(scratch, names[0]), 'utf8')).some((event) => event.cat === 'callback' || /called_in_child/.test(event.name)));
});

// ---- messages for programs that cannot be grafted ----

const doctor = (program) => {
  const { status, stdout, stderr } = run(rota, ['doctor', '--', program]);
  assert.strictEqual(status, 1, stdout + stderr);
  assert.strictEqual(run(rota, ['run', '--', program]).status, 1);
  return stdout + stderr;
};

test("rota's own runtime is on librota already, and is seen as any other program", () => {
  const program = [rota, '-e', 'setTimeout(function later() {}, 30)'];
  assert.match(mustRun(rota, ['doctor', '--', rota]).stdout, /: it runs on librota already\n/);
  const { stderr } = mustRun(rota, ['stats', '--', ...program]);
  assert.match(stderr, /^ {2}timer lateness +1 /m);
  assert.strictEqual(stderr.match(/^rota: /gm).length, 1, stderr);
  const trace = path.join(scratch, 'runtime.json');
  assert.strictEqual(mustRun(rota, ['trace', '-o', trace, '--', ...program]).stderr, '');
  assert.match(fs.readFileSync(trace, 'utf8'), /"cat":"call","name":"later"/);
  fs.rmSync(trace);
});

test('the doctor says why a program cannot be reached', () => {
  assert.match(doctor('no-such-program'), /there is no such program in PATH: /);
  fs.writeFileSync(path.join(scratch, 'app.js'), '');
  assert.match(doctor('app.js'), /a script is not a program; to run it with your Node: rota doctor -- node app\.js\n/);
  assert.match(doctor(small('-DSTUB')), /does not use libuv's loop/);
  const hello = path.join(scratch, 'hello.c');
  fs.writeFileSync(hello, 'const char *text = "UV_THREADPOOL_SIZE";\nint main(void) { return text[0] == 0; }\n');
  mustRun('gcc', [hello, '-static', '-o', `${hello}.static`]);
  assert.match(doctor(`${hello}.static`), /linked statically/);
  mustRun('gcc', [hello, '-o', `${hello}.hidden`]);
  assert.match(doctor(`${hello}.hidden`), /does not export its functions/);
  mustRun('gcc', [hello, '-Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1', '-o', `${hello}.musl`]);
  assert.match(doctor(`${hello}.musl`), /musl/);
  const bytes = fs.readFileSync(`${hello}.hidden`);
  bytes.writeUInt16LE(8, 18); // a processor of another kind
  fs.writeFileSync(`${hello}.other`, bytes, { mode: 0o755 });
  assert.match(doctor(`${hello}.other`), /another kind of processor/);
  const away = fs.readFileSync(`${hello}.hidden`);
  away.writeBigUInt64LE(BigInt(away.length), 32); // its program headers are behind the end
  fs.writeFileSync(`${hello}.away`, away, { mode: 0o755 });
  assert.match(doctor(`${hello}.away`), /its file is damaged/);
  fs.writeFileSync(`${hello}.text`, 'neither\n', { mode: 0o755 });
  assert.match(doctor(`${hello}.text`), /neither a program nor a script/);
});

// Node's way to make a single executable (postject) puts them there.
test('a program whose headers are at an odd place', () => {
  const bytes = fs.readFileSync(small(`-L${parts}`, '-l:libuv.so.1'));
  const at = Number(bytes.readBigUInt64LE(32)), headers = bytes.subarray(at, at + bytes.readUInt16LE(54) * bytes.readUInt16LE(56));
  const odd = Buffer.concat([bytes, Buffer.alloc(1 - (bytes.length % 2)), headers]);
  odd.writeBigUInt64LE(BigInt(odd.length - headers.length), 32);
  const file = path.join(scratch, 'odd');
  fs.writeFileSync(file, odd, { mode: 0o755 });
  const { stdout, stderr } = run(rota, ['doctor', '--', file]);
  assert.match(stdout, /it has libuv linked in and exports it|it loads libuv/, stdout + stderr);
});

test('a script whose interpreter is not there, and what is no program at all', () => {
  const file = path.join(scratch, 'tool');
  const says = (text, why, mode = 0o755) => {
    fs.writeFileSync(file, text);
    fs.chmodSync(file, mode);
    assert.match(doctor(file), why);
  };
  says('#!/no/such/interpreter -x\n', /interpreter that cannot be found: \/no\/such\/interpreter; install it, /);
  says('#!/usr/bin/env -S A=1 no-such-interpreter -x\n', /interpreter that cannot be found: no-such-interpreter; install it, /);
  says('#! \n', /its first line names no interpreter; it must be one/);
  says('', /no executable code/);
  says('exit 0\n', /may not be executed/, 0o644);
  assert.match(doctor(scratch), /this is a directory/);
});

test('bad options are told before the program is started', () => {
  const bad = (args, why) => {
    const { status, stdout, stderr } = run(rota, args);
    assert.strictEqual(status, 9, stdout + stderr);
    assert.match(stderr, why);
  };
  const program = ['--', '/bin/echo', 'started'];
  bad(['trace', '-o'], /^rota trace: -o: missing value\n$/);
  bad(['trace', '-o='].concat(program), /^rota trace: -o=: must be the name of a file\n$/);
  for (const value of ['', '0', 'abc', '-1', '1e9', '99999999999']) {
    bad(['watch', `--threshold=${value}`, ...program], /^rota watch: --threshold=.*: must be a number of milliseconds from 1 to 86400000\n$/);
    bad(['why', '--after', value, ...program], /^rota why: --after=.*: must be a number of milliseconds from 1 to 86400000\n$/);
  }
  bad(['trace', '-o', '/no/such/directory/trace.json', ...program], /^rota trace: \/no\/such\/directory: .*; create it, or name another file with -o\n$/);
  bad(['help', 'trcae'], /^rota: no command trcae \(did you mean trace\?\); rota help lists /);
  bad(['trcae', ...program], /^rota: no command trcae \(did you mean trace\?\); /);
  bad(['fuzz', '--faults=net,dsk', ...program], /--faults=net,dsk: must be net, disk, child or all, separated by commas\nrota help fuzz explains/);
  bad(['fuzz'], /^rota fuzz: missing script or program\. Usage: rota fuzz script\.js, /);
  bad(['--schedule-seed=1', '--schedule-faults=dsk', '-e', '1'], /^rota: --schedule-faults=dsk: must be net, disk, child or all, separated by commas\n/);
  assert.match(run(rota, ['--schedule-faults=net', '-e', '1']).stderr, /^rota: faults need a seed: add --schedule-seed=number/);
  assert.match(run(rota, ['timeline', 'missing.json']).stderr, /^rota timeline: there is no file missing\.json; rota trace -- program writes one, /);
  const script = path.join(scratch, 'kept.js'), text = 'setTimeout(() => {}, 1);\n';
  fs.writeFileSync(script, text);
  for (const args of [[`--timeline=${script}`], ['--timeline', script], ['--trace', script]])
    bad([...args, '-e', '1'], /kept\.js: a script would be overwritten; name another file with --t\w+=FILE\n$/);
  for (const name of ['trace', 'timeline']) {
    bad([name, '-o', script, ...program], /kept\.js: a script would be overwritten; name another file with -o\n$/);
    bad([name, '-o', ...program], /-o: missing value/);
    bad([name, '-o', scratch, ...program], new RegExp(`^rota ${name}: ${scratch}.* is a directory; name `));
    bad([name, '-o', '/no/such/directory/x', ...program], new RegExp(`^rota ${name}: /no/such/directory: .*; create it, or name another file with -o\n$`));
    bad([name, '--black-box=x', ...program], new RegExp(`^rota ${name}: --black-box=x: must be a number of seconds from 1 to 3600\n$`));
    bad([name, '--samples=20000', ...program], new RegExp(`^rota ${name}: --samples=20000: must be a number of milliseconds from 1 to 10000\n$`));
    bad([name, '--virtual-time=from=tomorrow', ...program], new RegExp(`rota ${name}: --virtual-time=from=tomorrow: must be 1, or from=DATE, `));
    bad([name, '--names=maybe', ...program], /--names=maybe: must be on or off/);
    bad([name, '--nosuch', ...program], new RegExp(`^rota ${name}: bad option: --nosuch; rota help ${name} lists the options\n$`));
    bad([name], new RegExp(`^rota ${name}: missing program.* Usage: rota ${name} -- node app\\.js`));
  }
  assert.strictEqual(fs.readFileSync(script, 'utf8'), text);
  bad(['timeline', script], /kept\.js is a script: rota timeline -- node .*kept\.js, or with rota itself: rota --timeline=page\.html /);
  bad(['timeline', 'node', 'app.js'], /missing --\. Usage: rota timeline -- node app\.js/);
  for (const name of ['run', 'stats', 'watch', 'why']) bad([name, '--samples=3', ...program], /^rota \w+: --samples: needs a trace: /);
  bad(['why', 'node', 'app.js'], /there is no script node; a program is named behind --: rota why -- node app\.js/);
  bad(['fuzz', 'node', 'app.js'], /there is no such script: node; a program is named behind --: rota fuzz -- node app\.js/);
  bad(['fuzz', '--seeds=0', ...program], /--seeds=0: must be at least 1/);
  bad(['fuzz', '--sedes=1', ...program], /^rota fuzz: bad option: --sedes=1 \(did you mean --seeds\?\)\n/);
  bad(['trace', '--smaples', ...program], /^rota trace: bad option: --smaples \(did you mean --samples\?\); /);
  bad(['fuzz', '--loop=xhtml', script], /--loop=xhtml: must be html or node/);
  bad(['fuzz', `--state=${script}`, script], /cannot be written to .*kept\.js: it is not a directory; --state gives another/);
  bad(['attach'], /^rota attach: missing process id\. Usage: rota attach 1234; /);
  for (const name of ['timeline', 'fuzz', 'why'])
    assert.match(run(rota, [name, '--', script]).stderr, new RegExp(`a script is not a program; to run it with your Node: rota ${name} -- node `));
  for (const [variable, unit] of [['ROTA_WATCHDOG', 'milliseconds'], ['ROTA_SAMPLES', 'milliseconds'], ['ROTA_BLACKBOX', 'seconds']])
    assert.match(run(rota, ['-e', '1'], { env: { ...process.env, [variable]: '5x' } }).stderr, new RegExp(`^rota: ${variable}=5x: must be a number of ${unit} from 1 to `));
  assert.match(run(rota, ['run', '--', 'no-such-program']).stderr, /there is no such program in PATH: install it/);
  assert.match(mustRun(rota, ['fuzz', '--seeds=1', '--', '/bin/true']).stdout, /true has no libuv: only what it starts /);
  assert.match(mustRun(rota, ['why', '--help']).stdout, /^Usage: rota why .* -- program[^]*rota why .*script\.js/);
});

// Both to rota alone, as a script or a supervisor does. A session of its own has no terminal.
test('a signal ends the program of rota timeline, and then the page is made', async () => {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    const page = path.join(scratch, `${signal}.html`);
    const child = spawn(rota, ['timeline', '-o', page, '--', rota, '-e', 'setInterval(() => console.log(1), 20)'], { detached: true, cwd: scratch });
    child.stdout.once('data', () => child.kill(signal));
    const limit = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 60000);
    const ended = await once(child, 'exit');
    clearTimeout(limit);
    assert.deepStrictEqual(ended, [null, signal]);
    assert.ok(fs.readFileSync(page, 'utf8').startsWith('<!doctype html>'));
  }
});

test('a misspelt command is answered with the nearest, also without a program; a script of that name is run', () => {
  const misspelt = [['tracce', '--', 'true'], ['tracce', 'x.js'], ['tracce'], ['help', 'tracce']];
  for (const args of misspelt) {
    const { status, stderr } = run(rota, args);
    assert.strictEqual(status, 9, stderr);
    assert.match(stderr, /^rota: no command(?: and no script)? tracce \(did you mean trace\?\)/);
  }
  assert.match(run(rota, ['diagose', 'x.js']).stderr, /did you mean diagnose\?/);
  if (path.basename(rota) !== 'rota') return;
  fs.writeFileSync(path.join(scratch, 'tracce.js'), 'console.log("a script")');
  assert.strictEqual(mustRun(rota, ['tracce']).stdout, 'a script\n');
  fs.rmSync(path.join(scratch, 'tracce.js'));
});

test('rota why of a program that ends before it is asked says so', () => {
  const told = run(rota, ['why', '--after=60000', '--', process.execPath, '-e', 'setTimeout(() => {}, 5)']);
  assert.match(told.stderr, /^rota: node has ended before it was asked what keeps it alive/m);
});

test('help fits a terminal', () => {
  for (const args of [['--help'], ['help'], ['help', 'help']]) {
    const lines = mustRun(rota, args).stdout.split('\n');
    assert.match(lines[0], /^Usage: rota COMMAND \[options\]/);
    assert.ok(lines.length <= 24, `${lines.length} lines`); // the last one is the shell's
  }
  for (const name of ['diagnose', 'explain', 'timeline', 'trace', 'stats', 'watch', 'why', 'fuzz', 'attach', 'run', 'doctor', 'options']) {
    const text = mustRun(rota, ['help', name]).stdout;
    for (const line of text.split('\n')) assert.ok(line.length <= 80, line);
    if (name !== 'options') assert.match(text, /^Usage: rota [^]*\nExamples:\n/);
  }
});

test('a program with more rights than its user has is left to itself', () => {
  const program = small();
  if (process.getuid() === 0) fs.chownSync(program, 65534, 65534);
  fs.chmodSync(program, 0o6755);
  assert.match(doctor(process.getuid() === 0 ? program : '/usr/bin/passwd'), /more rights than you have/);
});

if (!isMusl) test('damaged files are judged without reading outside of them', () => {
  const program = compile('damaged', `-I${root}`, path.join(root, 'command', 'elf.c'), '-g', '-fsanitize=address,undefined', '-fno-sanitize-recover=undefined');
  mustRun(program, [small('-no-pie'), '20000']);
  mustRun(program, [small('-Wl,--hash-style=sysv'), '20000']);
});

finish();
