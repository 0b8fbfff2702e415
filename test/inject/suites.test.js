'use strict';
// rota fuzz with test suites: differences are reported by the names of tests, in whichever process they run, and can be
// reproduced.

const { assert, finish, root, rota, run, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');
const { nodes } = require('./nodes.js');
const { Suite } = require('../../command/tools/fuzz/suite.js');
const { readTests } = require('../../command/tools/fuzz/tests.js');

const read = (stdout, stderr = '') => readTests({ stdout, stderr });

// ---- what runners print ----

test('node:test: names with their suites; durations do not count', () => {
  const text = (ms) => `▶ cache
  ✔ loads once (${ms}ms)
  ▶ deep
    ✖ first wins (${ms}ms)
  ✖ deep (${ms}ms)
✖ cache (0.1ms)
✖ alone (1.5 ms)
✔ fine (2ms)
ℹ tests 4
ℹ fail 2
✖ failing tests:

test at cache.test.js:9:8
✖ first wins (${ms}ms)
`;
  assert.deepStrictEqual(read(text(1)), { runner: 'node:test', total: 4, failed: ['alone', 'cache > deep > first wins'] });
  assert.deepStrictEqual(read(text(184000.0024)), read(text(1)));
});

test('TAP: subtests, things to do', () => {
  assert.deepStrictEqual(read(`TAP version 13
# Subtest: cache
    # Subtest: first wins
    not ok 1 - first wins
      ---
      duration_ms: 1.5
      ...
    ok 2 - loads once
    1..2
not ok 1 - cache
not ok 2 - later # TODO one day
not ok 4 - took long # time = 0.0362ms
ok 3 - gone # SKIP
1..3
`), { runner: 'TAP', total: 4, failed: ['cache > first wins', 'took long'] });
});

test('mocha: the list of what failed', () => {
  assert.deepStrictEqual(read(`

  store
    order
      1) keeps the first
    ✔ is fine (1501ms)


  1 passing (2s)
  1 failing

  1) store
       order
         keeps the first:
     AssertionError [ERR_ASSERTION]: Expected values
      at m_race.js:7:14
`), { runner: 'mocha', total: 2, failed: ['store > order > keeps the first'] });
  assert.deepStrictEqual(read('\n  3 passing (5ms)\n').failed, []);
});

test('jest: tests, and files that do not start', () => {
  assert.deepStrictEqual(read('', `FAIL __tests__/j.test.js (5.2 s)
  store
    ✕ keeps the first (4 ms)

  ● store › order › keeps the first

    expect(received)

  ● Console

FAIL __tests__/broken.test.js
  ● Test suite failed to run

Test Suites: 2 failed, 1 passed, 3 total
Tests:       1 failed, 2 passed, 3 total
Time:        0.2 s
`), { runner: 'jest', total: 3, failed: ['__tests__/broken.test.js', 'store > order > keeps the first'] });
});

test('vitest: with colours, on both streams', () => {
  assert.deepStrictEqual(read('\x1b[2m Test Files \x1b[22m \x1b[31m1 failed\x1b[39m\x1b[90m (2)\x1b[39m\n\x1b[2m      Tests \x1b[22m 1 failed | 2 passed\x1b[90m (3)\x1b[39m\n   Duration  149ms\n',
    '\x1b[41m\x1b[1m FAIL \x1b[22m\x1b[49m v/v.test.mjs\x1b[2m > \x1b[22mstore\x1b[2m > \x1b[22mkeeps the first\nAssertionError\n'),
  { runner: 'vitest', total: 3, failed: ['v/v.test.mjs > store > keeps the first'] });
});

test('ava: titles, and what happened behind them', () => {
  assert.deepStrictEqual(read(`
  ✔ a › is fine (606ms)
  ✘ [fail]: a › store › keeps the first (12ms)
  ✘ [fail]: a › store throws Rejected promise returned by test
  ─

  a › store › keeps the first (12ms)

  a.test.js:2

  a › store throws

  Rejected promise returned by test. Reason:

  ─

  2 tests failed
`), { runner: 'ava', total: 3, failed: ['a > store > keeps the first', 'a > store throws'] });
});

test('what is no suite is none', () => {
  for (const text of ['', 'ok\n', 'FAIL all\n', '  1) this\n', 'not ok\n']) assert.strictEqual(read(text), undefined);
});

// ---- the results of a failed test ----

test('tests that fail undisturbed, too, or not each time in the same schedule, are told apart; all are counted', async () => {
  const outcome = (...failed) => ({ tests: { total: 5, failed }, record: [] });
  // Each kind of run gives these outcomes, one after the other.
  const runner = (undisturbed, again) => ({ replay: async () => outcome(...(undisturbed.shift() ?? [])), seed: async () => outcome(...(again.shift() ?? [])) });
  const look = async (undisturbed, again) => {
    const suite = new Suite({ ...outcome('always'), unsteady: ['known'] }, runner(undisturbed, again));
    assert.deepStrictEqual(suite.failedBy(outcome('always', 'it', 'known'), '7'), ['it', 'known']);
    assert.ok(suite.isNew('it') && !suite.isNew('known') && suite.isOwn('known'));
    const kind = await suite.look('it', outcome('it'), 7);
    suite.failedBy(outcome('it'), '9');
    assert.deepStrictEqual(suite.of(kind).at(0), { name: 'it', labels: ['7', '9'] });
    return kind;
  };
  assert.strictEqual(await look([], [['it'], ['it', 'always']]), 'steady');
  assert.strictEqual(await look([], [['it'], ['always']]), 'unsteady');
  assert.strictEqual(await look([['always'], ['it']], [['it'], ['it']]), 'own');
});

// ---- a suite whose files have a process each ----

const folder = path.join(scratch, 'suite');
fs.mkdirSync(folder);
fs.writeFileSync(path.join(folder, 'race.test.js'), `
const { describe, it } = require('node:test'), assert = require('assert'), fs = require('fs/promises');
describe('store', () => {
  it('keeps the first', async () => {
    const order = [];
    await Promise.all([...'abcdef'].map((name) => fs.readFile(__filename).then(() => order.push(name))));
    assert.strictEqual(order[0], 'a');
  });
  it('is fine', () => {});
});
`);
fs.writeFileSync(path.join(folder, 'fine.test.js'), `
const test = require('node:test'), assert = require('assert');
test('an hour', async () => { const began = Date.now(); await new Promise((resolve) => setTimeout(resolve, 3600e3)); assert.strictEqual(Math.round((Date.now() - began) / 3600e3), 1); });
`);

// It fails every second time, steered or not.
fs.writeFileSync(path.join(folder, 'flaky.test.js'), `
const test = require('node:test'), assert = require('assert'), fs = require('fs');
test('each second time', () => {
  fs.appendFileSync(process.env.FLAKY_FILE, '.');
  assert.strictEqual(fs.statSync(process.env.FLAKY_FILE).size % 2, 1);
});
`);

for (const node of nodes) {
  const version = run(node, ['-p', 'process.version']).stdout.trim();

  test(`${version}: a test that fails in some schedules is named, and fails again`, () => {
    const records = path.join(scratch, version);
    // The second Node's find is not made smaller, which is the same program again, many times.
    const shrinking = node === nodes[0] ? [] : ['--no-shrink'];
    const found = run(rota, ['fuzz', '--seeds=60', '--first', ...shrinking, '--time=200', '--timeout=30', '-o', records, '--', node, '--test'],
      { cwd: folder, timeout: 400000, env: { ...process.env, FLAKY_FILE: path.join(scratch, `${version}.count`) } });
    assert.strictEqual(found.status, 1, found.stdout + found.stderr);
    assert.match(found.stdout, /^Undisturbed, it exits with 0; .*: \d+ tests, none fails\./);
    assert.match(found.stdout, /^Undisturbed, these fail now and then: "each second time"\.$/m);
    assert.match(found.stdout, /^A suite of tests: time does not pass by itself \(--without=late,drift;/m);
    assert.match(found.stdout, /^ {2}test "store > keeps the first" fails, and passes undisturbed$/m);
    assert.match(found.stdout, /fail in some schedules:\n {2}"store > keeps the first" failed in 1 of \d+ schedules? \(/);
    assert.doesNotMatch(found.stdout, /"each second time" fails, and passes/);
    assert.doesNotMatch(found.stdout, /an hour|is fine/);
    for (const line of found.stdout.split('to see it again:\n')[1].split('\n').slice(0, 1)) {
      const again = run('/bin/sh', ['-c', line.trim().replace(' rota run', ` ${rota} run`)], { cwd: folder, timeout: 100000, env: { ...process.env, FLAKY_FILE: path.join(scratch, 'again') } });
      assert.notStrictEqual(again.status, 0, line);
      assert.ok(readTests(again).failed.includes('store > keeps the first'), again.stdout);
    }
  });
}

// What a decision is about is told as the program's own operation; the page has both runs of the process of the tests.
test('a find in a process of a test names operation, file and line, and its page has both runs', () => {
  const place = path.join(scratch, 'words');
  fs.mkdirSync(place);
  fs.writeFileSync(path.join(place, 'words.test.js'), `const test = require('node:test'), fs = require('fs'), assert = require('assert');
test('order', (t, done) => {
  const got = [];
  fs.readFile(__filename, function onRead() { got.push('read'); end(); });
  fs.stat(__filename, function onStat() { got.push('stat'); end(); });
  function end() { if (got.length === 2) { assert.deepStrictEqual(got, ['read', 'stat']); done(); } }
});
`);
  const words = /(?:readFile \(callback onRead at words\.test\.js:4\)|stat \S+ \(callback onStat at words\.test\.js:5\)) \w/;
  for (const node of nodes.slice(0, 1)) {
    const found = run(rota, ['fuzz', '--seeds=60', '--first', '--time=100', '-o', place, '--', node, '--test', 'words.test.js'], { cwd: place });
    assert.strictEqual(found.status, 1, found.stdout + found.stderr);
    assert.match(found.stdout, words);
    const [page] = fs.readdirSync(place).filter((name) => name.endsWith('.html'));
    const html = fs.readFileSync(path.join(place, page), 'utf8');
    const rows = html.split('<tr>').filter((row) => row.includes('words.test.js:'));
    const sides = rows.map((row) => row.split('<td').slice(1).map((cell) => cell.includes('words.test.js:')));
    assert.ok(sides.some(([left]) => left) && sides.some(([, right]) => right), html.slice(0, 4000));
    fs.rmSync(path.join(place, page));
  }
});

test('a run that hangs is ended with all that it started', () => {
  const found = run(rota, ['fuzz', '--seeds=1', '--timeout=1', '--no-page', '-o', scratch, '--', '/bin/sh', '-c', `"${nodes[0]}" -e 'setInterval(() => {}, 1000); console.log(process.pid)' & wait`],
    { timeout: 60000 });
  assert.match(found.stdout, /^Undisturbed, it hangs\.$/m, found.stdout + found.stderr);
});

finish();
