'use strict';
// Events in words: times, places, and the lines that the card and the panel show.

const {
  a,
  b,
  category,
  cause,
  detail,
  details,
  duration,
  first,
  header,
  isUnfinished,
  nameOf,
  name,
  start,
  waitedOf,
} = require('./trace.js');
const { causes } = require('./causes.js');

const digits = (value) => value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);

function time(ns) {
  if (ns < 1e3) return `${Math.round(ns)} ns`;
  if (ns < 1e6) return `${digits(ns / 1e3)} \u00b5s`;
  if (ns < 1e9) return `${digits(ns / 1e6)} ms`;
  return `${digits(ns / 1e9)} s`;
}

const many = (n) => n.toLocaleString('en');

// The end of the path tells one file from another.
function place(event) {
  const { file, line } = details[detail[event]];
  return file === undefined ? '' : `${file.split('/').slice(-2).join('/')}:${line}`;
}

// Functions by name and place: two may have the same name.
const placeNumber = new Map();
const placeOf = details.map((d) => {
  const key = d.file === undefined ? '' : `${d.file}:${d.line}`;
  if (!placeNumber.has(key)) placeNumber.set(key, placeNumber.size);
  return placeNumber.get(key);
});
const keyOf = (i) => name[i] * 65536 + placeOf[detail[i]];

// When it could have run, and what ran in its place.
function whyLate(i) {
  const { delay, event } = causes.blame(i);
  if (delay < 1e3 || (b[i] === 0 && delay < 1e5)) return [];
  const how = b[i] > 0 ? 'late' : 'after it was ready';
  return [`${time(delay)} ${how}${event === undefined ? '' : `, because of ${nameOf(event)}`}`];
}

function callLines(i, d) {
  const of = `${d.phase}: ${d.on}${d.operation ? ` ${d.operation}` : ''}${a[i] > 0 ? `, descriptor ${a[i] - 1}` : ''}`;
  const out = [isUnfinished(i) ? 'it has not ended' : of, ...whyLate(i)];
  const by = causes.eventOf(cause[i]);
  if (by !== undefined) out.push(`scheduled by ${nameOf(by)}`);
  return out;
}

// What an event says by its kind.
const LINES = {
  sample: (i, d) => [`${d.samples} sample${d.samples === 1 ? '' : 's'}`],
  operation: (i, d) => [`${d.kind} operation, done by the ring without a thread`],
  drain: (i, d) => [...(d.first ? [`the first one: ${d.first}`] : []), ...(a[i] > 0 ? [`${a[i] - 1} run`] : [])],
  job: (i, d) => [`${d.kind}: waited ${time(waitedOf(i))} in the queue, ran ${time(duration[i])}`],
  wait: (i) => [`${a[i] - 1} events${b[i] > 0 ? `, at most ${time(b[i] - 1)}` : ', for ever'}`],
  mark: (i) => (a[i] > 0 ? [`value ${a[i] - 1}`] : []),
  rota: (i, d) => (d.call ? [d.call] : []),
};

function lines(i) {
  const d = details[detail[i]];
  const kind = header.categories[category[i]];
  const out = [`${time(duration[i])}, at ${time(start[i] - first)}`];
  if (d.file) out.push(`${d.file}:${d.line}`);
  if (kind === 'call') out.push(...callLines(i, d));
  if (d.about !== undefined) out.push(d.about);
  if (LINES[kind] !== undefined) out.push(...LINES[kind](i, d));
  const symbol = header.meta.symbols[nameOf(i)];
  if (symbol && !d.file) out.push(symbol);
  return out;
}

module.exports = { keyOf, lines, many, place, time };
