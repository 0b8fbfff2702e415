'use strict';

// node:test's mocks. A mock function has a record of its calls and a plan of what to run for each; a replaced property
// can be restored.

const { codes } = require('internal/errors');
const { validateFunction, validateObject, validateInteger, validateBoolean } = require('internal/validators');

const isOptions = (value) => typeof value === 'object' && value !== null;
const nothing = function () {};

// The current value of object[name]: `putBack` restores it.
class Place {
  constructor(object, name) {
    this.object = object;
    this.name = name;
    this.descriptor = this.#find();
  }

  // The descriptor, of the object itself or of the first of its prototypes that has one.
  #find() {
    let found;
    for (let holder = this.object; found === undefined && holder != null; holder = Object.getPrototypeOf(holder)) {
      found = Object.getOwnPropertyDescriptor(holder, this.name);
    }
    return found;
  }

  put(descriptor) {
    if (Object.getOwnPropertyDescriptor(this.object, this.name)?.configurable === false) {
      throw new TypeError(`Cannot redefine property: ${String(this.name)}`);
    }
    Object.defineProperty(this.object, this.name, { __proto__: null, ...descriptor });
  }

  putBack() {
    if (this.descriptor === undefined) delete this.object[this.name];
    else this.put(this.descriptor);
  }
}

let runCall; // runs one call of a mock function; set below, where it sees the record

class MockFunctionContext {
  #record = [];
  #plan; // { usual, original, times, exceptions }
  #place;

  constructor(original, implementation, times, place) {
    this.#plan = { usual: implementation, original, times, exceptions: new Map() };
    this.#place = place;
  }

  static {
    runCall = (context, call) => {
      const implementation = context.#next();
      try {
        if (call.target === undefined) {
          call.result = Reflect.apply(implementation, call.this, call.arguments);
        } else {
          call.result = Reflect.construct(implementation, call.arguments, call.target);
          call.this = call.result;
        }
        return call.result;
      } catch (error) {
        call.error = error;
        throw error;
      } finally {
        context.#record.push(call);
      }
    };
  }

  #next() {
    const { exceptions, times, usual, original } = this.#plan;
    const number = this.#record.length;
    const exception = exceptions.get(number);
    exceptions.delete(number);
    // The last call that is to be mocked.
    if (number + 1 === times) this.#place?.putBack();
    return exception ?? (number < times ? usual : original);
  }

  get calls() {
    return [...this.#record];
  }

  callCount() {
    return this.#record.length;
  }

  mockImplementation(implementation) {
    validateFunction(implementation, 'implementation');
    this.#plan.usual = implementation;
  }

  mockImplementationOnce(implementation, onCall) {
    const coming = this.#record.length;
    validateFunction(implementation, 'implementation');
    validateInteger(onCall ?? coming, 'onCall', coming);
    this.#plan.exceptions.set(onCall ?? coming, implementation);
  }

  resetCalls() {
    this.#record = [];
  }

  restore() {
    this.#place?.putBack();
    this.#plan.usual = this.#plan.original;
    this.#plan.exceptions.clear();
  }
}

function makeMock(original, implementation, times, place) {
  const context = new MockFunctionContext(original, implementation, times, place);
  const mock = function (...args) {
    const target = new.target === mock ? original : new.target;
    const self = target === undefined ? this : undefined; // an instance is known when it is made
    return runCall(context, {
      arguments: args,
      error: undefined,
      result: undefined,
      stack: new Error(),
      target,
      this: self,
    });
  };
  const fixed = (value) => ({ __proto__: null, value, configurable: true });
  Object.defineProperties(mock, { name: fixed(original.name), length: fixed(original.length), mock: fixed(context) });
  if (original.prototype !== undefined) mock.prototype = original.prototype;
  return mock;
}

function timesOf({ times = Infinity }) {
  if (times !== Infinity) validateInteger(times, 'options.times', 1);
  return times;
}

class MockPropertyContext {
  #accesses = [];
  #place;
  #value;
  #once = new Map();

  constructor(place, value) {
    const original = place.descriptor;
    this.#place = place;
    this.#value = value;
    place.put({
      get: () => this.#note('get', this.#planned() ?? this.#value),
      set: (next) => {
        this.#set(next, original);
      },
      configurable: true,
      enumerable: original?.enumerable ?? true,
    });
  }

  #set(next, original) {
    if (original.writable === false || (original.get !== undefined && original.set === undefined)) {
      throw new codes.ERR_INVALID_ARG_VALUE('propertyName', this.#place.name, 'cannot be set');
    }
    this.#value = this.#note('set', this.#planned() ?? next);
  }

  #note(type, value) {
    this.#accesses.push({ type, value, stack: new Error() });
    return value;
  }

  #planned() {
    const number = this.#accesses.length;
    const value = this.#once.get(number);
    this.#once.delete(number);
    return value;
  }

  get accesses() {
    return [...this.#accesses];
  }

  accessCount() {
    return this.#accesses.length;
  }

  // Counts as an access.
  mockImplementation(value) {
    this.#value = this.#note('set', value);
  }

  mockImplementationOnce(value, onAccess) {
    const coming = this.#accesses.length;
    validateInteger(onAccess ?? coming, 'onAccess', coming);
    this.#once.set(onAccess ?? coming, value);
  }

  resetAccesses() {
    this.#accesses = [];
  }

  restore() {
    this.#place.putBack();
  }
}

class MockTracker {
  #mocks = [];
  #timers;

  #keep(mock) {
    this.#mocks.push(mock);
    return mock;
  }

  get timers() {
    return (this.#timers ??= new (require('internal/test/mock_timers').MockTimers)());
  }

  // fn([original[, implementation]][, options])
  fn(...args) {
    const options = isOptions(args.at(-1)) ? args.pop() : {};
    const [original = nothing, implementation = original] = args;
    validateFunction(original, 'original');
    validateFunction(implementation, 'implementation');
    validateObject(options, 'options');
    const mock = makeMock(original, implementation, timesOf(options), undefined);
    this.#keep(mock.mock);
    return mock;
  }

  // method(object, name[, implementation][, options])
  method(object, methodName, ...args) {
    if (typeof object !== 'function') validateObject(object, 'object');
    if (typeof methodName !== 'string' && typeof methodName !== 'symbol') {
      throw new codes.ERR_INVALID_ARG_TYPE('methodName', ['string', 'symbol'], methodName);
    }
    const options = isOptions(args[0]) ? args.shift() : (args[1] ?? {});
    validateObject(options, 'options');
    const { getter = false, setter = false } = options;
    validateBoolean(getter, 'options.getter');
    validateBoolean(setter, 'options.setter');
    if (getter && setter)
      throw new codes.ERR_INVALID_ARG_VALUE('options.setter', setter, "cannot be used with 'options.getter'");
    const part = getter ? 'get' : setter ? 'set' : 'value';
    const place = new Place(object, methodName);
    const { descriptor } = place;
    const original = descriptor?.[part];
    if (typeof original !== 'function')
      throw new codes.ERR_INVALID_ARG_VALUE('methodName', original, 'must be a method');
    const implementation = args[0] ?? original;
    validateFunction(implementation, 'implementation');
    const mock = makeMock(original, implementation, timesOf(options), place);
    place.put({ ...descriptor, [part]: mock });
    this.#keep(mock.mock);
    return mock;
  }

  getter(object, methodName, implementation, options) {
    return this.#accessor(object, methodName, implementation, options, 'getter');
  }

  setter(object, methodName, implementation, options) {
    return this.#accessor(object, methodName, implementation, options, 'setter');
  }

  #accessor(object, methodName, implementation, options, part) {
    const given = isOptions(implementation) ? [undefined, implementation] : [implementation, options ?? {}];
    validateObject(given[1], 'options');
    if (given[1][part] === false) throw new codes.ERR_INVALID_ARG_VALUE(`options.${part}`, false, 'cannot be false');
    return this.method(object, methodName, given[0], { ...given[1], [part]: true });
  }

  // The object, with the record of the property as `mock`.
  property(...args) {
    const [object, propertyName] = args;
    if (typeof object !== 'function') validateObject(object, 'object');
    const place = new Place(object, propertyName);
    if (place.descriptor === undefined) {
      throw new codes.ERR_INVALID_ARG_VALUE('propertyName', propertyName, 'is not a property of the object');
    }
    const context = this.#keep(new MockPropertyContext(place, args.length < 3 ? object[propertyName] : args[2]));
    return new Proxy(object, {
      get: (target, key, receiver) => (key === 'mock' ? context : Reflect.get(target, key, receiver)),
    });
  }

  module() {
    throw new codes.ERR_FEATURE_NOT_AVAILABLE('mock.module');
  }

  restoreAll() {
    this.#mocks.forEach((mock) => mock.restore());
  }

  reset() {
    this.restoreAll();
    this.#timers?.reset();
    this.#mocks = [];
  }
}

module.exports = { MockTracker };
