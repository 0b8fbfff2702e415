'use strict';

// Options of node:test, and the tests that they select.
//
// The options of the command line for node:test. `rota --test` and `run()` overwrite some of them before the first test
// is declared.

const { words, hasFlag, valuesOf } = require('internal/process/flags');

const last = (name) => valuesOf(name).at(-1);

// `/text/flags` is a regular expression with flags; anything else is the text of one without.
function toPattern(text) {
  const literal = /^\/(.*)\/([a-z]*)$/s.exec(text);
  return literal === null ? new RegExp(text) : new RegExp(literal[1], literal[2]);
}

const number = (text) => (text === undefined ? undefined : Number(text));

function fromCommandLine() {
  return {
    only: hasFlag('--test-only'),
    forceExit: hasFlag('--test-force-exit'),
    namePatterns: valuesOf('--test-name-pattern').map(toPattern),
    skipPatterns: valuesOf('--test-skip-pattern').map(toPattern),
    timeout: number(last('--test-timeout')) ?? Infinity,
    concurrency: number(last('--test-concurrency')),
    isolation: last('--test-isolation') ?? last('--experimental-test-isolation') ?? 'process',
    shard: last('--test-shard'),
    globalSetup: last('--test-global-setup'),
    reporters: valuesOf('--test-reporter'),
    destinations: valuesOf('--test-reporter-destination'),
  };
}

const withValue = new Set([
  '--test-reporter',
  '--test-reporter-destination',
  '--test-concurrency',
  '--test-shard',
  '--test-global-setup',
  '--test-isolation',
  '--experimental-test-isolation',
  '--test-timeout',
]);
// Options of the parent only: the processes of its files do not get them.
const ownFlags = new Set(['--test', '--watch', '--experimental-test-coverage', ...withValue]);

function flagsForFiles() {
  const kept = [];
  for (let i = 0; i < process.execArgv.length; i++) {
    const word = process.execArgv[i];
    const name = word.split('=', 1)[0];
    if (!ownFlags.has(name)) kept.push(word);
    else if (withValue.has(name) && name === word) i++;
  }
  return kept;
}

let current;
const currentSettings = () => (current ??= fromCommandLine());

// Which of the declared tests are to be run: by name, and by `only`. Entries that are not selected do not appear in the
// report. A suite is selected if something below it is, since its own body has run when it was declared.

const matches = (patterns, entry) =>
  patterns.some((pattern) => {
    pattern.lastIndex = 0;
    if (pattern.test(entry.name)) return true;
    pattern.lastIndex = 0;
    return pattern.test(entry.path.join(' '));
  });

function isNamed(entry) {
  const { namePatterns, skipPatterns } = currentSettings();
  if (namePatterns.length === 0 && skipPatterns.length === 0) return true;
  if (entry.isSuite && entry.children.length > 0) return entry.children.some(isNamed);
  return (namePatterns.length === 0 || matches(namePatterns, entry)) && !matches(skipPatterns, entry);
}

const marked = (entry) => entry.only === true || (entry.isSuite && entry.children.some(marked));

function isMarked(entry) {
  const { parent } = entry;
  if (entry.only === false) return false;
  if (marked(entry)) return true;
  if (!parent.isSuite) return parent.parent !== null && !parent.onlyMarked;
  return !parent.children.some(marked) && isMarked(parent);
}

const isSelected = (entry) => isNamed(entry) && (!currentSettings().only || isMarked(entry));

module.exports = {
  get settings() {
    return currentSettings();
  },
  toPattern,
  flagsForFiles,
  words,
  isSelected,
};
