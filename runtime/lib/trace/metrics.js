'use strict';

// process.rota: the loop's own statistics (doc/TRACE.md), measured inside of the loop, without a timer that would wake
// it. They are recorded from start() on, or from the beginning with --stats. Times are in milliseconds.

const metrics = internalBinding('metrics');
const { values } = metrics;

const kFields = ['count', 'min', 'max', 'mean', 'p50', 'p75', 'p90', 'p99', 'p999', 'sum'];
const numbers = new Map(metrics.figures.map((name, i) => [name, i]));

function numberOf(name) {
  const number = numbers.get(name);
  if (number === undefined) throw new RangeError(`There is no figure '${name}', but: ${metrics.figures.join(', ')}`);
  return number;
}

// One statistic: count and durations; undefined while nothing was recorded.
function figure(name) {
  if (!metrics.read(numberOf(name))) return undefined;
  const found = {};
  for (let i = 0; i < kFields.length; i++) found[kFields[i]] = i === 0 ? values[i] : values[i] / 1e6;
  return found;
}

function figures() {
  const all = {};
  for (const name of metrics.figures) {
    const found = figure(name);
    if (found !== undefined) all[name] = found;
  }
  return all;
}

// The share of the loop's time that was not spent waiting.
function utilization() {
  metrics.time();
  const active = values[0] / 1e6,
    idle = values[1] / 1e6;
  return { idle, active, utilization: active + idle > 0 ? active / (active + idle) : 0 };
}

module.exports = {
  start() {
    const error = metrics.start();
    if (error < 0) throw new Error(`The loop cannot be observed: ${error}`);
    require('internal/trace/install').install(2); // ROTA_OBSERVE_STATS of rota.h
  },
  stop: () => metrics.stop(),
  reset: () => metrics.reset(),
  get recording() {
    return metrics.recording();
  },
  figure,
  figures,
  percentile: (name, percent) => metrics.percentile(numberOf(name), percent) / 1e6,
  utilization,
  alive: () => internalBinding('trace').alive(),
  // Advances virtual time (doc/STEERING.md); timers that are due then run in the loop.
  advance(milliseconds) {
    const error = internalBinding('steer').advance(milliseconds);
    if (error < 0) throw new RangeError('Only virtual time can be moved, and only forward: see --virtual-time');
  },
  // For the package rota-loop, which begins a trace by rota.h: functions are named in it from here on.
  nameFunctions: () => require('internal/trace/install').install(1), // ROTA_OBSERVE_TRACE
  mark: (name, value = 0) => internalBinding('trace').mark(`${name}`, value),
};
