'use strict';

// run() of node:test: the files with tests, and the stream of their events.
//
// Which files are tests: those that the patterns of the command line name, or those that look like tests.

const fs = require('fs');
const path = require('path');
const { codes } = require('internal/errors');
const { hasFlag } = require('internal/process/flags');
const {
  validateObject,
  validateFunction,
  validateAbortSignal,
  validateInteger,
  validateOneOf,
  validateString,
  validateBoolean,
  validateStringArray,
  validateNumber,
} = require('internal/validators');
const { settings, toPattern, flagsForFiles } = require('internal/test/settings');
const { TestsStream } = require('internal/test/event_stream');

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

// run(): runs the given files, and returns the stream of their events.

function patterns(value, name) {
  if (value === undefined || value === null) return undefined;
  return (Array.isArray(value) ? value : [value]).map((each, i) => {
    if (each instanceof RegExp) return each;
    if (typeof each === 'string') return toPattern(each);
    throw new codes.ERR_INVALID_ARG_TYPE(
      Array.isArray(value) ? `options.${name}[${i}]` : `options.${name}`,
      ['string', 'RegExp'],
      each,
    );
  });
}

function slots(value) {
  if (value === undefined || value === null || value === false) return 1;
  if (value === true) return Math.max(require('os').availableParallelism() - 1, 1);
  validateNumber(value, 'options.concurrency', 1);
  return value;
}

function checkShard(shard) {
  validateObject(shard, 'options.shard');
  validateInteger(shard.total, 'options.shard.total', 1);
  validateInteger(shard.index, 'options.shard.index', 1, shard.total);
}

function check(options) {
  const {
    files,
    globPatterns,
    watch,
    shard,
    setup,
    signal,
    timeout,
    isolation = 'process',
    cwd = process.cwd(),
    execArgv = [],
    argv = [],
    env,
    forceExit,
  } = options;
  if (files !== undefined && files !== null && !Array.isArray(files))
    throw new codes.ERR_INVALID_ARG_TYPE('options.files', 'Array', files);
  if (globPatterns !== undefined && globPatterns !== null) {
    if (!Array.isArray(globPatterns))
      throw new codes.ERR_INVALID_ARG_TYPE('options.globPatterns', 'Array', globPatterns);
    if (globPatterns.length > 0 && files?.length > 0) {
      throw new codes.ERR_INVALID_ARG_VALUE(
        'options.globPatterns',
        globPatterns,
        "is not supported when specifying 'options.files'",
      );
    }
  }
  if (watch !== undefined && watch !== null) validateBoolean(watch, 'options.watch');
  if (forceExit !== undefined && forceExit !== null) {
    validateBoolean(forceExit, 'options.forceExit');
    if (forceExit && watch)
      throw new codes.ERR_INVALID_ARG_VALUE('options.forceExit', forceExit, 'is not supported with watch mode');
  }
  if (shard !== undefined && shard !== null) {
    checkShard(shard);
    if (watch) throw new codes.ERR_INVALID_ARG_VALUE('options.shard', watch, 'shards not supported with watch mode');
  }
  if (watch) throw new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('test.run({ watch: true })');
  if (setup !== undefined && setup !== null) validateFunction(setup, 'options.setup');
  validateAbortSignal(signal, 'options.signal');
  if (timeout !== undefined && timeout !== null && timeout !== Infinity)
    validateNumber(timeout, 'options.timeout', 0, 0x7fffffff);
  validateString(cwd, 'options.cwd');
  validateOneOf(isolation, 'options.isolation', ['process', 'none']);
  validateStringArray(execArgv, 'options.execArgv');
  validateStringArray(argv, 'options.argv');
  if (env !== undefined) {
    validateObject(env, 'options.env');
    if (isolation === 'none')
      throw new codes.ERR_INVALID_ARG_VALUE('options.env', env, "is not supported with isolation='none'");
  }
  return {
    files,
    globPatterns,
    shard,
    setup,
    signal,
    timeout: timeout ?? Infinity,
    isolation,
    cwd,
    execArgv,
    argv,
    env,
  };
}

function run(options = {}) {
  validateObject(options, 'options');
  const checked = check(options);
  const names = patterns(options.testNamePatterns, 'testNamePatterns');
  const skips = patterns(options.testSkipPatterns, 'testSkipPatterns');
  if (process.env.NODE_TEST_CONTEXT !== undefined && process.env.NODE_TEST_CONTEXT !== '') {
    process.emitWarning('node:test run() is being called recursively within a test file. skipping running files.');
    const empty = new TestsStream();
    process.nextTick(() => empty.finish());
    return empty;
  }
  const { cwd, signal } = checked;
  let files =
    checked.files?.length > 0 || (checked.files?.length === 0 && checked.globPatterns === undefined)
      ? checked.files
      : find(checked.globPatterns, cwd);
  if (checked.shard) files = part(files, checked.shard);
  if (checked.isolation === 'none') {
    Object.assign(settings, {
      only: options.only ?? settings.only,
      namePatterns: names ?? settings.namePatterns,
      skipPatterns: skips ?? settings.skipPatterns,
    });
    return runHere(files, checked);
  }
  const { TestProcesses } = require('internal/test/processes');
  const execArgv = [...flagsForFiles(), ...checked.execArgv];
  if (options.only) execArgv.push('--test-only');
  for (const each of names ?? []) execArgv.push(`--test-name-pattern=${each}`);
  for (const each of skips ?? []) execArgv.push(`--test-skip-pattern=${each}`);
  const processes = new TestProcesses(files, {
    ...checked,
    signal: signal ?? undefined,
    execArgv,
    concurrency: slots(options.concurrency),
    isNamed: checked.files !== undefined,
  });
  Promise.resolve(checked.setup?.(processes.stream))
    .then(() => processes.run())
    .catch((error) => processes.stream.destroy(error));
  return processes.stream;
}

// All files in this process: they are loaded first, then their tests run.
function runHere(files, { setup }) {
  const session = require('internal/test/session').nested();
  session.waits = true;
  const { stream } = session.events;
  const load = async () => {
    await setup?.(stream);
    await loadAll(files);
    session.release();
  };
  load().catch((error) => stream.destroy(error));
  return stream;
}

async function loadAll(files) {
  const { importFrom, cwdUrl } = require('internal/modules/esm/loader');
  const { session } = require('internal/test/session');
  for (const file of files) {
    try {
      await importFrom(require('url').pathToFileURL(path.resolve(file)).href, cwdUrl());
    } catch (error) {
      session.declare('test', session.root, file, {}, () => {
        throw error;
      });
    }
  }
}

module.exports = { find, part, readShard, run, loadAll };
