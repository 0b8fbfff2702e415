'use strict';

// The real path of a file for the loaders. Files of a package share a directory: its real path is asked for once, as in
// Node, and of a file only whether it is a link itself.

const { isPlain, realpath } = internalBinding('modules');

const directories = new Map();

// `file` is absolute and normal. -> a path, or a negative error
function realPath(file) {
  const end = file.lastIndexOf('/');
  if (end < 1 || !isPlain(file)) return realpath(file);
  const directory = file.slice(0, end);
  let real = directories.get(directory);
  if (real === undefined) {
    real = realpath(directory);
    if (typeof real !== 'string') return realpath(file);
    directories.set(directory, real);
  }
  return `${real === '/' ? '' : real}${file.slice(end)}`;
}

module.exports = { realPath };
