'use strict';

// The argument of a test's or a suite's function.

const { codes } = require('internal/errors');
const {
  validateFunction,
  validateInteger,
  validateObject,
  validateNumber,
  validateString,
} = require('internal/validators');
const { setAlarm, clearAlarm } = require('internal/test/callbacks');

const assertions = new Map();

// `t.assert`: the functions of node:assert, each of which counts for the plan.
function countingAsserts(entry, context) {
  const assert = require('assert');
  const counting = { __proto__: null };
  const add = (name, run) => {
    counting[name] = function (...args) {
      entry.counted();
      return run(args);
    };
    Object.defineProperty(counting[name], 'name', { __proto__: null, value: name, configurable: true });
  };
  for (const name of Object.keys(assert)) {
    if (typeof assert[name] === 'function' && !['AssertionError', 'CallTracker', 'Assert', 'strict'].includes(name))
      add(name, (args) => assert[name](...args));
  }
  const snapshots = require('internal/test/snapshot');
  add('snapshot', (args) => snapshots.compare(entry, ...args));
  add('fileSnapshot', (args) => snapshots.compareFile(...args));
  for (const [name, fn] of assertions) add(name, (args) => Reflect.apply(fn, context, args));
  return counting;
}

class Context {
  #entry;

  constructor(entry) {
    this.#entry = entry;
  }

  get signal() {
    return this.#entry.abortSignal;
  }

  get name() {
    return this.#entry.name;
  }

  get fullName() {
    return this.#entry.path.join(' > ') || this.#entry.name;
  }

  get filePath() {
    return this.#entry.session.waits === undefined ? process.argv[1] : this.#entry.place.file;
  }

  get passed() {
    return this.#entry.error === null && (this.#entry.isOver || this.#entry.isRunning);
  }

  get attempt() {
    return 0;
  }

  get tags() {
    return this.#entry.tags;
  }

  diagnostic(message) {
    this.#entry.messages.push(message);
  }

  log(message, data) {
    validateString(message, 'message');
    const { stream } = this.#entry.session.events;
    const { name, nesting, id, parent, place } = this.#entry;
    stream.tell('test:log', {
      __proto__: null,
      name,
      nesting,
      testId: id,
      parentId: parent.id,
      message,
      data,
      ...place,
    });
  }
}

class SuiteContext extends Context {}

class TestContext extends Context {
  #entry;
  #assert;
  #mock;

  constructor(entry) {
    super(entry);
    this.#entry = entry;
  }

  get error() {
    return this.#entry.error;
  }

  get workerId() {
    const id = process.env.NODE_TEST_WORKER_ID;
    return id === undefined ? undefined : Number(id);
  }

  get mock() {
    this.#mock ??= new (require('internal/test/mock').MockTracker)();
    this.#entry.made.restore = () => this.#mock.reset();
    return this.#mock;
  }

  get assert() {
    return (this.#assert ??= countingAsserts(this.#entry, this));
  }

  plan(count, options = {}) {
    if (this.#entry.plan !== undefined)
      throw new codes.ERR_TEST_FAILURE('cannot set plan more than once', 'testCodeFailure');
    validateInteger(count, 'count', 0);
    validateObject(options, 'options');
    const { wait = false } = options;
    if (typeof wait === 'number') validateNumber(wait, 'options.wait', 0, 0x7fffffff);
    else if (typeof wait !== 'boolean')
      throw new codes.ERR_INVALID_ARG_TYPE('options.wait', ['boolean', 'number'], wait);
    this.#entry.plan = { count, wait };
  }

  skip(message) {
    this.#entry.skip = message === undefined ? true : message;
  }

  todo(message) {
    this.#entry.wanting = message === undefined ? true : message;
  }

  runOnly(value) {
    this.#entry.warnOfOnly();
    this.#entry.onlyMarked = !!value;
  }

  test(name, options, fn) {
    this.#entry.counted();
    return this.#entry.session.declare('test', this.#entry, name, options, fn);
  }

  before(fn, options) {
    this.#entry.addHook('before', fn, options);
  }

  after(fn, options) {
    this.#entry.addHook('after', fn, options);
  }

  beforeEach(fn, options) {
    this.#entry.addHook('beforeEach', fn, options);
  }

  afterEach(fn, options) {
    this.#entry.addHook('afterEach', fn, options);
  }

  // Calls `condition` until it neither throws nor rejects.
  waitFor(condition, options = {}) {
    validateFunction(condition, 'condition');
    validateObject(options, 'options');
    const { interval = 50, timeout = 1000 } = options;
    validateNumber(interval, 'options.interval', 0, 0x7fffffff);
    validateNumber(timeout, 'options.timeout', 0, 0x7fffffff);
    const { promise, resolve, reject } = Promise.withResolvers();
    let problem;
    let next;
    const limit = setAlarm(() => {
      clearAlarm(next);
      limit.passed = true;
      reject(
        problem === undefined
          ? new Error('waitFor() timed out')
          : new Error('waitFor() timed out', { cause: problem.cause }),
      );
    }, timeout);
    const attempt = async () => {
      try {
        const value = await condition();
        clearAlarm(limit);
        resolve(value);
      } catch (cause) {
        problem = { cause };
        if (!limit.passed) next = setAlarm(attempt, interval);
      }
    };
    attempt();
    return promise;
  }
}

module.exports = { TestContext, SuiteContext, assertions };
