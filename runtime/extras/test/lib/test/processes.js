'use strict';

// Test files, each in a process of its own, some at a time. Their events become one stream: immediate events pass
// through, and the reports of the files follow one another in the order of the files.

const path = require('path');
const { spawn } = require('child_process');
const { EventStream } = require('internal/test/event_stream');
const { failure } = require('internal/test/callbacks');
const { fromChild, environment } = require('internal/test/process_events');

const immediate = new Set(['test:enqueue', 'test:dequeue', 'test:complete', 'test:log', 'test:stdout', 'test:stderr']);

// One file: its process, and its events until its turn comes.
class File {
  held = [];
  isOver = false;
  tests = 0; // results that its process has told
  failed = 0;

  constructor(processes, file, name, id) {
    this.processes = processes;
    this.file = file;
    this.identity = {
      __proto__: null,
      name,
      nesting: 0,
      testId: id,
      parentId: 0,
      tags: [],
      file,
      line: 1,
      column: 1,
      entryFile: file,
    };
  }

  run(slot) {
    const { options, stream } = this.processes;
    const startedAt = performance.now();
    stream.tell('test:enqueue', { ...this.identity, type: 'test' });
    stream.tell('test:dequeue', { ...this.identity, type: 'test' });
    const env = { ...(options.env ?? process.env), ...environment(), NODE_TEST_WORKER_ID: `${slot}` };
    const child = spawn(process.execPath, [...options.execArgv, this.file, ...options.argv], {
      cwd: options.cwd,
      env,
      stdio: ['inherit', 'pipe', 'pipe', 'pipe'],
      signal: options.signal,
      killSignal: 'SIGTERM',
    });
    this.child = child;
    fromChild(child.stdio[3], (event) => this.#take(event));
    for (const name of ['stdout', 'stderr']) {
      child[name]
        .setEncoding('utf8')
        .on('data', (message) =>
          this.#take({ type: `test:${name}`, data: { __proto__: null, file: this.file, message } }),
        );
    }
    const { promise, resolve } = Promise.withResolvers();
    let late;
    if (options.timeout !== Infinity) {
      late = setTimeout(() => {
        this.problem = failure(`test timed out after ${options.timeout}ms`, 'testTimeoutFailure');
        child.kill('SIGTERM');
      }, options.timeout);
    }
    child.once('error', (error) => {
      this.problem ??= failure(error, error.name === 'AbortError' ? 'testAborted' : 'testCodeFailure');
    });
    child.once('close', (code, signal) => {
      clearTimeout(late);
      this.#end(code, signal, performance.now() - startedAt);
      resolve();
    });
    return promise;
  }

  #take({ type, data }) {
    data.entryFile = this.file;
    const event = { type, data };
    if (type === 'test:summary') {
      this.summary = data;
      this.held.push(event);
      return;
    }
    if (type === 'test:pass' || type === 'test:fail') {
      this.tests++;
      if (type === 'test:fail' && data.todo === undefined && data.skip === undefined) this.failed++;
    }
    // The totals of the run are the sum, not those of a file.
    if (type === 'test:plan' && data.nesting === 0) this.isConcluded = true;
    if (
      this.isConcluded &&
      data.nesting === 0 &&
      (type === 'test:plan' || (type === 'test:diagnostic' && data.level === 'info'))
    )
      return;
    if (immediate.has(type)) this.processes.stream.tell(type, data);
    else this.held.push(event);
    this.processes.flush();
  }

  #end(code, signal, duration) {
    const bad =
      this.problem ??
      (code === 0 && signal === null
        ? undefined
        : failure('test failed', this.failed > 0 ? 'subtestsFailed' : 'testCodeFailure'));
    if (bad !== undefined && this.problem === undefined) Object.assign(bad, { exitCode: code, signal });
    // A file without tests is a test itself, and so is one that failed for another reason than its tests.
    const isTest =
      this.tests === 0
        ? this.summary === undefined || bad !== undefined
        : bad !== undefined && (this.failed === 0 || this.problem !== undefined);
    const details = { duration_ms: Math.round(duration * 1e6) / 1e6, type: 'test', ...(bad && { error: bad }) };
    this.processes.stream.tell('test:complete', {
      ...this.identity,
      testNumber: this.identity.testId,
      details: { ...details, passed: bad === undefined },
    });
    if (isTest) {
      this.held.push(
        { type: 'test:start', data: { ...this.identity } },
        {
          type: bad === undefined ? 'test:pass' : 'test:fail',
          data: { ...this.identity, testNumber: this.identity.testId, details },
          isFile: true,
        },
      );
      const { counts } = this.processes.events;
      counts.tests++;
      counts.topLevel++;
      if (bad === undefined) counts.passed++;
      else if (this.problem === undefined) counts.failed++;
      else counts.cancelled++;
    }
    if (bad !== undefined) this.processes.events.success = false;
    this.isOver = true;
    this.processes.flush();
  }
}

class TestProcesses {
  events = new EventStream();
  #files;
  #turn = 0;
  #top = 0;

  constructor(files, options) {
    this.options = options;
    this.#files = files.map(
      (file, i) =>
        new File(
          this,
          path.resolve(options.cwd, file),
          options.isNamed ? file : path.relative(options.cwd, file),
          i + 1,
        ),
    );
  }

  get stream() {
    return this.events.stream;
  }

  async run() {
    const startedAt = performance.now();
    const waiting = this.#files.slice();
    const work = async (slot) => {
      while (waiting.length > 0 && !this.options.signal?.aborted && !this.isInterrupted)
        await waiting.shift().run(slot);
    };
    const workers = Math.min(this.options.concurrency, Math.max(waiting.length, 1));
    await Promise.all(Array.from({ length: workers }, (_, i) => work(i + 1)));
    this.events.conclude(this.#top, [], performance.now() - startedAt);
    return this.events.success;
  }

  // The running files when the run is interrupted.
  interrupt() {
    const tests = this.#files.filter((file) => file.child !== undefined && !file.isOver);
    this.stream.tell('test:interrupted', { __proto__: null, tests: tests.map(({ identity }) => ({ ...identity })) });
    for (const { child } of tests) child.kill('SIGTERM');
    this.#files.length = this.#files.findLastIndex((file) => file.child !== undefined) + 1;
    this.isInterrupted = true;
  }

  flush() {
    for (; this.#turn < this.#files.length; this.#turn++) {
      const file = this.#files[this.#turn];
      for (const event of file.held.splice(0)) this.#tell(event);
      if (!file.isOver) return;
    }
  }

  #tell({ type, data, isFile }) {
    if ((type === 'test:pass' || type === 'test:fail') && data.nesting === 0) {
      this.#top++;
      if (!isFile) data.testNumber = this.#top;
    }
    if (type === 'test:summary') {
      const { counts } = this.events;
      for (const name of Object.keys(counts)) counts[name] += data.counts[name];
      if (!data.success) this.events.success = false;
    }
    this.stream.tell(type, data);
  }
}

module.exports = { TestProcesses };
