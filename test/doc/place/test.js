const test = require('node:test');
const assert = require('node:assert');
test('the order of ticks', (t, done) => {
  const seen = [];
  process.nextTick(() => seen.push('tick'));
  setImmediate(() => {
    assert.deepStrictEqual(seen, ['tick']);
    done();
  });
});
