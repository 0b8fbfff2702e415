'use strict';

// node:test/reporters: from events of a run to text. Each is loaded when it is asked for.

const names = ['dot', 'junit', 'spec', 'tap', 'lcov'];
for (const name of names) {
  Object.defineProperty(exports, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => require(`internal/test/reporters/${name}`),
  });
}
