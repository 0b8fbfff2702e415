'use strict';

// Functions of the runtime that stand in for some of a context's own. They run in the program's realm, but what they
// throw must belong to the context: by an error of the program's realm, code in the context would get at `process`.

const { apply } = Reflect;
const { getPrototypeOf } = Object;

const kNames = ['TypeError', 'RangeError', 'SyntaxError', 'Error'];
const ours = new Map(kNames.map((name) => [globalThis[name].prototype, name]));

function ownError(global, error) {
  const name = typeof error === 'object' && error !== null ? ours.get(getPrototypeOf(error)) : undefined;
  return name === undefined ? error : new global[name](error.message);
}

// The same function for this global.
function ownFunction(global, method) {
  if (global === globalThis) return method;
  const { name, length } = method;
  const { [name]: made } = {
    [name](...given) {
      try {
        return apply(method, this, given);
      } catch (error) {
        throw ownError(global, error);
      }
    },
  };
  Object.defineProperty(made, 'length', { value: length, configurable: true });
  return Object.setPrototypeOf(made, getPrototypeOf(global.Function));
}

module.exports = { ownFunction };
