'use strict';

// process.emitWarning and what prints warnings to standard error.

let traceHint = false;
let deprecationHint = false;

function isOff() {
  return process.noProcessWarnings || process.execArgv.includes('--no-warnings') || process.env.NODE_NO_WARNINGS === '1';
}

function onWarning(warning) {
  if (isOff() || !(warning instanceof Error)) return;
  const isDeprecation = warning.name === 'DeprecationWarning';
  if (isDeprecation && process.noDeprecation) return;
  const trace = process.traceProcessWarnings || (isDeprecation && process.traceDeprecation);
  let text = `(node:${process.pid}) `;
  if (warning.code) text += `[${warning.code}] `;
  if (trace && warning.stack) {
    text += `${warning.stack}`;
  } else {
    text += typeof warning.toString === 'function' ? `${Error.prototype.toString.call(warning)}` : `${warning.name}: ${warning.message}`;
  }
  if (typeof warning.detail === 'string') text += `\n${warning.detail}`;
  if (!trace) {
    const program = 'node';
    if (isDeprecation && !deprecationHint) {
      text += `\n(Use \`${program} --trace-deprecation ...\` to show where the warning was created)`;
      deprecationHint = true;
    } else if (!isDeprecation && !traceHint) {
      text += `\n(Use \`${program} --trace-warnings ...\` to show where the warning was created)`;
      traceHint = true;
    }
  }
  internalBinding('stdio').writeSync(2, `${text}\n`);
}

function emitWarning(warning, type, code, ctor) {
  const { codes } = require('internal/errors');
  const { validateString } = require('internal/validators');
  let detail;
  if (type !== null && typeof type === 'object' && !Array.isArray(type)) {
    ctor = type.ctor;
    code = type.code;
    if (typeof type.detail === 'string') detail = type.detail;
    type = type.type || 'Warning';
  } else if (typeof type === 'function') {
    ctor = type;
    code = '';
    type = 'Warning';
  }
  if (type !== undefined) validateString(type, 'type');
  if (typeof code === 'function') {
    ctor = code;
    code = undefined;
  } else if (code !== undefined) {
    validateString(code, 'code');
  }
  if (typeof warning === 'string') {
    const message = warning;
    warning = new Error(message);
    warning.name = String(type || 'Warning');
    if (code !== undefined) warning.code = code;
    if (detail !== undefined) warning.detail = detail;
    Error.captureStackTrace(warning, ctor || process.emitWarning);
  } else if (!(warning instanceof Error)) {
    throw new codes.ERR_INVALID_ARG_TYPE('warning', ['Error', 'string'], warning);
  }
  if (warning.name === 'DeprecationWarning') {
    if (process.noDeprecation) return;
    if (process.throwDeprecation) {
      process.nextTick(() => {
        throw warning;
      });
      return;
    }
  }
  process.nextTick(() => process.emit('warning', warning));
}

module.exports = { emitWarning, onWarning };
