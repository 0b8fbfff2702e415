'use strict';

// The events of a run: the stream that reporters read, and what has been reported.
//
// What `run()` returns and what reporters read: each event of a run is a chunk `{ type, data }`, and an event of the
// stream by its own name.

const { Readable } = require('stream');

class TestsStream extends Readable {
  constructor() {
    super({ objectMode: true, highWaterMark: Number.MAX_SAFE_INTEGER, read() {} });
  }

  tell(type, data) {
    this.emit(type, data);
    this.push({ __proto__: null, type, data });
  }

  finish() {
    this.push(null);
  }
}

// From the tree of tests to the stream of events. Some events are emitted at once (`test:enqueue`, `test:dequeue`,
// `test:complete`); the report is in the order of declaration: an entry is reported after all its earlier siblings.

class EventStream {
  stream = new TestsStream();
  counts = { tests: 0, failed: 0, passed: 0, cancelled: 0, skipped: 0, todo: 0, topLevel: 0, suites: 0 };
  success = true;

  identity(entry) {
    const { name, nesting, id, parent, tags, place } = entry;
    return { __proto__: null, name, nesting, testId: id, parentId: parent.id, tags, ...place };
  }

  queued(entry) {
    this.stream.tell('test:enqueue', { ...this.identity(entry), type: entry.kind });
  }

  started(entry) {
    this.stream.tell('test:dequeue', { ...this.identity(entry), type: entry.kind });
  }

  ended(entry) {
    const result = this.#result(entry);
    this.stream.tell('test:complete', { ...result, details: { ...result.details, passed: entry.error === null } });
    this.#count(entry);
  }

  #count(entry) {
    const { counts } = this;
    if (entry.nesting === 0) counts.topLevel++;
    if (entry.fails) this.success = false;
    if (entry.isSuite) {
      counts.suites++;
      return;
    }
    counts.tests++;
    if (entry.skip !== undefined) counts.skipped++;
    else if (entry.todo !== undefined) counts.todo++;
    else if (entry.cancelled) counts.cancelled++;
    else if (entry.error !== null) counts.failed++;
    else counts.passed++;
  }

  #result(entry) {
    const details = { duration_ms: entry.duration, type: entry.kind };
    const data = { ...this.identity(entry), testNumber: entry.number, details };
    if (entry.nesting > 0) data.classname = details.classname = entry.path.slice(0, -1).join('.');
    if (entry.error !== null) details.error = entry.error;
    for (const mark of ['skip', 'todo', 'expectFailure']) if (entry[mark] !== undefined) data[mark] = entry[mark];
    return data;
  }

  // Emits what is due below `parent`, which has its turn.
  report(parent) {
    const { children } = parent;
    while (parent.reported < children.length) {
      const child = children[parent.reported];
      if (child.left) {
        parent.reported++;
        continue;
      }
      if (!child.announced) {
        if (!child.hasNews) return;
        child.announced = true;
        this.stream.tell('test:start', this.identity(child));
      }
      this.report(child);
      if (!child.isOver || child.reported < child.children.length) return;
      this.#tellEnd(child);
      parent.reported++;
    }
  }

  #tellEnd(entry) {
    const { nesting, place, shown, messages } = entry;
    if (shown > 0) this.stream.tell('test:plan', { __proto__: null, nesting: nesting + 1, count: shown, ...place });
    this.stream.tell(entry.error === null ? 'test:pass' : 'test:fail', this.#result(entry));
    for (const message of messages)
      this.stream.tell('test:diagnostic', { __proto__: null, nesting, message, level: 'info', ...place });
  }

  // The last events of a run.
  conclude(topLevel, warnings, duration, place = {}) {
    this.stream.tell('test:plan', { __proto__: null, nesting: 0, count: topLevel, ...place });
    for (const message of warnings)
      this.stream.tell('test:diagnostic', { __proto__: null, nesting: 0, message, level: 'warn', ...place });
    this.tellTotals(duration, place);
    this.stream.tell('test:summary', {
      __proto__: null,
      success: this.success,
      counts: this.counts,
      duration_ms: duration,
      file: place.file,
    });
    this.stream.finish();
  }

  tellTotals(duration, place) {
    const { counts } = this;
    const rows = [
      ['tests', counts.tests],
      ['suites', counts.suites],
      ['pass', counts.passed],
      ['fail', counts.failed],
      ['cancelled', counts.cancelled],
      ['skipped', counts.skipped],
      ['todo', counts.todo],
      ['duration_ms', duration],
    ];
    for (const [name, value] of rows) {
      this.stream.tell('test:diagnostic', {
        __proto__: null,
        nesting: 0,
        message: `${name} ${value}`,
        level: 'info',
        ...place,
      });
    }
  }
}

module.exports = { TestsStream, EventStream };
