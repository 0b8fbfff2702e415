'use strict';

// The clock since the start, and the classes of performance entries: marks, measures, resources and those of Node.

const { codes } = require('internal/errors');
const { validateObject } = require('internal/validators');
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
};
