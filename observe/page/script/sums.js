'use strict';
// Sums of callbacks by a key, and percentiles of how long they took.

class Sums {
  constructor({ duration, late }) {
    this.duration = duration;
    this.late = late;
    this.byKey = new Map();
  }
  add(key, i) {
    const { duration, late } = this;
    let sum = this.byKey.get(key);
    if (sum === undefined) {
      sum = { key, count: 0, total: 0, waited: 0, worst: i };
      this.byKey.set(key, sum);
    }
    sum.count++;
    sum.total += duration[i];
    if (late[i] > 0) sum.waited += late[i] - 1;
    if (duration[i] > duration[sum.worst]) sum.worst = i;
  }
  // The most time first.
  sorted() {
    return [...this.byKey.values()].sort((x, y) => y.total - x.total);
  }
}

// Whether all callbacks begin in the range.
function isInRange({ calls, start }, from, to) {
  return calls.length > 0 && from <= start[calls[0]] && to >= start[calls[calls.length - 1]];
}

// Values in buckets, 64 to each power of two: a million of them take too long to be sorted.
const MANY = 20000;
const STEPS = 64;
const PARTS = [0.5, 0.9, 0.99];

function bucketOf(ns) {
  if (ns < STEPS) return ns;
  const shift = 31 - Math.clz32(ns / STEPS);
  return shift * STEPS + Math.floor(ns / 2 ** shift);
}

function valueOf(bucket) {
  const shift = bucket < 2 * STEPS ? 0 : Math.floor(bucket / STEPS) - 1;
  return (bucket - shift * STEPS) * 2 ** shift;
}

function percentilesOf(items, duration) {
  if (items.length <= MANY) {
    const sorted = Float64Array.from(items, (i) => duration[i]).sort();
    return PARTS.map((part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]);
  }
  const buckets = new Uint32Array(STEPS * 48);
  for (const i of items) buckets[bucketOf(Math.floor(duration[i]))]++;
  return PARTS.map((part) => {
    let bucket = 0;
    let seen = buckets[0];
    while (seen <= items.length * part && bucket < buckets.length - 1) seen += buckets[++bucket];
    return valueOf(bucket);
  });
}

module.exports = { Sums, isInRange, percentilesOf };
