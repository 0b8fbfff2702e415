'use strict';

// Backups: the pool copies some pages, then the program gets the progress, then the pool continues.

const native = internalBinding('sqlite');
const {
  argument,
  outOfRange,
  choice,
  needFunction,
  needInteger,
  needString,
  optionsOf,
  pathOf,
} = require('internal/sqlite/arguments');
const { inner: databases } = require('internal/sqlite/database');

// Active backups, by number. They refer to the database, for the collector.
const running = new Map();
let last = 0;

native.setBackupListener((number, error, isDone, remainingPages, totalPages) => {
  const { resolve, reject, progress } = running.get(number);
  let problem = error;
  if (problem === null && !isDone) {
    if (progress === null) return true;
    try {
      progress({ totalPages, remainingPages });
      return true;
    } catch (thrown) {
      problem = thrown;
    }
  }
  running.delete(number);
  if (problem === null) resolve(totalPages);
  else reject(problem);
  return false;
});

function backup(sourceDb, path, given) {
  if (!databases.isOne(sourceDb)) throw argument('sourceDb', 'an object');
  const handle = databases.handleOf(sourceDb);
  const file = pathOf(path);
  const options = optionsOf(given);
  const source = choice(options, 'source', 'main', needString);
  const target = choice(options, 'target', 'main', needString);
  const rate = choice(options, 'rate', 100, needInteger);
  if (rate < 1) throw outOfRange('The "options.rate" argument must be a positive integer.');
  const progress = choice(options, 'progress', null, needFunction);
  return new Promise((resolve, reject) => {
    const number = ++last;
    native.backup(number, handle, file, target, source, rate);
    running.set(number, { resolve, reject, progress, sourceDb });
  });
}
Object.defineProperty(backup, 'length', { value: 2, configurable: true });

module.exports = { backup };
