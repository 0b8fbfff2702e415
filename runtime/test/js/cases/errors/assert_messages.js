'use strict';

// Messages of assertions about errors, functions and symbols, and invalid messages.

const assert = require('node:assert');

const attempt = (run) => {
  try {
    run();
    console.log('ok');
  } catch (error) {
    console.log(error.code, error.message);
  }
};
const failure = (message, stack, more) => Object.assign(new Error(message), { stack }, more);

const same = failure('x', 'S');
for (const [left, right] of [
  [failure('x', 'S1'), failure('y', 'S2')], [failure('x', 'S1'), failure('x', 'S1', { a: 1 })], [same, same], [failure('x', 'S1'), {}], [failure('x', 'S1'), null],
  [[failure('x', 'S1')], [failure('y', 'S2')]], [{ e: failure('x', 'S') }, { e: 1 }], [failure('x', 'S1', { cause: failure('c', 'SC') }), failure('y', 'S2')],
  [() => {}, () => {}], [[() => {}], [() => {}]], [function f() {}, function f() {}], [class A {}, class A {}], [Symbol('a'), Symbol('a')],
  [[Symbol('a')], [Symbol('a')]], [new WeakMap(), new WeakMap()],
]) {
  for (const name of ['deepStrictEqual', 'strictEqual', 'deepEqual', 'notDeepStrictEqual', 'notStrictEqual', 'notDeepEqual', 'partialDeepStrictEqual']) {
    attempt(() => assert[name](left, right));
  }
}
for (const message of [undefined, null, 5, {}, () => 'made']) {
  attempt(() => assert.equal(1, 2, message));
  attempt(() => assert.equal(1, 1, message));
  attempt(() => assert.deepStrictEqual([1], [2], message));
  attempt(() => assert.ok(0, message));
}
attempt(() => assert.match('a', /b/, undefined));
