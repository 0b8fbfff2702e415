'use strict';

// The settings of one call of util.inspect, and where they come from: the defaults, which a program may change, and the
// options of the call.

const { painted, unpainted } = require('internal/inspect/palette');

const defaults = Object.seal({
  showHidden: false,
  depth: 2,
  colors: false,
  customInspect: true,
  showProxy: false,
  maxArrayLength: 100,
  maxStringLength: 10000,
  breakLength: 80,
  compact: 3,
  sorted: false,
  getters: false,
  numericSeparator: false,
});

// An option for assert: errors are shown by name and message alone.
const kWithoutStacks = Symbol('kWithoutStacks');

class View {
  showHidden = defaults.showHidden;
  depth = defaults.depth;
  colors = defaults.colors;
  customInspect = defaults.customInspect;
  showProxy = defaults.showProxy;
  maxArrayLength = defaults.maxArrayLength;
  maxStringLength = defaults.maxStringLength;
  breakLength = defaults.breakLength;
  compact = defaults.compact;
  sorted = defaults.sorted;
  getters = defaults.getters;
  numericSeparator = defaults.numericSeparator;
  paint = unpainted;
  extra; // options that we do not know: for custom inspection functions
  withoutStacks = false;

  take(options) {
    for (const name of Object.keys(options)) {
      if (Object.hasOwn(defaults, name)) this[name] = options[name];
      else if (name === 'stylize') this.paint = options[name];
      else this.extra = options;
    }
    if (options[kWithoutStacks]) this.withoutStacks = true;
    return this;
  }

  // Values that mean "no limit" become a number.
  ready() {
    if (this.colors) this.paint = painted;
    this.maxArrayLength ??= Infinity;
    this.maxStringLength ??= Infinity;
    return this;
  }

  // The options that a custom inspection function gets. Code of another realm gets no object of ours.
  forProgram(isForeign) {
    const { paint } = this;
    const options = {};
    for (const name of Object.keys(defaults)) options[name] = this[name];
    options.stylize = paint;
    Object.assign(options, this.extra);
    if (!isForeign) return options;
    Object.setPrototypeOf(options, null);
    for (const name of Object.keys(options)) {
      const value = options[name];
      if (typeof value === 'function' || (typeof value === 'object' && value !== null)) delete options[name];
    }
    options.stylize = Object.setPrototypeOf((text, kind) => {
      try {
        const result = `${paint(text, kind)}`;
        return result;
      } catch {
        return text;
      }
    }, null);
    return options;
  }
}

module.exports = { View, defaults, kWithoutStacks };
