'use strict';
// The events of the trace, as columns: decoded once, and not changed afterwards. pack.js has written them.

const textOf = (id) => document.getElementById(id).textContent;

const header = JSON.parse(textOf('header'));
const CAT = Object.fromEntries(header.categories.map((name, i) => [name, i]));

const count = header.count;
const start = new Float64Array(count);
const duration = new Float64Array(count);
const a = new Float64Array(count); // the two numbers that change from event to event: NUMBERS in read_trace.js
const b = new Float64Array(count);
const category = new Uint8Array(count);
const track = new Uint16Array(count);
const name = new Uint32Array(count);
const detail = new Uint32Array(count);
const number = new Uint32Array(count); // of a callback
const cause = new Uint32Array(count); // the number of the callback that has scheduled it

function bytesOf(base64) {
  if (Uint8Array.fromBase64 !== undefined) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

const signed = (value) => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

function decode(bytes) {
  let at = 0;
  let time = header.origin;
  let lastNumber = 0;
  const next = () => {
    let byte = bytes[at++];
    if (byte < 128) return byte;
    let value = byte & 127;
    let factor = 128;
    do {
      byte = bytes[at++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return value;
  };
  for (let i = 0; i < count; i++) {
    category[i] = next();
    track[i] = next();
    start[i] = time += next();
    duration[i] = next();
    name[i] = next();
    detail[i] = next();
    a[i] = next();
    b[i] = next();
    const own = next();
    const by = next();
    if (own > 0) number[i] = lastNumber += signed(own - 1);
    if (by > 0) cause[i] = number[i] - signed(by - 1);
  }
}

decode(bytesOf(textOf('data').trim()));
document.getElementById('data').remove();

const details = header.details.map((text) => JSON.parse(text));
const endOf = (i) => start[i] + duration[i];
const isUnfinished = (i) => details[detail[i]].on === 'unfinished';
const waitedOf = (job) => Math.max(0, b[job] - 1); // in the pool's queue

const SHORT = 40;
// A path's end tells one file from another.
const shortOf = (about) =>
  about.length <= SHORT ? about : `\u2026${about.slice(Math.max(about.length - SHORT, about.lastIndexOf('/')))}`;

// A job or an operation is named with its path or host.
function nameOf(i) {
  const text = header.strings[name[i]];
  if (category[i] !== CAT.job && category[i] !== CAT.operation) return text;
  const { about } = details[detail[i]];
  return about === undefined ? text : `${text} ${shortOf(about)}`;
}

const trackName = (t) => header.meta.threads[header.tracks[t]] || `thread ${header.tracks[t]}`;

const first = count > 0 ? start[0] : 0;
let last = first + 1;
for (let i = 0; i < count; i++) last = Math.max(last, endOf(i));

// ---- lanes of a loop ----

// The lanes of a loop: the phases of Node's loop, or the task sources of the HTML standard's (rota --loop=html); what
// each is, and its colour.

const PHASES = ['timers', 'pending', 'idle', 'prepare', 'poll', 'check', 'closing', 'outside'];

const PHASES_ABOUT = {
  timers: 'Timers that are due run now, in the order of their times.',
  pending: 'Callbacks that the last round had put off, such as a failed write.',
  idle: 'Idle handles run in every iteration; while there is one, the loop does not wait.',
  prepare: 'Prepare handles run just before the loop looks for events.',
  poll: 'The loop has asked the system what has happened, and tells those who wait for it.',
  check: 'Check handles run just after poll: this is where setImmediate lives.',
  closing: 'Handles that were closed say goodbye.',
  outside: 'Outside of the loop: the main script, and what else the program runs by itself.',
};

const SOURCES_ABOUT = {
  'timer': 'A timer is due: a task of the timer task source.',
  'message': 'A message of a port, a channel or the window. Each port is a task source of its own.',
  'networking': 'Something has come over the network.',
  'file': 'A file operation, or other work of the pool, is done.',
  'user interaction': 'A key was pressed, or a signal has come.',
  'DOM manipulation': 'Unhandled rejections are told by tasks of this source.',
  'immediate': 'setImmediate, which no browser has, is a task as any other.',
  'scheduler': 'A task of scheduler.postTask, or what goes on after scheduler.yield.',
  'rendering': 'A rendering opportunity: the callbacks of requestAnimationFrame.',
  'idle': 'No task could run: the callbacks of requestIdleCallback.',
  'other': 'Work of the runtime itself.',
  'outside': 'The script.',
};

const isNode = header.lanes === undefined;
const ABOUT = isNode ? PHASES_ABOUT : SOURCES_ABOUT;
const ORDER = isNode ? PHASES : Object.keys(header.lanes);
const colorOf = (phase) => `--${header.lanes?.[phase] ?? (phase === 'outside' ? 'span' : phase)}`;

module.exports = {
  ABOUT,
  CAT,
  ORDER,
  PHASES,
  a,
  b,
  category,
  cause,
  colorOf,
  count,
  detail,
  details,
  duration,
  endOf,
  first,
  header,
  isNode,
  isUnfinished,
  last,
  name,
  nameOf,
  number,
  start,
  track,
  trackName,
  waitedOf,
};
