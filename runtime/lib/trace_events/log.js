'use strict';

// The file of trace events, in Chrome's format. The file is valid JSON at any time: each write overwrites the closing
// brackets of the last one and appends its own, so that a process that is killed leaves a readable file.

const { openSync, writeSync, closeSync } = require('fs');
const { valuesOf } = require('internal/process/flags');

const eventsInFile = 1 << 19; // then another file is begun
const pieceSize = 1 << 16;
const head = '{"traceEvents":[';
const tail = ']}';

let fd = -1;
let rotation = 0;
let position = 0; // where the closing brackets are
let count = 0;
let waiting = '';
let isWriting = false;
let isLeaving = false;

const now = () => Number(process.hrtime.bigint() / 1000n);

function nameOfFile(number = rotation) {
  const pattern = valuesOf('--trace-event-file-pattern').at(-1) ?? 'node_trace.${rotation}.log';
  return pattern.replaceAll('${rotation}', String(number)).replaceAll('${pid}', String(process.pid));
}

const metadata = [
  ['process_name', () => ({ name: process.title })],
  ['version', () => ({ node: process.versions.node })],
  ['thread_name', () => ({ name: 'JavaScriptMainThread' })],
  [
    'node',
    () => ({
      process: { versions: process.versions, arch: process.arch, platform: process.platform, release: process.release },
    }),
  ],
];

function begin() {
  rotation++;
  count = 0;
  try {
    fd = openSync(nameOfFile(), 'w', 0o644);
  } catch {
    return; // the error cannot be reported
  }
  position = head.length;
  writeSync(fd, head + tail, 0);
  for (const [name, args] of metadata) emit('M', '__metadata', name, undefined, args());
}

function flush() {
  if (fd < 0 || waiting === '') return;
  isWriting = true;
  const piece = waiting;
  waiting = '';
  try {
    writeSync(fd, (position > head.length ? ',' : '') + piece + tail, position);
    position += Buffer.byteLength(piece) + (position > head.length ? 1 : 0);
  } catch {
    fd = -1; // a full disk is no reason to end the program
  }
  isWriting = false;
}

function rotate() {
  flush();
  if (fd >= 0) closeSync(fd);
  begin();
}

// phase, categories and name as in the format; `id` a number, for those that belong together
function emit(ph, cat, name, id, args = {}, ts = now(), dur = 0) {
  if (isWriting || fd < 0) return;
  const event = { pid: process.pid, tid: process.pid, ts, tts: 0, ph, cat, name, dur, tdur: 0 };
  if (id !== undefined) event.id = `0x${id.toString(16)}`;
  event.args = args;
  waiting += `${waiting === '' ? '' : ','}${JSON.stringify(event)}`;
  if (waiting.length > pieceSize || isLeaving) flush();
  if (++count === eventsInFile) rotate();
}

let isOpen = false;
function open() {
  if (isOpen) return;
  isOpen = true;
  isWriting = true;
  begin();
  isWriting = false;
  for (const [name, args] of metadata) emit('M', '__metadata', name, undefined, args());
  process.on('exit', () => {
    isLeaving = true;
    flush();
  });
}

module.exports = { nextName: () => nameOfFile(rotation + 1), emit, now, open };
