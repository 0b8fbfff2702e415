'use strict';

// Yarn 2 and later start each program of a package by Node, if it is no program of the processor. The shell's script of
// the package for npm (packaging/npm/rota-loop) then comes here, and is started as what it is.

const { spawn } = require('child_process');
const os = require('os');

const child = spawn(require.main.filename, process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGQUIT']) process.on(signal, () => {}); // a terminal sends them to both
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  process.exitCode = code ?? 128 + os.constants.signals[signal];
});
