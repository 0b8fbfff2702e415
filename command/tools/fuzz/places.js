'use strict';

// Reads from the trace of a steered run which callback of the program came next after each decision, and which
// operation of the program a decision is about. A decision is a mark in the trace ("steered: ..."), whose value is its
// number.

const path = require('path');

const kToldWithin = 5; // microseconds: a callback tells since when its job is done

// All events that matter here, in their order.
function readEvents(text) {
  const events = [];
  for (const line of text.split('\n')) {
    const from = line.indexOf('{');
    if (from < 0) continue;
    try {
      const event = JSON.parse(
        line
          .slice(from)
          .replace(/,\s*$/, '')
          .replace(/\]\s*$/, ''),
      );
      const isDecision = event.cat === 'mark' && event.name.startsWith('steered: ');
      if (isDecision || event.cat === 'call' || event.cat === 'job') events.push(event);
    } catch {
      // The last line of a killed program may be incomplete.
    }
  }
  return events.sort((a, b) => a.ts - b.ts);
}

// Decisions and callbacks with a known position, in their order.
const eventsOf = (text) =>
  readEvents(text).filter(({ cat, args }) => cat === 'mark' || (cat === 'call' && args?.file !== undefined));

// How many could have come next may be another number where functions have names.
const keyOf = (number, words) => `${number} ${words.replace(/, of \d+$/, '')}`;

function placesAfter(text) {
  const places = new Map();
  let waiting = [];
  for (const event of eventsOf(text)) {
    if (event.cat === 'mark') {
      waiting.push(keyOf(event.args.value, event.name.slice('steered: '.length)));
      continue;
    }
    if (event.args.file.startsWith('node:')) continue;
    for (const key of waiting) places.set(key, `${event.name} (${event.args.file}:${event.args.line})`);
    waiting = [];
  }
  return places;
}

// ---- operations ----

// In Node a job has the name of its class.
function operationOf({ name, args }) {
  const [, method] = /fs::(\w+)Job::/.exec(name) ?? [];
  const operation = method === undefined ? name.replace(/^node::|::DoThreadPoolWork$/g, '') : lowerFirst(method);
  return args.about === undefined ? operation : `${operation} ${args.about}`;
}

const lowerFirst = (text) => text[0].toLowerCase() + text.slice(1);

// The jobs of the pool, by what a decision calls them: a number in the order of their submission, or operation and
// path.
class Operations {
  constructor(text) {
    const events = readEvents(text);
    const jobs = events.filter(({ cat }) => cat === 'job');
    const calls = events.filter(({ cat, args }) => cat === 'call' && args?.late_us !== undefined);
    const submitted = (job) => job.ts - (job.args.queue_us ?? 0);
    this.named = new Map();
    jobs.sort((a, b) => submitted(a) - submitted(b));
    jobs.forEach((job, k) => {
      const words = `${operationOf(job)}${Operations.#callbackOf(job, calls)}`;
      this.named.set(`${job.args.kind} job ${k + 1}`, words);
      const key = `${job.name} ${job.args.about}`;
      this.named.set(key, this.named.has(key) ? undefined : words); // which of several alike is not known
    });
  }
  static #callbackOf(job, calls) {
    const end = job.ts + job.dur;
    const found = calls.find(({ ts, args }) => Math.abs(ts - args.late_us - end) < kToldWithin);
    if (found?.args.file === undefined || found.args.file.startsWith('node:')) return '';
    const name = found.name === '(anonymous)' ? '' : `${found.name} `;
    return ` (callback ${name}at ${path.basename(found.args.file)}:${found.args.line})`;
  }
  // What a decision says, about an operation of the program. `isOnly`: all others have the lowest rank.
  words(text, isOnly) {
    const [, where, rest] = /^(\w+): (.*)$/.exec(text) ?? [];
    if (where !== 'pool') return text;
    const [subject] = [...this.named.keys()]
      .filter((key) => rest.startsWith(key) && !/^\w/.test(rest.slice(key.length)))
      .sort((x, y) => y.length - x.length);
    if (this.named.get(subject) === undefined) return text;
    const said = rest.slice(subject.length);
    const isLast = isOnly && said.startsWith(' comes after all of a rank');
    return `${this.named.get(subject)}${isLast ? ' finishes last' : said}`;
  }
}

// The words of each of these decisions.
function wordsOf(text, entries) {
  const operations = new Operations(text);
  return entries.map(({ words }) => operations.words(words, entries.length === 1));
}

module.exports = { eventsOf, keyOf, operationOf, placesAfter, readEvents, wordsOf };
