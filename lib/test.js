'use strict';

// node:test. Tests of one parent run one after the other (or `concurrency` at a time); the root's run when the module has
// registered them, and the report is made when the loop has nothing left to do.

const { codes, AbortError } = require('internal/errors');
const { validateFunction, validateInteger, validateObject, validateAbortSignal } = require('internal/validators');
const { MockTracker } = require('internal/test_mock');

const kDefaultTimeout = Infinity;
const noop = () => {};
const hookNames = ['before', 'after', 'beforeEach', 'afterEach'];

let root;
let running = [];
const totals = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
const failures = [];

function failure(error, type) {
  return new codes.ERR_TEST_FAILURE(error, type);
}

function write(text) {
  process.stdout.write(text);
}

class Test {
  constructor(parent, name, options, fn, isSuite) {
    this.parent = parent;
    this.isSuite = isSuite;
    this.fn = fn ?? noop;
    const { skip, todo, only, timeout, signal, concurrency, plan } = options;
    this.name = typeof name === 'string' && name !== '' ? name : fn?.name || '<anonymous>';
    this.skipped = skip !== undefined && skip !== false ? skip : false;
    this.isTodo = todo !== undefined && todo !== false ? todo : false;
    this.only = only;
    if (timeout != null && timeout !== Infinity) {
      if (typeof timeout !== 'number') throw new codes.ERR_INVALID_ARG_TYPE('options.timeout', 'number', timeout);
      if (!(timeout >= 0 && timeout <= 0x7fffffff)) throw new codes.ERR_OUT_OF_RANGE('options.timeout', '>= 0 && <= 2147483647', timeout);
    }
    this.timeout = timeout ?? kDefaultTimeout;
    validateAbortSignal(signal, 'options.signal');
    this.outerSignal = signal;
    this.concurrency = concurrency === true ? Infinity : typeof concurrency === 'number' ? concurrency : parent?.concurrency ?? 1;
    if (concurrency !== undefined && concurrency !== null && typeof concurrency !== 'boolean') validateInteger(concurrency, 'options.concurrency', 1, 4294967295);
    this.planned = plan;
    this.hooks = { before: [], after: [], beforeEach: [], afterEach: [] };
    this.children = [];
    this.pending = [];
    this.active = 0;
    this.counted = 0;
    this.passed = false;
    this.error = null;
    this.finished = false;
    this.done = Promise.withResolvers();
    this.beforeRan = undefined;
    this.messages = [];
    this.level = parent === null ? -1 : parent.level + 1;
  }

  get fullName() {
    return this.parent === null || this.parent.parent === null ? this.name : `${this.parent.fullName} > ${this.name}`;
  }

  // A child is started when there is room; its promise settles when it has ended, passed or not.
  add(child) {
    this.children.push(child);
    if (this.finished) {
      child.fail(failure('test could not be started because its parent finished', 'parentAlreadyFinished'));
      child.finish();
      return Promise.resolve();
    }
    this.pending.push(child);
    this.startNext();
    return child.done.promise;
  }

  startNext() {
    while (this.active < this.concurrency && this.pending.length > 0 && !this.holds) {
      const child = this.pending.shift();
      this.active++;
      child.run().then(() => {
        this.active--;
        this.startNext();
      });
    }
  }

  fail(error) {
    if (this.error !== null) return;
    this.error = error;
    this.passed = false;
  }

  async runHooks(name, argument) {
    for (const hook of this.hooks[name].slice()) {
      try {
        await callWithDone(hook.fn, this, argument);
      } catch (err) {
        throw failure(err, 'hookFailed');
      }
    }
  }

  async runBefore() {
    this.beforeRan ??= this.runHooks('before', this.context());
    return this.beforeRan;
  }

  context() {
    this.made ??= this.isSuite ? new SuiteContext(this) : new TestContext(this);
    return this.made;
  }

  async eachHooks(name, context) {
    const chain = [];
    for (let test = this.parent; test !== null; test = test.parent) chain.push(test);
    if (name === 'beforeEach') chain.reverse();
    for (const test of chain) await test.runHooks(name, context);
  }

  async run() {
    const start = performance.now();
    if (this.outerSignal?.aborted) {
      this.cancelled = true;
      this.fail(failure(new AbortError(undefined, { cause: this.outerSignal.reason }), 'cancelledByParent'));
    } else if (this.skipped === false) {
      running.push(this);
      const context = this.context();
      let timer;
      try {
        if (this.parent !== null) await this.parent.runBefore();
        if (!this.isSuite) await this.eachHooks('beforeEach', context);
        const stop = Promise.withResolvers();
        stop.promise.catch(noop);
        this.stop = stop.reject;
        if (this.timeout !== Infinity) {
          timer = realSetTimeout(() => {
            this.cancelled = true;
            stop.reject(failure(`test timed out after ${this.timeout}ms`, 'testTimeoutFailure'));
          }, this.timeout);
        }
        let abortListener;
        if (this.outerSignal !== undefined) {
          abortListener = () => {
            this.cancelled = true;
            stop.reject(failure(new AbortError(undefined, { cause: this.outerSignal.reason }), 'testAborted'));
          };
          this.outerSignal.addEventListener('abort', abortListener, { once: true });
        }
        try {
          await Promise.race([this.body(context), stop.promise]);
        } finally {
          if (timer !== undefined) clearTimeout(timer);
          if (abortListener !== undefined) this.outerSignal.removeEventListener('abort', abortListener);
        }
        if (this.planned !== undefined && this.counted !== this.planned) {
          throw failure(`plan expected ${this.planned} assertions but received ${this.counted}`, 'testCodeFailure');
        }
        this.passed = this.error === null;
      } catch (err) {
        this.fail(err?.code === 'ERR_TEST_FAILURE' ? err : failure(err, 'testCodeFailure'));
      }
      try {
        if (!this.isSuite) await this.eachHooks('afterEach', context);
      } catch (err) {
        this.fail(err);
      }
      try {
        if (this.hooks.before.length > 0) await this.runBefore();
        await this.runHooks('after', context);
      } catch (err) {
        this.fail(err);
      }
      this.mock?.reset();
      running = running.filter((each) => each !== this);
    }
    const failed = this.children.filter((child) => child.error !== null && !child.isTodo);
    if (failed.length > 0) {
      this.fail(failure(`${failed.length} subtest${failed.length > 1 ? 's' : ''} failed`, 'subtestsFailed'));
    }
    if (this.skipped !== false && this.error === null) this.passed = true;
    this.duration = performance.now() - start;
    this.finish();
  }

  async body(context) {
    if (this.isSuite) {
      // All children are registered before the first one runs.
      this.holds = true;
      try {
        await Reflect.apply(this.fn, context, [context]);
      } finally {
        this.holds = false;
      }
      this.startNext();
    } else {
      await callWithDone(this.fn, context, context);
    }
    // Subtests that were not waited for end with their parent.
    for (let i = 0; i < this.children.length; i++) {
      const child = this.children[i];
      if (!child.finished) await child.done.promise;
    }
  }

  finish() {
    if (this.finished) return;
    this.finished = true;
    if (this.error === null) this.passed = true;
    this.report();
    this.done.resolve();
  }

  report() {
    if (this.parent === null) return;
    if (this.isSuite) totals.suites++;
    else totals.tests++;
    if (!this.isSuite) {
      if (this.skipped !== false) totals.skipped++;
      else if (this.isTodo !== false) totals.todo++;
      else if (this.error === null) totals.pass++;
      else if (this.cancelled) totals.cancelled++;
      else totals.fail++;
    }
    const indent = '  '.repeat(this.level);
    const mark = this.error !== null && this.isTodo === false ? '\u2716' : this.skipped !== false ? '\ufe63' : '\u2714';
    const note = this.skipped !== false ? ` # ${typeof this.skipped === 'string' && this.skipped !== '' ? this.skipped : 'SKIP'}` :
      this.isTodo !== false ? ` # ${typeof this.isTodo === 'string' && this.isTodo !== '' ? this.isTodo : 'TODO'}` : '';
    write(`${indent}${mark} ${this.name} (${Number((this.duration ?? 0).toFixed(6))}ms)${note}\n`);
    for (const message of this.messages) write(`${indent}\u2139 ${message}\n`);
    if (this.error !== null && this.isTodo === false && this.error.failureType !== 'subtestsFailed') failures.push(this);
  }
}

const realSetTimeout = setTimeout;

// A function with one parameter more than the context wants a callback.
function callWithDone(fn, self, argument) {
  if (fn.length < 2) return (async () => Reflect.apply(fn, self, [argument]))();
  return new Promise((resolve, reject) => {
    let called = false;
    const done = (err) => {
      if (called) {
        reject(failure('callback invoked multiple times', 'multipleCallbackInvocations'));
        return;
      }
      called = true;
      if (err) reject(err);
      else resolve();
    };
    const result = Reflect.apply(fn, self, [argument, done]);
    if (result !== null && typeof result === 'object' && typeof result.then === 'function') {
      result.then(noop, noop);
      reject(failure('passed a callback but also returned a Promise', 'callbackAndPromisePresent'));
    }
  });
}

class SuiteContext {
  #test;

  constructor(test) {
    this.#test = test;
  }

  get name() {
    return this.#test.name;
  }

  get fullName() {
    return this.#test.fullName;
  }

  get filePath() {
    return process.argv[1];
  }

  get signal() {
    return signalOf(this.#test);
  }

  diagnostic(message) {
    this.#test.messages.push(message);
  }
}

function signalOf(test) {
  test.controller ??= new AbortController();
  return test.controller.signal;
}

class TestContext {
  #test;
  #assert;

  constructor(test) {
    this.#test = test;
  }

  get name() {
    return this.#test.name;
  }

  get fullName() {
    return this.#test.fullName;
  }

  get filePath() {
    return process.argv[1];
  }

  get signal() {
    return signalOf(this.#test);
  }

  get error() {
    return this.#test.error;
  }

  get passed() {
    return this.#test.passed;
  }

  get attempt() {
    return 0;
  }

  get workerId() {
    return undefined;
  }

  get mock() {
    this.#test.mock ??= new MockTracker();
    return this.#test.mock;
  }

  get assert() {
    if (this.#assert === undefined) {
      const assert = require('assert');
      this.#assert = { __proto__: null };
      const count = () => this.#test.counted++;
      for (const name of Object.keys(assert)) {
        if (typeof assert[name] !== 'function' || name === 'AssertionError' || name === 'Assert' || name === 'strict') continue;
        this.#assert[name] = (...args) => {
          count();
          return assert[name](...args);
        };
      }
      for (const [name, fn] of assertions) {
        this.#assert[name] = (...args) => {
          count();
          return Reflect.apply(fn, this, args);
        };
      }
    }
    return this.#assert;
  }

  diagnostic(message) {
    this.#test.messages.push(message);
  }

  plan(count) {
    if (this.#test.planned !== undefined) throw new codes.ERR_TEST_FAILURE('cannot set plan more than once', 'testCodeFailure');
    validateInteger(count, 'count', 0);
    this.#test.planned = count;
  }

  skip(message) {
    this.#test.skipped = message === undefined ? true : String(message);
  }

  todo(message) {
    this.#test.isTodo = message === undefined ? true : String(message);
  }

  runOnly() {}

  test(name, options, fn) {
    this.#test.counted++;
    return make(this.#test, name, options, fn, false, {});
  }

  before(fn, options) {
    addHook(this.#test, 'before', fn, options);
  }

  after(fn, options) {
    addHook(this.#test, 'after', fn, options);
  }

  beforeEach(fn, options) {
    addHook(this.#test, 'beforeEach', fn, options);
  }

  afterEach(fn, options) {
    addHook(this.#test, 'afterEach', fn, options);
  }

  waitFor(condition, { interval = 50, timeout = 1000 } = {}) {
    validateFunction(condition, 'condition');
    return new Promise((resolve, reject) => {
      let cause;
      let poll;
      const limit = realSetTimeout(() => {
        clearTimeout(poll);
        const error = new Error('waitFor() timed out');
        if (cause !== undefined) error.cause = cause;
        reject(error);
      }, timeout);
      const attempt = async () => {
        try {
          const value = await condition();
          clearTimeout(limit);
          resolve(value);
        } catch (err) {
          cause = err;
          poll = realSetTimeout(attempt, interval);
        }
      };
      attempt();
    });
  }
}
Object.defineProperty(TestContext.prototype, 'it', { __proto__: null, value: TestContext.prototype.test, writable: true, configurable: true });

const assertions = new Map();

function addHook(test, name, fn, options = {}) {
  validateFunction(fn, 'fn');
  validateObject(options, 'options');
  test.hooks[name].push({ fn, options });
}

function parse(name, options, fn) {
  if (typeof name === 'function') {
    fn = name;
    name = undefined;
    options = {};
  } else if (name !== null && typeof name === 'object') {
    fn = options;
    options = name;
    name = options.name;
  } else if (typeof options === 'function') {
    fn = options;
    options = {};
  }
  return { name, options: options ?? {}, fn };
}

function make(parent, name, options, fn, isSuite, overrides) {
  const parsed = parse(name, options, fn);
  const child = new Test(parent, parsed.name, { ...parsed.options, ...overrides }, parsed.fn, isSuite);
  return parent.add(child);
}

// ---------------------------------------------------------------- the root

function getRoot() {
  if (root !== undefined) return root;
  root = new Test(null, '<root>', {}, undefined, false);
  const onError = (err) => {
    const test = running[running.length - 1];
    const error = failure(err, 'uncaughtException');
    if (test === undefined) {
      root.fail(error);
      write(`\u2716 ${process.argv[1]}\n  ${require('internal/util/inspect').inspect(err).replaceAll('\n', '\n  ')}\n`);
      process.exitCode = 1;
      totals.fail++;
    } else {
      test.fail(error);
      test.stop?.(error);
    }
  };
  process.on('uncaughtException', onError);
  process.on('unhandledRejection', onError);
  let ending = false;
  process.on('beforeExit', async () => {
    if (ending) return;
    const open = root.children.filter((child) => !child.finished);
    if (open.length > 0) {
      const stuck = running[running.length - 1];
      if (stuck !== undefined && stuck.stop !== undefined && !stuck.gaveUp) {
        // Nothing can wake it any more.
        stuck.gaveUp = true;
        stuck.cancelled = true;
        stuck.stop(failure('Promise resolution is still pending but the event loop has already resolved', 'cancelledByParent'));
        setImmediate(noop);
        return;
      }
      for (const each of open) {
        each.cancelled = true;
        each.fail(failure('Promise resolution is still pending but the event loop has already resolved', 'cancelledByParent'));
        each.finish();
      }
    }
    ending = true;
    try {
      if (root.children.length > 0) await root.runHooks('after', root.context());
    } catch (err) {
      root.fail(err);
      process.exitCode = 1;
    }
    summarize();
  });
  process.on('exit', (code) => {
    if (root.children.some((child) => child.error !== null && child.isTodo === false) && (code === 0 || code === undefined)) process.exitCode = 1;
  });
  return root;
}

function summarize() {
  const { inspect } = require('internal/util/inspect');
  for (const [name, value] of Object.entries({ tests: totals.tests, suites: totals.suites, pass: totals.pass, fail: totals.fail, cancelled: totals.cancelled, skipped: totals.skipped, todo: totals.todo })) {
    write(`\u2139 ${name} ${value}\n`);
  }
  write(`\u2139 duration_ms ${performance.now()}\n`);
  if (failures.length > 0) {
    process.exitCode = 1;
    write('\n\u2716 failing tests:\n');
    for (const test of failures) {
      const cause = test.error.cause ?? test.error;
      write(`\ntest at ${process.argv[1]}\n\u2716 ${test.name} (${Number((test.duration ?? 0).toFixed(6))}ms)\n  ${inspect(cause).replaceAll('\n', '\n  ')}\n`);
    }
  }
  if (root.children.some((child) => child.error !== null && child.isTodo === false) || root.error !== null) process.exitCode = 1;
}

// The suite or test whose function is running right now, for `it` inside `describe`.
const suites = [];

function currentParent() {
  return suites.length > 0 ? suites[suites.length - 1] : getRoot();
}

function makeSuite(name, options, fn, overrides) {
  const parsed = parse(name, options, fn);
  const parent = currentParent();
  const suite = new Test(parent, parsed.name, { ...parsed.options, ...overrides }, parsed.fn, true);
  // Suites register their children when they are declared, not when they run.
  suite.holds = true;
  let registered;
  if (suite.skipped === false) {
    suites.push(suite);
    try {
      registered = Reflect.apply(suite.fn, suite.context(), [suite.context()]);
    } catch (err) {
      suite.fail(failure(err, 'testCodeFailure'));
    } finally {
      suites.pop();
    }
  }
  suite.fn = () => registered;
  return parent.add(suite);
}

function runInParent(name, options, fn, overrides) {
  return make(currentParent(), name, options, fn, false, overrides);
}

function withModes(base) {
  const made = (name, options, fn) => base(name, options, fn, {});
  for (const mode of ['skip', 'todo', 'only']) {
    made[mode] = (name, options, fn) => base(name, options, fn, { [mode]: true });
  }
  made.expectFailure = made;
  return made;
}

const test = withModes(runInParent);
const suite = withModes(makeSuite);

for (const name of hookNames) {
  test[name] = (fn, options) => addHook(currentParent(), name, fn, options);
}

let tracker;

module.exports = test;
Object.assign(test, {
  test,
  it: withModes(runInParent),
  suite,
  describe: suite,
  run() {
    throw new codes.ERR_FEATURE_NOT_AVAILABLE('test.run');
  },
});
Object.defineProperties(test, {
  mock: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      tracker ??= new MockTracker();
      return tracker;
    },
  },
  assert: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    value: {
      register(name, fn) {
        validateFunction(fn, 'fn');
        assertions.set(name, fn);
      },
    },
  },
  snapshot: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    value: { setDefaultSnapshotSerializers() {}, setResolveSnapshotPath() {} },
  },
  getTestContext: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    value: () => running[running.length - 1]?.context(),
  },
});
