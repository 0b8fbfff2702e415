'use strict';

// Lines of a console that is still unchanged. If the output has no colours, only the text is needed of the console and
// of the stream: loading both would take longer than everything else in a small program.

const { kind } = internalBinding('stdio');
const { envGet } = internalBinding('process');
const runtime = internalBinding('runtime');
const { formatList } = require('internal/inspect/format');

const plain = {};
const kinds = [];

// The text of a line; undefined: the console has to print it.
function textFor(fd, args) {
  kinds[fd] ??= kind(fd);
  if (kinds[fd] === 'TTY') return undefined;
  // The program may have replaced its environment.
  const forced = runtime.processFilled ? process.env.FORCE_COLOR : envGet('FORCE_COLOR');
  return forced !== undefined ? undefined : formatList(plain, args);
}

module.exports = { textFor };
