'use strict';

// The session that `rota` starts on a terminal, and the file with its history.
//
// The history in a file: read at the start of a session, written shortly after lines are entered.

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
      // if the home directory cannot be written, there is no history
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
  // Before 'exit', which may end the process.
  server.prependListener('close', () => {
    if (waiting !== undefined) save();
  });
  process.nextTick(ready, null, server);
}

// `rota` on a terminal: a session in the program's own globals, with a persistent history.

function run() {
  const { start } = require('repl');
  process.stdout.write(`Welcome to rota, Node.js ${process.version}.\nType ".help" for more information.\n`);
  const mode = process.env.NODE_REPL_MODE;
  const repl = require('repl');
  const server = start({
    useGlobal: true,
    breakEvalOnSigint: false,
    ignoreUndefined: false,
    terminal: process.env.NODE_NO_READLINE === '1' ? false : undefined,
    replMode: mode === 'strict' ? repl.REPL_MODE_STRICT : repl.REPL_MODE_SLOPPY,
  });
  if (server.terminal) server.setupHistory(defaultFile(), () => {});
  server.on('exit', () => process.exit());
}

module.exports = { attach, defaultFile, run };
