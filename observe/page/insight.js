'use strict';
// What a trace says about causes and delays: who has scheduled a callback, since when it could have run, what ran in
// its place. The page asks it (script/causes.js), and findings.js, without a browser.

// ---- sums ----

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

// ---- causes ----

const MOST = 64; // the longest chain that is shown

class Insight {
  // `calls` and `waits` are numbers of events in the order of their beginning; `late` is in nanoseconds, plus 1; 0:
  // unknown.
  constructor(events) {
    Object.assign(this, events);
    this.tracks = new Map(); // by thread: its outermost callbacks, and its waits
    this.places = undefined; // number of a callback -> its event
    this.all = undefined; // the sums of the whole trace, by callback
    this.phaseOf = this.details.map((d) => d.phase);
  }

  endOf(i) {
    return this.start[i] + this.duration[i];
  }

  ofTrack(t) {
    let found = this.tracks.get(t);
    if (found === undefined) {
      const { start, track } = this;
      const outermost = [];
      let until = -1;
      for (const i of this.calls) {
        if (track[i] !== t || start[i] < until) continue;
        until = this.endOf(i);
        outermost.push(i);
      }
      found = { calls: outermost, waits: this.waits.filter((i) => track[i] === t) };
      this.tracks.set(t, found);
    }
    return found;
  }

  // The index of the first of the list that begins at t or later.
  firstFrom(list, t) {
    const { start } = this;
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (start[list[middle]] < t) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // ---- causes ----

  eventOf(callNumber) {
    const { number } = this;
    if (this.places === undefined) {
      this.places = new Map();
      for (const i of this.calls) if (number[i] !== 0) this.places.set(number[i], i);
    }
    return callNumber === 0 ? undefined : this.places.get(callNumber);
  }

  // From a callback back to the first of its causes; the callback itself is the first of the list.
  chain(i) {
    const found = [i];
    let at = this.eventOf(this.cause[i]);
    while (at !== undefined && found.length < MOST && !found.includes(at)) {
      found.push(at);
      at = this.eventOf(this.cause[at]);
    }
    return found;
  }

  effects(i, most) {
    const { calls, cause, number } = this;
    const found = [];
    if (number[i] === 0) return found;
    for (let k = this.firstFrom(calls, this.start[i]); k < calls.length && found.length < most; k++) {
      if (cause[calls[k]] === number[i] && calls[k] !== i) found.push(calls[k]);
    }
    return found;
  }

  // ---- delays ----

  // How long it stood ready, in nanoseconds: a timer since it was due, a job's callback since the job was done, what
  // poll has found since the first of the same round ran. 0: unknown, or not at all.
  delayOf(i) {
    const { start, late, detail, phaseOf } = this;
    if (late[i] > 0) return late[i] - 1;
    if (phaseOf[detail[i]] !== 'poll') return 0;
    // Those that ran just before it, of the same round: a poll that does not wait has no event of its own.
    const { calls, waits } = this.ofTrack(this.track[i]);
    const before = this.firstFrom(waits, start[i]) - 1;
    const woken = before < 0 ? -Infinity : this.endOf(waits[before]);
    let ready = start[i];
    for (let k = this.firstFrom(calls, start[i]) - 1; k >= 0; k--) {
      if (phaseOf[detail[calls[k]]] !== 'poll' || start[calls[k]] < woken) break;
      ready = start[calls[k]];
    }
    return start[i] - ready;
  }

  // Which callback ran for most of the time from `from` to `to`: { event, overlap }, or undefined.
  runningFor(t, from, to) {
    const { start } = this;
    const list = this.ofTrack(t).calls;
    let best;
    for (let k = Math.max(0, this.firstFrom(list, from) - 1); k < list.length && start[list[k]] < to; k++) {
      const overlap = Math.min(this.endOf(list[k]), to) - Math.max(start[list[k]], from);
      if (overlap > 0 && (best === undefined || overlap > best.overlap)) best = { event: list[k], overlap };
    }
    return best;
  }

  // The cause of a delay. `event` is undefined if the thread did nothing meanwhile: it had no processor, or was not
  // woken.
  blame(i) {
    const delay = this.delayOf(i);
    const at = this.start[i];
    const found = delay > 0 ? this.runningFor(this.track[i], at - delay, at) : undefined;
    return { delay, event: found !== undefined && found.overlap * 4 >= delay ? found.event : undefined };
  }

  // The callbacks that were late by `least` or more, gathered by the callback that ran meanwhile; the worst first.
  worstDelays(least, most) {
    const { late } = this;
    const candidates = [];
    for (const i of this.calls) if (late[i] - 1 >= least) candidates.push(i);
    candidates.sort((x, y) => late[y] - late[x]);
    const groups = new Map();
    for (const i of candidates.slice(0, 2000)) {
      const { delay, event } = this.blame(i);
      const key = event ?? -1;
      const group = groups.get(key) ?? { event, delay, worst: i, count: 0, total: 0 };
      group.count++;
      group.total += delay;
      groups.set(key, group);
    }
    return [...groups.values()].sort((x, y) => y.delay - x.delay).slice(0, most);
  }

  // ---- a range ----

  // Callbacks that begin in the range, by what `keyOf` says; the most time first. The sums of the whole trace are kept:
  // they are needed more than once.
  byCallback(from, to, keyOf) {
    const isAll = isInRange(this, from, to);
    if (isAll && this.all !== undefined) return this.all;
    const sums = new Sums(this);
    const { calls, start } = this;
    for (let k = this.firstFrom(calls, from); k < calls.length && start[calls[k]] <= to; k++) {
      sums.add(keyOf(calls[k]), calls[k]);
    }
    const sorted = sums.sorted();
    if (isAll) this.all = sorted;
    return sorted;
  }

  // The same by phase, with percentiles.
  byPhase(from, to) {
    const { calls, start, detail, phaseOf } = this;
    const sums = new Sums(this);
    const items = new Map();
    for (let k = this.firstFrom(calls, from); k < calls.length && start[calls[k]] <= to; k++) {
      const i = calls[k];
      const phase = phaseOf[detail[i]];
      sums.add(phase, i);
      if (!items.has(phase)) items.set(phase, []);
      items.get(phase).push(i);
    }
    const sorted = sums.sorted();
    for (const sum of sorted) [sum.p50, sum.p90, sum.p99] = percentilesOf(items.get(sum.key), this.duration);
    return sorted;
  }
}

module.exports = { Insight };
