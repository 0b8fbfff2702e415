'use strict';

// The options for a new child as a plan: checked by a table, with one rule for each option, and in the form that C
// needs. A plan is { file, args, envPairs, cwd, detached, ... } and the options themselves.

const { Buffer } = require('internal/buffer/class');
const { codes } = require('internal/errors');
const { convertToValidSignal } = require('internal/util');
const {
  validateAbortSignal,
  validateBoolean,
  validateInt32,
  validateObject,
  validateString,
} = require('internal/validators');

const MAX_BUFFER = 1024 * 1024;
const SHELL = '/bin/sh';

function withoutNull(text, name) {
  if (typeof text === 'string' && text.includes('\0')) {
    throw new codes.ERR_INVALID_ARG_VALUE(name, text, 'must be a string without null bytes');
  }
  return text;
}

function pathText(value, name) {
  let text = value;
  if (Buffer.isBuffer(value)) text = value.toString();
  else if (value instanceof URL) text = require('url').fileURLToPath(value);
  else if (typeof value !== 'string') throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'URL'], value);
  return withoutNull(text, name);
}

function plainText(value, name) {
  validateString(value, name);
  return withoutNull(value, name);
}

// Each returns the value for the plan. Options that are undefined or null are skipped.
const rules = {
  cwd: pathText,
  detached: validateBoolean,
  uid: (value, name) => validateInt32(value, name),
  gid: (value, name) => validateInt32(value, name),
  shell(value, name) {
    if (typeof value === 'string') return withoutNull(value, name);
    if (typeof value !== 'boolean') throw new codes.ERR_INVALID_ARG_TYPE(name, ['boolean', 'string'], value);
    return value;
  },
  argv0: plainText,
  windowsHide: validateBoolean,
  windowsVerbatimArguments: validateBoolean,
};

// These are for the synchronous functions.
const waitingRules = {
  timeout(value) {
    if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE('timeout', 'number', value);
    if (!Number.isInteger(value) || value < 0)
      throw new codes.ERR_OUT_OF_RANGE('timeout', 'an unsigned integer', value);
    return value;
  },
  maxBuffer(value, name) {
    if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', value);
    if (!(value >= 0)) throw new codes.ERR_OUT_OF_RANGE(name, '>= 0', value);
    return value;
  },
  killSignal(value, name) {
    if (typeof value === 'string' || typeof value === 'number') return convertToValidSignal(value);
    throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'number'], value);
  },
  signal(value, name) {
    validateAbortSignal(value, name);
    return value;
  },
};

function apply(table, plan, names = Object.keys(table)) {
  for (const name of names) {
    if (plan[name] === undefined || plan[name] === null) continue;
    const value = table[name](plan[name], `options.${name}`);
    if (value !== undefined) plan[name] = value;
  }
  return plan;
}

function listOf(args) {
  if (args === undefined || args === null) return [];
  if (!Array.isArray(args)) throw new codes.ERR_INVALID_ARG_TYPE('args', 'object', args);
  return args.map((argument, i) => withoutNull(`${argument}`, `args[${i}]`));
}

function environmentOf(variables) {
  const pairs = [];
  // Inherited properties count.
  for (const name in variables) {
    const value = variables[name];
    if (value === undefined) continue;
    withoutNull(name, `options.env['${name}']`);
    pairs.push(withoutNull(`${name}=${value}`, `options.env['${name}']`));
  }
  return pairs;
}

// A child without options about permissions gets ours, through NODE_OPTIONS.
const kPermission = /^--permission(?:-audit)?$/;
function handDown(variables, args) {
  const permission = require('internal/process/permission');
  if (!permission.isOn || args.some((word) => kPermission.test(word))) return variables;
  const given = variables.NODE_OPTIONS;
  if (typeof given === 'string' && given.split(/\s+/).some((word) => kPermission.test(word))) return variables;
  const quoted = permission
    .optionsForChildren()
    .map((word) => (/[\s"\\]/.test(word) ? `"${word.replace(/["\\]/g, '\\$&')}"` : word));
  const copy = { __proto__: null };
  for (const name in variables) copy[name] = variables[name];
  copy.NODE_OPTIONS = [given, ...quoted].filter(Boolean).join(' ');
  return copy;
}

let warned = false;
function warnOfShell() {
  if (warned) return;
  warned = true;
  process.emitWarning(
    'Passing args to a child process with shell option true can lead to security vulnerabilities, as the arguments ' +
      'are not ' +
      'escaped, only concatenated.',
    'DeprecationWarning',
    'DEP0190',
  );
}

// (file[, args][, options]) -> a plan
function planFor(file, args, options) {
  if (plainText(file, 'file') === '') throw new codes.ERR_INVALID_ARG_VALUE('file', file, 'cannot be empty');
  const skipped = typeof args === 'object' && args !== null && !Array.isArray(args);
  const given = skipped ? args : options;
  if (given !== undefined) validateObject(given, 'options');
  const list = listOf(skipped ? [] : args);
  const plan = apply(rules, { __proto__: null, ...given });
  plan.detached = !!plan.detached;
  plan.windowsHide = !!plan.windowsHide;
  plan.envPairs = environmentOf(handDown(plan.env || process.env, list));
  if (plan.shell) {
    if (list.length > 0) warnOfShell();
    plan.file = plan.shell === true ? SHELL : plan.shell;
    plan.args = [plan.argv0 ?? plan.file, '-c', [file, ...list].join(' ')];
  } else {
    plan.file = file;
    plan.args = [plan.argv0 ?? file, ...list];
  }
  return plan;
}

module.exports = {
  planFor,
  pathText,
  plainText,
  withoutNull,
  checkWaiting: (plan, ...names) => apply(waitingRules, plan, names),
  MAX_BUFFER,
};
