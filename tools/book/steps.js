'use strict';
// From the trace of a run and what record.js has written, to what the page shows: the runs of functions with their phases, and the steps, each with its
// line, the contents of the queues and the output so far.
//
// A run is one stretch of the program's code that something has called: the main script, a callback of the loop, a tick, a microtask. Runs do not
// overlap. The queues are computed from what was scheduled; that each tick and microtask was the first of its queue when it ran is checked, so that
// a page with wrong queues is not made.

const fs = require('node:fs');

const LANE_OF = { outside: 'main', closing: 'close' };
const PHASES = new Set(['timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'close']);
const OUTSIDE = new Set(['main', 'ticks', 'microtasks']);
const MICROTASKS = new Set(['PROMISE', 'Microtask']);
const LONG_WAIT_US = 500;

const SYSTEM_WORDS = { FSREQCALLBACK: 'file operation', FILEHANDLE: 'open file', FSREQPROMISE: 'file operation', GETADDRINFOREQWRAP: 'name look-up', TCPWRAP: 'socket',
  TCPSERVERWRAP: 'server', TCPCONNECTWRAP: 'connection', PIPEWRAP: 'pipe', PIPESERVERWRAP: 'server', PIPECONNECTWRAP: 'connection', PROCESSWRAP: 'child',
  SIGNALWRAP: 'signal', WRITEWRAP: 'write', SHUTDOWNWRAP: 'shutdown', PBKDF2REQUEST: 'job: pbkdf2', SCRYPTREQUEST: 'job: scrypt', RANDOMBYTESREQUEST: 'job: random bytes',
  HASHREQUEST: 'job: hash', ZLIB: 'job: zlib', FSEVENTWRAP: 'watched file', UDPWRAP: 'socket', MESSAGEPORT: 'port' };
const IS_HANDLE = /^(TCP|TCPSERVER|PIPE|PIPESERVER|PROCESS|SIGNAL|UDP|FSEVENT)WRAP$|^MESSAGEPORT$|^FILEHANDLE$/;

const delayOf = (item) => (item.delay >= 1 && item.delay <= 2147483647 ? Math.trunc(item.delay) : 1);
const lineWords = (line) => (line > 0 ? `Line ${line}` : 'Other code');

function readTrace(file) {
  const events = JSON.parse(fs.readFileSync(file, 'utf8'));
  const label = events.find((event) => event.name === 'process_labels');
  const of = (category) => events.filter((event) => event.cat === category && event.ph !== 'M');
  return { label, calls: of('call').filter((event) => event.ph === 'X').sort((x, y) => x.ts - y.ts), waits: of('wait'), drains: of('drain'), jobs: of('job'), iterations: of('iteration'),
    marks: of('mark').filter((event) => event.name === 'book') };
}

class Story {
  constructor(trace, record, source) {
    Object.assign(this, { trace, lines: source.split('\n'), entries: record.entries, program: record.program });
    this.items = new Map(); // by number
    this.settled = new Set();
    this.stack = []; // numbers of what has begun, with the run that it belongs to
    this.runs = [];
    this.shown = new Set(); // the calls of the trace that have a run
    this.steps = [];
    this.queues = { ticks: [], microtasks: [], timers: [], check: [], system: [] };
    this.output = '';
    this.beginnings = new Set(record.entries.filter((entry) => entry.what === 'begins').map((entry) => entry.id));
  }

  tell() {
    this.beginMain();
    this.entries.forEach((entry, i) => {
      this.at = this.trace.marks[i].ts;
      ON[entry.what].call(this, entry);
      this.last = this.at;
    });
    this.addWaits();
    for (const run of this.runs) run.to = Math.max(run.to, run.from);
    return this;
  }

  // The main script is always there, even if its lines schedule nothing that is recorded.
  beginMain() {
    const main = this.trace.calls.find((call) => call.name === 'main script');
    if (main === undefined) return;
    this.at = Math.max(main.ts, (this.trace.marks[0]?.ts ?? Infinity) - 1);
    this.outside = { key: `${main.args.id} main`, run: this.newRun(undefined, 1) };
    this.addStep(0, this.outside.run, 'The main script runs');
  }

  // ---- what things are called ----

  nameOf(item) {
    if (item.name && item.name !== 'resolve') return item.name;
    if (item.type in SYSTEM_WORDS) return item.line > 0 ? `${SYSTEM_WORDS[item.type]}, line ${item.line}` : SYSTEM_WORDS[item.type];
    return item.line > 0 ? `line ${item.line}` : item.type.toLowerCase();
  }

  // The function around a line, as the program's text names it: that of the line itself, if all of it stands there, or of the line with less
  // indentation above it; else the line.
  functionAt(line, prints) {
    if (line === 0) return 'other code';
    const text = this.lines[line - 1], indent = (each) => each.search(/\S/);
    let header = text;
    if (!prints || !/(=>|\)\s*\{)\s*console\.log/.test(text)) {
      for (let i = line - 2; i >= 0 && header === text; i--) if (indent(this.lines[i]) >= 0 && indent(this.lines[i]) < indent(text)) header = this.lines[i];
    }
    return /function\s*\*?\s*(\w+)\s*\(/.exec(header)?.[1] ?? `line ${line}`;
  }

  // A microtask that no function of the program has queued: what follows an await, or the evaluation of a module.
  jobAt(line, prints) {
    if (this.program.endsWith('.mjs') && !this.runs.some((run) => run.lane === 'microtasks')) return 'the module';
    const near = this.lines.slice(Math.max(0, line - 3), line).join('\n');
    return line > 0 && near.includes('await') ? `after await, line ${line}` : this.functionAt(line, prints);
  }

  lineOfFunction(name, otherwise) {
    const i = name ? this.lines.findIndex((text) => new RegExp(`function\\s*\\*?\\s*${name}\\s*\\(|(?:const|let|var)\\s+${name}\\s*=`).test(text)) : -1;
    return i < 0 ? otherwise : i + 1;
  }

  // ---- runs ----

  callAt(ts) {
    const { calls } = this.trace;
    let found;
    for (const call of calls) if (call.ts <= ts && ts <= call.ts + call.dur) found = call;
    return found;
  }

  laneOf(item) {
    if (item?.type === 'TickObject') return 'ticks';
    if (item !== undefined && MICROTASKS.has(item.type)) return 'microtasks';
    if (item?.type === 'Timeout') return 'timers'; // the hook may be called a moment before the call of the trace begins
    if (item?.type === 'Immediate') return 'check';
    const drain = item === undefined && this.trace.drains.find((each) => each.ts <= this.at && this.at <= each.ts + each.dur);
    if (drain) return drain.name;
    const phase = this.callAt(this.at)?.args.phase ?? 'outside';
    return LANE_OF[phase] ?? phase;
  }

  newRun(item, line, prints) {
    const lane = this.laneOf(item), call = this.callAt(this.at);
    if (lane === 'ticks' || lane === 'microtasks') this.showCall(call);
    else this.shown.add(call?.args.id);
    let name;
    if (lane === 'main') name = call === undefined ? 'exit' : call.name;
    else if (item?.api !== undefined) name = this.nameOf(item);
    else if (lane === 'microtasks') name = this.jobAt(line, prints);
    else name = this.functionAt(line, prints);
    const first = item?.name ? this.lineOfFunction(item.name, item.line) : item?.api !== undefined ? item.line : this.lineOfFunction(name, line);
    const run = { lane, name, line: lane === 'main' ? 0 : first, from: this.at, to: this.at, by: item?.by ?? -1, step: this.steps.length };
    const number = this.runs.push(run) - 1;
    if (lane !== 'main') this.addStep(first, number, `${this.whereWords(lane)}: ${name}`);
    return number;
  }

  // A tick may follow a callback that has called nothing but Node's own functions: then that one is shown, too.
  showCall(call) {
    if (call === undefined || this.shown.has(call.args.id) || call.args.phase === 'outside') return;
    this.shown.add(call.args.id);
    const lane = LANE_OF[call.args.phase] ?? call.args.phase;
    const run = this.runs.push({ lane, name: 'Node itself', line: 0, from: call.ts, to: this.at, by: -1, step: this.steps.length }) - 1;
    this.addStep(0, run, `${this.whereWords(lane)}: Node's own function`);
  }

  whereWords(lane) {
    const words = { ticks: 'A tick runs', microtasks: 'A microtask runs' }[lane];
    return words ?? (PHASES.has(lane) ? `Phase ${lane} calls back` : `A task of the source ${lane}`);
  }

  // The run that an entry with a line belongs to; it is made with its first entry, so what the runtime does for itself is never seen.
  runNow(line, prints) {
    const top = this.stack.at(-1);
    if (top !== undefined) {
      top.run ??= this.newRun(this.items.get(top.id), line, prints);
      this.runs[top.run].to = this.at;
      return top.run;
    }
    const key = `${this.callAt(this.at)?.args.id} ${this.laneOf(undefined)}`;
    if (this.outside?.key !== key) this.outside = { key, run: this.newRun(undefined, line, prints) };
    this.runs[this.outside.run].to = this.at;
    return this.outside.run;
  }

  begins(entry) {
    const item = this.items.get(entry.id);
    for (const outer of this.stack) if (outer.run !== undefined) this.runs[outer.run].to = this.at;
    if (item === undefined) {
      this.stack.push({ id: entry.id });
      return;
    }
    const queue = this.queues[item.queue];
    if (queue !== undefined && !IS_HANDLE.test(item.type)) {
      const i = queue.indexOf(item);
      if (i > 0 && (item.queue === 'ticks' || item.queue === 'microtasks')) throw new Error(`${this.program}: ${this.nameOf(item)} runs before ${this.nameOf(queue[0])}, which was queued earlier`);
      if (i >= 0 && item.api !== 'setInterval') queue.splice(i, 1);
    }
    const frame = { id: entry.id };
    this.stack.push(frame);
    if (item.api !== undefined && item.name !== 'resolve') frame.run = this.newRun(item, item.line);
  }

  ends(entry) {
    const i = this.stack.findLastIndex((frame) => frame.id === entry.id);
    if (i < 0) return;
    const [frame] = this.stack.splice(i);
    if (frame.run === undefined) return;
    this.runs[frame.run].to = this.at;
    if (!OUTSIDE.has(this.runs[frame.run].lane)) this.shown.add(this.callAt(this.at)?.args.id);
  }

  // ---- queues ----

  newItem(entry) {
    const item = { ...entry };
    this.items.set(entry.id, item);
    if (item.type === 'TickObject') item.queue = item.api && 'ticks';
    else if (item.type === 'Microtask') item.queue = 'microtasks';
    else if (item.type === 'PROMISE') item.queue = undefined;
    else if (item.type === 'Timeout') item.queue = item.line > 0 ? 'timers' : undefined;
    else if (item.type === 'Immediate') item.queue = item.line > 0 ? 'check' : undefined;
    else if (item.line > 0 && item.type in SYSTEM_WORDS) item.queue = 'system';
    return item;
  }

  enter(item) {
    if (item.queue === undefined) return;
    const queue = this.queues[item.queue];
    item.due = this.at / 1000 + delayOf(item);
    queue.push(item);
    if (item.queue === 'timers') queue.sort((x, y) => x.due - y.due);
  }

  settle(id) {
    this.settled.add(id);
    for (const item of this.items.values()) {
      if (item.type === 'PROMISE' && item.trigger === id && item.queue === undefined && this.beginnings.has(item.id)) {
        item.queue = 'microtasks';
        this.enter(item);
      }
    }
  }

  addStep(line, run, text, more) {
    const show = (item) => (item.queue === 'timers' ? `${this.nameOf(item)} (${delayOf(item)} ms)` : this.nameOf(item));
    const queues = Object.fromEntries(Object.entries(this.queues).map(([name, items]) => [name, items.filter((item) => item.line > 0).map(show)]));
    this.steps.push({ line, run, text, queues, out: this.output.length, at: this.at, ...more });
  }

  // A wait is a step of its own, between the runs.
  addWaits() {
    const steps = [];
    const waits = this.trace.waits.filter((wait) => wait.dur >= LONG_WAIT_US && wait.ts >= (this.runs[0]?.from ?? 0) && wait.ts < this.runs.at(-1)?.from);
    const numbers = new Map();
    let i = 0;
    const put = (wait, before) => steps.push({ ...(before ?? this.steps[0]), line: 0, run: -1, wait: this.waits.push({ from: wait.ts, to: wait.ts + wait.dur, step: steps.length }) - 1, at: wait.ts,
      text: `${this.runs.some((run) => !PHASES.has(run.lane) && !OUTSIDE.has(run.lane)) ? 'The loop' : 'Phase poll'} waits: ${(wait.dur / 1000).toFixed(1)} ms` });
    this.waits = [];
    this.steps.forEach((step, k) => {
      for (; i < waits.length && waits[i].ts <= step.at; i++) put(waits[i], this.steps[k - 1]);
      numbers.set(k, steps.length);
      steps.push(step);
    });
    for (const run of this.runs) run.step = numbers.get(Math.min(run.step, this.steps.length - 1));
    this.steps = steps;
  }
}

const API_WORDS = { nextTick: 'queues a tick', queueMicrotask: 'queues a microtask', setImmediate: 'queues a callback for check' };

// What an entry does to the story, by what it says.
const ON = {
  begins: Story.prototype.begins,
  ends: Story.prototype.ends,
  made(entry) {
    const item = this.newItem(entry);
    const run = entry.line > 0 && (entry.api !== undefined || item.queue !== undefined) ? this.runNow(entry.line) : undefined;
    item.by = run ?? this.stack.at(-1)?.run ?? this.outside?.run ?? -1;
    if (entry.type === 'PROMISE' && this.settled.has(entry.trigger) && this.beginnings.has(entry.id)) item.queue = 'microtasks';
    this.enter(item);
    if (run === undefined) return;
    let words = API_WORDS[entry.api];
    if (entry.api === 'then') words = item.queue === 'microtasks' ? 'queues a microtask: its promise is settled' : 'waits for a promise';
    else if (item.queue === 'timers') words = `${entry.api === 'setInterval' ? 'starts an interval' : 'sets a timer'} of ${delayOf(entry)} ms`;
    else if (item.queue === 'system') words = `asks the system: ${SYSTEM_WORDS[entry.type]}`;
    if (words !== undefined) this.addStep(entry.line, run, `Line ${entry.line} ${words}`);
  },
  noted(entry) {
    this.addStep(entry.line, this.runNow(entry.line), `Line ${entry.line} calls ${entry.api}`);
  },
  settled(entry) {
    this.settle(entry.id);
  },
  gone(entry) {
    const item = this.items.get(entry.id);
    if (item?.queue === 'system') this.queues.system = this.queues.system.filter((other) => other !== item);
  },
  stopped(entry) {
    const item = this.items.get(entry.id);
    if (item?.queue !== undefined) this.queues[item.queue] = this.queues[item.queue].filter((other) => other !== item);
    this.addStep(entry.line, this.runNow(entry.line), `${lineWords(entry.line)} stops it`);
  },
  prints(entry) {
    const run = this.runNow(entry.line, true);
    this.output += entry.text;
    this.addStep(entry.line, run, `${lineWords(entry.line)} prints`);
  },
};

// What a page needs, in milliseconds from the first step on.
function pack(story) {
  const first = story.runs[0]?.from ?? 0;
  const ms = (us) => Number(((us - first) / 1000).toFixed(3));
  const { iterations, jobs } = story.trace, until = story.runs.at(-1)?.to ?? 0;
  return {
    output: story.output,
    runs: story.runs.map((run) => ({ ...run, from: ms(run.from), to: ms(run.to) })),
    steps: story.steps.map(({ at, ...step }) => step),
    waits: story.waits.map((wait) => ({ ...wait, from: ms(wait.from), to: ms(wait.to) })),
    iterations: iterations.filter((each) => each.ts + each.dur > first && each.ts < until).map((each) => ({ number: each.args.number, from: ms(each.ts), to: ms(each.ts + each.dur) })),
    jobs: jobs.filter((job) => job.ts > first && job.ts < until).map((job) => ({ name: job.name, thread: job.tid, from: ms(job.ts), to: ms(job.ts + job.dur), asked: ms(job.ts - job.args.queue_us) })),
  };
}

// Of a program in JavaScript.
function storyOf(traceFile, recordFile, source) {
  const trace = readTrace(traceFile), record = JSON.parse(fs.readFileSync(recordFile, 'utf8'));
  if (trace.marks.length !== record.entries.length) throw new Error(`${record.program}: ${trace.marks.length} marks for ${record.entries.length} entries`);
  return pack(new Story(trace, record, source).tell());
}

// Of a program in C, or of a session: what the loop has called. Each callback of a program in C prints one line.
function storyOfCalls(traceFile, output, isOwn) {
  const trace = readTrace(traceFile), calls = trace.calls.filter(isOwn), lines = output.split(/(?<=\n)/);
  const story = { trace, output, runs: [], steps: [], waits: [] };
  const numbers = new Map();
  const noQueues = {};
  const each = lines.length === calls.length + (output.startsWith('main') ? 1 : 0);
  let out = 0;
  if (output.startsWith('main')) {
    out = lines[0].length;
    story.runs.push({ lane: 'main', name: 'main', line: 0, from: (calls[0]?.ts ?? 1) - 1, to: (calls[0]?.ts ?? 1) - 1, by: -1, step: 0 });
    story.steps.push({ line: 0, run: 0, text: 'main runs, before the loop', queues: noQueues, out, at: 0 });
  }
  for (const call of calls) {
    const lane = LANE_OF[call.args.phase] ?? call.args.phase;
    const run = story.runs.push({ lane, name: call.name, line: call.args.line ?? 0, from: call.ts, to: call.ts + call.dur, by: numbers.get(call.args.by) ?? -1, step: story.steps.length }) - 1;
    numbers.set(call.args.id, run);
    if (each) out += lines[run].length;
    story.steps.push({ line: call.args.line ?? 0, run, text: `Phase ${lane} calls back: ${call.name}`, queues: noQueues, out: each ? out : output.length, at: call.ts });
  }
  Story.prototype.addWaits.call(story);
  return pack(story);
}

module.exports = { storyOf, storyOfCalls };
