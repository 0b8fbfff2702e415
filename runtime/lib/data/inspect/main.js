'use strict';

// util.inspect: options, then description, then layout.

const { View, defaults, kWithoutStacks } = require('internal/inspect/view');
const { Describer, inspectCustom } = require('internal/inspect/describe');
const { colors, styles } = require('internal/inspect/palette');

// inspect(value, options), or in the old way inspect(value, showHidden, depth, colors).
function inspect(value, opts) {
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

inspect.custom = inspectCustom;
Object.defineProperty(inspect, 'defaultOptions', {
  __proto__: null,
  get() {
    return defaults;
  },
  set(options) {
    require('internal/validators').validateObject(options, 'options');
    Object.assign(defaults, options);
  },
});
inspect.colors = colors;
inspect.styles = styles;

module.exports = { inspect, kWithoutStacks };
