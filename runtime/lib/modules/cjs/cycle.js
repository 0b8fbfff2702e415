'use strict';

// A module that is required while it still runs: reading a name that it has not set yet gives a warning.

const kWatched = Symbol('watched');

// A module that is required while it still runs: reading a name that it has not set yet gives a warning.
function watchCycle(module) {
  const { exports } = module;
  if (
    exports !== null &&
    typeof exports === 'object' &&
    !require('util').types.isProxy(exports) &&
    Object.getPrototypeOf(exports) === Object.prototype &&
    !exports.__esModule &&
    module[kWatched] === undefined
  ) {
    module[kWatched] = true;
    Object.setPrototypeOf(
      exports,
      new Proxy(
        {},
        {
          get(target, key) {
            if (key in target || key === '__esModule') return target[key];
            warnCycle(key);
            return undefined;
          },
          getOwnPropertyDescriptor(target, key) {
            if (Object.hasOwn(target, key) || key === '__esModule') return Object.getOwnPropertyDescriptor(target, key);
            warnCycle(key);
            return undefined;
          },
          getPrototypeOf: () => Object.prototype,
        },
      ),
    );
  }
  return exports;
}

function warnCycle(key) {
  process.emitWarning(`Accessing non-existent property '${String(key)}' of module exports inside circular dependency`);
}

module.exports = { kWatched, watchCycle };
