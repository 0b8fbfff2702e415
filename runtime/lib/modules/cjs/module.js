'use strict';

// The class Module, and reading a module's text.
//
// The text of a module, as it is on the disk.

const { readText, statKind } = internalBinding('modules');
const helpers = require('internal/modules/helpers');
const path = require('path');

function readSource(filename) {
  const text = readText(filename);
  if (typeof text === 'number') {
    const { uvException } = require('internal/errors');
    throw uvException({ errno: text, syscall: 'open', path: filename });
  }
  return helpers.stripBOM(text);
}

// The class Module: a CommonJS module, and the state that all of them share.
//
// Programs change its properties (`_load`, `_resolveFilename`, `_extensions`, `wrap`, ...), so all
// code uses these properties.

const kParent = Symbol('parent');
const kIsMain = Symbol('isMain');
const kEsm = Symbol('esm');
const kGiven = Symbol('given'); // a source that came from elsewhere: { text, format }

function Module(id = '', parent) {
  const fields = { id, path: path.dirname(id), exports: {}, filename: null, loaded: false, children: [] };
  // defined, not assigned: a program may have put setters on Object.prototype
  for (const name of Object.keys(fields)) {
    Object.defineProperty(this, name, {
      __proto__: null,
      value: fields[name],
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  Object.defineProperty(this, kParent, { value: parent, writable: true, configurable: true, enumerable: false });
  noteChild(parent, this);
}

// The first module that required this one says little about its users: the property is deprecated, and reading it gives
// a warning.
let parentWarning = 'due';
function warnOfParent() {
  if (parentWarning !== 'due') return;
  parentWarning = 'done';
  if (!require('internal/process/flags').hasFlag('--pending-deprecation')) return;
  process.emitWarning(
    'module.parent is deprecated due to accuracy issues. Please use require.main to find program entry point instead.',
    'DeprecationWarning',
    'DEP0144',
  );
}

Object.defineProperty(Module.prototype, 'parent', {
  get() {
    warnOfParent();
    return this[kParent];
  },
  set(value) {
    warnOfParent();
    this[kParent] = value;
  },
  configurable: true,
});
Object.defineProperty(Module.prototype, 'constructor', {
  value: Module,
  writable: true,
  configurable: true,
  enumerable: false,
});

// A module is added once to the children of each module that requires it.
function noteChild(parent, child) {
  if (parent?.children && !parent.children.includes(child)) parent.children.push(child);
}

Object.assign(Module, {
  _cache: Object.create(null), // by filename
  _pathCache: Object.create(null), // by request and where it was looked for
  _extensions: Object.create(null),
  _debug() {},
  _stat: (file) => statKind(file),
  Module,
  builtinModules: helpers.builtinModules,
  globalPaths: [],
  isBuiltin: helpers.isBuiltin,
});

Module._initPaths = function _initPaths() {
  Module.globalPaths = [];
  const { execPath, hasFlag, variable } = require('internal/modules/helpers');
  if (hasFlag('--no-global-search-paths')) return;
  const home = variable('HOME');
  const list = [path.resolve(execPath(), '..', '..', 'lib', 'node')];
  if (home) list.unshift(path.resolve(home, '.node_modules'), path.resolve(home, '.node_libraries'));
  const also = variable('NODE_PATH');
  if (also) list.unshift(...also.split(':').filter(Boolean));
  Module.globalPaths = list;
};

function initialize() {
  Module._initPaths();
}

module.exports = { readSource, initialize, kEsm, kGiven, kIsMain, kParent, Module, noteChild };
