'use strict';

// The tests of this process: the root of the tree, the time when it starts and when it is over, and the destination of
// the results. The report goes to reporters, to the parent that runs this process as one of its files
// (internal/test/process_events), or to the caller of run().

const { AsyncLocalStorage } = require('async_hooks');
const { validateObject, validateFunction } = require('internal/validators');
const { Entry } = require('internal/test/entry');
const { EventStream } = require('internal/test/event_stream');
const { failure } = require('internal/test/callbacks');
const { settings } = require('internal/test/settings');
const { TestContext, SuiteContext } = require('internal/test/context');
const { inspect } = require('internal/util/inspect');

const stillPending = 'Promise resolution is still pending but the event loop has already resolved';

// The position of the program's call.
function placeOfCaller() {
  const site = require('util')
    .getCallSites(12)
    .find(({ scriptName }) => scriptName.startsWith('/') || scriptName.startsWith('file:'));
  if (site === undefined) return { __proto__: null, file: undefined };
  const file = site.scriptName.startsWith('file:') ? require('url').fileURLToPath(site.scriptName) : site.scriptName;
  return { __proto__: null, file, line: site.lineNumber, column: site.columnNumber };
}

// (name, options, fn), each of which may be left out.
function readArguments(name, options, fn) {
  const rest = [name, options, fn];
  const title =
    typeof rest[0] === 'string'
      ? rest.shift()
      : rest[0] === undefined || rest[0] === null
        ? (rest.shift(), undefined)
        : undefined;
  let chosen = rest[0] !== null && typeof rest[0] === 'object' ? rest.shift() : undefined;
  if (chosen === undefined && typeof rest[0] !== 'function') rest.shift();
  const body = chosen?.fn ?? rest.find((each) => each !== undefined && each !== null);
  chosen ??= {};
  if (body !== undefined) validateFunction(body, 'fn');
  return { name: chosen.name ?? title ?? (body?.name || '<anonymous>'), options: chosen, fn: body };
}

// The test or suite whose code is running.
const current = new AsyncLocalStorage();

class Session {
  events = new EventStream();
  #running = [];
  #warnings = [];
  #begun = performance.now();
  #ending = false;
  #closed;

  constructor() {
    this.root = new Entry(
      this,
      null,
      'test',
      { name: '<root>', options: { timeout: settings.timeout }, fn: undefined },
      { __proto__: null },
    );
    this.root.begin();
    this.root.held = true;
    this.root.announced = true;
    process.on('uncaughtException', (error) => this.#onUncaught(error, 'uncaughtException'));
    process.on('unhandledRejection', (error) => this.#onUncaught(error, 'unhandledRejection'));
    process.on('beforeExit', () => this.end());
    process.on('exit', () => {
      if (this.isCalled) return;
      if (!this.events.success || (!this.#ending && this.root.children.some((child) => !child.isOver && !child.left)))
        process.exitCode = 1;
    });
  }

  // ---- declaring ----

  contextOf(entry) {
    return entry.isSuite ? new SuiteContext(entry) : new TestContext(entry);
  }

  get parent() {
    const entry = current.getStore();
    return entry === undefined || entry.isOver || entry.session !== this ? this.root : entry;
  }

  get context() {
    const entry = current.getStore();
    return entry === undefined || entry.isOver ? undefined : entry.context;
  }

  within(entry, fn) {
    return entry.parent === null ? fn() : current.run(entry, fn);
  }

  declare(kind, parent, name, options, fn, overrides) {
    const declared = readArguments(name, options, fn);
    if (overrides !== undefined) declared.options = { ...declared.options, ...overrides };
    validateObject(declared.options, 'options');
    const place = placeOfCaller();
    if (parent.isOver) {
      const late = new Entry(this, this.root, kind, declared, place);
      late.startedAt = performance.now();
      this.root.children.push(late);
      this.root.startChildren();
      late.stop(failure('test could not be started because its parent finished', 'parentAlreadyFinished'), false);
      return Promise.resolve();
    }
    const entry = new Entry(this, parent, kind, declared, place);
    if (kind === 'suite' && entry.skip === undefined) this.#register(entry);
    const promise = parent.adopt(entry);
    if (parent === this.root) this.#open();
    return promise;
  }

  // The body of a suite declares its children, when the suite itself is declared.
  #register(suite) {
    try {
      const result = this.within(suite, () => Reflect.apply(suite.fn, suite.context, [suite.context]));
      if (typeof result?.then === 'function') suite.registered = result.then(undefined, (error) => suite.fail(error));
    } catch (error) {
      suite.fail(error);
    }
  }

  // The first tests start after the code that declares them has run, and its promise jobs, too.
  #open() {
    if (this.opening || this.waits) return;
    this.opening = true;
    Promise.resolve()
      .then(() => {})
      .then(() => {})
      .then(() => {
        if (!this.isReported) this.report();
        this.root.held = false;
        this.root.startChildren();
      });
  }

  // run() with isolation 'none' lets the tests of all files wait until the last one is loaded.
  release() {
    this.waits = false;
    const marked = (entry) => entry.only === true || entry.children.some(marked);
    if (!settings.only && this.root.children.some(marked)) settings.only = true;
    if (this.root.children.length > 0) this.#open();
    else this.end();
  }

  // ---- running ----

  entered(entry) {
    this.#running.push(entry);
  }

  leaves(entry) {
    this.#running.splice(this.#running.indexOf(entry), 1);
  }

  secondCall(entry, error) {
    if (entry.isOver) this.#warn(entry, error, 'uncaughtException');
    else entry.fail(error);
  }

  #onUncaught(error, type) {
    const entry = current.getStore();
    if (entry !== undefined && entry.session !== this) return;
    if (entry === undefined) {
      process.exitCode = 1;
      this.events.success = false;
      const [what] = inspect(error).split('\n', 1);
      this.#warnings.push(
        'Error: A resource generated asynchronous activity after the test ended. This activity created the error ' +
          `"${what}" which triggered an ${type} event, caught by the test runner.`,
      );
    } else if (entry.isOver) {
      process.exitCode = 1;
      this.#warn(entry, error, type);
    } else {
      entry.stop(failure(error, type), false);
    }
  }

  #warn({ name, place: { file, line, column } }, error, type) {
    const [what] = inspect(error).split('\n', 1);
    const where = file === undefined ? '' : ` at ${require('path').relative(process.cwd(), file)}:${line}:${column}`;
    this.#warnings.push(
      `Error: Test "${name}"${where} generated asynchronous activity after the test ended. This activity created ` +
        `the error ` +
        `"${what}" and would have caused the test to fail, but instead triggered an ${type} event.`,
    );
  }

  // ---- the end ----

  // The last test is over, and the main module has nothing left to declare: the resources that the hooks close may be
  // all that keeps the loop alive.
  becameIdle() {
    setImmediate(async () => {
      if (!this.root.isIdle || this.#ending || this.waits || require('internal/process/main').unsettled()) return;
      await this.#close();
      if (settings.forceExit || this.isCalled) this.end();
    });
  }

  #close() {
    this.#closed ??= this.root.runHooks('after', this.root.context).catch((error) => this.root.fail(error));
    return this.#closed;
  }

  // The loop has nothing left to do: waiting tests will never end.
  async end() {
    if (this.#ending || this.waits) return;
    this.#ending = true;
    if (this.root.held && this.root.children.length > 0) {
      this.#ending = false;
      return;
    }
    if (!this.isReported) this.report();
    const { root, events } = this;
    for (const entry of this.#running.slice().reverse()) {
      entry.stop(failure(stillPending, 'cancelledByParent'), true);
      await entry.whenOver;
    }
    for (const child of root.children) await child.whenOver;
    await this.#close();
    if (root.error !== null) {
      events.success = false;
      this.#warnings.push(inspect(root.error.cause));
    }
    events.report(root);
    const duration = performance.now() - this.#begun;
    events.conclude(root.shown, this.#warnings, duration, this.place);
    if (!events.success && !this.isCalled) process.exitCode = 1;
    this.whenEnded?.();
    if (settings.forceExit) this.#leave();
  }

  // Ctrl+C: reports the running tests.
  interrupt() {
    const tests = this.#running.filter((entry) => entry.nesting === 0).map((entry) => this.events.identity(entry));
    this.events.stream.tell('test:interrupted', { __proto__: null, tests });
    this.events.stream.finish();
    process.exitCode = 1;
    this.#leave();
  }

  // --test-force-exit: as soon as the report is out.
  async #leave() {
    await this.flushed;
    process.exit();
  }

  // The stream gets its readers just before the first test runs: run() may have become its reader until then.
  report() {
    this.isReported = true;
    const send = require('internal/test/process_events').toParent();
    if (send !== undefined) {
      this.place = { __proto__: null, file: process.argv[1] };
      send(this.events.stream);
    } else {
      this.flushed = require('internal/test/reporting').connect(this.events.stream, settings);
    }
  }
}

let session;
module.exports = {
  get session() {
    return (session ??= new Session());
  },
  hasSession: () => session !== undefined,
  // A run that the program starts in this process has a tree of its own.
  nested() {
    const outer = session;
    session = new Session();
    session.isCalled = true;
    session.isReported = true;
    session.whenEnded = () => {
      session = outer;
    };
    return session;
  },
};
