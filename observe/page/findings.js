'use strict';
// What a trace shows, in the five lines that `rota timeline` prints: the longest block and who, where the time went,
// what waited longest and for whom, the pool, and how it ended. What the trace does not tell has no line.

const { Insight } = require('internal/cli/insight');

const BLOCK_NS = 1e6; // what is shorter blocks nobody
const LATE_NS = 1e6;
const ERROR = /^(uncaught error|unhandled rejection): /;
const SHARE_OF_SAMPLES = 0.5; // a function that is in fewer of them is not the one

// ---- words ----

const digits = (value) => value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);

function time(ns) {
  if (ns < 1e3) return `${Math.round(ns)} ns`;
  if (ns < 1e6) return `${digits(ns / 1e3)} us`;
  if (ns < 1e9) return `${digits(ns / 1e6)} ms`;
  return `${digits(ns / 1e9)} s`;
}

// Of a job in Node: the class that does it.
const jobName = (name) => name.replace(/^node::|\(anonymous namespace\)::|::DoThreadPoolWork$/g, '');

// The end of the path tells one file from another.
const shortOf = (file) => file.split('/').slice(-2).join('/');

// ---- the trace as the lines need it ----

class Events {
  constructor(trace) {
    const [start, duration, category, track, name, detail, a, b, number, cause] = trace.events.columns;
    Object.assign(this, { trace, start, duration, track, name, detail, a, b, number, cause });
    this.details = trace.details.list.map((text) => JSON.parse(text));
    const lists = new Map(trace.categories.map((text) => [text, []]));
    for (let i = 0; i < trace.events.length; i++) lists.get(trace.categories[category[i]]).push(i);
    for (const list of lists.values()) list.sort((x, y) => start[x] - start[y]);
    [this.calls, this.waits, this.jobs, this.marks] = ['call', 'wait', 'job', 'mark'].map((text) => lists.get(text));
    this.insight = new Insight({ ...this, late: b });
  }
  detailOf(i) {
    return this.details[this.detail[i]];
  }
  nameOf(i) {
    return this.trace.strings.list[this.name[i]];
  }
  endOf(i) {
    return this.start[i] + this.duration[i];
  }
  // "parse (lib/parse.js:7)".
  inWords(i) {
    const { file, line } = this.detailOf(i);
    return file === undefined ? this.nameOf(i) : `${this.nameOf(i)} (${shortOf(file)}:${line})`;
  }
}

const plural = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;
const longestOf = (list, value) => list.reduce((x, y) => (x === undefined || value(y) > value(x) ? y : x), undefined);

// ---- the lines ----

// The function that the samples of a callback found at work, if most of them did and it is not the callback itself.
function guiltyIn(events, call) {
  const { number } = events;
  const samples = events.trace.samples.filter((sample) => sample.call === number[call] && sample.stack.length > 0);
  const counts = new Map();
  for (const { stack } of samples) {
    const own = stack.filter((frame) => !frame.includes('(node:'));
    const [, text] = /^([^]*?)(?::\d+\))?$/.exec(own.at(-1) ?? '');
    const entry = counts.get(text) ?? { count: 0, frame: own.at(-1) };
    entry.count++;
    counts.set(text, entry);
  }
  const most = longestOf([...counts.values()], (entry) => entry.count);
  if (most?.frame === undefined || most.count < samples.length * SHARE_OF_SAMPLES) return undefined;
  const [, name, file, line] = /^([^]*) \(([^()]*):(\d+)\)$/.exec(most.frame) ?? [undefined, most.frame];
  if (name === events.nameOf(call)) return undefined;
  return file === undefined ? name : `${name} (${shortOf(file)}:${line})`;
}

function blockLine(events) {
  const { calls, duration } = events;
  const longest = longestOf(
    calls.filter((i) => events.detailOf(i).phase !== 'outside'),
    (i) => duration[i],
  );
  if (longest === undefined || duration[longest] < BLOCK_NS) return undefined;
  const guilty = guiltyIn(events, longest);
  const who = events.inWords(longest);
  return `longest block: ${time(duration[longest])} in ${guilty === undefined ? who : `${guilty}, called by ${who}`}`;
}

function phaseLine(events) {
  const { loops, process } = events.trace.meta;
  const main = loops.find(({ loop, thread }) => thread === process || (thread === undefined && loop === 1));
  if (main === undefined || main.whole === 0) return undefined;
  const busy = main.whole - main.waited;
  const track = events.trace.tracks.get(main.thread ?? process);
  const outermost = events.insight.ofTrack(track).calls.filter((i) => events.detailOf(i).phase !== 'outside');
  const sums = new Map();
  for (const i of outermost) {
    const { phase } = events.detailOf(i);
    sums.set(phase, (sums.get(phase) ?? 0) + events.duration[i]);
  }
  const most = longestOf([...sums], ([, sum]) => sum);
  const share = `busy: ${((busy / main.whole) * 100).toFixed(1)} % of ${time(main.whole)}`;
  return most === undefined ? share : `${share}; most of it in the phase ${most[0]}: ${time(most[1])}`;
}

function lateLine(events) {
  const { calls, b, insight } = events;
  const waited = calls.filter((i) => b[i] > LATE_NS);
  const known = waited.filter((i) => events.detailOf(i).file !== undefined); // the others are the platform's own
  const late = longestOf(known.length > 0 ? known : waited, (i) => b[i]);
  if (late === undefined) return undefined;
  const { delay, event } = insight.blame(late);
  const reason = event === undefined ? '' : `, while ${events.inWords(event)} ran`;
  return `waited longest: ${events.inWords(late)}, ${time(delay)}${reason}`;
}

// For how long at least one job was in the queue.
function fullFor(spans) {
  let until = -Infinity,
    sum = 0;
  for (const [from, to] of spans.sort((x, y) => x[0] - y[0])) {
    if (to > until) sum += to - Math.max(from, until);
    until = Math.max(until, to);
  }
  return sum;
}

// How many jobs were in the queue at once, at most.
function deepest(spans) {
  const steps = spans.flatMap(([from, to]) => [
    [from, 1],
    [to, -1],
  ]);
  let now = 0,
    most = 0;
  for (const [, step] of steps.sort((x, y) => x[0] - y[0] || x[1] - y[1])) most = Math.max(most, (now += step));
  return most;
}

// More threads help jobs that wait for a disk or a name at once, and jobs that compute only while a processor is free.
function advice(events, waited, spans, processors) {
  const threads = new Set(events.jobs.map((i) => events.track[i])).size;
  const computes = waited.filter((i) => ['work', 'crypto', 'random'].includes(events.detailOf(i).kind)).length;
  const most = computes * 2 > waited.length ? processors : 128;
  const wanted = Math.min(threads + deepest(spans), most);
  if (wanted > threads) return `; UV_THREADPOOL_SIZE=${wanted} would give them more threads`;
  const room = processors === 1 ? 'there is 1 processor' : `there are ${processors} processors`;
  return computes * 2 > waited.length ? `; more threads would not help: the jobs compute, and ${room}` : '';
}

function poolLine(events, processors) {
  const { b, jobs, start } = events;
  const waited = jobs.filter((i) => b[i] - 1 >= LATE_NS);
  if (waited.length === 0) return undefined;
  const spans = waited.map((i) => [start[i] - (b[i] - 1), start[i]]);
  const worst = longestOf(waited, (i) => b[i]);
  const jobsInWords = `${plural(waited.length, 'job')} of ${jobs.length.toLocaleString('en')} waited for a thread`;
  const told = `${jobsInWords}, ${jobName(events.nameOf(worst))} for ${time(b[worst] - 1)}`;
  return `pool: full for ${time(fullFor(spans))}; ${told}${advice(events, waited, spans, processors)}`;
}

// `ended` is an exit code or the name of a signal, as text.
function endLine({ marks, trace, ...events }, ended) {
  if (ended === undefined) return undefined;
  const isSignal = ended.startsWith('SIG');
  const how = isSignal ? `by ${ended}` : `with exit code ${ended}`;
  if (!trace.meta.ended) return `ended ${how}; the trace breaks off before it`;
  const inside = trace.endings.get(trace.meta.process);
  const error = marks.findLast((i) => ERROR.test(trace.strings.list[events.name[i]]));
  if (error !== undefined && !isSignal && ended !== '0')
    return `ended ${how}: ${trace.strings.list[events.name[error]]}`;
  if (inside !== undefined) return `ended ${how}, in ${inside}`;
  return isSignal ? `ended ${how}` : `ended by itself, ${how}: nothing kept its loop alive`;
}

function findings(trace, { ended, processors }) {
  const events = new Events(trace);
  return [
    blockLine(events),
    phaseLine(events),
    lateLine(events),
    poolLine(events, processors),
    endLine(events, ended),
  ].filter((line) => line !== undefined);
}

module.exports = { findings };
