'use strict';

// The real path of a file for the loaders. Files of a package share a directory, and packages share one: of each
// directory it is asked once, as in Node, and of a file only whether it is a link itself.

const { isPlain, realpath } = internalBinding('modules');

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

module.exports = { realPath };
