'use strict';

// Functions that the loaders share. They load neither `process` nor its options.
//
// The list of built-in modules, and small functions that both module systems need.

const { builtinIds, requireBuiltin } = internalBinding('runtime');
const binding = internalBinding('process');
const runtime = internalBinding('runtime');

// Names that may only be used with the prefix `node:`.
const schemeOnly = new Set([
  'sea',
  'sqlite',
  'test',
  'test/reporters',
  'quic',
  'stream/iter',
  'zlib/iter',
  'ffi',
  'vfs',
  'dtls',
]);

function isSwitchedOff(id) {
  return id === 'sqlite' && hasFlag('--no-experimental-sqlite');
}

const publicSet = new Set();
const bare = [];
const prefixed = [];
for (const id of builtinIds()) {
  if (isSwitchedOff(id)) continue;
  publicSet.add(id);
  if (schemeOnly.has(id)) prefixed.push(`node:${id}`);
  else bare.push(id);
}
const builtinModules = Object.freeze([...bare, ...prefixed]);

function isBuiltin(id) {
  if (typeof id !== 'string') return false;
  if (id.startsWith('node:')) return publicSet.has(id.slice(5));
  return publicSet.has(id) && !schemeOnly.has(id);
}

function builtinName(id) {
  return id.startsWith('node:') ? id.slice(5) : id;
}

function loadBuiltin(id) {
  if (id === 'console' || id === 'node:console') return internalBinding('runtime').fillConsole();
  return requireBuiltin(builtinName(id));
}

function stripBOM(text) {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

// Conditions of package exports; -C and --conditions add to them.
let userConditions;
function conditions(base) {
  if (userConditions === undefined) {
    userConditions = [];
    const argv = require('internal/process/flags').words();
    for (let i = 0; i < argv.length; i++) {
      if (argv[i] === '-C' || argv[i] === '--conditions') userConditions.push(argv[++i]);
      else if (argv[i].startsWith('--conditions=')) userConditions.push(argv[i].slice(13));
    }
  }
  const names =
    require('internal/process/flags').hasFlag('--no-addons') || !require('internal/process/permission').hasAddons()
      ? base.filter((name) => name !== 'node-addons')
      : base;
  return new Set([...names, ...userConditions]);
}

let requireConditions;
let importConditions;

// ---- the parser ----

let acorn;
function getAcorn() {
  return (acorn ??= require('internal/deps/acorn'));
}

const kParseOptions = { ecmaVersion: 'latest', allowHashBang: true, locations: false };

// Finds the caller of a built-in module: a deprecation warning is given for the program's own files, not for packages
// in node_modules.

function calledFromPackage() {
  const caller = require('util')
    .getCallSites(16)
    .find(({ scriptName }) => scriptName !== '' && !/^(?:node:|<|\[native)/.test(scriptName));
  return caller !== undefined && /[\\/]node_modules[\\/]/i.test(caller.scriptName);
}

// What `process` and internal/process/flags would say, for the loader of modules, without loading either: most programs
// have no options, and a program that has not touched `process` cannot have changed it.

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

module.exports = {
  isBuiltin,
  builtinName,
  loadBuiltin,
  builtinModules,
  stripBOM,
  getAcorn,
  kParseOptions,
  get requireConditions() {
    return (requireConditions ??= conditions(['require', 'node', 'node-addons', 'module-sync']));
  },
  get importConditions() {
    return (importConditions ??= conditions(['node', 'import', 'module-sync', 'node-addons']));
  },
  calledFromPackage,
  execPath,
  hasFlag,
  variable,
};
