'use strict';

// node:test's mocks: functions that remember their calls, and methods, getters and properties replaced for a while.

const { codes } = require('internal/errors');
const { validateFunction, validateObject, validateInteger, validateBoolean } = require('internal/validators');

const kDefault = function () {};

class MockFunctionContext {
  #calls = [];
  #implementation;
  #original;
  #times;
  #restore;
  #once = new Map();

  constructor(implementation, original, times, restore) {
    this.#implementation = implementation;
    this.#original = original;
    this.#times = times;
    this.#restore = restore;
  }

  get calls() {
    return this.#calls.slice();
  }

  callCount() {
    return this.#calls.length;
  }

  mockImplementation(implementation) {
    validateFunction(implementation, 'implementation');
    this.#implementation = implementation;
  }

  mockImplementationOnce(implementation, onCall) {
    validateFunction(implementation, 'implementation');
    const next = this.#calls.length;
    const call = onCall ?? next;
    validateInteger(call, 'onCall', next);
    this.#once.set(call, implementation);
  }

  resetCalls() {
    this.#calls = [];
  }

  restore() {
    if (this.#restore) this.#restore();
    else this.#implementation = this.#original;
    this.#once.clear();
  }

  static next(context) {
    const number = context.#calls.length;
    const once = context.#once.get(number);
    if (once !== undefined) {
      context.#once.delete(number);
      return once;
    }
    if (number >= context.#times) return context.#original;
    return context.#implementation;
  }

  static track(context, call) {
    context.#calls.push(call);
  }
}
const { next: nextImplementation, track } = MockFunctionContext;
delete MockFunctionContext.next;
delete MockFunctionContext.track;

function makeMock(original, implementation, times, restore) {
  const context = new MockFunctionContext(implementation, original, times, restore);
  const mock = function (...args) {
    const call = { arguments: args, error: undefined, result: undefined, stack: new Error(), target: new.target, this: this };
    const fn = nextImplementation(context);
    try {
      if (new.target) {
        const result = Reflect.construct(fn, args, new.target === mock ? fn : new.target);
        call.this = result;
        call.result = result;
        return result;
      }
      call.result = Reflect.apply(fn, this, args);
      return call.result;
    } catch (err) {
      call.error = err;
      throw err;
    } finally {
      track(context, call);
    }
  };
  Object.defineProperties(mock, {
    name: { __proto__: null, value: original.name, configurable: true },
    length: { __proto__: null, value: original.length, configurable: true },
  });
  if (original.prototype !== undefined) mock.prototype = original.prototype;
  Object.defineProperty(mock, 'mock', { __proto__: null, value: context, configurable: true, enumerable: false, writable: false });
  return mock;
}

function findDescriptor(object, name) {
  let holder = object;
  while (holder !== null && holder !== undefined) {
    const descriptor = Object.getOwnPropertyDescriptor(holder, name);
    if (descriptor) return descriptor;
    holder = Object.getPrototypeOf(holder);
  }
  return undefined;
}

class MockTracker {
  #mocks = [];
  #timers;

  get timers() {
    this.#timers ??= new (require('internal/test_mock_timers').MockTimers)();
    return this.#timers;
  }

  fn(original = kDefault, implementation = original, options = {}) {
    if (original !== null && typeof original === 'object') {
      options = original;
      original = kDefault;
      implementation = original;
    } else if (implementation !== null && typeof implementation === 'object') {
      options = implementation;
      implementation = original;
    }
    validateFunction(original, 'original');
    validateFunction(implementation, 'implementation');
    validateObject(options, 'options');
    const { times = Infinity } = options;
    if (times !== Infinity) validateInteger(times, 'options.times', 1);
    const mock = makeMock(original, implementation, times, undefined);
    this.#mocks.push(mock.mock);
    return mock;
  }

  method(object, name, implementation = kDefault, options = {}) {
    if (typeof name !== 'string' && typeof name !== 'symbol') throw new codes.ERR_INVALID_ARG_TYPE('methodName', ['string', 'symbol'], name);
    if (typeof object !== 'function') validateObject(object, 'object');
    if (implementation !== null && typeof implementation === 'object') {
      options = implementation;
      implementation = kDefault;
    }
    validateFunction(implementation, 'implementation');
    validateObject(options, 'options');
    const { getter = false, setter = false, times = Infinity } = options;
    validateBoolean(getter, 'options.getter');
    validateBoolean(setter, 'options.setter');
    if (getter && setter) throw new codes.ERR_INVALID_ARG_VALUE('options.setter', setter, "cannot be used with 'options.getter'");
    const own = Object.getOwnPropertyDescriptor(object, name);
    const descriptor = findDescriptor(object, name);
    const original = getter ? descriptor?.get : setter ? descriptor?.set : descriptor?.value;
    if (typeof original !== 'function') {
      throw new codes.ERR_INVALID_ARG_VALUE('methodName', original, 'must be a method');
    }
    const restore = () => {
      if (own === undefined) delete object[name];
      else Object.defineProperty(object, name, own);
    };
    const mock = makeMock(original, implementation === kDefault ? original : implementation, times, restore);
    const next = { __proto__: null, configurable: descriptor.configurable, enumerable: descriptor.enumerable };
    if (getter) {
      next.get = mock;
      next.set = descriptor.set;
    } else if (setter) {
      next.get = descriptor.get;
      next.set = mock;
    } else {
      next.writable = descriptor.writable;
      next.value = mock;
    }
    Object.defineProperty(object, name, next);
    this.#mocks.push(mock.mock);
    return mock;
  }

  getter(object, name, implementation, options) {
    return this.method(object, name, implementation ?? kDefault, { ...options, getter: true });
  }

  setter(object, name, implementation, options) {
    return this.method(object, name, implementation ?? kDefault, { ...options, setter: true });
  }

  property(object, name, value) {
    const own = Object.getOwnPropertyDescriptor(object, name);
    const accesses = [];
    let current = arguments.length < 3 ? object[name] : value;
    Object.defineProperty(object, name, {
      __proto__: null,
      configurable: true,
      enumerable: own?.enumerable ?? true,
      get() {
        accesses.push({ type: 'get', value: current, stack: new Error() });
        return current;
      },
      set(next) {
        accesses.push({ type: 'set', value: next, stack: new Error() });
        current = next;
      },
    });
    const context = {
      get accesses() {
        return accesses.slice();
      },
      accessCount: () => accesses.length,
      mockImplementation: (next) => {
        current = next;
      },
      resetAccesses: () => {
        accesses.length = 0;
      },
      restore: () => {
        if (own === undefined) delete object[name];
        else Object.defineProperty(object, name, own);
      },
    };
    this.#mocks.push(context);
    return new Proxy(object, { get: (target, key) => (key === 'mock' ? context : Reflect.get(target, key)) });
  }

  module() {
    throw new codes.ERR_FEATURE_NOT_AVAILABLE('mock.module');
  }

  reset() {
    this.restoreAll();
    this.#timers?.reset();
    this.#mocks = [];
  }

  restoreAll() {
    for (const mock of this.#mocks) mock.restore();
  }
}

module.exports = { MockTracker };
