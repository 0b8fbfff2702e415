'use strict';

// What a program can ask of the rota that runs it: a trace of a part of it, statistics, and what keeps it alive.

const path = require('path');
const { EALREADY } = require('os').constants.errno;

const { check, coded, load, need } = require('./native.js');

const kCommand = 'npx rota-loop run -- node app.js';
const kTrace = 1,
  kStats = 2; // ROTA_OBSERVE_* of rota.h
const kNotRecording = 'statistics are recorded from stats.start() on, or by npx rota-loop stats -- node app.js';

// Functions are named from here on. Where rota has been told to name them (rota trace), they are named already.
function nameFunctions() {
  if (process.rota !== undefined) return process.rota.nameFunctions();
  if (process.env.ROTA_NAMES !== undefined) return;
  try {
    require(path.join(require('./place.js').find(), 'lib', 'rota-names.node'));
  } catch {
    // this Node may load no addons: the trace has names of C++
  }
}

// Writes what the loop does from here on into a file, until stop().
function trace({ file = 'trace.json' } = {}) {
  const native = need('trace()', kCommand, trace);
  if (typeof file !== 'string' || file === '' || file.includes('\0'))
    throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', 'trace(): file must be the name of a file', trace);
  const written = path.resolve(file);
  const status = native.traceStart(written);
  if (status === -EALREADY)
    throw coded(Error, 'ERR_ROTA_TRACING', 'trace(): this process writes a trace already', trace);
  check(status, `trace(): ${file}`, trace);
  nameFunctions();
  let isOn = true;
  function stop() {
    if (isOn) check(native.traceStop(), `trace(): ${file}`, stop);
    isOn = false;
  }
  return { file: written, stop, [Symbol.dispose ?? Symbol.for('Symbol.dispose')]: stop };
}

// What was recorded: for each figure how often, and how long, in milliseconds.
function stats() {
  const native = need('stats()', kCommand, stats);
  if ((native.observing() & kStats) === 0) throw coded(Error, 'ERR_ROTA_NOT_RECORDING', kNotRecording, stats);
  const { active, idle } = native.time();
  const utilization = active + idle > 0 ? active / (active + idle) : 0;
  return { figures: native.figures(), active, idle, utilization };
}

stats.start = function start() {
  check(need('stats.start()', kCommand, start).statsStart(), 'stats.start()', start);
};

stats.stop = function stop() {
  need('stats.stop()', kCommand, stop).statsStop();
};

stats.reset = function reset() {
  need('stats.reset()', kCommand, reset).statsReset();
};

// What keeps the loop alive, as text.
function why() {
  return need('why()', 'npx rota-loop why -- node app.js', why).alive();
}

// A mark in the trace, if one is written.
function mark(name, value = 0) {
  const native = need('mark()', 'npx rota-loop trace -- node app.js', mark);
  if ((native.observing() & kTrace) !== 0) native.mark(`${name}`, Number(value));
}

const { version } = load(); // of librota
const isActive = version !== undefined;

module.exports = { trace, stats, why, mark, isActive, version };
