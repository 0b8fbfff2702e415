'use strict';
// Turns a trace (doc/TRACE.md) into one HTML file that needs nothing else. Runs on any Node.
//
//   node tools/timeline/pack.js trace.json -o page.html
//
// A trace of a million events is 150 MB of text, and most of that is said again and again. The page gets tables of
// strings and details, and a stream of numbers, 7 bits to a byte: about 12 bytes for an event.

const fs = require('fs');
const path = require('path');

const CATEGORIES = ['iteration', 'phase', 'wait', 'call', 'drain', 'job', 'mark', 'span', 'rota'];

// The arguments that change from event to event, by category; whatever else there is goes into the table of details.
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
};

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
    value = Math.max(0, Math.round(value));
    while (value >= 128) {
      this.bytes[this.length++] = (value % 128) | 128;
      value = Math.floor(value / 128);
    }
    this.bytes[this.length++] = value;
  }
}

// One event to a line; the last line may be cut off.
function* readEvents(file) {
  const fd = fs.openSync(file, 'r');
  const chunk = Buffer.alloc(1 << 20);
  let rest = Buffer.alloc(0);
  try {
    for (;;) {
      const n = fs.readSync(fd, chunk, 0, chunk.length, null);
      const data = n > 0 ? Buffer.concat([rest, chunk.subarray(0, n)]) : rest;
      let begin = 0;
      for (let end; (end = data.indexOf(10, begin)) >= 0; begin = end + 1)
        yield* parseLine(data.toString('utf8', begin, end));
      rest = Buffer.from(data.subarray(begin));
      if (n === 0) {
        yield* parseLine(rest.toString('utf8'));
        return;
      }
    }
  } finally {
    fs.closeSync(fd);
  }
}

function* parseLine(line) {
  line = line.trim();
  if (line.startsWith('[')) line = line.slice(1);
  if (line.endsWith(',')) line = line.slice(0, -1);
  if (line.endsWith('}]')) line = line.slice(0, -1);
  if (!line.startsWith('{')) return;
  try {
    yield JSON.parse(line);
  } catch {
    // cut off
  }
}

function compact(file) {
  const strings = new Table(), details = new Table(), tracks = new Map();
  const events = [];
  const meta = { threads: {}, symbols: {}, ended: false, dropped: 0, process: 0 };
  for (const event of readEvents(file)) {
    const args = event.args || {};
    if (event.ph === 'M') {
      meta.process = event.pid;
      if (event.name === 'thread_name') meta.threads[event.tid] = args.name;
      if (event.name === 'rota_symbol') meta.symbols[args.name] = `${args.library || ''} ${args.offset || ''}`.trim();
      if (event.name === 'rota_end') meta.ended = true;
      continue;
    }
    const category = CATEGORIES.indexOf(event.cat);
    if (category < 0 || typeof event.ts !== 'number') continue;
    if (event.name === 'dropped') meta.dropped += args.events || 0;
    const [first, second] = NUMBERS[event.cat];
    const a = first !== '' && args[first] !== undefined ? args[first] + 1 : 0;
    const b = second !== '' && args[second] !== undefined ? args[second] * 1000 + 1 : 0;
    const others = {};
    for (const key of Object.keys(args))
      if (key !== first && key !== second && key !== 'waited_us') others[key] = args[key];
    if (!tracks.has(event.tid)) tracks.set(event.tid, tracks.size);
    events.push([Math.round(event.ts * 1000), Math.round((event.dur || 0) * 1000), category, tracks.get(event.tid),
      strings.add(event.name), details.add(JSON.stringify(others)), a, b]);
  }
  // Those that contain others come before them.
  events.sort((x, y) => x[0] - y[0] || y[1] - x[1]);
  const stream = new Stream();
  let before = events.length > 0 ? events[0][0] : 0;
  const origin = before;
  for (const e of events) {
    stream.number(e[2]);
    stream.number(e[3]);
    stream.number(e[0] - before);
    for (let i = 1; i < 8; i++) if (i !== 2 && i !== 3) stream.number(e[i]);
    before = e[0];
  }
  return {
    header: { count: events.length, origin, categories: CATEGORIES, strings: strings.list, details: details.list,
      tracks: [...tracks.keys()], meta, file: path.basename(file) },
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

function main(argv) {
  const at = argv.indexOf('-o');
  const output = at >= 0 ? argv[at + 1] : 'timeline.html';
  const input = argv.filter((_, i) => at < 0 || (i !== at && i !== at + 1))[0];
  if (input === undefined || output === undefined) {
    process.stderr.write('usage: pack.js trace.json [-o page.html]\n');
    return 2;
  }
  const read = (name) => fs.readFileSync(path.join(__dirname, name), 'utf8');
  fs.writeFileSync(output, page(compact(input), read));
  return 0;
}

module.exports = { compact, page };
if (require.main === module) process.exitCode = main(process.argv.slice(2));
