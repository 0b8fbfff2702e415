#!/usr/bin/env node
'use strict';

// Starts the program of the package for this system. It takes the place of this Node where that can be (22.15 and later); else it is a
// child, whose end is told.

const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawn } = require('child_process');

const { find } = require('../lib/place.js');

// By this name the program knows that Node has started it (command/alone/main.c).
const kName = 'rota-loop';
const kIsWindows = process.platform === 'win32';

function becomes(program, words) {
  const { emitWarning } = process;
  process.emitWarning = () => {}; // that execve is experimental
  try {
    process.execve(program, [kName, ...words], process.env);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function starts(program, words) {
  const child = spawn(program, words, { stdio: 'inherit', argv0: kName });
  for (const signal of ['SIGINT', 'SIGQUIT']) process.on(signal, () => {}); // a terminal sends them to both
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => refuse(`${program}: ${error.message}`));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + os.constants.signals[signal];
  });
}

function refuse(sentence) {
  process.stderr.write(`rota-loop: ${sentence}\n`);
  process.exitCode = 1;
}

function main() {
  let program;
  try {
    program = path.join(find(), 'bin', kIsWindows ? 'rota.exe' : 'rota-graft');
    fs.accessSync(program, fs.constants.X_OK);
  } catch (error) {
    return refuse(error.message);
  }
  const words = process.argv.slice(2);
  return typeof process.execve === 'function' && !kIsWindows ? becomes(program, words) : starts(program, words);
}

main();
