'use strict';

// node:perf_hooks: performance, its timing of the process, and what belongs to the module itself.

const { codes } = require('internal/errors');
const { validateFunction, validateObject, validateString } = require('internal/validators');
const { EventTarget, initEventTarget } = require('internal/event_target');
const { toText } = require('internal/util/text');
const binding = internalBinding('performance');
const {
  kInspect,
  kMake,
  now,
  timeOrigin,
  PerformanceEntry,
  enumerable,
  PerformanceNodeEntry,
  timingNames,
  PerformanceMark,
  PerformanceMeasure,
  PerformanceResourceTiming,
  domException,
  timeline,
  bySpan,
  PerformanceObserverEntryList,
  PerformanceObserver,
  enqueue,
} = require('internal/perf/entries');

let resourceLimit = 250;

let resourceFull = false;

let waitingResources = [];

// ---------------------------------------------------------------- performance

class PerformanceNodeTiming extends PerformanceEntry {
  constructor() {
    super(kMake, 'node', 'node', 0, 0);
    // All of them are own properties: a copy (`{ ...nodeTiming }`) has all that the original has.
    for (const [name, value] of [
      ['name', 'node'],
      ['entryType', 'node'],
      ['startTime', 0],
    ]) {
      Object.defineProperty(this, name, {
        __proto__: null,
        enumerable: true,
        configurable: true,
        writable: true,
        value,
      });
    }
    const milestones = binding.milestones ?? {};
    for (const [name, read] of Object.entries({
      duration: now,
      nodeStart: () => milestones.nodeStart ?? 0,
      v8Start: () => milestones.engineStart ?? milestones.nodeStart ?? 0,
      environment: () => milestones.environment ?? 0,
      loopStart: () => milestones.loopStart ?? binding.loopStart?.() ?? -1,
      loopExit: () => milestones.loopExit ?? binding.loopExit?.() ?? -1,
      bootstrapComplete: () => milestones.bootstrapComplete ?? 0,
      idleTime: () => binding.idleTime?.() ?? 0,
      uvMetricsInfo: () => binding.metricsInfo?.() ?? { loopCount: 0, events: 0, eventsWaiting: 0 },
    })) {
      Object.defineProperty(this, name, { __proto__: null, enumerable: true, configurable: true, get: read });
    }
  }

  toJSON() {
    return Object.fromEntries(timingFields.map((field) => [field, this[field]]));
  }
}

const timingFields = [
  'name',
  'entryType',
  'startTime',
  'duration',
  'nodeStart',
  'v8Start',
  'bootstrapComplete',
  'environment',
  'loopStart',
  'loopExit',
  'idleTime',
];

let nodeTiming;

// How the loop has spent its time since its start; undefined before that.
function timeSpent() {
  const start = binding.loopStart?.() ?? binding.milestones?.loopStart ?? -1;
  if (start <= 0) return undefined;
  const idle = binding.idleTime?.() ?? 0;
  return { idle, active: now() - start - idle };
}

// Between two earlier readings (the later one first), from one until now, or from the start until now.
function eventLoopUtilization(reading, before) {
  const sofar = timeSpent();
  if (sofar === undefined) return { idle: 0, active: 0, utilization: 0 };
  const [end, begin] = before === undefined ? [sofar, reading ?? { idle: 0, active: 0 }] : [reading, before];
  const span = { idle: end.idle - begin.idle, active: end.active - begin.active };
  return { ...span, utilization: span.active / (span.idle + span.active) };
}

// Measures the calls of one function: each becomes an entry, and a value of the histogram if there is one.
class CallMeter {
  #name;
  #histogram;

  constructor(name, histogram) {
    this.#name = name;
    this.#histogram = histogram;
  }

  #ended(began, args) {
    const took = now() - began;
    this.#histogram?.record(Math.max(1, Math.ceil(took * 1e6)));
    enqueue(Object.assign(new PerformanceNodeEntry(kMake, this.#name, 'function', began, took, args), args));
  }

  call(fn, self, args) {
    const began = now();
    const outcome = Reflect.apply(fn, self, args);
    // For an asynchronous function, the work ends when its promise is settled.
    if (typeof outcome?.finally === 'function') return outcome.finally(() => this.#ended(began, args));
    this.#ended(began, args);
    return outcome;
  }

  construct(fn, args) {
    const began = now();
    const made = Reflect.construct(fn, args);
    this.#ended(began, args);
    return made;
  }
}

function timerify(fn, options = {}) {
  validateFunction(fn, 'fn');
  validateObject(options, 'options');
  const { histogram } = options;
  if (histogram !== undefined && typeof Object(histogram).record !== 'function') {
    throw new codes.ERR_INVALID_ARG_TYPE('options.histogram', 'RecordableHistogram', histogram);
  }
  const meter = new CallMeter(fn.name, histogram);
  const timerified = function (...args) {
    return new.target === undefined ? meter.call(fn, this, args) : meter.construct(fn, args);
  };
  for (const [name, value] of [
    ['length', fn.length],
    ['name', `timerified ${fn.name}`],
  ]) {
    Object.defineProperty(timerified, name, { __proto__: null, value, enumerable: true, configurable: false });
  }
  return timerified;
}

// Invalid combinations of options of a measure, each with its message. A duration alone has no effect, and is no error.
const measureRules = [
  [({ start, end }, endMark) => endMark && (start !== undefined || end !== undefined), 'endMark must not be specified'],
  [
    ({ start, end, duration }) => ![start, end, duration].includes(undefined),
    'Must not have options.start, options.end, and options.duration specified',
  ],
];

// The time of a mark, given by name or as a number.
function timeOf(value) {
  if (typeof value === 'number') {
    if (value < 0) throw new codes.ERR_PERFORMANCE_INVALID_TIMESTAMP(value);
    return value;
  }
  value = `${value}`;
  if (timingNames.has(value)) return performance.nodeTiming[value];
  const marks = timeline.mark;
  for (let i = marks.length - 1; i >= 0; i--) if (marks[i].name === value) return marks[i].startTime;
  throw domException(`The "${value}" performance mark has not been set`, 'SyntaxError');
}

const hidden = (value) => ({ __proto__: null, configurable: true, enumerable: false, writable: true, value });

class Performance extends EventTarget {
  constructor(make = undefined) {
    if (make !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    super();
    initEventTarget(this);
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `Performance ${require('internal/util/inspect').inspect(
      {
        nodeTiming: this.nodeTiming,
        timeOrigin: this.timeOrigin,
      },
      inner,
    )}`;
  }

  clearMarks(name = undefined) {
    checkPerformance(this);
    if (name !== undefined) name = toText(name);
    timeline.mark = name === undefined ? [] : timeline.mark.filter((entry) => entry.name !== name);
  }

  clearMeasures(name = undefined) {
    checkPerformance(this);
    if (name !== undefined) name = toText(name);
    timeline.measure = name === undefined ? [] : timeline.measure.filter((entry) => entry.name !== name);
  }

  clearResourceTimings() {
    checkPerformance(this);
    timeline.resource = [];
  }

  getEntries() {
    checkPerformance(this);
    return [...timeline.mark, ...timeline.measure, ...timeline.resource].sort(bySpan);
  }

  getEntriesByName(name, type = undefined) {
    checkPerformance(this);
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('name');
    name = toText(name);
    return this.getEntries().filter(
      (entry) => entry.name === name && (type === undefined || entry.entryType === `${type}`),
    );
  }

  getEntriesByType(type) {
    checkPerformance(this);
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    type = toText(type);
    return (timeline[type] ?? []).slice().sort(bySpan);
  }

  mark(name, options = undefined) {
    checkPerformance(this);
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('name');
    const mark = new PerformanceMark(name, options);
    timeline.mark.push(mark);
    enqueue(mark);
    return mark;
  }

  measure(name, startOrOptions = undefined, endMark = undefined) {
    checkPerformance(this);
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('name');
    validateString(name, 'name');
    const options = startOrOptions !== null && typeof startOrOptions === 'object' ? startOrOptions : undefined;
    const { start, end, duration, detail } = options ?? {};
    const broken = measureRules.find(([breaks]) => breaks(options ?? {}, endMark));
    if (broken !== undefined) throw new codes.ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS(broken[1]);
    let endTime;
    if (endMark !== undefined) endTime = timeOf(endMark);
    else if (end !== undefined) endTime = timeOf(end);
    else if (start !== undefined && duration !== undefined) endTime = timeOf(start) + duration;
    else endTime = now();
    let startTime;
    if (start !== undefined) startTime = timeOf(start);
    else if (end !== undefined && duration !== undefined) startTime = timeOf(end) - duration;
    else if (typeof startOrOptions === 'string') startTime = timeOf(startOrOptions);
    else startTime = 0;
    const measure = new PerformanceMeasure(kMake, name, startTime, endTime - startTime, detail);
    timeline.measure.push(measure);
    enqueue(measure);
    return measure;
  }

  now() {
    checkPerformance(this);
    return now();
  }

  setResourceTimingBufferSize(maxSize) {
    checkPerformance(this);
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('maxSize');
    if (typeof maxSize === 'bigint' || typeof maxSize === 'symbol') {
      const error = new codes.ERR_INVALID_ARG_TYPE('maxSize', 'number', maxSize);
      error.message =
        `maxSize is a ${typeof maxSize === 'bigint' ? 'BigInt' : 'Symbol'} and cannot be converted ` + `to a number.`;
      throw error;
    }
    // An invalid size counts as none.
    resourceLimit = Number.isInteger(maxSize) && maxSize > 0 ? maxSize : 0;
  }

  get timeOrigin() {
    checkPerformance(this);
    return timeOrigin;
  }

  toJSON() {
    checkPerformance(this);
    return {
      nodeTiming: this.nodeTiming,
      timeOrigin: this.timeOrigin,
      eventLoopUtilization: this.eventLoopUtilization(),
    };
  }
}

enumerable(Performance, [
  'clearMarks',
  'clearMeasures',
  'clearResourceTimings',
  'getEntries',
  'getEntriesByName',
  'getEntriesByType',
  'mark',
  'measure',
  'now',
  'setResourceTimingBufferSize',
  'timeOrigin',
  'toJSON',
]);

Object.defineProperties(Performance.prototype, {
  eventLoopUtilization: hidden(eventLoopUtilization),
  nodeTiming: {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      nodeTiming ??= new PerformanceNodeTiming();
      return nodeTiming;
    },
    set(value) {
      Object.defineProperty(this, 'nodeTiming', {
        __proto__: null,
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    },
  },
  timerify: hidden(timerify),
  markResourceTiming: hidden(markResourceTiming),
});

require('internal/event_target').defineEventHandler(Performance.prototype, 'resourcetimingbufferfull');

function checkPerformance(value) {
  if (!(value instanceof Performance)) throw new codes.ERR_INVALID_THIS('Performance');
}

function markResourceTiming(
  timingInfo,
  requestedUrl,
  initiatorType,
  global,
  cacheMode,
  bodyInfo,
  responseStatus,
  deliveryType = '',
) {
  if (cacheMode !== '' && cacheMode !== 'local')
    throw new codes.ERR_INTERNAL_ASSERTION('cache must be an empty string or "local"');
  const entry = new PerformanceResourceTiming(kMake, requestedUrl, timingInfo, initiatorType, {
    cacheMode,
    responseStatus,
    deliveryType,
    ...bodyInfo,
  });
  if (!resourceFull && timeline.resource.length < resourceLimit) {
    timeline.resource.push(entry);
  } else {
    waitingResources.push(entry);
    if (!resourceFull) {
      resourceFull = true;
      setImmediate(flushResources);
    }
  }
  enqueue(entry);
  return entry;
}

// The buffer is full: its owner is told, and waiting entries are added as far as there is room then.
function flushResources() {
  const { Event } = require('internal/event_target');
  while (waitingResources.length > 0) {
    const before = waitingResources.length;
    if (timeline.resource.length >= resourceLimit) performance.dispatchEvent(new Event('resourcetimingbufferfull'));
    while (waitingResources.length > 0 && timeline.resource.length < resourceLimit)
      timeline.resource.push(waitingResources.shift());
    if (before <= waitingResources.length) waitingResources = [];
    else if (timeline.resource.length >= resourceLimit) waitingResources = [];
  }
  resourceFull = false;
}

const performance = new Performance(kMake);

const constants = {};

for (const [name, value] of Object.entries({
  NODE_PERFORMANCE_GC_MAJOR: 4,
  NODE_PERFORMANCE_GC_MINOR: 1,
  NODE_PERFORMANCE_GC_INCREMENTAL: 8,
  NODE_PERFORMANCE_GC_WEAKCB: 16,
  NODE_PERFORMANCE_GC_FLAGS_NO: 0,
  NODE_PERFORMANCE_GC_FLAGS_CONSTRUCT_RETAINED: 2,
  NODE_PERFORMANCE_GC_FLAGS_FORCED: 4,
  NODE_PERFORMANCE_GC_FLAGS_SYNCHRONOUS_PHANTOM_PROCESSING: 8,
  NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE: 16,
  NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY: 32,
  NODE_PERFORMANCE_GC_FLAGS_SCHEDULE_IDLE: 64,
})) {
  Object.defineProperty(constants, name, {
    __proto__: null,
    value,
    writable: false,
    enumerable: true,
    configurable: false,
  });
}

module.exports = {
  Performance,
  PerformanceEntry,
  PerformanceMark,
  PerformanceMeasure,
  PerformanceObserver,
  PerformanceObserverEntryList,
  PerformanceResourceTiming,
  monitorEventLoopDelay: (options = {}) => require('internal/perf/loop_delay').monitorEventLoopDelay(options),
  eventLoopUtilization,
  timerify,
  createHistogram: (options) => require('internal/histogram').createHistogram(options),
  performance,
};

Object.defineProperty(module.exports, 'constants', {
  __proto__: null,
  configurable: false,
  enumerable: true,
  value: constants,
});
