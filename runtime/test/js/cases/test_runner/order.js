// When the functions and hooks of tests run, relative to each other and to the rest of the program.
const { spawnSync } = require('node:child_process');
if (process.argv[2] !== 'child') {
  const { status, stdout } = spawnSync(process.execPath, ['--test-reporter=tap', '--test-reporter-destination=/dev/null', __filename, 'child'], { encoding: 'utf8' });
  console.log(stdout, status);
  return;
}
const { test, describe, it, before, after, beforeEach, afterEach } = require('node:test');
const fs = require('node:fs');
const said = [];
const say = (...words) => said.push(words.join(' '));
before((t) => say('root before', t.name));
after(() => say('root after'));
beforeEach((t) => say('root beforeEach', t.name));
afterEach((t) => say('root afterEach', t.name, t.passed, t.error?.message));
say('top');
test('t1', async (t) => {
  say('t1');
  t.before(() => say('t1 before'));
  t.after(() => say('t1 after'));
  t.beforeEach((c) => say('t1 beforeEach', c.name, t.name));
  t.afterEach((c) => say('t1 afterEach', c.name));
  const p = t.test('t1a', (t) => {
    say('t1a', t.fullName);
    t.after(() => say('t1a after'));
  });
  say('t1a was called');
  await p;
  say('t1 ends');
});
describe('s1', (s) => {
  say('s1 body', s.name);
  before(() => say('s1 before'));
  after(() => say('s1 after'));
  beforeEach((t) => say('s1 beforeEach', t.name));
  afterEach((t) => say('s1 afterEach', t.name));
  it('i1', () => say('i1'));
  describe('s2', () => {
    say('s2 body');
    it('j1', (t) => say('j1', t.fullName));
  });
  it('i2', (t, done) => {
    say('i2');
    setImmediate(done);
  });
});
describe('async suite', async () => {
  say('async suite body');
  await 1;
  say('async suite later');
  it('k', () => say('k'));
});
test('t2', { concurrency: 2 }, async (t) => {
  const slow = t.test('slow', async () => {
    say('slow begins');
    await new Promise((resolve) => setTimeout(resolve, 20));
    say('slow ends');
  });
  await Promise.all([slow, t.test('quick', () => say('quick'))]);
});
test('t3', () => { throw new Error('x'); });
process.nextTick(() => say('tick'));
Promise.resolve().then(() => say('job'));
say('end');
process.on('exit', (code) => fs.writeSync(1, `${said.join('\n')}\nexit ${code}\n`));
