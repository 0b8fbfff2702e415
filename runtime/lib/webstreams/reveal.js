'use strict';

// Getters and inspection for the classes over transform streams: a static method `read(object, name)` has access to
// their private fields; it becomes the getters of the prototype and the output of util.inspect, and is then removed.

const kInspect = Symbol.for('nodejs.util.inspect.custom');

function reveal(Class, names) {
  const { read } = Class;
  delete Class.read;
  for (const name of names) {
    const getter = Object.getOwnPropertyDescriptor(
      {
        get [name]() {
          return read(this, name);
        },
      },
      name,
    );
    Object.defineProperty(Class.prototype, name, { ...getter, enumerable: true, configurable: true });
  }
  Object.defineProperty(Class.prototype, Symbol.toStringTag, {
    __proto__: null,
    value: Class.name,
    configurable: true,
  });
  Object.defineProperty(Class.prototype, kInspect, {
    __proto__: null,
    configurable: true,
    value(depth, options) {
      if (this == null) throw new (require('internal/errors').codes.ERR_INVALID_THIS)(Class.name);
      const fields = Object.fromEntries(names.map((name) => [name, read(this, name)]));
      if (depth < 0) return this;
      const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
      return `${Class.name} ${require('internal/util/inspect').inspect(fields, inner)}`;
    },
  });
}

// Node's error for an object of another class.
reveal.stranger = (part) =>
  new TypeError(`Cannot read private member #${part} from an object whose class did not declare it`);

module.exports = { reveal };
