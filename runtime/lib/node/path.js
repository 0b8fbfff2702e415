'use strict';

// node:path: the paths of this system; posix and win32 refer to each other.

const posix = require('internal/path/posix');
const win32 = require('internal/path/win32');
const { requireString } = require('internal/path/segments');

function complete(paths, sep, delimiter) {
  const isWindows = sep === '\\';
  paths.matchesGlob = function matchesGlob(path, pattern) {
    requireString(path, 'path');
    requireString(pattern, 'pattern');
    return require('internal/glob').matchGlobPattern(path, pattern, isWindows);
  };
  paths.sep = sep;
  paths.delimiter = delimiter;
  paths.win32 = win32;
  paths.posix = posix;
  paths._makeLong = paths.toNamespacedPath;
}

complete(posix, '/', ':');
complete(win32, '\\', ';');

module.exports = posix;
