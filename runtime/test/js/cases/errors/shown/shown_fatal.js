// The output of a fatal error: all its properties and causes. Only the program's own frames are shown.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawnSync } = require('child_process');

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'shown-'));
let count = 0;

function show(text) {
  const file = path.join(directory, `program${++count}.js`);
  fs.writeFileSync(file, text);
  const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  // The engine does not know where an error was thrown, only where it was made.
  const told = stderr.replaceAll(directory, '').replace(/^.*:\d+\n.*\n *\^+\n\n/, '');
  console.log(`---- ${text}`);
  console.log(told.split('\n').filter((line) => !/^ +at .*node:/.test(line) && !line.startsWith('Node.js v')).join('\n').trimEnd());
  console.log(`exit code ${status}`);
}

show(`const error = new Error('deep');
error.a = { b: { c: { d: { e: { f: { g: 1 } } } } } };
throw error;`);
show(`const error = new Error('outer', { cause: { code: 5, deep: { x: { y: { z: 1 } } } } });
throw error;`);
show(`class Own extends Error { [require('util').inspect.custom]() { return 'a look of its own'; } }
const error = new Own('what it says');
error.detail = 'is shown';
throw error;`);
show(`const assert = require('assert');
assert.deepStrictEqual({ a: 1, b: [1, { c: 2 }] }, { a: 1, b: [1, { c: 3 }] });`);

// Where it was emitted, too.
show(`class Bus extends require('events') {}
const make = () => new Error('made');
const error = make(); error.code = 'EMADE';
function send(bus) { bus.emit('error', error); }
send(new Bus());`);
show(`const error = new Error('plain');
new (require('events'))().emit('error', error);`);
show(`const error = new Error('later');
process.on('uncaughtException', (caught) => { console.error(caught.message, /Emitted/.test(caught.stack)); });
new (require('events'))().emit('error', error);`);

fs.rmSync(directory, { recursive: true });
