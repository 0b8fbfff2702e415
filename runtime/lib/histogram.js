'use strict';

// Histograms: values are counted in buckets whose width grows with the value, so that each is known to a given number
// of significant digits. Histograms of programs are counted here; the loop's delay is counted in C, and has the same
// interface (internal/loop_delay).

const { codes } = require('internal/errors');
const { validateInteger, validateNumber, validateObject } = require('internal/validators');
const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kClone = Symbol.for('rota.clone');
const kShown = ['min', 'max', 'mean', 'exceeds', 'stddev', 'skewness', 'kurtosis', 'count', 'percentiles'];

// The getters of a histogram, over any counter: `count`, `exceeds`, `min`, `max` and `entries()`, the buckets that have
// any values as [least value, how many], ascending. The bucket of a value is its magnitude and its leading bits.
class Tally {
  constructor(figures) {
    // As many sub-buckets that neighbours differ in the wanted digit.
    this.subBits = Math.ceil(Math.log2(2 * 10 ** figures));
  }

  keyOf(value) {
    const bits = value === 0 ? 0 : Math.floor(Math.log2(value));
    const shift = Math.max(0, bits - this.subBits + 1);
    const width = 2 ** shift;
    return Math.floor(value / width) * width;
  }

  // The largest value in the bucket that starts at `key`.
  topOf(key) {
    const bits = key === 0 ? 0 : Math.floor(Math.log2(key));
    const shift = Math.max(0, bits - this.subBits + 1);
    return key + 2 ** shift - 1;
  }

  moments() {
    const { count } = this;
    const entries = this.entries();
    const mean = entries.reduce((sum, [key, n]) => sum + this.middle(key) * n, 0) / count;
    const central = (power) =>
      entries.reduce((sum, [key, n]) => sum + n * (this.middle(key) - mean) ** power, 0) / count;
    const variance = central(2);
    return {
      mean,
      stddev: Math.sqrt(variance),
      skewness: count < 3 || variance === 0 ? 0 : central(3) / variance ** 1.5,
      kurtosis: count < 4 || variance === 0 ? 0 : central(4) / variance ** 2 - 3,
    };
  }

  middle(key) {
    const top = this.topOf(key);
    return key === top ? key : key + (top - key + 1) / 2;
  }

  percentile(p) {
    if (this.count === 0) return 0;
    const wanted = Math.max(1, Math.min(this.count, Math.floor((p / 100) * this.count + 0.5)));
    let seen = 0;
    for (const [key, n] of this.entries()) {
      seen += n;
      if (seen >= wanted) return this.topOf(key);
    }
    return this.max;
  }

  // Steps through the distribution, each half of the rest, until less than one value is left: [percentage, value].
  *steps() {
    const { count } = this;
    let part = 0;
    let seen = 0;
    let value = 0;
    for (const [key, n] of this.entries()) {
      seen += n;
      value = key;
      while (part < 100 && seen >= (part / 100) * count) {
        yield [part, key];
        part += (100 - part) / 2;
        if (((100 - part) / 100) * count < 0.5 || seen === count) part = 100;
      }
    }
    yield [100, value];
  }
}

// Counted in JavaScript.
class Counts extends Tally {
  constructor(highest, figures) {
    super(figures);
    this.highest = highest;
    this.reset();
  }

  reset() {
    this.buckets = new Map();
    this.count = 0;
    this.exceeds = 0;
    this.min = Infinity;
    this.max = -Infinity;
    this.sorted = undefined;
  }

  record(value) {
    if (value > this.highest || value < 1) {
      this.exceeds++;
      return false;
    }
    const key = this.keyOf(value);
    this.buckets.set(key, (this.buckets.get(key) ?? 0) + 1);
    this.count++;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    this.sorted = undefined;
    return true;
  }

  entries() {
    this.sorted ??= [...this.buckets].sort((a, b) => a[0] - b[0]);
    return this.sorted;
  }
}

class Histogram {
  #counts;
  #last;

  static of(value) {
    if (typeof value !== 'object' || value === null || !(#counts in value))
      throw new codes.ERR_INVALID_THIS('Histogram');
    return value.#counts;
  }

  static is(value) {
    return typeof value === 'object' && value !== null && #counts in value;
  }

  constructor(counts) {
    if (!(counts instanceof Tally)) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this.#counts = counts;
    this.#last = undefined;
  }

  // A clone shares the counts, also those that come later.
  [kClone]() {
    return new Histogram(Histogram.of(this));
  }

  [kInspect](depth, options) {
    if (depth < 0) return options.stylize(`[${this.constructor.name}]`, 'special');
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    const shown = Object.fromEntries(kShown.map((name) => [name, this[name]]));
    return `Histogram ${require('internal/util/inspect').inspect(shown, inner)}`;
  }

  get count() {
    return Histogram.of(this).count;
  }

  get countBigInt() {
    return BigInt(Histogram.of(this).count);
  }

  get min() {
    const counts = Histogram.of(this);
    return counts.count === 0 ? 9223372036854776000 : counts.keyOf(counts.min);
  }

  get minBigInt() {
    const counts = Histogram.of(this);
    return counts.count === 0 ? 9223372036854775807n : BigInt(counts.keyOf(counts.min));
  }

  get max() {
    const counts = Histogram.of(this);
    return counts.count === 0 ? 0 : counts.topOf(counts.keyOf(counts.max));
  }

  get maxBigInt() {
    return BigInt(this.max);
  }

  get mean() {
    const counts = Histogram.of(this);
    return counts.count === 0 ? NaN : counts.moments().mean;
  }

  get exceeds() {
    return Histogram.of(this).exceeds;
  }

  get exceedsBigInt() {
    return BigInt(Histogram.of(this).exceeds);
  }

  get skewness() {
    const counts = Histogram.of(this);
    return counts.count === 0 ? 0 : counts.moments().skewness;
  }

  get kurtosis() {
    const counts = Histogram.of(this);
    return counts.count === 0 ? 0 : counts.moments().kurtosis;
  }

  get stddev() {
    const counts = Histogram.of(this);
    return counts.count === 0 ? NaN : counts.moments().stddev;
  }

  percentile(percentile) {
    const counts = Histogram.of(this);
    checkPercentile(percentile);
    return counts.percentile(percentile);
  }

  percentileBigInt(percentile) {
    return BigInt(this.percentile(percentile));
  }

  get percentiles() {
    const counts = Histogram.of(this);
    return new Map(counts.steps());
  }

  get percentilesBigInt() {
    const map = new Map();
    for (const [key, value] of this.percentiles) map.set(key, BigInt(value));
    return map;
  }

  reset() {
    Histogram.of(this).reset();
    this.#last = undefined;
  }

  toJSON() {
    const counts = Histogram.of(this);
    return {
      count: counts.count,
      min: this.min,
      max: this.max,
      mean: this.mean,
      exceeds: counts.exceeds,
      stddev: this.stddev,
      percentiles: Object.fromEntries(this.percentiles),
    };
  }

  static recordDeltaOf(value) {
    const now = process.hrtime.bigint();
    const last = value.#last;
    value.#last = now;
    return last === undefined ? undefined : Number(now - last);
  }
}

function checkPercentile(value) {
  validateNumber(value, 'percentile');
  if (Number.isNaN(value) || value <= 0 || value > 100)
    throw new codes.ERR_OUT_OF_RANGE('percentile', '> 0 && <= 100', value);
}

class RecordableHistogram extends Histogram {
  [kClone]() {
    return new RecordableHistogram(Histogram.of(this));
  }

  record(val) {
    const counts = Histogram.of(this);
    if (typeof val === 'bigint') {
      if (val < 1n || val > BigInt(Number.MAX_SAFE_INTEGER))
        throw new codes.ERR_OUT_OF_RANGE('val', `>= 1 && <= ${Number.MAX_SAFE_INTEGER}`, val);
      counts.record(Number(val));
      return;
    }
    validateInteger(val, 'val', 1);
    counts.record(val);
  }

  recordDelta() {
    const counts = Histogram.of(this);
    const delta = Histogram.recordDeltaOf(this);
    if (delta !== undefined) counts.record(Math.max(1, delta));
  }

  add(other) {
    const counts = Histogram.of(this);
    if (!(other instanceof RecordableHistogram))
      throw new codes.ERR_INVALID_ARG_TYPE('other', 'RecordableHistogram', other);
    const theirs = Histogram.of(other);
    for (const [key, n] of theirs.buckets) counts.buckets.set(key, (counts.buckets.get(key) ?? 0) + n);
    counts.count += theirs.count;
    counts.exceeds += theirs.exceeds;
    counts.min = Math.min(counts.min, theirs.min);
    counts.max = Math.max(counts.max, theirs.max);
    counts.sorted = undefined;
  }
}

function createHistogram(options = {}) {
  validateObject(options, 'options');
  const { lowest = 1, highest = Number.MAX_SAFE_INTEGER, figures = 3 } = options;
  if (typeof lowest !== 'bigint') validateInteger(lowest, 'options.lowest', 1, Number.MAX_SAFE_INTEGER);
  if (typeof highest !== 'bigint') {
    validateInteger(highest, 'options.highest', 2 * Number(lowest), Number.MAX_SAFE_INTEGER);
  } else if (highest < 2n * BigInt(lowest)) {
    throw new codes.ERR_INVALID_ARG_VALUE('options.highest', highest);
  }
  validateInteger(figures, 'options.figures', 1, 5);
  return new RecordableHistogram(new Counts(Number(highest), figures));
}

// As plain data, for another thread: the counts so far.
function toPlain(histogram) {
  const { count, exceeds, min, max, subBits, highest = Number.MAX_SAFE_INTEGER } = Histogram.of(histogram);
  return {
    count,
    exceeds,
    min,
    max,
    subBits,
    highest,
    entries: Histogram.of(histogram).entries(),
    records: histogram instanceof RecordableHistogram,
  };
}

function fromPlain({ count, exceeds, min, max, subBits, highest, entries, records }) {
  const counts = Object.assign(new Counts(highest, 3), {
    count,
    exceeds,
    min,
    max,
    subBits,
    buckets: new Map(entries),
  });
  return records ? new RecordableHistogram(counts) : new Histogram(counts);
}

module.exports = {
  Histogram,
  RecordableHistogram,
  Tally,
  createHistogram,
  isHistogram: Histogram.is,
  toPlain,
  fromPlain,
};
