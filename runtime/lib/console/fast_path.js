'use strict';

// Lines of a console that is still unchanged. If the output has no colours, only the text is needed of the console and
// of the stream: loading both would take longer than everything else in a small program.

const { kind } = internalBinding('stdio');
const { envGet } = internalBinding('process');
const runtime = internalBinding('runtime');

const plain = {};
const kinds = [];

// undefined: it is an object, or a symbol.
function textOf(value) {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return Object.is(value, -0) ? '-0' : `${value}`;
    case 'bigint':
      return `${value}n`;
    case 'boolean':
    case 'undefined':
      return `${value}`;
    default:
      return value === null ? 'null' : undefined;
  }
}

// A line of values that are no objects. Their texts depend on no option that the program can have set while
// util.inspect is not loaded.
function simpleLine(args) {
  if (runtime.builtinCache.has('internal/inspect/main')) return undefined;
  if (args.length > 1 && typeof args[0] === 'string' && args[0].includes('%')) return undefined;
  let line = '';
  for (let i = 0; i < args.length; i++) {
    const text = textOf(args[i]);
    if (text === undefined) return undefined;
    line += i === 0 ? text : ` ${text}`;
  }
  return line;
}

// The text of a line; undefined: the console has to print it.
function textFor(fd, args) {
  kinds[fd] ??= kind(fd);
  if (kinds[fd] === 'TTY') return undefined;
  // The program may have replaced its environment.
  const forced = runtime.processFilled ? process.env.FORCE_COLOR : envGet('FORCE_COLOR');
  if (forced !== undefined) return undefined;
  return simpleLine(args) ?? require('internal/inspect/format').formatList(plain, args);
}

module.exports = { textFor };
