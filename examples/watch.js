'use strict';
// Watches a directory and runs a command when a file in it has changed, once for a burst of changes.
//
//   rota examples/watch.js DIRECTORY COMMAND [ARGUMENT]...
//   rota examples/watch.js src npm test
//
// A change while the command runs is not lost: it runs again when the command has ended.

const fs = require('node:fs');
const { spawn } = require('node:child_process');

const QUIET_MS = 50; // editors write a file in several steps

const [directory, command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error('Usage: rota examples/watch.js DIRECTORY COMMAND [ARGUMENT]...');
  process.exit(2);
}

let timer, child, isWanted = false;
const changed = new Set();

function run() {
  timer = undefined;
  if (child !== undefined) {
    isWanted = true;
    return;
  }
  console.log(`changed: ${[...changed].sort().join(', ')}`);
  changed.clear();
  child = spawn(command, args, { stdio: 'inherit' });
  child.on('error', (error) => console.error(`${command}: ${error.message}`));
  child.on('close', (code, signal) => {
    console.log(`${command} has ended with ${signal ?? code}`);
    child = undefined;
    if (!isWanted) return;
    isWanted = false;
    run();
  });
}

const watcher = fs.watch(directory, (_, name) => {
  changed.add(name);
  clearTimeout(timer);
  timer = setTimeout(run, QUIET_MS);
});
watcher.on('error', (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
console.log(`watching ${directory}`);

process.once('SIGTERM', () => {
  clearTimeout(timer);
  watcher.close();
  child?.kill();
});
