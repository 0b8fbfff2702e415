'use strict';

// AsyncLocalStorage: values in the current frame. A frame is never changed; setting a value makes a new one.

const frame = require('internal/async/context');
const { validateFunction, validateObject } = require('internal/validators');
const { follow } = require('internal/async/promises');

function frameWith(key, value) {
  frame.stored = true;
  const next = new Map(frame.current);
  next.set(key, value);
  return next;
}

function frameWithout(key) {
  const next = new Map(frame.current);
  next.delete(key);
  return next.size === 0 ? undefined : next;
}

// Restores the frame that was current when it was made, once.
class RunScope {
  #kept = frame.current;
  #over = false;

  dispose() {
    if (this.#over) return;
    this.#over = true;
    frame.current = this.#kept;
  }

  [Symbol.dispose]() {
    this.dispose();
  }
}

function callIn(kept, fn, self, args) {
  const outside = frame.current;
  frame.current = kept;
  try {
    return Reflect.apply(fn, self, args);
  } finally {
    frame.current = outside;
  }
}

class AsyncLocalStorage {
  #key = {}; // its key in frames; replaced by disable(), so that no frame has the old values
  #name;
  #fallback;

  constructor(options = {}) {
    validateObject(options, 'options');
    const { name, defaultValue } = options;
    this.#name = name === undefined ? '' : `${name}`;
    this.#fallback = defaultValue;
    follow();
  }

  get name() {
    return this.#name;
  }

  static bind(fn) {
    validateFunction(fn, 'fn');
    return require('internal/async/resource').AsyncResource.bind(fn);
  }

  static snapshot() {
    const kept = frame.current;
    return function runInAsyncScope(fn, ...args) {
      return callIn(kept, fn, this, args);
    };
  }

  getStore() {
    const { current } = frame;
    if (current === undefined) return this.#fallback;
    const value = current.get(this.#key);
    return value === undefined && !current.has(this.#key) ? this.#fallback : value;
  }

  enterWith(store) {
    frame.current = frameWith(this.#key, store);
  }

  // Changes that the callback makes to other stores stay; this one is restored.
  run(store, callback, ...args) {
    const outside = frame.current;
    const key = this.#key;
    const had = outside !== undefined && outside.has(key);
    const before = had ? outside.get(key) : undefined;
    const inside = had && Object.is(before, store) ? outside : frameWith(key, store);
    frame.current = inside;
    try {
      return Reflect.apply(callback, null, args);
    } finally {
      if (frame.current === inside) frame.current = outside;
      else frame.current = had ? frameWith(key, before) : frameWithout(key);
    }
  }

  exit(callback, ...args) {
    return this.run(undefined, callback, ...args);
  }

  withScope(store) {
    const scope = new RunScope();
    this.enterWith(store);
    return scope;
  }

  disable() {
    frame.current = frameWithout(this.#key);
    this.#key = {};
  }
}

module.exports = { AsyncLocalStorage };
