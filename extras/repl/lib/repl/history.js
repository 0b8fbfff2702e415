'use strict';

// Lines that outlive the session: read when it begins, written a moment after they were entered.

const fs = require('fs');
const path = require('path');

const kWriteAfterMs = 15;

function defaultFile() {
  const asked = process.env.NODE_REPL_HISTORY;
  if (asked !== undefined) return asked.trim();
  return path.join(require('os').homedir(), '.rota_repl_history');
}

function attach(server, file, ready) {
  if (file === '') {
    process.nextTick(ready, null, server);
    return;
  }
  let waiting;
  const save = () => {
    clearTimeout(waiting);
    waiting = undefined;
    try {
      fs.writeFileSync(
        file,
        `${[...server.history]
          .reverse()
          .map((line) => line.replaceAll('\n', '\r'))
          .join('\n')}\n`,
        { mode: 0o600 },
      );
    } catch {
      // a home that cannot be written to keeps no history
    }
  };
  try {
    fs.closeSync(fs.openSync(file, 'a', 0o600));
    const lines = fs
      .readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.replaceAll('\r', '\n'));
    server.history = lines.reverse().slice(0, server.historySize);
  } catch {
    server.output?.write('\nREPL session history will not be persisted.\n');
    process.nextTick(ready, null, server);
    return;
  }
  server.on('history', () => {
    waiting ??= setTimeout(save, kWriteAfterMs).unref();
  });
  // Before 'exit', which may be the end of the process.
  server.prependListener('close', () => {
    if (waiting !== undefined) save();
  });
  process.nextTick(ready, null, server);
}

module.exports = { attach, defaultFile };
