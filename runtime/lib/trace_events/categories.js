'use strict';

// Which categories are enabled, how many users each has, and the sources that run for them.

const { valuesOf, hasFlag } = require('internal/process/flags');

const wanted = new Map(); // category -> how many want it
const running = new Map(); // source -> what ends it

function update() {
  const sources = require('internal/trace_events/sources');
  for (const source of sources) {
    const [categories, start] = source;
    const isWanted = categories.split(',').some((category) => wanted.has(category));
    if (isWanted === running.has(source)) continue;
    if (isWanted) {
      running.set(source, start(categories));
    } else {
      running.get(source)();
      running.delete(source);
    }
  }
}

function enable(categories) {
  for (const category of categories) wanted.set(category, (wanted.get(category) ?? 0) + 1);
  if (wanted.size > 0) require('internal/trace_events/log').open();
  update();
}

function disable(categories) {
  for (const category of categories) {
    const left = wanted.get(category) - 1;
    if (left > 0) wanted.set(category, left);
    else wanted.delete(category);
  }
  update();
}

const fromCommandLine = () => {
  const given = valuesOf('--trace-event-categories').at(-1);
  if (given === undefined) return hasFlag('--trace-events-enabled') ? ['v8', 'node', 'node.async_hooks'] : [];
  return given.split(',').filter((category) => category !== '');
};

// Categories of the command line are never disabled.
function enableFromCommandLine() {
  enable(new Set(fromCommandLine()));
}

const enabled = () => [...wanted.keys()].sort();

module.exports = { enable, disable, enabled, enableFromCommandLine };
