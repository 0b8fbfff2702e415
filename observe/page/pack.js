'use strict';
// Packs a trace (read_trace.js) into the text of one HTML file that needs no other. `rota timeline` has it built in.
//
// A trace of a million events is 150 MB of text, most of it repeated. The page gets tables of strings and details, and
// a stream of numbers, 7 bits to a byte: about 12 bytes for an event.

const path = require('path');

// The lanes of the HTML standard's loop (rota --loop=html) are its task sources. Each has the colour of a phase or of
// another lane of Node's loop.
const BROWSER_LANES = {
  'outside': 'span',
  'timer': 'timers',
  'message': 'check',
  'networking': 'poll',
  'file': 'job',
  'user interaction': 'pending',
  'DOM manipulation': 'prepare',
  'immediate': 'idle',
  'scheduler': 'closing',
  'rendering': 'ring',
  'idle': 'wait',
  'other': 'line',
  'microtasks': 'drain',
};
const SOURCE_OF = { fs: 'file', work: 'file', random: 'file', tty: 'user interaction', signal: 'user interaction' };

class Stream {
  constructor() {
    this.bytes = Buffer.alloc(1 << 20);
    this.length = 0;
  }
  number(value) {
    if (this.length + 10 > this.bytes.length) {
      const more = Buffer.alloc(this.bytes.length * 2);
      this.bytes.copy(more, 0, 0, this.length);
      this.bytes = more;
    }
    while (value >= 128) {
      this.bytes[this.length++] = (value % 128) | 128;
      value = Math.floor(value / 128);
    }
    this.bytes[this.length++] = value;
  }
}

// ---- the browser's loop ----

// The task source of a callback by its phase and its handle. The runtime's own callbacks are tasks, too.
function sourceOf({ phase, on }) {
  if (phase in BROWSER_LANES && (phase !== 'idle' || on === 'check')) return phase;
  if (phase === 'poll') return SOURCE_OF[on] ?? 'networking';
  return phase === 'timers' ? 'timer' : 'other';
}

// The details, with task sources instead of phases. Undefined for a trace of Node's loop.
function browserDetails(list) {
  const details = list.map((text) => JSON.parse(text));
  const isBrowser = details.some(({ phase }) => phase !== 'outside' && phase !== 'idle' && phase in BROWSER_LANES);
  return isBrowser
    ? details.map((each) => JSON.stringify(each.phase === undefined ? each : { ...each, phase: sourceOf(each) }))
    : undefined;
}

// ---- packing ----

const zigzag = (value) => (value < 0 ? -value * 2 - 1 : value * 2);

function compact(trace) {
  const { length, columns } = trace.events;
  const [start, lasted, category, track, name, detail, a, b, call, by] = columns;
  const order = new Uint32Array(length);
  for (let i = 0; i < length; i++) order[i] = i;
  // An event comes before those that it contains.
  order.sort((x, y) => start[x] - start[y] || lasted[y] - lasted[x]);
  const stream = new Stream();
  const origin = length > 0 ? start[order[0]] : 0;
  let before = origin,
    lastCall = 0;
  for (let k = 0; k < length; k++) {
    const i = order[k];
    stream.number(category[i]);
    stream.number(track[i]);
    stream.number(start[i] - before);
    stream.number(lasted[i]);
    stream.number(name[i]);
    stream.number(detail[i]);
    stream.number(a[i]);
    stream.number(b[i]);
    // Differences, because most are small.
    stream.number(call[i] === 0 ? 0 : 1 + zigzag(call[i] - lastCall));
    stream.number(by[i] === 0 ? 0 : 1 + zigzag(call[i] - by[i]));
    if (call[i] !== 0) lastCall = call[i];
    before = start[i];
  }
  const browser = browserDetails(trace.details.list);
  return {
    header: {
      count: length,
      origin,
      categories: trace.categories,
      strings: trace.strings.list,
      details: browser ?? trace.details.list,
      lanes: browser === undefined ? undefined : BROWSER_LANES,
      tracks: [...trace.tracks.keys()],
      meta: trace.meta,
      file: trace.script ?? trace.label ?? path.basename(trace.file),
    },
    data: stream.bytes.subarray(0, stream.length).toString('base64'),
  };
}

function page(compacted, read) {
  const safe = JSON.stringify(compacted.header).replace(/</g, '\\u003c');
  return read('page.html')
    .replace('/* page.css */', () => read('page.css'))
    .replace('/* page.js */', () => read('page.js'))
    .replace('@@header@@', () => safe)
    .replace('@@data@@', () => compacted.data);
}

// Returns the text of the page of a trace. `read` returns the text of a file of the page.
function pack(trace, read) {
  return page(compact(trace), read);
}

module.exports = { pack };
