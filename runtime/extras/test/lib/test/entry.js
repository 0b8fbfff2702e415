'use strict';

// A test or a suite: its declaration, its result, and the queue of its children. An entry waits, runs and is over; its
// children run one after the other, or `concurrency` at a time. The children of a suite are known before it runs; a
// test makes them while it runs.

const {
  validateInteger,
  validateAbortSignal,
  validateNumber,
  validateObject,
  validateFunction,
} = require('internal/validators');
const { codes } = require('internal/errors');
const { call, Limit, failure, isFailure, aborted } = require('internal/test/callbacks');
const { isSelected, settings } = require('internal/test/settings');

const nothing = () => {};
const noTags = Object.freeze([]);
const maximum = 0x7fffffff;
const endedByParent = 'test did not finish before its parent and was cancelled';
const needsFlag = "'only' and 'runOnly' require the --test-only command-line option.";
let ids = 0;

// `skip` and `todo`: a reason, true, or nothing.
const mark = (value) =>
  value === undefined || value === null || value === false ? undefined : value === '' ? true : value;

function checkTimeout(timeout) {
  if (timeout !== undefined && timeout !== null && timeout !== Infinity)
    validateNumber(timeout, 'options.timeout', 0, maximum);
}

function slots(value, inherited) {
  if (value === undefined || value === null) return inherited;
  if (typeof value === 'boolean') return value ? Infinity : 1;
  if (typeof value !== 'number')
    throw new codes.ERR_INVALID_ARG_TYPE('options.concurrency', ['boolean', 'number'], value);
  validateInteger(value, 'options.concurrency', 1, 0xffffffff);
  return value;
}

let hasWarned = false;
function warnOfTags() {
  if (hasWarned) return;
  hasWarned = true;
  process.emitWarning('Test tags is an experimental feature and might change at any time', 'ExperimentalWarning');
}

function tagsOf(own, inherited) {
  if (own === undefined) return inherited;
  warnOfTags();
  if (!Array.isArray(own)) throw new codes.ERR_INVALID_ARG_TYPE('options.tags', 'Array', own);
  own.forEach((tag, i) => {
    if (typeof tag !== 'string') throw new codes.ERR_INVALID_ARG_TYPE(`options.tags[${i}]`, 'string', tag);
  });
  return Object.freeze([...new Set([...inherited, ...own.map((tag) => tag.toLowerCase())])]);
}

class Entry {
  id = ids++;
  children = [];
  messages = [];
  error = null;
  cancelled = false;
  duration = 0;
  number = 0;
  left = false; // not selected: it is as if it had not been declared
  announced = false;
  reported = 0; // so many of the children have been told of
  shown = 0; // so many of them are not left out
  onlyMarked = false; // runOnly()
  asserted = 0;
  #state = 'waiting';
  #bodyEnded = false;
  #queue = [];
  #admitted = 0;
  #active = 0;
  #over = Promise.withResolvers();
  #limit;
  #befores = [];

  constructor(session, parent, kind, { name, options, fn }, place) {
    const { timeout, signal, concurrency, plan } = options;
    checkTimeout(timeout);
    validateAbortSignal(signal, 'options.signal');
    this.session = session;
    this.parent = parent;
    this.kind = kind;
    this.name = name;
    this.fn = fn ?? nothing;
    this.place = place;
    this.nesting = parent === null ? -1 : parent.nesting + 1;
    this.path = this.nesting < 0 ? [] : [...parent.path, name];
    this.skip = mark(options.skip);
    this.wanting = mark(options.todo) ?? (parent?.isSuite ? parent.todo : undefined);
    this.only = options.only;
    this.expectation =
      this.skip === undefined && this.todo === undefined
        ? (mark(options.expectFailure) ?? parent?.expectation)
        : undefined;
    this.timeout = timeout ?? parent?.timeout ?? Infinity;
    this.signal = signal;
    this.concurrency = slots(concurrency, parent?.concurrency ?? 1);
    this.tags = tagsOf(options.tags, parent?.tags ?? noTags);
    this.plan = plan === undefined ? undefined : { count: plan, wait: false };
    if (options.only) this.warnOfOnly();
    this.hooks = { before: [], after: [], beforeEach: [], afterEach: [] };
  }

  warnOfOnly() {
    if (!settings.only && this.session.waits === undefined) this.messages.push(needsFlag);
  }

  get isSuite() {
    return this.kind === 'suite';
  }

  get isOver() {
    return this.#state === 'over';
  }

  get isRunning() {
    return this.#state === 'running';
  }

  // Whether there is something to report that needs this entry announced.
  get hasNews() {
    return this.isOver || this.children.some((child) => !child.left && child.hasNews);
  }

  // A skipped entry is not `todo`.
  get todo() {
    return this.skip === undefined ? this.wanting : undefined;
  }

  // Whether its failure makes its parent fail.
  get fails() {
    return this.error !== null && this.todo === undefined && this.skip === undefined;
  }

  get whenOver() {
    return this.#over.promise;
  }

  get expectFailure() {
    const { expectation } = this;
    if (expectation === undefined) return undefined;
    return typeof expectation === 'string'
      ? expectation
      : typeof expectation.label === 'string'
        ? expectation.label
        : true;
  }

  get context() {
    return (this.made ??= this.session.contextOf(this));
  }

  get abortSignal() {
    this.controller ??= new AbortController();
    if (this.isOver) this.controller.abort();
    return this.controller.signal;
  }

  // ---- children ----

  // A test's child is queued at once, a suite's when the suite runs.
  adopt(child) {
    this.children.push(child);
    if (this.isSuite && this.#state === 'waiting') return Promise.resolve();
    this.enqueue(child);
    return child.whenOver;
  }

  enqueue(child) {
    this.#queue.push(child);
    this.startChildren();
  }

  // Whether it is among the tests that are selected, and if so, its number.
  #admit(child) {
    // The children of a suite are not known before its body has ended.
    if (child.registered === undefined) child.left = !isSelected(child);
    if (child.left) return;
    child.number = ++this.shown;
    this.session.events.queued(child);
  }

  startChildren() {
    if (this.held) return;
    for (; this.#admitted < this.children.length; this.#admitted++) this.#admit(this.children[this.#admitted]);
    while (this.#active < this.concurrency && this.#queue.length > 0) {
      const child = this.#queue.shift();
      this.#active++;
      child.run().then(() => {
        this.#active--;
        this.startChildren();
        if (this.parent === null && this.isIdle) this.session.becameIdle();
      });
    }
  }

  get isIdle() {
    return this.#active === 0 && this.#queue.length === 0;
  }

  // ---- hooks ----

  addHook(name, fn, options = {}) {
    if (fn !== undefined) validateFunction(fn, 'fn');
    validateObject(options, 'options');
    checkTimeout(options.timeout);
    validateAbortSignal(options.signal, 'options.signal');
    const hook = { name, fn: fn ?? nothing, timeout: options.timeout ?? Infinity, signal: options.signal };
    // The root and a test run already: `before` hooks are run at once.
    if (name === 'before' && this.#state === 'running')
      this.#befores.push(this.#runHook(hook, this.context).then(nothing, (error) => this.fail(error)));
    else this.hooks[name].push(hook);
  }

  async #runHook(hook, context) {
    const limit = new Limit(hook.timeout, [hook.signal], 'hook');
    try {
      const started = this.session.within(this, () =>
        call(hook.fn, context, context === undefined ? [] : [context], (error) => limit.stop(error, false)),
      );
      await Promise.race([started, limit.stopped]);
    } catch (error) {
      const wrapped = failure(isFailure(error) ? error.cause : error, 'hookFailed');
      wrapped.message = `failed running ${hook.name} hook`;
      throw wrapped;
    } finally {
      limit.lift();
    }
  }

  async runHooks(name, context) {
    for (const hook of this.hooks[name].slice()) await this.#runHook(hook, context);
  }

  async #aroundEach(name) {
    const chain = [];
    for (let entry = this.parent; entry !== null; entry = entry.parent) {
      if (entry.hooks[name].length > 0) chain.push(entry);
    }
    if (name === 'beforeEach') chain.reverse();
    for (const entry of chain) await entry.runHooks(name, this.context);
  }

  // ---- running ----

  fail(error, type = 'testCodeFailure') {
    this.error ??= isFailure(error) ? error : failure(error, type);
  }

  // Ends it from outside, in any state.
  stop(error, cancels) {
    if (this.isOver) return;
    if (this.#state === 'waiting') {
      this.cancelled = cancels;
      this.fail(error);
      this.#end();
    } else if (this.#limit !== undefined && !this.#bodyEnded) {
      this.#limit.stop(error, cancels);
    } else {
      this.fail(error);
    }
  }

  begin() {
    this.#state = 'running';
    this.startedAt = performance.now();
  }

  async run() {
    if (this.isOver) return;
    if (this.registered !== undefined) {
      await this.registered;
      this.left = !isSelected(this);
    }
    if (this.left) {
      this.left = true;
      this.#state = 'over';
      this.#over.resolve();
      this.session.events.report(this.session.root);
      return;
    }
    this.begin();
    this.session.events.started(this);
    if (this.signal?.aborted) {
      this.cancelled = true;
      this.fail(aborted(this.signal));
      this.#cancelChildren();
    } else if (this.skip === undefined) {
      this.session.entered(this);
      await this.#perform();
      this.session.leaves(this);
    }
    this.#judge();
    this.#end();
  }

  async #perform() {
    this.#limit = new Limit(this.timeout, [this.signal], 'test');
    try {
      const work = this.isSuite ? this.#runSuite() : this.#runTest();
      work.catch(nothing);
      await Promise.race([work, this.#limit.stopped]);
    } catch (error) {
      this.cancelled ||= this.#limit.cancelled;
      this.fail(error);
    }
    this.#bodyEnded = true;
    this.#limit.lift();
    if (!this.isSuite) await this.#aroundEach('afterEach').catch((error) => this.fail(error));
    await this.runHooks('after', this.context).catch((error) => this.fail(error));
    // Children whose function is done end by themselves, and suites are not awaited.
    for (const child of this.children) if (!child.isOver && (child.#bodyEnded || child.isSuite)) await child.whenOver;
    this.#cancelChildren();
    this.made?.restore?.();
  }

  async #runTest() {
    if (this.parent.#befores.length > 0) await Promise.all(this.parent.#befores);
    await this.#aroundEach('beforeEach');
    if (this.error !== null) return;
    const { context } = this;
    await this.session.within(this, () =>
      call(this.fn, context, [context], (error) => this.session.secondCall(this, error)),
    );
    await this.#checkPlan();
  }

  async #runSuite() {
    if (this.error !== null) return;
    await this.runHooks('before', this.context);
    for (const child of this.children.slice()) this.enqueue(child);
    await Promise.all(this.children.map((child) => child.whenOver));
  }

  async #checkPlan() {
    const { plan } = this;
    if (plan === undefined) return;
    for (const child of this.children) if (child.#bodyEnded || child.isOver) await child.whenOver;
    if (this.asserted < plan.count && plan.wait !== false) {
      const { promise, resolve } = Promise.withResolvers();
      plan.met = resolve;
      const limit = new Limit(plan.wait === true ? Infinity : plan.wait, [], 'plan');
      try {
        await Promise.race([promise, limit.stopped]);
      } catch {
        throw failure(
          `plan timed out after ${plan.wait}ms with ${this.asserted} assertions when expecting ${plan.count}`,
          'testTimeoutFailure',
        );
      } finally {
        limit.lift();
      }
    }
    if (this.asserted !== plan.count)
      throw failure(`plan expected ${plan.count} assertions but received ${this.asserted}`, 'testCodeFailure');
  }

  counted() {
    this.asserted++;
    if (this.asserted === this.plan?.count) this.plan.met?.();
  }

  #cancelChildren() {
    for (const child of this.children) child.stop(failure(endedByParent, 'cancelledByParent'), true);
    for (const child of this.children) if (!child.isOver) child.forceEnd(failure(endedByParent, 'cancelledByParent'));
  }

  forceEnd(error) {
    this.cancelled = true;
    this.fail(error);
    this.#cancelChildren();
    this.#end();
  }

  #judge() {
    const failed = this.children.filter((child) => child.fails).length;
    if (failed > 0) this.fail(failure(`${failed} subtest${failed > 1 ? 's' : ''} failed`, 'subtestsFailed'));
    if (this.expectation === undefined) return;
    if (this.error === null) this.fail(failure('test was expected to fail but passed', 'expectedFailure'));
    else if (this.#isExpected(this.error.cause)) this.error = null;
  }

  #isExpected(cause) {
    const { expectation } = this;
    if (expectation === true || typeof expectation === 'string') return true;
    const wanted = typeof expectation === 'object' && 'match' in expectation ? expectation.match : expectation;
    if (wanted === expectation && typeof expectation.label === 'string') return true;
    try {
      require('assert').throws(() => {
        throw cause;
      }, wanted);
      return true;
    } catch (error) {
      this.error = failure('The test failed, but the error did not match the expected validation', 'testCodeFailure');
      this.error.cause = error;
      return false;
    }
  }

  #end() {
    if (this.isOver) return;
    this.#state = 'over';
    if (this.number === 0) this.number = ++this.parent.shown;
    this.duration = this.startedAt === undefined ? 0 : Math.round((performance.now() - this.startedAt) * 1e6) / 1e6;
    this.controller?.abort();
    this.session.events.ended(this);
    this.session.events.report(this.session.root);
    this.#over.resolve();
  }
}

module.exports = { Entry };
