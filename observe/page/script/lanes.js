'use strict';
// Sorts the events into lanes: one for each phase of a thread's loop, one for each thread of the pool, and rows for
// what overlaps. The lists of events by kind are made in the same pass.

const {
  CAT,
  ORDER,
  a,
  category,
  colorOf,
  count,
  detail,
  details,
  duration,
  endOf,
  header,
  isNode,
  nameOf,
  start,
  track,
  trackName,
} = require('./trace.js');

// Events that are sorted and do not overlap. With running sums of their durations any pixel column costs two searches,
// however many events lie in it: the time of a frame depends on the width of the window, not on the trace.
class Series {
  constructor() {
    this.items = [];
  }
  // All items are there.
  seal() {
    this.items = new Uint32Array(this.items);
    this.sums = new Float64Array(this.items.length + 1);
    this.longest = new Float64Array((this.items.length >> 6) + 1); // of each 64
    for (let i = 0; i < this.items.length; i++) {
      const lasts = duration[this.items[i]];
      this.sums[i + 1] = this.sums[i] + lasts;
      if (lasts > this.longest[i >> 6]) this.longest[i >> 6] = lasts;
    }
  }
  // The first from i on, before j, that lasts at least so long; or j.
  nextLong(i, j, least) {
    while (i < j) {
      if ((i & 63) === 0 && this.longest[i >> 6] < least) i += 64;
      else if (duration[this.items[i]] >= least) return i;
      else i++;
    }
    return j;
  }
  // The first whose start is not before t. From `low` on the search leaps: the result is near as a rule.
  search(t, low = 0) {
    let high = this.items.length;
    for (let leap = 1; low > 0 && low + leap < high; leap *= 2) {
      if (start[this.items[low + leap]] < t) low += leap;
      else high = low + leap;
    }
    while (low < high) {
      const middle = (low + high) >> 1;
      if (start[this.items[middle]] < t) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

// ---- lanes ----

// Groups of lanes: the loops' threads by number, then these.
const OWN = 1e5; // what a thread told outside of a loop
const POOL = 1e6;
const RING = 2e6;
const ROWS = 12; // of operations that overlap; the rest share the last

const GOES_ON = /^still (running|waiting)$/;
const ERROR = /^(uncaught error|unhandled rejection): /;

const lanes = [];
const iterations = new Series();
const calls = [];
const drains = [];
const errors = [];
const jobs = [];
const operations = [];
const waits = [];
const threadOfLoop = new Map();

const laneOf = new Map();

function lane(key, label, group, color, rank) {
  let found = laneOf.get(key);
  if (found === undefined) {
    found = { label, group, color, rank, events: new Series(), under: new Series(), behind: new Series() };
    laneOf.set(key, found);
    lanes.push(found);
  }
  return found;
}

function phaseLane(t, phase) {
  return lane(`${t} ${phase}`, phase, t, colorOf(phase), phase === 'outside' ? -1 : ORDER.indexOf(phase));
}

// One pass over the events, in their order.
class Sorter {
  constructor() {
    this.open = []; // by thread: the callback that is the outermost at this time
    this.kept = []; // by thread and detail: its lane
    this.rows = []; // of operations: the end of the last one in each
    this.spans = []; // phases
  }

  add(i) {
    const t = track[i];
    switch (category[i]) {
      case CAT.iteration:
        return void iterations.items.push(i);
      case CAT.phase:
        return void (isNode && this.spans.push(i));
      case CAT.wait:
        phaseLane(t, isNode ? 'poll' : 'outside').behind.items.push(i);
        return void waits.push(i);
      case CAT.call:
        return this.addCall(i, t);
      case CAT.drain:
        return this.addDrain(i, t);
      case CAT.job:
        lane(`job ${t}`, `thread ${header.tracks[t]}`, POOL, '--job', t).events.items.push(i);
        return void jobs.push(i);
      case CAT.sample:
        return this.addSample(i, t);
      case CAT.operation:
        return this.addOperation(i);
      default:
        return this.addOther(i, t);
    }
  }

  // A callback that runs inside of another is shown below it.
  addCall(i, t) {
    const inside = (this.open[t] ??= { home: undefined, until: -1 });
    const home = ((this.kept[t] ??= [])[detail[i]] ??= phaseLane(t, details[detail[i]].phase));
    const nested = inside.home === home && start[i] < inside.until;
    (nested ? home.under : home.events).items.push(i);
    inside.home = home;
    if (!nested) inside.until = endOf(i);
    calls.push(i);
  }

  addDrain(i, t) {
    const inside = this.open[t];
    const home = inside !== undefined && start[i] < inside.until ? inside.home : phaseLane(t, 'outside');
    if (isNode) home.under.items.push(i);
    else phaseLane(t, 'microtasks').events.items.push(i);
    drains.push(i);
  }

  addSample(i, t) {
    const home = lane(`sample ${t} ${a[i]}`, a[i] === 1 ? 'stacks' : '', t, '--sample', 100 + a[i]);
    home.slim = true;
    home.events.items.push(i);
  }

  addOperation(i) {
    const { rows } = this;
    let row = 0;
    while (row < ROWS - 1 && rows[row] > start[i]) row++;
    rows[row] = Math.max(rows[row] || 0, endOf(i));
    lane(`operation ${row}`, 'in flight', RING, '--ring', row).events.items.push(i);
    operations.push(i);
  }

  addOther(i, t) {
    if (category[i] === CAT.mark && ERROR.test(nameOf(i))) errors.push(i);
    // The trace repeats that a callback or a wait goes on. If its end is missing, read_trace.js has made an event.
    if (category[i] === CAT.rota && GOES_ON.test(nameOf(i))) return;
    lane(`own ${t}`, trackName(t), OWN + t, '--span', 0).events.items.push(i);
  }

  // A loop's thread is the one whose callbacks lie in its phases.
  findThreads() {
    for (const i of this.spans) {
      const { loop } = details[detail[i]];
      const phase = nameOf(i);
      if (threadOfLoop.has(loop)) continue;
      for (const other of lanes) {
        if (other.label !== phase || other.group >= OWN) continue;
        const isInside = (c) => start[c] >= start[i] - 2 && endOf(c) <= endOf(i) + 2;
        if (other.events.items.some(isInside)) threadOfLoop.set(loop, other.group);
      }
    }
  }

  // The phases of a loop lie behind the calls of its thread.
  addPhases() {
    for (const i of this.spans) {
      const thread = threadOfLoop.get(details[detail[i]].loop);
      if (thread === undefined) continue;
      const home = phaseLane(thread, nameOf(i));
      (home.phases ??= new Series()).items.push(i);
    }
  }
}

const sorter = new Sorter();
for (let i = 0; i < count; i++) sorter.add(i);
sorter.findThreads();
sorter.addPhases();
lanes.sort((x, y) => x.group - y.group || x.rank - y.rank);
for (const { events, under, behind, phases } of lanes) {
  for (const series of [events, under, behind, phases]) series?.seal();
}
iterations.seal();

module.exports = { OWN, POOL, RING, calls, drains, errors, iterations, jobs, lanes, operations, threadOfLoop, waits };
