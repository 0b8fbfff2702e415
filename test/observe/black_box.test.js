'use strict';
// The black box: the last seconds of the loop are in a file after a crash, a block, a signal, and an exit with an error.

const { assert, build, finish, root, rota, run, scratch, mustRun, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');

const file = path.join(scratch, 'box-%n.json'), first = path.join(scratch, 'box-1.json');
const script = path.join(scratch, 'program.js');
fs.writeFileSync(script, `
  const fs = require('fs'), [, , how] = process.argv;
  let n = 0;
  setInterval(function beat() { fs.stat('/', function onStat() { if (++n === 20) end(); }); }, 2);
  function end() {
    if (how === 'throw') throw new Error('wanted');
    if (how === 'reject') Promise.reject(new Error('wanted'));
    if (how === 'abort') process.abort();
    if (how === 'segv') process.kill(process.pid, 'SIGSEGV');
    if (how === 'exit') process.exit(4);
    if (how === 'good') process.exit(0);
    if (how === 'usr2') { process.kill(process.pid, 'SIGUSR2'); setInterval(() => fs.existsSync('${first}') && process.exit(0), 20); }
    if (how === 'block') { for (const until = Date.now() + 400; Date.now() < until;); process.exit(0); }
  }
`);

const programs = { 'the runtime': [rota, ['--black-box=20', script]], 'the official Node': [rota, ['run', '--black-box=20', '--', process.execPath, script]] };

// A core dump would be slow, and is not needed.
function boxOf([program, args], how, env = {}) {
  for (const name of fs.readdirSync(scratch)) if (name.startsWith('box-')) fs.rmSync(path.join(scratch, name));
  const command = ['-c', 'ulimit -c 0; exec "$0" "$@"', program, ...args, how];
  return run('/bin/sh', command, { env: { ...process.env, ROTA_BLACKBOX_FILE: file, ...env } });
}

function callsIn(name) {
  return JSON.parse(fs.readFileSync(name, 'utf8')).filter((event) => event.cat === 'call').map((call) => call.name);
}

for (const [what, program] of Object.entries(programs)) {
  for (const [how, reason] of Object.entries({
    throw: /exit with status 1/, reject: /exit with status 1/, abort: /SIGABRT|exit with status 134/, segv: /SIGSEGV/, exit: /exit with status 4/, usr2: /SIGUSR2/ })) {
    test(`${what}: ${how}`, () => {
      const result = boxOf(program, how);
      const told = result.stderr.split('\n').filter((line) => line.startsWith('rota: black box: '));
      assert.strictEqual(told.length, 1, result.stderr);
      assert.match(told[0], reason);
      assert.ok(told[0].endsWith(` are in ${first}`), told[0]);
      const names = callsIn(first);
      for (const name of ['beat', 'onStat']) assert.ok(names.filter((each) => each === name).length >= 15, `${name} in ${names}`);
      if (how === 'segv') assert.strictEqual(result.signal ?? (result.status === 139 && 'SIGSEGV'), 'SIGSEGV', 'it ends as it would have');
    });
  }

  test(`${what}: the watchdog`, () => {
    const result = boxOf(program, 'block', { ROTA_WATCHDOG: '100' });
    const boxes = fs.readdirSync(scratch).filter((name) => name.startsWith('box-'));
    assert.ok(boxes.some((name) => callsIn(path.join(scratch, name)).includes('beat')), result.stderr);
    const text = boxes.map((name) => fs.readFileSync(path.join(scratch, name), 'utf8')).join('');
    assert.match(text, /"name":"still running","args":\{"call":"onStat"/);
  });
}

test('a program that ends well leaves nothing; one that writes a trace has its events there', () => {
  const result = boxOf(programs['the runtime'], 'good');
  assert.deepStrictEqual([result.stderr, result.status, fs.existsSync(first)], ['', 0, false]);
  const trace = path.join(scratch, 'trace.json');
  const traced = boxOf([rota, ['--black-box', `--trace=${trace}`, script]], 'exit');
  assert.deepStrictEqual([traced.stderr, traced.status, fs.existsSync(first)], ['', 4, false]);
  assert.ok(callsIn(trace).includes('onStat'));
});

test('a page can be made of it', () => {
  boxOf(programs['the runtime'], 'exit');
  mustRun(rota, ['timeline', first, '-o', path.join(scratch, 'page.html')]);
});

// ---- in C: faults, handlers of the program's own, the bounds ----

const source = path.join(scratch, 'small.c');
fs.writeFileSync(source, `
  #include <setjmp.h>
  #include <signal.h>
  #include <stdio.h>
  #include <stdlib.h>
  #include <string.h>
  #include <uv.h>
  static const char *how;
  static long turns, most;
  static sigjmp_buf back;
  static int caught;
  static int *volatile nowhere;
  static void recover(int signum) { (void)signum; caught++; siglongjmp(back, 1); }
  static void give_up(int signum) { (void)signum; write(1, "mine\\n", 5); signal(SIGSEGV, SIG_DFL); }
  static int deep(int n) { volatile char room[4096]; room[0] = (char)n; return deep(n + 1) + room[0]; }
  static void on_end(uv_check_t *check) {
    if (++turns < most) return;
    if (strcmp(how, "fault") == 0) *nowhere = 1;
    if (strcmp(how, "overflow") == 0) exit(deep(0));
    if (strcmp(how, "recovers") == 0 && sigsetjmp(back, 1) == 0) *nowhere = 1;
    if (strcmp(how, "gives-up") == 0) *nowhere = 1;
    if (strcmp(how, "child") == 0) { fflush(stdout); if (fork() == 0) abort(); }
    if (strcmp(how, "fail") == 0) exit(2);
    if (strcmp(how, "becomes") == 0) { raise(SIGUSR2); usleep(300000); execl("/proc/self/exe", "small", "fail", "50", NULL); }
    printf("caught %d\\n", caught);
    fflush(stdout);
    uv_close((uv_handle_t *)check, NULL);
    uv_stop(check->loop);
  }
  static void on_idle(uv_idle_t *idle) { (void)idle; }
  int main(int argc, char **argv) {
    uv_check_t check;
    uv_idle_t idle;
    how = argv[1];
    most = argc > 2 ? atol(argv[2]) : 100;
    if (strcmp(how, "recovers") == 0) signal(SIGSEGV, recover);
    if (strcmp(how, "gives-up") == 0) signal(SIGSEGV, give_up);
    uv_check_init(uv_default_loop(), &check);
    uv_check_start(&check, on_end);
    uv_idle_init(uv_default_loop(), &idle);
    uv_idle_start(&idle, on_idle);
    uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    return 0;
  }
`);
const small = path.join(scratch, 'small');
mustRun('gcc', ['-g', '-O0', '-w', '-D_GNU_SOURCE', '-include', 'unistd.h', `-I${root}/include`, source, `-L${build}/lib`, '-l:libuv.so.1', '-o', small]);
const inC = (how, env = {}) => boxOf([small, []], how, { ROTA_BLACKBOX: '20', LD_LIBRARY_PATH: `${build}/lib`, ...env });

test('a fault and an overflow of the stack', () => {
  for (const how of ['fault', 'overflow']) {
    const result = inC(how);
    assert.match(result.stderr, /black box: SIGSEGV: \d+ events/, how);
    assert.strictEqual(callsIn(first).filter((name) => name === 'on_end').length, 99, 'the hundredth has not ended');
    assert.match(fs.readFileSync(first, 'utf8'), /"still running","args":\{"call":"on_end"/);
  }
});

test('a handler of the program\'s own is asked first: if it goes on, nothing is written; if it gives up, that is a crash', () => {
  const recovers = inC('recovers');
  assert.deepStrictEqual([recovers.stdout, recovers.stderr, recovers.status], ['caught 1\n', '', 0]);
  const gives = inC('gives-up');
  assert.strictEqual(gives.stdout, 'mine\n');
  assert.match(gives.stderr, /black box: SIGSEGV/);
});

test('a child after fork does not write in its parent\'s name', () => {
  const result = inC('child');
  assert.strictEqual(result.status, 0, result.stderr);
  assert.deepStrictEqual(fs.readdirSync(scratch).filter((name) => name.startsWith('box-')), []);
});

test('a process that becomes another program does not overwrite what it has written; another process does', () => {
  for (const pattern of [file, path.join(scratch, 'box-1.json')]) {
    const second = pattern === file ? path.join(scratch, 'box-2.json') : `${first}.2`;
    const result = inC('becomes', { ROTA_BLACKBOX_FILE: pattern });
    assert.match(result.stderr, /SIGUSR2: [^\n]*box-1\.json\n[^]*exit with status 2: /);
    assert.ok(result.stderr.endsWith(` are in ${second}\n`), result.stderr);
    assert.strictEqual(callsIn(second).filter((name) => name === 'on_end').length, 49);
    assert.ok(callsIn(first).filter((name) => name === 'on_end').length >= 99);
    const env = { ...process.env, ROTA_BLACKBOX: '20', LD_LIBRARY_PATH: `${build}/lib`, ROTA_BLACKBOX_FILE: pattern };
    assert.match(run(small, ['fail', '20'], { env }).stderr, /box-1\.json\n$/);
    assert.strictEqual(callsIn(first).filter((name) => name === 'on_end').length, 19);
  }
});

test('the newest are kept, and no more than there is room for', () => {
  const result = boxOf([small, ['fail']], '400000', { ROTA_BLACKBOX: '20', LD_LIBRARY_PATH: `${build}/lib` });
  const [, events] = /exit with status 2: (\d+) events/.exec(result.stderr);
  assert.ok(+events > 400000 && +events <= 524288 + 100, `${events} events`);
  assert.deepStrictEqual(callsIn(first).slice(-3), ['on_idle', 'on_end', 'on_idle']);
});

finish();
