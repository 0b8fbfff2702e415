'use strict';
// Loaded before a program of the book (--require): writes what the program schedules, runs and prints, with the line that does so.
//
// Async hooks observe and do not change the order. The functions that schedule are wrapped, too, only to know the line and the name: they pass on
// what they are given. Each entry is also a mark in the trace of the same run, with the entry's number, so that the trace tells when it was and in
// which phase.
//
// BOOK_RECORD is the file to write.

const { createHook, executionAsyncId } = require('node:async_hooks');
const fs = require('node:fs');
const path = require('node:path');

const entries = [];
const program = path.resolve(process.argv[1] ?? '.');
Error.stackTraceLimit = 50;

let isExiting = false; // the program's own listeners of 'exit' come after ours
function write() {
  fs.writeFileSync(process.env.BOOK_RECORD, JSON.stringify({ program, entries }));
}

function add(entry) {
  process.rota?.mark('book', entries.length);
  entries.push(entry);
  if (isExiting) write();
}

// The line of the program that is on the stack; `direct`: only if the program itself has called the wrapped function.
function lineNow(direct) {
  const frames = new Error().stack.split('\n').filter((frame) => /:\d+(:\d+)?\)?$/.test(frame) && !frame.includes(__filename));
  const frame = direct ? frames[0] : frames.find((each) => each.includes(program));
  const found = frame?.includes(program) ? /:(\d+)(?::\d+)?\)?$/.exec(frame) : null;
  return found === null ? 0 : Number(found[1]);
}

const ANSWERED = { type: '' };
const numbers = new WeakMap(); // of timers and immediates
let asked; // by the program: { type, line, api, name, delay }
let last; // the number that was given to it
let printing = false;

function wrap(owner, key, type) {
  const original = owner[key];
  const wrapper = function (run, ...rest) {
    const line = lineNow(true), before = asked;
    asked = line > 0 ? { type, line, api: key, name: run?.name ?? '', delay: rest[0] } : undefined;
    try {
      const handle = Reflect.apply(original, this, [run, ...rest]);
      if (asked === ANSWERED && typeof handle === 'object') numbers.set(handle, last);
      else if (asked !== undefined && asked !== ANSWERED) add({ what: 'noted', line, api: key });
      return handle;
    } finally {
      asked = before;
    }
  };
  Object.defineProperties(wrapper, Object.getOwnPropertyDescriptors(original));
  owner[key] = wrapper;
}

// What waits for the system: file operations, sockets, children, jobs of the pool.
const isOfSystem = (type) => /WRAP|REQ|REQUEST|CALLBACK/.test(type);

createHook({
  init(id, type, trigger) {
    if (printing || (asked !== undefined && asked.type !== type)) return;
    const entry = { what: 'made', id, type, trigger, in: executionAsyncId(), line: 0, ...asked };
    if (asked === undefined && (isOfSystem(type) || type === 'Timeout' || type === 'Immediate' || type === 'PROMISE')) entry.line = lineNow(false);
    if (asked !== undefined) [asked, last] = [ANSWERED, id];
    add(entry);
  },
  before: (id) => add({ what: 'begins', id }),
  after: (id) => add({ what: 'ends', id }),
  destroy: (id) => add({ what: 'gone', id }),
  promiseResolve: (id) => add({ what: 'settled', id }),
}).enable();

wrap(process, 'nextTick', 'TickObject');
wrap(globalThis, 'queueMicrotask', 'Microtask');
wrap(globalThis, 'setTimeout', 'Timeout');
wrap(globalThis, 'setInterval', 'Timeout');
wrap(globalThis, 'setImmediate', 'Immediate');
wrap(Promise.prototype, 'then', 'PROMISE');

for (const key of ['clearTimeout', 'clearInterval', 'clearImmediate']) {
  const original = globalThis[key];
  globalThis[key] = function (handle) {
    const line = lineNow(true);
    if (line > 0) add({ what: 'stopped', id: numbers.get(handle) ?? -1, line });
    return original(handle);
  };
}

const { write: print } = process.stdout;
process.stdout.write = function (text, ...rest) {
  if (printing) return Reflect.apply(print, this, [text, ...rest]);
  add({ what: 'prints', text: String(text), line: lineNow(false) });
  printing = true;
  try {
    return Reflect.apply(print, this, [text, ...rest]);
  } finally {
    printing = false;
  }
};

process.on('exit', () => {
  isExiting = true;
  write();
});
