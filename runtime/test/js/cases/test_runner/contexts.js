// The functions of a test's context.
const { spawnSync } = require('node:child_process');
if (process.argv[2] !== 'child') {
  const { status, stdout } = spawnSync(process.execPath, ['--test-reporter=tap', __filename, 'child'], { encoding: 'utf8' });
  console.log(status, stdout.replace(/duration_ms:? .*/g, ''));
  return;
}
const test = require('node:test');
const assert = require('node:assert');
const { getTestContext, suite } = test;

test('plan and asserts', async (t) => {
  t.plan(4);
  t.assert.ok(true);
  t.assert.deepStrictEqual({ a: 1 }, { a: 1 });
  await t.test('a subtest counts', () => {});
  assert.throws(() => t.plan(1), { code: 'ERR_TEST_FAILURE' });
  t.assert.throws(() => { throw new Error('e'); });
});
test('plan that waits', (t) => {
  t.plan(1, { wait: true });
  setTimeout(() => t.assert.ok(true), 5);
});
test('waitFor', async (t) => {
  let calls = 0;
  const value = await t.waitFor(() => {
    if (++calls < 3) throw new Error('not yet');
    return calls;
  }, { interval: 1 });
  assert.strictEqual(value, 3);
  await assert.rejects(t.waitFor(() => { throw new Error('never'); }, { interval: 1, timeout: 20 }), (error) => {
    assert.strictEqual(error.message, 'waitFor() timed out');
    assert.strictEqual(error.cause.message, 'never');
    return true;
  });
});
test('current context', async (t) => {
  assert.strictEqual(getTestContext(), t);
  await new Promise((resolve) => setImmediate(resolve));
  assert.strictEqual(getTestContext(), t);
  assert.strictEqual(t.filePath, __filename);
  assert.strictEqual(t.signal.aborted, false);
});
suite('suite context', (s) => {
  assert.strictEqual(getTestContext().name, s.name);
  test('full name', (t) => assert.strictEqual(t.fullName, 'suite context > full name'));
});
test('mocks end with the test', async (t) => {
  const object = { method: () => 1 };
  await t.test('inside', (t) => {
    t.mock.method(object, 'method', () => 2);
    assert.strictEqual(object.method(), 2);
  });
  assert.strictEqual(object.method(), 1);
});
test('own assertions', (t) => {
  test.assert.register('isSeven', (value) => assert.strictEqual(value, 7));
  t.assert.isSeven(7);
  assert.throws(() => t.assert.isSeven(8), { code: 'ERR_ASSERTION' });
});
test('expected failures', { expectFailure: /no/ }, () => { throw new Error('no'); });
for (const [options, code] of [[{ timeout: 'x' }, 'ERR_INVALID_ARG_TYPE'], [{ timeout: -1 }, 'ERR_OUT_OF_RANGE'],
  [{ concurrency: 0 }, 'ERR_OUT_OF_RANGE'], [{ concurrency: {} }, 'ERR_INVALID_ARG_TYPE'], [{ signal: {} }, 'ERR_INVALID_ARG_TYPE']]) {
  assert.throws(() => test('bad', options, () => {}), { code });
}
console.log(typeof test.run, Object.keys(require('node:test/reporters')).sort().join());
let ended = 0;
test.after(() => { ended++; });
process.on('exit', (code) => require('fs').writeSync(1, `\n${ended} ${code}\n`));
