'use strict';

// The addon, by which JavaScript reaches the librota in this process, and the errors that its answers are.

const path = require('path');
const util = require('util');

const { find } = require('./place.js');

let addon;

// Undefined: nothing can be loaded here, since this is another system.
function load() {
  try {
    addon ??= require(path.join(find(), 'lib', 'rota-api.node'));
  } catch {
    addon = {};
  }
  return addon;
}

function isActive() {
  return load().version !== undefined;
}

// An error with a code, whose stack begins where the program has called.
function coded(Type, code, sentence, called) {
  const error = new Type(sentence);
  error.code = code;
  Error.captureStackTrace?.(error, called);
  return error;
}

// The addon; else throws, and says which command would have made it work.
function need(what, command, called) {
  if (!isActive())
    throw coded(Error, 'ERR_ROTA_NOT_ACTIVE', `${what} needs a process that rota has started: ${command}`, called);
  return addon;
}

// Throws what the system, or librota, has refused.
function check(status, what, called) {
  if (status >= 0) return;
  const code = util.getSystemErrorName(status);
  const words = util.getSystemErrorMap?.().get(status)?.[1] ?? 'refused';
  throw Object.assign(coded(Error, code, `${what}: ${code}: ${words}`, called), { errno: status });
}

module.exports = { check, coded, isActive, load, need };
