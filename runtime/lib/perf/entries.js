'use strict';

// Performance entries: their classes, the timeline of entries, and PerformanceObserver.

const { codes } = require('internal/errors');
const { validateObject, validateFunction } = require('internal/validators');
const { toText } = require('internal/util/text');
const binding = internalBinding('performance');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

const kMake = Symbol('kMake');

// Milliseconds since the process started; from the binding's clock, or the process's own.
const startOfTime = binding.now === undefined ? process.hrtime() : undefined;

const now =
  binding.now ??
  (() => {
    const [seconds, nanoseconds] = process.hrtime(startOfTime);
    return seconds * 1000 + nanoseconds / 1e6;
  });

const timeOrigin = binding.timeOriginTimestamp ?? Date.now() - now();

// ---------------------------------------------------------------- entries

class PerformanceEntry {
  #name;
  #entryType;
  #startTime;
  #duration;

  constructor(make = undefined, name, entryType, startTime, duration) {
    if (make !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this.#name = name;
    this.#entryType = entryType;
    this.#startTime = startTime;
    this.#duration = duration;
  }

  get name() {
    check(this, (self) => #name in self, 'PerformanceEntry');
    return this.#name;
  }

  get entryType() {
    check(this, (self) => #name in self, 'PerformanceEntry');
    return this.#entryType;
  }

  get startTime() {
    check(this, (self) => #name in self, 'PerformanceEntry');
    return this.#startTime;
  }

  get duration() {
    check(this, (self) => #name in self, 'PerformanceEntry');
    return this.#duration;
  }

  toJSON() {
    check(this, (self) => #name in self, 'PerformanceEntry');
    return { name: this.#name, entryType: this.#entryType, startTime: this.#startTime, duration: this.#duration };
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `${this.constructor.name} ${require('internal/util/inspect').inspect(this.toJSON(), inner)}`;
  }
}

function check(value, isOne, name) {
  if (typeof value !== 'object' || value === null || !isOne(value)) throw new codes.ERR_INVALID_THIS(name);
}

function enumerable(Class, names) {
  for (const name of names) Object.defineProperty(Class.prototype, name, { __proto__: null, enumerable: true });
  Object.defineProperty(Class.prototype, Symbol.toStringTag, {
    __proto__: null,
    configurable: true,
    value: Class.name,
  });
}

enumerable(PerformanceEntry, ['name', 'entryType', 'startTime', 'duration', 'toJSON']);

class PerformanceNodeEntry extends PerformanceEntry {
  #detail;

  constructor(make, name, entryType, startTime, duration, detail) {
    super(make, name, entryType, startTime, duration);
    this.#detail = detail;
  }

  get detail() {
    return this.#detail;
  }

  toJSON() {
    return { ...super.toJSON(), detail: this.#detail };
  }
}

const timingNames = new Set(['nodeStart', 'v8Start', 'environment', 'loopStart', 'loopExit', 'bootstrapComplete']);

function cloneDetail(detail) {
  return detail == null ? null : require('internal/structured_clone').structuredClone(detail);
}

class PerformanceMark extends PerformanceEntry {
  #detail;

  constructor(name, options = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('name');
    name = toText(name);
    if (timingNames.has(name)) throw new codes.ERR_INVALID_ARG_VALUE('name', name);
    if (options != null) validateObject(options, 'options');
    const startTime = options?.startTime ?? now();
    if (typeof startTime !== 'number') throw new codes.ERR_INVALID_ARG_TYPE('startTime', 'number', startTime);
    if (startTime < 0) throw new codes.ERR_PERFORMANCE_INVALID_TIMESTAMP(startTime);
    super(kMake, name, 'mark', startTime, 0);
    this.#detail = cloneDetail(options?.detail);
  }

  get detail() {
    check(this, (self) => #detail in self, 'PerformanceMark');
    return this.#detail;
  }

  toJSON() {
    check(this, (self) => #detail in self, 'PerformanceMark');
    return { ...super.toJSON(), detail: this.#detail };
  }
}

enumerable(PerformanceMark, ['detail']);

class PerformanceMeasure extends PerformanceEntry {
  #detail;

  constructor(make = undefined, name, startTime, duration, detail) {
    if (make !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    super(kMake, name, 'measure', startTime, duration);
    this.#detail = cloneDetail(detail);
  }

  get detail() {
    check(this, (self) => #detail in self, 'PerformanceMeasure');
    return this.#detail;
  }

  toJSON() {
    return { ...super.toJSON(), detail: this.#detail };
  }
}

enumerable(PerformanceMeasure, ['detail']);

class PerformanceResourceTiming extends PerformanceEntry {
  #info;

  constructor(make = undefined, url, info, initiator, extra) {
    if (make !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    super(kMake, url, 'resource', info.startTime ?? 0, (info.endTime ?? 0) - (info.startTime ?? 0));
    this.#info = { ...info, initiator, ...extra };
  }

  static read(self, name) {
    check(self, (each) => #info in each, 'PerformanceResourceTiming');
    return self.#info[name];
  }

  toJSON() {
    const result = super.toJSON();
    for (const name of Object.keys(resourceFields)) result[name] = this[name];
    return result;
  }
}

const readTiming = PerformanceResourceTiming.read;

delete PerformanceResourceTiming.read;

const resourceFields = {
  initiatorType: (r) => readTiming(r, 'initiator'),
  nextHopProtocol: (r) => readTiming(r, 'finalConnectionTimingInfo')?.ALPNNegotiatedProtocol ?? [],
  workerStart: (r) => readTiming(r, 'finalServiceWorkerStartTime') ?? 0,
  redirectStart: (r) => readTiming(r, 'redirectStartTime') ?? 0,
  redirectEnd: (r) => readTiming(r, 'redirectEndTime') ?? 0,
  fetchStart: (r) => readTiming(r, 'postRedirectStartTime') ?? 0,
  domainLookupStart: (r) => readTiming(r, 'finalConnectionTimingInfo')?.domainLookupStartTime,
  domainLookupEnd: (r) => readTiming(r, 'finalConnectionTimingInfo')?.domainLookupEndTime,
  connectStart: (r) => readTiming(r, 'finalConnectionTimingInfo')?.connectionStartTime,
  connectEnd: (r) => readTiming(r, 'finalConnectionTimingInfo')?.connectionEndTime,
  secureConnectionStart: (r) => readTiming(r, 'finalConnectionTimingInfo')?.secureConnectionStartTime,
  requestStart: (r) => readTiming(r, 'finalNetworkRequestStartTime') ?? 0,
  responseStart: (r) => readTiming(r, 'finalNetworkResponseStartTime') ?? 0,
  responseEnd: (r) => readTiming(r, 'endTime') ?? 0,
  transferSize: (r) =>
    readTiming(r, 'cacheMode') === 'local'
      ? 0
      : readTiming(r, 'cacheMode') === 'validated'
        ? 300
        : (readTiming(r, 'encodedBodySize') ?? 0) + 300,
  encodedBodySize: (r) => readTiming(r, 'encodedBodySize') ?? 0,
  decodedBodySize: (r) => readTiming(r, 'decodedBodySize') ?? 0,
  deliveryType: (r) => readTiming(r, 'deliveryType') ?? '',
  responseStatus: (r) => readTiming(r, 'responseStatus') ?? 0,
};

for (const [name, read] of Object.entries(resourceFields)) {
  Object.defineProperty(PerformanceResourceTiming.prototype, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return read(this);
    },
  });
}

enumerable(PerformanceResourceTiming, ['toJSON']);

function domException(message, name) {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException(message, name);
}

// The timeline of entries, and PerformanceObserver. A module that can measure something does so only while an observer
// wants that type.

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

module.exports = {
  domException,
  kInspect,
  kMake,
  now,
  timeOrigin,
  PerformanceEntry,
  check,
  enumerable,
  PerformanceNodeEntry,
  timingNames,
  PerformanceMark,
  PerformanceMeasure,
  PerformanceResourceTiming,
  timeline,
  bySpan,
  PerformanceObserverEntryList,
  PerformanceObserver,
  enqueue,
};
