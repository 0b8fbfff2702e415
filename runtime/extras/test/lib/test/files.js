'use strict';

// Which files are tests: those that the patterns of the command line name, or those that look like tests.

const fs = require('fs');
const path = require('path');
const { codes } = require('internal/errors');
const { hasFlag } = require('internal/process/flags');

function usualPatterns() {
  const ends =
    hasFlag('--no-strip-types') || hasFlag('--no-experimental-strip-types') ? 'cjs,mjs,js' : 'cjs,mjs,js,cts,mts,ts';
  return [
    `**/*.test.{${ends}}`,
    `**/*-test.{${ends}}`,
    `**/*_test.{${ends}}`,
    `**/test-*.{${ends}}`,
    `**/test.{${ends}}`,
    `**/test/**/*.{${ends}}`,
  ];
}

function find(patterns, cwd) {
  const isDefault = patterns === undefined || patterns.length === 0;
  const found = new Set();
  const exclude = isDefault ? ['node_modules', '**/node_modules', '**/node_modules/**'] : undefined;
  for (const pattern of isDefault ? usualPatterns() : patterns) {
    const direct = path.resolve(cwd, pattern);
    if (!isDefault && fs.existsSync(direct) && fs.statSync(direct).isFile()) {
      found.add(direct);
      continue;
    }
    for (const match of fs.globSync(pattern, { cwd, ...(exclude && { exclude }) })) {
      const file = path.resolve(cwd, match);
      if (fs.statSync(file).isFile()) found.add(file);
    }
  }
  return [...found].sort();
}

// `index/total`: every total-th of the files, beginning with the index-th.
function part(files, { index, total }) {
  return files.filter((_, i) => i % total === index - 1);
}

function readShard(text) {
  const numbers = /^(\d+)\/(\d+)$/.exec(text);
  if (numbers === null)
    throw new codes.ERR_INVALID_ARG_VALUE('--test-shard', text, 'must be in the form of <index>/<total>');
  const [index, total] = [Number(numbers[1]), Number(numbers[2])];
  if (index < 1 || index > total) throw new codes.ERR_OUT_OF_RANGE('--test-shard', `>= 1 && <= ${total}`, index);
  return { index, total };
}

module.exports = { find, part, readShard };
