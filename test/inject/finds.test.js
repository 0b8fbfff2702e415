'use strict';
// A find of rota fuzz explains itself, on Node as on the runtime: both callbacks by function, file and line, what made them, and both orders.

const { assert, finish, root, rota, run, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');
const { nodes } = require('./nodes.js');

const races = path.join(root, 'examples', 'races');
const programs = [['rota', []], ...nodes.map((node) => [run(node, ['-p', 'process.version']).stdout.trim(), ['--', node]])];

function fuzz(args, options = {}) {
  return run(rota, ['fuzz', '--seeds=60', '--jobs=2', '-o', scratch, ...args], { timeout: 200000, cwd: races, ...options });
}

for (const [name, command] of programs) {
  test(`${name}: the two callbacks, what made them, and both orders`, () => {
    const found = fuzz(['--no-page', ...command, 'cache.js']);
    assert.match(found.stdout, new RegExp([
      '  the first callbacks whose order differs:',
      '    later \\(cache\\.js:23\\), made by \\(?main script\\)? \\(cache\\.js:1\\)',
      '      came before',
      '    onSettings \\(cache\\.js:15\\), made by \\(?main script\\)? \\(cache\\.js:1\\)',
      '  undisturbed: onSettings \\(cache\\.js:15\\), later \\(cache\\.js:23\\)',
      '  in this run: later \\(cache\\.js:23\\), onSettings \\(cache\\.js:15\\), AssertionError.*: connected twice \\(cache\\.js:25\\)',
      '  to see it again:'].join('\n')), found.stdout + found.stderr);
  });

  // What tells functions by name is a part of the program in Node: the numbers of its decisions are shifted.
  test(`${name}: the traced run is the one that was found, with sockets, too`, () => {
    const found = fuzz([...command, 'pool.js']);
    const [, early, late] = /order differs:\n {4}(.*?pool\.js:\d+\)?).*\n {6}came before\n {4}(.*?pool\.js:\d+\)?)/.exec(found.stdout) ?? [];
    assert.ok(early !== undefined, found.stdout + found.stderr);
    assert.ok(found.stdout.includes(`\n  in this run: ${early}`) && found.stdout.includes(`\n  undisturbed: ${late}`), found.stdout);
    const page = fs.readFileSync(path.join(scratch, /side by side: .*?([^/]+\.html)/.exec(found.stdout)[1]), 'utf8');
    assert.match(page, /What decides: <b>.*pool\.js:\d+/);
    assert.match(page, /<td class="swap"/);
  });
}

// A turn of the loop was an order of its own, because Node measures how long the loop is idle.
test('Node has as many orders as there are: measuring adds none', () => {
  const script = path.join(scratch, 'turns.js'), first = path.join(scratch, 'first'), record = path.join(scratch, 'record');
  fs.writeFileSync(first, '# hold 500 ms\n0 0 pick 0  the first\n');
  fs.writeFileSync(script, `
    const net = require('net');
    const server = net.createServer((socket) => socket.end('x')).listen(0, '127.0.0.1', () => {
      setTimeout(() => {}, 300);
      for (let i = 0; i < 4; i++) net.connect(server.address().port, '127.0.0.1').resume().on('close', () => i === 3 && server.close());
    });`);
  for (const node of nodes) {
    run(rota, ['run', '--', node, script], { env: { ...process.env, ROTA_VIRTUAL_TIME: '1', ROTA_SCHEDULE_RECORD: record, ROTA_SCHEDULE_REPLAY: first } });
    const text = fs.readFileSync(record, 'utf8');
    assert.match(text, /poll: /);
    assert.ok((text.match(/#[<>].*its next turn/g) ?? []).length <= 3, text);
  }
});

for (const node of nodes) {
  const version = run(node, ['-p', 'process.version']).stdout.trim();
  test(`${version}: a schedule is replayed under a debugger; it holds while the program is stopped`, () => {
    for (const [name, line, functions, message] of [['cache', 17, ['onSettings', 'onSettings'], /connected twice/], ['callback', 11, ['giveUp'], /answered twice/]]) {
      const found = fuzz(['--no-page', '--', node, `${name}.js`]);
      const record = path.join(scratch, /REPLAY=\S*?([^/ ]+\.schedule)/.exec(found.stdout)[1]);
      const watched = run(nodes[0], [path.join(__dirname, 'debugger.js'), line, `${name}.js`, rota, 'fuzz', `--replay=${record}`, '--', node, '--inspect-brk=127.0.0.1:0', `${name}.js`], { cwd: races });
      const { stops, stderr, code } = JSON.parse(watched.stdout);
      assert.deepStrictEqual(stops.filter((stop) => stop.line === line).map((stop) => stop.name).slice(0, 2), functions.slice(0, 2), watched.stdout);
      assert.ok(stops.every(({ passedMs }) => passedMs < 50), watched.stdout);
      assert.match(stderr, message);
      assert.strictEqual(code, 1);
    }
  });
}

finish();
