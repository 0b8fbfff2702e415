'use strict';

// What `process` and internal/process/flags would say, for the loader of modules, without loading either: most programs
// have no options, and a program that has not touched `process` cannot have changed it.

const binding = internalBinding('process');
const runtime = internalBinding('runtime');

const isEarly = () => !runtime.processFilled && !runtime.isWorker;

function variable(name) {
  return isEarly() ? binding.envGet(name) : process.env[name];
}

function execPath() {
  return isEarly() ? binding.execPath : process.execPath;
}

function hasFlag(name) {
  if (!runtime.isWorker && binding.optionWords.length === 0) return false;
  return require('internal/process/flags').hasFlag(name);
}

module.exports = { execPath, hasFlag, variable };
