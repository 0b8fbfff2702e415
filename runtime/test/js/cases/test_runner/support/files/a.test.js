const { test, describe, it } = require('node:test');
test('one', () => {});
test('two', async (t) => {
  await t.test('two and a half', () => {});
});
describe('group', () => {
  it('first', () => {});
  it('second', { only: true }, () => {});
});
