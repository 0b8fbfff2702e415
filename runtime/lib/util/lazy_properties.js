'use strict';

// Properties that are loaded when they are first used: each becomes a plain one then.

function defineLazyProperties(target, id, names, enumerable = true) {
  for (const name of names) {
    const settle = (value) => {
      Object.defineProperty(target, name, { __proto__: null, value, writable: true, enumerable, configurable: true });
      return value;
    };
    Object.defineProperty(target, name, {
      __proto__: null,
      enumerable,
      configurable: true,
      get: () => settle(require(id)[name]),
      set: settle,
    });
  }
}

module.exports = { defineLazyProperties };
