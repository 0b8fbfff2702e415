'use strict';

// What the system refuses to a tool, and a file that it cannot use, is said in one line: a stack is for faults of the
// tool itself.

const os = require('os');
const path = require('path');

// "ENOENT: no such file or directory, access 'x'": the words in the middle.
const reasonOf = (error) => error.message.split(', ')[0].replace(/^[A-Z]+: /, '');

function wordsOf(error) {
  if (error.syscall.startsWith('spawn')) {
    const why = error.code === 'EMFILE' ? 'too many open files (ulimit -n)' : error.code;
    return `${error.path} cannot be started: ${why}`;
  }
  if (error.path === undefined) return `${error.syscall}: ${reasonOf(error)}; TMPDIR and -o name other directories`;
  const isScratch = path.dirname(error.path).startsWith(path.resolve(os.tmpdir()));
  return `${error.path}: ${reasonOf(error)}${isScratch ? '; TMPDIR can name another directory' : ''}`;
}

// Names of files and functions are the program's, or those of who sends it requests: a terminal is not to obey them.
const printable = (text) => text.replace(/[^\P{Cc}\n\t]/gu, '?');

// Its message is for people.
class Refusal extends Error {}

// Any other error is thrown again.
function printError(tool, error) {
  const isRefusal = error instanceof Refusal;
  if (!isRefusal && error?.syscall === undefined) throw error;
  process.stderr.write(`rota ${tool}: ${isRefusal ? error.message : wordsOf(error)}\n`);
  process.exitCode = 1;
}

// A reader that goes away (| head) ends the tool. Without one for messages it goes on, for its exit code and its files.
function watchOutput(tool) {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE')
      process.stderr.write(`rota ${tool}: its output cannot be written: ${reasonOf(error)}\n`);
    process.exit(1);
  });
}

// How many letters must be added, left out, replaced, or exchanged with their neighbour to make one word of the other.
function distance(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      rows[i].push(Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.length][b.length];
}

// " (did you mean --seeds?)", or nothing, as settings/nearest.c finds it.
function nearest(word, names) {
  let least = Math.floor(word.length / 3) + 1,
    best;
  for (const name of names) {
    const found = distance(word, name);
    if (found < least) [least, best] = [found, name];
  }
  return best === undefined ? '' : ` (did you mean ${best}?)`;
}

// The arguments of a tool that begins; undefined: its help was asked for, and is printed.
function beginTool(tool, usage) {
  watchOutput(tool);
  const args = process.argv.slice(2);
  if (!args.some((arg) => arg === '-h' || arg === '--help')) return args;
  process.stdout.write(usage);
  return undefined;
}

module.exports = { Refusal, beginTool, nearest, printable, reasonOf, printError, watchOutput };
