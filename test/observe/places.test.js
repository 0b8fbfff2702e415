'use strict';
// Callbacks of programs in C and C++ have names that people read, and, if the program was built with -g, files and lines: by
// every version of DWARF that the compilers write.

const { assert, build, finish, mustRun, rota, root, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');

const source = `#include <uv.h>
static void on_timer(uv_timer_t *timer) {
  uv_close((uv_handle_t *)timer, NULL);
}
static void begin(uv_loop_t *loop, uv_timer_t *timer) {
  uv_timer_init(loop, timer);
  uv_timer_start(timer, on_timer, 900, 0);
}
int main(void) {
  uv_timer_t timer;
  begin(uv_default_loop(), &timer);
  return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
`;

function compile(compiler, flags, name, text) {
  const file = path.join(scratch, name), program = path.join(scratch, 'program');
  fs.writeFileSync(file, text);
  mustRun(compiler, [...flags, `-I${root}/include`, name, `-L${build}/lib`, '-l:libuv.so.1', '-o', program]);
  return program;
}

test('rota why tells where a program in C has made a handle', () => {
  for (const compiler of ['gcc', 'clang']) {
    for (const flag of ['-g', '-gdwarf-2', '-gdwarf-3', '-gdwarf-4', '-gdwarf-5']) {
      const { stderr } = mustRun(rota, ['why', '--after=100', '--', compile(compiler, [flag, '-O0'], 'places.c', source)]);
      assert.match(stderr, /calls on_timer \((\/\S*\/)?places\.c:2\)\n/, `${compiler} ${flag}`);
      assert.ok(Number(stderr.match(/ due in (\d+) ms\n/)[1]) <= 800, `the time that the loop has waited is over: ${stderr}`);
      assert.match(stderr, /made by uv_timer_init\n +in begin \((\/\S*\/)?places\.c:6\)\n +in main \((\/\S*\/)?places\.c:11\)\n$/);
    }
  }
});

test('without -g, the function and its offset', () => {
  const { stderr } = mustRun(rota, ['why', '--after=100', '--', compile('gcc', ['-O0'], 'places.c', source)]);
  assert.match(stderr, /calls on_timer\+0x0 \(\S+\/program\+0x[0-9a-f]+\)\n/);
  assert.match(stderr, /made by uv_timer_init\n +in begin\+0x[0-9a-f]+ \(.*\n +in main\+0x/);
});

test('the trace has the place of a callback in C, and readable names of one in C++', () => {
  const trace = path.join(scratch, 'places.json');
  const callsOf = (program) => {
    mustRun(rota, ['trace', '-o', trace, '--', program]);
    return JSON.parse(fs.readFileSync(trace, 'utf8')).filter((event) => event.cat === 'call');
  };
  const [call] = callsOf(compile('gcc', ['-g'], 'places.c', source.replace('900', '1')));
  assert.strictEqual(call.name, 'on_timer');
  assert.match(call.args.file, /places\.c$/);
  assert.strictEqual(call.args.line, 2);
  const calls = callsOf(compile('g++', ['-O0'], 'places.cc', `#include <uv.h>
    namespace {
    template <class T> struct Quick { bool operator<(const Quick &) const { return false; } };
    template <class T> void on_template(T *timer) { uv_close((uv_handle_t *)timer, nullptr); }
    struct Caller { template <class F> static void run(uv_timer_t *timer, F function) {
      timer->data = (void *)+function;
      uv_timer_start(timer, [](uv_timer_t *t) { uv_close((uv_handle_t *)t, nullptr); }, 1, 0); } };
    }
    int main() {
      uv_timer_t timers[2];
      for (auto &timer : timers) uv_timer_init(uv_default_loop(), &timer);
      uv_timer_start(&timers[0], on_template<uv_timer_t>, 1, 0);
      Caller::run(&timers[1], [](Quick<int> a, Quick<int> b) { return a < b; });
      return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    }`));
  const names = calls.map(({ name }) => name);
  assert.ok(names.every((name) => !name.startsWith('_Z')), names.join());
  assert.ok(names.some((name) => /::on_template$/.test(name)) && names.some((name) => /Caller::run::/.test(name)), names.join());
});

finish();
