'use strict';

// package.json files, and real paths.
//
// package.json files: read once, searched from a file's directory upwards.

const { readPackage, isPlain, realpath } = internalBinding('modules');
const { isOn, check } = internalBinding('permission');

const { kRead } = require('internal/shared').scope;

const cache = new Map(); // directory -> parsed or undefined

const pathIn = (directory) => (directory === '/' ? '/package.json' : `${directory}/package.json`);

// A package that a program names: that asks for permission, also if the file was read before.
function read(directory, base) {
  if (isOn) check(kRead, pathIn(directory));
  return find(directory, base, false);
}

function find(directory, base, isForScope) {
  let entry = cache.get(directory);
  if (entry !== undefined || cache.has(directory)) return entry;
  const path = pathIn(directory);
  const text = readPackage(path, isForScope);
  if (typeof text === 'string') {
    let data;
    try {
      data = require('internal/modules/json').parseJson(text);
    } catch (cause) {
      const { codes } = require('internal/errors');
      throw new codes.ERR_INVALID_PACKAGE_CONFIG(path, base, cause.message);
    }
    const object = typeof data === 'object' && data !== null ? data : {};
    // Only own properties of the file's object: a program may have added others to Object.prototype.
    const own = (key) => (Object.hasOwn(object, key) ? object[key] : undefined);
    const [name, main, type, imports] = [own('name'), own('main'), own('type'), own('imports')];
    entry = {
      __proto__: null,
      path,
      directory,
      name: typeof name === 'string' ? name : undefined,
      main: typeof main === 'string' ? main : undefined,
      type: type === 'module' || type === 'commonjs' ? type : 'none',
      exports: own('exports'),
      imports: typeof imports === 'object' && imports !== null ? imports : undefined,
    };
  }
  cache.set(directory, entry);
  return entry;
}

// The package that a file belongs to: found without permission, as in Node, for what kind of module the file is.
function scopeOf(file) {
  let directory = file;
  for (;;) {
    const at = directory.lastIndexOf('/');
    if (at === -1) return undefined;
    directory = directory.slice(0, at);
    if (directory.endsWith('/node_modules')) return undefined;
    const found = find(directory === '' ? '/' : directory, undefined, true);
    if (found !== undefined) return found;
    if (directory === '') return undefined;
  }
}

// The real path of a file for the loaders. Files of a package share a directory, and packages share one: of each
// directory it is asked once, as in Node, and of a file only whether it is a link itself.

const directories = new Map();

// -> a path, '' for the root, or a negative error
function realDirectory(directory) {
  if (directory === '') return '';
  let real = directories.get(directory);
  if (real !== undefined) return real;
  const end = directory.lastIndexOf('/');
  if (isPlain(directory)) {
    const parent = realDirectory(directory.slice(0, end));
    real = typeof parent === 'string' ? parent + directory.slice(end) : parent;
  } else {
    real = realpath(directory);
    if (real === '/') real = '';
  }
  if (typeof real === 'string') directories.set(directory, real);
  return real;
}

// `file` is absolute and normal. -> a path, or a negative error
function realPath(file) {
  const end = file.lastIndexOf('/');
  if (end === file.length - 1 || !isPlain(file)) return realpath(file);
  const directory = realDirectory(file.slice(0, end));
  return typeof directory === 'string' ? directory + file.slice(end) : realpath(file);
}

module.exports = { read, scopeOf, realPath };
