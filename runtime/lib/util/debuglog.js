'use strict';

// util.debuglog: messages of a section, printed when NODE_DEBUG names it (with * for anything).

const { formatWithOptions, inspect } = require('internal/util/inspect');

// A pattern for each name in NODE_DEBUG, read once.
let wanted;
function isWanted(section) {
  wanted ??= (process.env.NODE_DEBUG ?? '')
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      const pieces = name.split('*').map((piece) => RegExp.escape(piece));
      return new RegExp(`^${pieces.join('.*')}$`, 'i');
    });
  return wanted.some((pattern) => pattern.test(section));
}

// Heads of messages are part of these sections' texts.
const sensitive = new Set(['HTTP', 'HTTP2']);

function printerFor(section) {
  if (sensitive.has(section)) {
    process.emitWarning(
      `Setting the NODE_DEBUG environment variable to '${section.toLowerCase()}' can expose sensitive ` +
        'data (such as passwords, tokens and authentication headers) in the resulting log.',
    );
  }
  const colors = require('internal/tty').shouldColorize(process.stderr);
  return (...args) => {
    process.stderr.write(`${section} ${inspect(process.pid, { colors })}: ${formatWithOptions({ colors }, ...args)}\n`);
  };
}

// The result of the first call is kept for later calls. The callback gets the function that needs no further check.
function debuglog(set, callback) {
  const section = String(set).toUpperCase();
  let isOn;
  let print = (...args) => {
    print = telling(log.enabled ? printerFor(section) : () => {});
    if (typeof callback === 'function') callback(print);
    print(...args);
  };
  const telling = (fn) =>
    Object.defineProperty(fn, 'enabled', {
      __proto__: null,
      get: () => (isOn ??= isWanted(section)),
      configurable: true,
      enumerable: true,
    });
  const log = telling((...args) => print(...args));
  return log;
}

module.exports = { debuglog };
