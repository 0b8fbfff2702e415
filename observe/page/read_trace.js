'use strict';
// Reads a trace file (doc/TRACE.md) into columns of numbers, and tables of the strings and details that they refer to.
// pack.js makes a page of them.

const fs = require('fs');
const path = require('path');

const COMPACT = 'rota-trace '; // a compact trace begins with it

const CATEGORIES = [
  'iteration',
  'phase',
  'wait',
  'call',
  'drain',
  'job',
  'mark',
  'span',
  'rota',
  'operation',
  'sample',
];
const DEPTH_MAX = 16; // of the stacks that are shown
const FORMAT = 1;

// The arguments that change from event to event, by category. All other arguments go into the table of details.
const NUMBERS = {
  iteration: ['number', 'calls'],
  phase: ['calls', ''],
  wait: ['events', 'timeout_us'],
  call: ['fd', 'late_us'],
  drain: ['count', ''],
  job: ['', 'queue_us'],
  mark: ['value', ''],
  span: ['value', ''],
  rota: ['events', 'for_us'],
  operation: ['', ''],
  sample: ['depth', ''],
};

// Not in the table of details: they have columns of their own, or are not shown.
const NOT_DETAILS = new Set(['waited_us', 'id', 'by', 'in']);

const LONG_US = 1000; // only longer calls have samples
// Where functions of the platform call each other, only the one that the program has called is shown.
const isInner = (frame) => frame !== undefined && frame.includes('(node:');
const isOutermost = (frame, i, stack) => !isInner(frame) || !isInner(stack[i - 1]);
const keyOfFrame = (text) => text.replace(/:\d+\)$/, ')'); // the function, without the line in it

// What is wrong with the file, as a message for the user.
class TraceError extends Error {}
const NOT_A_TRACE = '; is this a trace? rota trace -- program writes one';

class Table {
  constructor() {
    this.list = [];
    this.index = new Map();
  }
  add(text) {
    let i = this.index.get(text);
    if (i === undefined) {
      i = this.list.length;
      this.list.push(text);
      this.index.set(text, i);
    }
    return i;
  }
}

// ---- lines ----

// A compact trace has the same lines. It is found out by its first bytes.
function readLines(file, onLine) {
  const fd = fs.openSync(file, 'r');
  try {
    const first = Buffer.alloc(COMPACT.length);
    if (fs.fstatSync(fd).isFile()) fs.readSync(fd, first, 0, first.length, 0);
    if (first.toString('latin1') === COMPACT) {
      let number = 0;
      require('internal/cli/compact').readCompact(fd, file, (line) => onLine(line, ++number, false), TraceError);
    } else {
      readText(fd, file, onLine);
    }
  } finally {
    fs.closeSync(fd);
  }
}

// One event to a line. The last line may be incomplete, because the program may have been killed. Any other must be
// whole.
function readText(fd, file, onLine) {
  const chunk = Buffer.alloc(1 << 20);
  let rest = Buffer.alloc(0),
    number = 0;
  for (;;) {
    const n = fs.readSync(fd, chunk, 0, chunk.length, null);
    const data = rest.length === 0 ? chunk.subarray(0, n) : Buffer.concat([rest, chunk.subarray(0, n)]);
    let begin = 0;
    for (let end; (end = data.indexOf(10, begin)) >= 0; begin = end + 1)
      onLine(data.toString('utf8', begin, end), ++number, false);
    rest = Buffer.from(data.subarray(begin));
    if (rest.length > 1 << 22)
      throw new TraceError(`${file}: line ${number + 1} has no end: this is not a trace of rota's`);
    if (n === 0) {
      if (rest.length > 0) onLine(rest.toString('utf8'), ++number, true);
      return;
    }
  }
}

function parseLine(line, number, isLast, file) {
  line = line.trim();
  if (line.startsWith('[')) line = line.slice(1);
  if (line.endsWith(',')) line = line.slice(0, -1);
  if (line.endsWith('}]')) line = line.slice(0, -1);
  if (line === '' || line === ']') return undefined;
  let event;
  try {
    event = JSON.parse(line);
  } catch {
    if (isLast) return undefined;
    throw new TraceError(
      `${file}: line ${number} is damaged: ${JSON.stringify(line.slice(0, 60))}${number === 1 ? NOT_A_TRACE : ''}`,
    );
  }
  if (event === null || typeof event !== 'object' || typeof event.ph !== 'string' || typeof event.name !== 'string') {
    throw new TraceError(
      `${file}: line ${number} is not an event: ${JSON.stringify(line.slice(0, 60))}${number === 1 ? NOT_A_TRACE : ''}`,
    );
  }
  return event;
}

const isTime = (value) => typeof value === 'number' && value >= 0 && value < 1e15;
const countOf = (value) => (isCount(value) ? Math.round(value) : 0);
const isCount = (value) => typeof value === 'number' && value >= 0 && value < 2 ** 53;

// ---- loops ----

const newLoop = (number, thread) => ({
  loop: number,
  thread,
  whole: 0,
  waited: 0,
  phases: [],
  loose: 0,
  from: Infinity,
  to: 0,
});

// How long each loop ran, and how much of it it waited, in nanoseconds: what `rota stats` calls busy is the rest. An
// iteration tells both. What is in none, because the loop had begun with its timers, or because the process ended
// before the iteration did, is known by the phases, waits and callbacks themselves.
class LoopTimes {
  constructor() {
    this.loops = new Map();
    this.loopOf = new Map(); // by thread
  }
  of(number) {
    if (!this.loops.has(number)) this.loops.set(number, newLoop(number, undefined));
    return this.loops.get(number);
  }
  // A thread's callbacks may come before its loop is named, which happens at the end of a first iteration or phase.
  on(thread) {
    if (!this.loopOf.has(thread)) this.loopOf.set(thread, newLoop(undefined, thread));
    return this.loopOf.get(thread);
  }
  runsOn(number, thread) {
    const known = this.loopOf.get(thread);
    if (known !== undefined && known.loop === undefined && !this.loops.has(number)) {
      known.loop = number;
      this.loops.set(number, known);
    }
    const loop = this.of(number);
    loop.thread = thread;
    this.loopOf.set(thread, loop);
  }
  iteration(number, begin, lasted, waited) {
    const loop = this.of(number);
    for (const [from, took] of loop.phases) if (from < begin) loop.whole += took;
    loop.whole += lasted;
    loop.waited += Math.min(waited, lasted);
    Object.assign(loop, { phases: [], loose: 0, from: Infinity, to: 0 });
  }
  phase(number, begin, lasted) {
    const loop = this.of(number);
    loop.phases.push([begin, lasted]);
    this.seen(loop, begin, lasted);
  }
  seen(loop, begin, lasted) {
    loop.from = Math.min(loop.from, begin);
    loop.to = Math.max(loop.to, begin + lasted);
  }
  call(thread, begin, lasted) {
    this.seen(this.on(thread), begin, lasted);
  }
  wait(thread, begin, lasted) {
    const loop = this.on(thread);
    this.seen(loop, begin, lasted);
    loop.loose += lasted;
  }
  // What has not ended by an iteration.
  all() {
    return [...new Set([...this.loops.values(), ...this.loopOf.values()])].map(
      ({ loop, thread, whole, waited, loose, from, to }) => {
        const rest = Math.max(0, to - from);
        return { loop, thread, whole: whole + rest, waited: waited + Math.min(loose, rest) };
      },
    );
  }
}

// ---- events ----

// Columns of numbers that grow.
class Columns {
  constructor(n) {
    this.length = 0;
    this.room = 4096;
    this.columns = Array.from({ length: n }, () => new Float64Array(this.room));
  }
  add(...row) {
    if (this.length === this.room) {
      this.room *= 2;
      this.columns = this.columns.map((old) => {
        const larger = new Float64Array(this.room);
        larger.set(old);
        return larger;
      });
    }
    for (let i = 0; i < row.length; i++) this.columns[i][this.length] = row[i];
    this.length++;
  }
}

class Trace {
  constructor(file) {
    this.file = file;
    this.categories = CATEGORIES;
    this.strings = new Table();
    this.details = new Table();
    this.tracks = new Map();
    this.open = new Map(); // operations that have begun
    // By thread: the last "still running" and the last "still waiting", until the callback or the wait has ended.
    this.running = new Map();
    this.waiting = new Map();
    this.endings = new Map(); // by thread: what ran when the trace ended, in words
    this.events = new Columns(10);
    this.meta = { threads: {}, symbols: {}, ended: false, dropped: 0, process: 0 };
    this.script = undefined; // the main script: the title of the page
    this.label = undefined; // the program, with the file that it runs: the title if there is no main script
    this.samples = []; // [call, time, track, stack]
    this.begins = new Map(); // when the calls with samples began
    this.times = new LoopTimes();
    this.startedAt = undefined; // by the system's monotonic clock, in nanoseconds
    this.known = false; // whether the file has said that it is a trace of rota's
  }

  read() {
    readLines(this.file, (line, number, isLast) => {
      const event = parseLine(line, number, isLast, this.file);
      if (event === undefined) return;
      if (event.ph === 'M') this.metadata(event);
      else this.event(event, number);
    });
    if (!this.known) throw new TraceError(`${this.file} is not a trace of rota's; rota trace -- program writes one`);
    // The file has no end of these.
    for (const [begin, row] of this.open.values()) this.events.add(begin, 0, ...row);
    for (const event of this.running.values()) this.addUnfinished(event);
    for (const event of this.waiting.values()) this.addUnfinishedWait(event);
    this.meta.loops = this.times.all();
    this.addFlames();
  }

  // A callback in which the process ended has no event. It is shown nevertheless, for as long as it was seen to run.
  addUnfinished({ tid, ts, args: { call, for_us: lasted, phase = 'outside', file, line } }) {
    const details = { phase, on: 'unfinished', file, line };
    if (phase !== 'outside') this.times.call(tid, Math.round((ts - lasted) * 1000), Math.round(lasted * 1000));
    this.endings.set(tid, file === undefined ? call : `${call} (${path.basename(String(file))}:${line})`);
    this.events.add(
      Math.round((ts - lasted) * 1000),
      Math.round(lasted * 1000),
      CATEGORIES.indexOf('call'),
      this.tracks.get(tid),
      this.strings.add(call),
      this.details.add(JSON.stringify(details)),
      0,
      0,
      0,
      0,
    );
  }

  // A wait in which the process ended has no event either.
  addUnfinishedWait({ tid, ts, args: { for_us: lasted } }) {
    const row = [this.strings.add('wait'), this.details.add('{}'), 1, 0, 0, 0];
    const begin = Math.round((ts - lasted) * 1000);
    this.times.wait(tid, begin, Math.round(lasted * 1000));
    this.events.add(begin, Math.round(lasted * 1000), CATEGORIES.indexOf('wait'), this.tracks.get(tid), ...row);
  }

  // Calls and waits are written when they end. Until then, "still running" and "still waiting" say that they go on.
  noteUnfinished(event, args) {
    const { tid, ts, cat, name } = event;
    const hasEnded = (list) => ts + (event.dur ?? 0) >= (list.get(tid)?.ts ?? Infinity);
    const isValid = cat === 'rota' && isCount(args.for_us) && args.for_us <= ts;
    if (isValid && name === 'still running' && typeof args.call === 'string') this.running.set(tid, event);
    else if (isValid && name === 'still waiting') this.waiting.set(tid, event);
    else if (cat === 'call' && hasEnded(this.running)) this.running.delete(tid);
    else if (cat === 'wait' && hasEnded(this.waiting)) this.waiting.delete(tid);
  }

  // ---- samples: a bar for each function, from the sample before the first that has it to the last in a row ----

  addFlames() {
    const byCall = new Map();
    for (const sample of this.samples) {
      const key = `${sample.call} ${sample.track}`;
      if (!byCall.has(key)) byCall.set(key, []);
      byCall.get(key).push(sample);
    }
    for (const list of byCall.values()) this.addFlame(list.sort((x, y) => x.at - y.at));
  }

  addFlame(samples) {
    const bars = []; // that have not ended, by depth
    let before = this.begins.get(samples[0].call) ?? samples[0].at;
    for (const { at, call, track, stack } of samples) {
      let same = 0;
      while (same < bars.length && same < stack.length && bars[same].key === keyOfFrame(stack[same])) same++;
      for (const bar of bars.splice(same)) this.addBar(bar, call, track);
      for (const bar of bars) {
        bar.until = at;
        bar.samples++;
      }
      for (let depth = same; depth < Math.min(stack.length, DEPTH_MAX); depth++)
        bars.push({ key: keyOfFrame(stack[depth]), text: stack[depth], from: before, until: at, samples: 1, depth });
      before = at;
    }
    for (const bar of bars) this.addBar(bar, samples[0].call, samples[0].track);
  }

  addBar({ text, from, until, samples, depth }, call, track) {
    const [, name, file, line] = /^([^]*) \(([^()]*):(\d+)\)$/.exec(text) ?? [text, text];
    const details = file === undefined ? { samples } : { file, line: +line, samples };
    this.events.add(
      from,
      until - from,
      CATEGORIES.indexOf('sample'),
      track,
      this.strings.add(name),
      this.details.add(JSON.stringify(details)),
      depth + 1,
      0,
      call,
      0,
    );
  }

  count({ cat, tid }, args, begin, lasted) {
    const { times } = this;
    if (cat === 'iteration') times.iteration(args.loop, begin, lasted, Math.round(countOf(args.waited_us * 1000)));
    else if (cat === 'phase') times.phase(args.loop, begin, lasted);
    else if (cat === 'wait') times.wait(tid, begin, lasted);
    else if (cat === 'call' && args.phase !== 'outside') times.call(tid, begin, lasted);
  }

  metadata(event) {
    const args = event.args ?? {},
      { meta } = this;
    if (isCount(event.pid)) meta.process = event.pid;
    if (event.name === 'rota') {
      this.known = true;
      this.startedAt = args.start_ns;
      if (args.format > FORMAT)
        throw new TraceError(
          `${this.file} was written by a newer rota (${args.version}): its format is ${args.format}`,
        );
    }
    if (event.name === 'process_labels') this.label = String(args.labels);
    if (event.name === 'thread_name') meta.threads[event.tid] = String(args.name);
    if (event.name === 'rota_symbol') meta.symbols[args.name] = `${args.library || ''} ${args.offset || ''}`.trim();
    if (event.name === 'rota_loop' && isCount(args.loop)) this.times.runsOn(args.loop, event.tid);
    if (event.name === 'rota_end') meta.ended = true;
  }

  event(event, number) {
    const args = event.args !== null && typeof event.args === 'object' ? event.args : {};
    const category = CATEGORIES.indexOf(event.cat);
    if (category < 0) return; // not written by rota
    if (event.name === 'main script' && typeof args.file === 'string') this.script ??= path.basename(args.file);
    if (!isTime(event.ts) || (event.dur !== undefined && !isTime(event.dur))) {
      throw new TraceError(`${this.file}: line ${number} has no time: ${JSON.stringify(event).slice(0, 60)}`);
    }
    if (event.name === 'dropped' && isCount(args.events)) this.meta.dropped += args.events;
    const [first, second] = NUMBERS[event.cat];
    const a = isCount(args[first]) ? args[first] + 1 : 0;
    const b = isCount(args[second]) ? args[second] * 1000 + 1 : 0;
    const others = {};
    for (const key of Object.keys(args))
      if (key !== first && key !== second && !NOT_DETAILS.has(key)) others[key] = args[key];
    if (!this.tracks.has(event.tid)) this.tracks.set(event.tid, this.tracks.size);
    this.noteUnfinished(event, args);
    if (event.cat === 'sample') {
      const stack = Array.isArray(args.stack) ? args.stack.map(String).filter(isOutermost) : [event.name];
      this.samples.push({
        call: countOf(args.in),
        at: Math.round(event.ts * 1000),
        track: this.tracks.get(event.tid),
        stack,
      });
      return;
    }
    if (event.cat === 'call' && args.id !== undefined && event.dur >= LONG_US)
      this.begins.set(args.id, Math.round(event.ts * 1000));
    const begin = Math.round(event.ts * 1000),
      lasted = Math.round((event.dur ?? 0) * 1000);
    this.count(event, args, begin, lasted);
    const row = [
      category,
      this.tracks.get(event.tid),
      this.strings.add(event.name),
      this.details.add(JSON.stringify(others)),
      Math.round(a),
      Math.round(b),
      countOf(args.id ?? args.in),
      countOf(args.by),
    ];
    if (event.ph === 'b') {
      this.open.set(event.id, [begin, row]);
    } else if (event.ph === 'e') {
      const from = this.open.get(event.id)?.[0] ?? begin;
      this.open.delete(event.id);
      this.events.add(from, Math.max(0, begin - from), ...row);
    } else {
      this.events.add(begin, lasted, ...row);
    }
  }
}

function readTrace(file) {
  const trace = new Trace(file);
  trace.read();
  return trace;
}

module.exports = { readLines, readTrace, TraceError };
