'use strict';

// The timeline of entries, and PerformanceObserver. A module that can measure something does so only while an observer
// wants that type.

const { codes } = require('internal/errors');
const { validateFunction, validateObject } = require('internal/validators');
const { toText } = require('internal/util/text');
const { domException, kInspect, kMake, check, enumerable, PerformanceNodeEntry } = require('internal/perf/entries');

// ---------------------------------------------------------------- the timeline and its observers

const supported = Object.freeze([
  'dns',
  'function',
  'gc',
  'http',
  'http2',
  'mark',
  'measure',
  'net',
  'quic',
  'resource',
]);

const timeline = { mark: [], measure: [], resource: [] };

const observers = new Set();

let pending = new Set();

let scheduled = false;

function bySpan(a, b) {
  return a.startTime - b.startTime;
}

class PerformanceObserverEntryList {
  #entries;

  constructor(make = undefined, entries) {
    if (make !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this.#entries = entries.sort(bySpan);
  }

  getEntries() {
    check(this, (self) => #entries in self, 'PerformanceObserverEntryList');
    return this.#entries.slice();
  }

  getEntriesByType(type) {
    check(this, (self) => #entries in self, 'PerformanceObserverEntryList');
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    type = toText(type);
    return this.#entries.filter((entry) => entry.entryType === type);
  }

  getEntriesByName(name, type = undefined) {
    check(this, (self) => #entries in self, 'PerformanceObserverEntryList');
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('name');
    name = toText(name);
    return this.#entries.filter(
      (entry) => entry.name === name && (type === undefined || entry.entryType === `${type}`),
    );
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `PerformanceObserverEntryList ${require('internal/util/inspect').inspect(this.#entries, inner)}`;
  }
}

enumerable(PerformanceObserverEntryList, ['getEntries', 'getEntriesByType', 'getEntriesByName']);

// One type at a time, each in addition to those before (mode single), or a whole list: not both.
function whatToObserve({ entryTypes, type, buffered }) {
  if (entryTypes != null && type != null) {
    throw new codes.ERR_INVALID_ARG_VALUE(
      'options.entryTypes',
      entryTypes,
      'options.entryTypes can not set with options.type together',
    );
  }
  if (entryTypes == null && type !== undefined) return { mode: 'single observation', types: [type], past: buffered };
  if (entryTypes === undefined) throw new codes.ERR_MISSING_ARGS('options.entryTypes', 'options.type');
  return { mode: 'multiple observations', types: entryTypes, past: false };
}

class PerformanceObserver {
  #buffer = [];
  #types = new Set();
  #mode;
  #callback;

  constructor(callback) {
    validateFunction(callback, 'callback');
    this.#callback = callback;
  }

  static get supportedEntryTypes() {
    return supported;
  }

  observe(options = {}) {
    validateObject(options, 'options');
    const { mode, types, past } = whatToObserve(options);
    this.#mode ??= mode;
    if (this.#mode !== mode)
      throw domException(`PerformanceObserver can not change to ${mode}`, 'InvalidModificationError');
    if (!Array.isArray(types)) throw new codes.ERR_INVALID_ARG_TYPE('options.entryTypes', 'string[]', types);
    const known = types.filter((type) => supported.includes(type));
    if (mode === 'multiple observations') {
      // Each list replaces the one before; an empty one ends the observation.
      if (known.length === 0) return this.disconnect();
      this.#types = new Set(known);
    } else if (known.length > 0) {
      this.#types.add(known[0]);
    } else {
      return;
    }
    observers.add(this);
    attendSources();
    for (const entry of past ? (timeline[known[0]] ?? []) : []) addToObserver(this, entry);
  }

  disconnect() {
    observers.delete(this);
    pending.delete(this);
    this.#buffer = [];
    this.#types.clear();
    this.#mode = undefined;
    attendSources();
  }

  takeRecords() {
    const list = this.#buffer;
    this.#buffer = [];
    return list;
  }

  static observes(observer, type) {
    return observer.#types.has(type);
  }

  static add(observer, entry) {
    if (!observer.#types.has(entry.entryType)) return;
    observer.#buffer.push(entry);
    enqueueObserver(observer);
  }

  static dispatch(observer) {
    const entries = observer.takeRecords();
    if (entries.length === 0) return;
    Reflect.apply(observer.#callback, observer, [new PerformanceObserverEntryList(kMake, entries), observer]);
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `PerformanceObserver ${require('internal/util/inspect').inspect(
      {
        connected: observers.has(this),
        pending: pending.has(this),
        entryTypes: [...this.#types],
        buffer: this.#buffer,
      },
      inner,
    )}`;
  }
}

const { add: addToObserver, dispatch: dispatchObserver, observes } = PerformanceObserver;

delete PerformanceObserver.add;

delete PerformanceObserver.observes;

delete PerformanceObserver.dispatch;

enumerable(PerformanceObserver, ['observe', 'disconnect', 'takeRecords']);

Object.defineProperty(PerformanceObserver, 'supportedEntryTypes', { __proto__: null, enumerable: true });

function enqueueObserver(observer) {
  pending.add(observer);
  if (scheduled) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    const list = pending;
    pending = new Set();
    for (const each of list) dispatchObserver(each);
  });
}

// Modules that measure only while their type is observed: how each is started and (with undefined) stopped.
const sources = {
  dns: (tell) => (require('internal/net/util').observed.dns = tell),
  net: (tell) => (require('internal/net/util').observed.net = tell),
  http: (tell) => require('internal/perf/http_entries').tellTo(tell),
  http2: (tell) => (require('internal/http2/figures').tell = tell),
};

const attended = new Set();

function attendSources() {
  for (const type of Object.keys(sources)) {
    let wanted = false;
    for (const observer of observers) wanted ||= observes(observer, type);
    if (wanted === attended.has(type)) continue;
    if (wanted) attended.add(type);
    else attended.delete(type);
    sources[type](
      wanted
        ? (name, startTime, duration, detail) => {
            enqueue(new PerformanceNodeEntry(kMake, name, type, startTime, duration, detail));
          }
        : undefined,
    );
  }
}

function enqueue(entry) {
  for (const observer of observers) addToObserver(observer, entry);
}

module.exports = { timeline, bySpan, PerformanceObserverEntryList, PerformanceObserver, enqueue };
