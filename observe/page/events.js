'use strict';
// A trace (read_trace.js) as those read it who tell in words what it shows: events by category, in order, with names,
// places and durations as text.

const { Insight } = require('internal/cli/insight');

const SHARE_OF_TIME = 0.5; // a function with less of it is not the one
const SEEN_NS = 30e6; // a sample tells of no longer time than this

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
    [this.calls, this.waits, this.jobs, this.marks, this.drains, this.phases] = [
      'call',
      'wait',
      'job',
      'mark',
      'drain',
      'phase',
    ].map((text) => lists.get(text));
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
    return inWords(this.nameOf(i), file, line);
  }
}

const plural = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;
const longestOf = (list, value) => list.reduce((x, y) => (x === undefined || value(y) > value(x) ? y : x), undefined);

// ---- what several ask ----

const placeOf = (frame) => /^([^]*) \(([^()]*?)(?::(\d+))?\)$/.exec(frame) ?? [frame, frame];

// Places in one function are one.
const keyOf = (frame) => placeOf(frame).slice(1, 3).join('\n');

// A function without a name is called by its place.
function inWords(name, file, line) {
  if (file === undefined) return name;
  const place = line === undefined ? shortOf(file) : `${shortOf(file)}:${line}`;
  return place === name || place.endsWith(`/${name}`) ? place : `${name} (${place})`;
}

const wordsOf = (frame) => inWords(...placeOf(frame).slice(1));

// A sample tells of the time since the one before it, or since the callback began; but if that is long, nobody has
// looked, unless it is of code of C++ (a function without a file), which answers when it is over.
function weigh(events, call) {
  const samples = events.trace.samples.filter(
    (sample) => sample.call === events.number[call] && sample.stack.length > 0,
  );
  let before = events.start[call];
  return samples.map(({ at, stack }) => {
    const isNative = !stack.at(-1).includes(' (');
    const took = isNative ? at - before : Math.min(at - before, SEEN_NS);
    before = at;
    return { stack, took };
  });
}

// The function in which a callback was for most of its time, as the samples tell, if it is not the callback itself. One
// of C++ is told with its caller. What is called by its cause, as "(timers)", may have called many functions.
function guiltyIn(events, call) {
  const sums = new Map();
  const isMany = events.nameOf(call).startsWith('(') && events.detailOf(call).file === undefined;
  for (const { stack, took } of weigh(events, call)) {
    const own = stack.filter((frame) => !frame.includes('(node:'));
    const key = keyOf(own.at(-1) ?? '');
    const entry = sums.get(key) ?? { took: 0, own };
    entry.took += took;
    sums.set(key, entry);
  }
  const most = longestOf([...sums.values()], (entry) => entry.took);
  if (most === undefined || most.own.length === 0 || most.took < events.duration[call] * SHARE_OF_TIME)
    return undefined;
  const frame = most.own.at(-1);
  const [, name, file] = placeOf(frame);
  if (isMany && most.own.length === 1) return wordsOf(frame);
  if (most.own.length === 1 || name === events.nameOf(call)) return undefined; // the callback itself
  const caller = most.own.at(-2);
  if (file !== undefined || caller === undefined || placeOf(caller)[1] === events.nameOf(call)) return wordsOf(frame);
  return `${wordsOf(frame)}, called by ${wordsOf(caller)}`;
}

module.exports = { Events, digits, guiltyIn, jobName, longestOf, plural, shortOf, time };
