'use strict';

// Module namespace objects as the language describes them. A program sees a proxy over a sealed object; modules that
// import single names use the bindings below it, which are plain getters.

const { namespaces } = require('internal/state');

// A variable that has no value yet: the error is about the property, not about the variable of the module that has it.
function named(error, key) {
  require('internal/errors/stacks').adopt(error);
  const message = error.message.replace(/^Cannot access '[^]*'|^\S+(?= is not defined$)/, (found) =>
    found.endsWith("'") ? `Cannot access '${key}'` : key,
  );
  Object.defineProperty(error, 'message', { value: message, writable: true, configurable: true, enumerable: false });
  return error;
}

function makeNamespace(bindings, names) {
  const target = { __proto__: null };
  for (const name of [...names].sort()) {
    Object.defineProperty(target, name, { value: undefined, writable: true, enumerable: true, configurable: false });
  }
  Object.defineProperty(target, Symbol.toStringTag, {
    value: 'Module',
    writable: false,
    enumerable: false,
    configurable: false,
  });
  Object.preventExtensions(target);
  const read = (key) => {
    try {
      return bindings[key];
    } catch (error) {
      throw named(error, key);
    }
  };
  const known = (key) => typeof key === 'string' && key in target;
  const proxy = new Proxy(target, {
    get: (_, key) => (known(key) ? read(key) : target[key]),
    set: () => false,
    has: (_, key) => key in target,
    deleteProperty: (_, key) => !(key in target),
    defineProperty(_, key, descriptor) {
      if (!known(key)) return Reflect.defineProperty(target, key, descriptor);
      if (
        descriptor.configurable === true ||
        descriptor.enumerable === false ||
        descriptor.get ||
        descriptor.set ||
        descriptor.writable === false
      )
        return false;
      return !('value' in descriptor) || Object.is(descriptor.value, read(key));
    },
    getOwnPropertyDescriptor(_, key) {
      if (!known(key)) return Reflect.getOwnPropertyDescriptor(target, key);
      return { value: read(key), writable: true, enumerable: true, configurable: false };
    },
    setPrototypeOf: (_, prototype) => prototype === null,
  });
  namespaces.add(proxy);
  return proxy;
}

module.exports = { makeNamespace };
