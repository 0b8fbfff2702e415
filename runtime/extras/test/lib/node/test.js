'use strict';

// node:test. The tree of tests is in internal/test/entry, the run in internal/test/session,
// `rota --test` in internal/cli/test.

const { validateFunction, validateString } = require('internal/validators');
const registry = require('internal/test/session');

const modes = ['skip', 'todo', 'only', 'expectFailure'];

function declarer(kind) {
  const declare = (overrides) => (name, options, fn) => {
    const { session } = registry;
    return session.declare(kind, session.parent, name, options, fn, overrides);
  };
  const plain = declare();
  for (const mode of modes) plain[mode] = declare({ [mode]: true });
  return plain;
}

const test = declarer('test');
const suite = declarer('suite');
Object.defineProperty(test, 'name', { __proto__: null, value: 'test', configurable: true });
Object.defineProperty(suite, 'name', { __proto__: null, value: 'suite', configurable: true });

const hook = (name) => (fn, options) => registry.session.parent.addHook(name, fn, options);

module.exports = test;
Object.assign(test, {
  after: hook('after'),
  afterEach: hook('afterEach'),
  before: hook('before'),
  beforeEach: hook('beforeEach'),
  describe: suite,
  getTestContext: () => (registry.hasSession() ? registry.session.context : undefined),
  it: test,
  run: (options) => require('internal/test/run').run(options),
  suite,
  test,
});

let tracker;
const lazily = (name, get) =>
  Object.defineProperty(test, name, { __proto__: null, configurable: true, enumerable: true, get });
lazily('mock', () => (tracker ??= new (require('internal/test/mock').MockTracker)()));
lazily('snapshot', () => require('internal/test/snapshot').settings);

const assert = {
  register(name, fn) {
    validateString(name, 'name');
    validateFunction(fn, 'fn');
    require('internal/test/context').assertions.set(name, fn);
  },
};
lazily('assert', () => assert);
