'use strict';

// Reporters and where they write to: --test-reporter and --test-reporter-destination, in pairs. A reporter is one of
// ours by its name, or a module: a function from a stream of events to texts, or a stream.

const { codes } = require('internal/errors');

const builtin = new Set(['spec', 'tap', 'dot', 'junit', 'lcov']);

function pairs({ reporters, destinations }) {
  const names = reporters.length === 0 && destinations.length === 0 ? ['spec'] : reporters;
  const targets = names.length === 1 && destinations.length === 0 ? ['stdout'] : destinations;
  if (names.length !== targets.length) {
    throw new codes.ERR_INVALID_ARG_VALUE(
      '--test-reporter',
      reporters,
      "must match the number of specified '--test-reporter-destination'",
    );
  }
  return names.map((name, i) => [name, targets[i]]);
}

function destination(name) {
  if (name === 'stdout' || name === 'stderr') return process[name];
  return require('fs').createWriteStream(name);
}

async function load(name) {
  if (builtin.has(name)) return require(`internal/test/reporters/${name}`);
  const { importFrom, cwdUrl } = require('internal/modules/esm/loader');
  const loaded = await importFrom(name, cwdUrl());
  const reporter = loaded.default ?? loaded;
  if (typeof reporter === 'function' && reporter.prototype instanceof require('stream').Stream) return new reporter();
  if (reporter === undefined || reporter === null || (typeof reporter !== 'function' && typeof reporter !== 'object')) {
    throw new codes.ERR_INVALID_ARG_TYPE('Reporter', ['function', 'Stream.Duplex'], reporter);
  }
  return reporter;
}

// A run that cannot be reported must not look like a success.
function giveUp(error) {
  process.stderr.write(`${require('internal/util/inspect').inspect(error)}\n`);
  process.exit(7);
}

// Resolves when everything has been written.
async function connect(stream, settings) {
  const done = [];
  for (const [name, target] of pairs(settings)) {
    const reporter = await load(name).catch(giveUp);
    const output = stream.compose(reporter).on('error', giveUp);
    const sink = destination(target);
    const isFile = sink !== process.stdout && sink !== process.stderr;
    output.pipe(sink, { end: isFile });
    done.push(new Promise((resolve) => (isFile ? sink.once('close', resolve) : output.once('end', resolve))));
  }
  await Promise.all(done);
}

module.exports = { connect };
