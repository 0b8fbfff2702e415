'use strict';
// The summary above the chart: how busy the loop was, what took its time, what was late, and the pool's queue.

const {
  CAT,
  b,
  category,
  duration,
  endOf,
  first,
  header,
  last,
  name,
  nameOf,
  number,
  start,
  track,
  waitedOf,
} = require('./trace.js');
const { calls, drains, errors, iterations, jobs, operations, waits } = require('./lanes.js');
const { threadsOf, waitsOf } = require('./pool.js');
const { causes } = require('./causes.js');
const { keyOf, many, place, time } = require('./words.js');
const { view } = require('./view.js');
const { byId, delayTable, element, row, tableOf } = require('./dom.js');

function block(title) {
  const div = element('div');
  div.append(element('h2', title));
  byId('summary').append(div);
  return div;
}

// ---- how busy ----

// How long the loops ran, those of the main thread and the others: together, a loop without a pause and one that waits
// would look half busy.
function loopTimes() {
  const times = { main: { whole: 0, waited: 0 }, others: { whole: 0, waited: 0 } };
  for (const { loop, thread, whole, waited } of header.meta.loops) {
    const isMain = thread === header.meta.process || (thread === undefined && loop === 1);
    const sum = isMain ? times.main : times.others;
    sum.whole += whole;
    sum.waited += waited;
  }
  return times;
}

const busy = ({ whole, waited }) =>
  whole > 0 ? `${Math.max(0, 100 - (waited / whole) * 100).toFixed(1)} %` : '\u2013';

function waitsInWords() {
  const sorted = Float64Array.from(waits, (i) => duration[i]).sort();
  if (waits.length === 1) return `It waited once, for ${time(sorted[0])}.`;
  const half = time(sorted[sorted.length >> 1]);
  const longest = time(sorted[sorted.length - 1]);
  return `It waited ${many(waits.length)} times: half of them under ${half}, longest ${longest}.`;
}

function summarizeLoop() {
  const { main, others } = loopTimes();
  const use = block('The loop was busy for');
  const add = (text) => use.append(element('div', text, 'quiet'));
  use.append(element('div', busy(main.whole > 0 ? main : others), 'big'));
  add(`of ${time(last - first)}: ${many(iterations.items.length)} iterations, ${many(calls.length)} callbacks`);
  if (waits.length > 0) add(waitsInWords());
  if (main.whole > 0 && others.whole > 0) add(`Loops of other threads: ${busy(others)} of ${time(others.whole)}.`);
  if (operations.length > 0) add(`${many(operations.length)} file operations by the ring`);
}

// ---- what took time, what was late ----

function summarizeTime() {
  const callbacks = causes.byCallback(-Infinity, Infinity, keyOf);
  const all = callbacks.reduce((sum, c) => sum + c.total, 0);
  const slow = block('What took the loop\u2019s time');
  slow.className = 'wide';
  const rows = callbacks.slice(0, 6).map(({ worst, count, total }) => ({
    cells: [nameOf(worst), many(count), time(total), time(duration[worst])],
    event: worst,
    where: place(worst),
    share: total / all,
  }));
  slow.append(tableOf(['', 'calls', 'total', 'longest'], rows));
}

function summarizeDelays() {
  const delays = causes.worstDelays(Math.min(view.warnNs / 10, 1e6), 6);
  const late = block('What was late, and why');
  late.className = 'wide';
  if (delays.length === 0) late.append(element('div', 'Nothing that was due had to wait.', 'quiet'));
  else late.append(delayTable(delays));
}

// ---- the pool ----

// Waiting against running, by kind of job; those that waited and ran longest first.
function poolTable() {
  const kinds = new Map();
  const lasts = (i) => waitedOf(i) + duration[i];
  for (const i of jobs) {
    const kind = kinds.get(name[i]) ?? { count: 0, waited: 0, ran: 0, worst: i };
    kind.count++;
    kind.waited += waitedOf(i);
    kind.ran += duration[i];
    if (lasts(i) > lasts(kind.worst)) kind.worst = i;
    kinds.set(name[i], kind);
  }
  const sorted = [...kinds].sort(([, x], [, y]) => y.waited + y.ran - x.waited - x.ran).slice(0, 6);
  const table = element('table');
  row(table, ['', 'waited', 'ran']).className = 'head';
  for (const [text, { count, waited, ran, worst }] of sorted) {
    row(table, [header.strings[text], time(waited), time(ran)], worst, `\u00d7 ${many(count)}`);
  }
  return table;
}

const DECADES = ['<1\u00b5s', '1\u00b5s', '10\u00b5s', '100\u00b5s', '1ms', '10ms', '100ms', '1s'];

// How many jobs waited how long, by powers of ten.
function poolBars(columns) {
  const bars = element('div', undefined, 'bars');
  bars.setAttribute('role', 'img');
  bars.setAttribute('aria-label', DECADES.map((text, k) => `${text}: ${columns[k]}`).join(', '));
  columns.forEach((n, k) => {
    const column = element('span');
    const shown = element('i');
    shown.style.height = `${(n / Math.max(...columns)) * 100}%`;
    column.title = `from ${DECADES[k]}: ${n} jobs`;
    column.append(shown, element('small', DECADES[k]));
    bars.append(column);
  });
  return bars;
}

function summarizePool() {
  if (jobs.length === 0) return;
  const queue = block('Time in the pool\u2019s queue');
  queue.className = 'pool';
  const columns = new Array(DECADES.length).fill(0);
  let worst = 0;
  for (const i of jobs) {
    const ns = Math.max(1, b[i] - 1);
    worst = Math.max(worst, ns);
    columns[Math.min(7, Math.max(0, Math.floor(Math.log10(ns)) - 2))]++;
  }
  const about = element('div', `${many(jobs.length)} jobs, longest ${time(worst)}`, 'quiet');
  queue.append(poolBars(columns), about, poolTable());
}

// ---- warnings ----

// Warnings: callbacks and drains that took long, jobs that no thread was free for, errors, and a file that is not
// whole.
// What is long by itself, and what nobody would call so: half of the longest callback is not a warning.
function chooseThreshold() {
  let longest = 0;
  for (const i of calls) longest = Math.max(longest, duration[i]);
  view.warnNs = [50e6, 10e6, 5e6].find((ns) => longest >= ns) ?? 1e6;
  byId('threshold').value = String(view.warnNs / 1e6);
}

// A callback and what is drained after it are one warning: of the one that took the larger part.
function collectWarnings() {
  const { warnNs } = view;
  const drained = new Map();
  for (const i of drains) {
    const before = drained.get(number[i]);
    const isLonger = before === undefined || duration[before] < duration[i];
    if (duration[i] >= warnNs / 2 && isLonger) drained.set(number[i], i);
  }
  const largerOf = (i) => {
    const drain = number[i] === 0 ? undefined : drained.get(number[i]);
    return drain !== undefined && duration[drain] * 2 >= duration[i] ? drain : i;
  };
  const isAlone = (i) => duration[i] >= warnNs && causes.eventOf(number[i]) === undefined;
  view.warnings = [...calls.filter((i) => duration[i] >= warnNs).map(largerOf), ...drains.filter(isAlone)];
  view.warnings.sort((x, y) => start[x] - start[y]);
}

// By the rule of `rota diagnose`: to wait for a thread's start is no fault of the pool's.
function warnOfPool(list) {
  const events = { jobs, start, endOf, b, track };
  const waits = waitsOf(events, jobs, threadsOf(events, header.meta.pool)).filter(
    ({ waited }) => waited >= view.warnNs,
  );
  if (waits.length === 0) return;
  const { i, waited } = waits.reduce((x, y) => (y.waited > x.waited ? y : x));
  const jobsInWords = waits.length === 1 ? 'a job' : `${many(waits.length)} jobs`;
  row(list, [`the pool was full: ${jobsInWords} waited`, time(waited)], i);
}

function nameOfWarning(i) {
  if (category[i] !== CAT.drain) return `blocked by ${nameOf(i)}`;
  const call = causes.eventOf(number[i]);
  return `starved by ${nameOf(i)}${call === undefined ? '' : ` of ${nameOf(call)}`}`;
}

function showWarnings(block) {
  const { warnings, warnNs } = view;
  const { dropped, ended } = header.meta;
  const list = element('table');
  for (const i of errors.slice(0, 3)) row(list, [nameOf(i), ''], i);
  // Starvation comes first: it is rarer, and worse.
  const worst = warnings.slice().sort((x, y) => category[y] - category[x] || duration[y] - duration[x]);
  for (const i of worst.slice(0, 5)) row(list, [nameOfWarning(i), time(duration[i])], i);
  if (warnings.length > 5) row(list, [`and ${warnings.length - 5} more (!)`]);
  warnOfPool(list);
  if (dropped > 0) row(list, [`${many(dropped)} events were dropped`]);
  if (!ended) row(list, ['The file breaks off: the program did not end by itself.']);
  if (list.children.length === 0) row(list, [`none: nothing took ${time(warnNs)}`]);
  else block.className = 'warn';
  block.append(list);
}

// ---- all of it ----

function summarize() {
  byId('file').textContent = header.file;
  document.title = `${header.file}: timeline`;
  byId('summary').replaceChildren();
  collectWarnings();
  summarizeLoop();
  summarizeTime();
  summarizeDelays();
  showWarnings(block('Warnings'));
  summarizePool();
}

module.exports = { chooseThreshold, summarize };
