'use strict';

// `rota` on a terminal: a session in the program's own globals, with a persistent history.

function run() {
  const { start } = require('repl');
  const { defaultFile } = require('internal/repl/history');
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

module.exports = { run };
