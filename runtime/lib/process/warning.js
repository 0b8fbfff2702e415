'use strict';

// Warnings: process.emitWarning makes a warning from its arguments and emits it in the next
// tick; `onWarning` prints it.

const { hasFlag, valuesOf } = require('internal/process/flags');

const kDeprecation = 'DeprecationWarning';

// The hint about more details is printed once for each of these flags.
const hintsGiven = new Set();

function hintFor(warning) {
  const flag = warning.name === kDeprecation ? '--trace-deprecation' : '--trace-warnings';
  if (hintsGiven.has(flag)) return '';
  hintsGiven.add(flag);
  return `\n(Use \`node ${flag} ...\` to show where the warning was created)`;
}

const isSilent = () => process.noProcessWarnings || hasFlag('--no-warnings') || process.env.NODE_NO_WARNINGS === '1';

// --disable-warning gives codes and types.
let unwanted;
function isUnwanted(warning) {
  unwanted ??= new Set(valuesOf('--disable-warning'));
  return unwanted.size > 0 && (unwanted.has(warning.code) || unwanted.has(warning.name));
}

// To a file, if one is named, else to standard error.
function print(text) {
  const file = valuesOf('--redirect-warnings').at(-1) || process.env.NODE_REDIRECT_WARNINGS;
  if (file) {
    try {
      require('fs').appendFileSync(file, text);
      return;
    } catch {
      // It is shown below.
    }
  }
  process.stderr.write(text);
}

function onWarning(warning) {
  if (!(warning instanceof Error) || isSilent() || isUnwanted(warning)) return;
  const isDeprecation = warning.name === kDeprecation;
  if (isDeprecation && process.noDeprecation) return;
  const isTraced = process.traceProcessWarnings || (isDeprecation && process.traceDeprecation);
  const lines = [`(node:${process.pid}) ${warning.code ? `[${warning.code}] ` : ''}`];
  lines[0] += isTraced && warning.stack ? warning.stack : Error.prototype.toString.call(warning);
  if (typeof warning.detail === 'string') lines.push(warning.detail);
  print(`${lines.join('\n')}${isTraced ? '' : hintFor(warning)}\n`);
}

// The forms of the arguments after the warning: an object with all of them; or a type, a code and a function where the
// stack begins, each of which may be left out from the end.
function readArguments(type, code, from) {
  if (type !== null && typeof type === 'object' && !Array.isArray(type)) {
    const { type: name, detail } = type;
    return {
      name: name || 'Warning',
      code: type.code,
      from: type.ctor,
      detail: typeof detail === 'string' ? detail : undefined,
    };
  }
  if (typeof type === 'function') return { name: 'Warning', code: '', from: type };
  return typeof code === 'function' ? { name: type, from: code } : { name: type, code, from };
}

function makeWarning(message, { name, code, from, detail }) {
  const warning = new Error(message);
  warning.name = String(name || 'Warning');
  if (code !== undefined) warning.code = code;
  if (detail !== undefined) warning.detail = detail;
  Error.captureStackTrace(warning, from || process.emitWarning);
  return warning;
}

function emitWarning(warning, type, code, ctor) {
  const { validateString } = require('internal/validators');
  const given = readArguments(type, code, ctor);
  if (given.name !== undefined) validateString(given.name, 'type');
  if (given.code !== undefined) validateString(given.code, 'code');
  if (typeof warning === 'string') {
    warning = makeWarning(warning, given);
  } else if (!(warning instanceof Error)) {
    const { codes } = require('internal/errors');
    throw new codes.ERR_INVALID_ARG_TYPE('warning', ['Error', 'string'], warning);
  }
  const isDeprecation = warning.name === kDeprecation;
  if (isDeprecation && process.noDeprecation) return;
  const isThrown = isDeprecation && process.throwDeprecation;
  process.nextTick(() => {
    if (isThrown) throw warning;
    process.emit('warning', warning);
  });
}

module.exports = { emitWarning, onWarning };
