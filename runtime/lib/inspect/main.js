'use strict';

// util.inspect: options, then description, then layout.

// The parts are loaded by the first call: most programs that load node:util never inspect.
let View;
let Describer;
function load() {
  ({ View } = require('internal/inspect/view'));
  ({ Describer } = require('internal/inspect/describe'));
  settle('colors');
  settle('styles');
}

// Small plain values need none of them, as long as all options are the defaults.
let defaultsAreKnown = true;
function defaults() {
  defaultsAreKnown = false;
  return require('internal/inspect/view').defaults;
}

// inspect(value, options), or in the old way inspect(value, showHidden, depth, colors).
function inspect(value, opts) {
  if (View === undefined) {
    if (arguments.length === 1 && defaultsAreKnown) {
      const text = require('internal/inspect/plain').plainText(value);
      if (text !== undefined) return text;
    }
    load();
  }
  const view = new View();
  if (typeof opts === 'boolean') view.showHidden = opts;
  else if (opts) view.take(opts);
  if (arguments.length > 2) {
    if (arguments[2] !== undefined) view.depth = arguments[2];
    if (arguments[3] !== undefined) view.colors = arguments[3];
  }
  const describer = new Describer(view.ready(), inspect);
  const part = describer.describe(value, 0);
  return typeof part === 'string' ? part : describer.text(part);
}

inspect.custom = Symbol.for('nodejs.util.inspect.custom');
Object.defineProperty(inspect, 'defaultOptions', {
  __proto__: null,
  get() {
    return defaults();
  },
  set(options) {
    require('internal/validators').validateObject(options, 'options');
    Object.assign(defaults(), options);
  },
});

// The two tables of colours, until something looks at them; whatever shows them loads the rest first.
const kTable = { __proto__: null, writable: true, enumerable: true, configurable: true };
const waiting = new Set();
function settle(name) {
  if (waiting.delete(name))
    Object.defineProperty(inspect, name, { ...kTable, value: require('internal/inspect/palette')[name] });
}
function defineLater(name) {
  waiting.add(name);
  Object.defineProperty(inspect, name, {
    __proto__: null,
    get() {
      settle(name);
      return inspect[name];
    },
    set(value) {
      waiting.delete(name);
      Object.defineProperty(inspect, name, { ...kTable, value });
    },
    enumerable: true,
    configurable: true,
  });
}
defineLater('colors');
defineLater('styles');

module.exports = { inspect };
