'use strict';

// `rota --test`: finds the test files, runs them, reports, and exits with 1 when something has failed.

const { settings, flagsForFiles, words } = require('internal/test/settings');
const { find, part, readShard } = require('internal/test/run');

function complain(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

// Options of Node's runner that ours lacks: they are refused, so that no other run is made than the one asked for.
const missing = [
  '--watch',
  '--experimental-test-coverage',
  '--test-randomize',
  '--test-random-seed',
  '--test-rerun-failures',
  '--experimental-test-tag-filter',
];

async function main() {
  const asked = missing.find((flag) => words().some((word) => word === flag || word.startsWith(`${flag}=`)));
  if (asked !== undefined) {
    complain(`${asked} is not available in this runtime`);
    return;
  }
  const patterns = internalBinding('process').arguments;
  const cwd = process.cwd();
  let files = find(patterns, cwd);
  if (patterns.length > 0 && files.length === 0 && !patterns.some((each) => /[*?[\]{}()!]/.test(each))) {
    complain(`Could not find '${patterns.join(', ')}'`);
    return;
  }
  if (settings.shard !== undefined) files = part(files, readShard(settings.shard));
  const globals = await globalSetup();
  if (settings.isolation === 'none') await runHere(files);
  else await runProcesses(files, cwd);
  await globals?.globalTeardown?.();
}

async function globalSetup() {
  if (settings.globalSetup === undefined) return undefined;
  const { importFrom, cwdUrl } = require('internal/modules/esm/loader');
  const { pathToFileURL } = require('url');
  const loaded = await importFrom(pathToFileURL(require('path').resolve(settings.globalSetup)).href, cwdUrl());
  await loaded.globalSetup?.();
  return loaded;
}

async function runProcesses(files, cwd) {
  const { TestProcesses } = require('internal/test/processes');
  const concurrency = settings.concurrency || Math.max(require('os').availableParallelism() - 1, 1);
  const processes = new TestProcesses(files, {
    cwd,
    execArgv: flagsForFiles(),
    argv: [],
    concurrency,
    timeout: settings.timeout,
  });
  const flushed = require('internal/test/reporting').connect(processes.stream, settings);
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => processes.interrupt());
  const success = await processes.run();
  await flushed;
  if (!success) process.exitCode = 1;
  if (settings.forceExit) process.exit();
}

async function runHere(files) {
  const { session } = require('internal/test/session');
  session.waits = true;
  process.env.NODE_TEST_WORKER_ID = '1';
  await require('internal/test/run').loadAll(files);
  const { promise, resolve } = Promise.withResolvers();
  session.whenEnded = resolve;
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => session.interrupt());
  session.release();
  await promise;
}

module.exports = {
  main() {
    main().catch((error) => require('internal/process/execution').onUncaught(error, true));
  },
};
