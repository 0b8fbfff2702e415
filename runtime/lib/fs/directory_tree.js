'use strict';

// Directories and their contents: creating a path of them, listing them, removing them. Each is a task
// (internal/fs/tasks), so that all forms of a function share it.

const { codes } = require('internal/errors');
const {
  parseFileMode,
  validateBoolean,
  validateInt32,
  validateObject,
  validateUint32,
} = require('internal/validators');
const { operations } = require('internal/fs/operations');
const { pause } = require('internal/fs/tasks');
const { checkCallback, decodeName, readNameEncoding, readOptions, readPath } = require('internal/fs/arguments');
const { direntsOf, kindAt, makeDirent, namesOf, under } = require('internal/fs/dirent');
const { UV_DIRENT_DIR, UV_DIRENT_UNKNOWN } = require('internal/fs/constants');

const notDirectory = -20;
const { lstat, mkdir, rmdir, scandir, stat, unlink } = operations;

function readMakeOptions(options) {
  if (typeof options === 'number' || typeof options === 'string')
    return { recursive: false, mode: parseFileMode(options, 'mode') };
  const recursive = options?.recursive;
  if (recursive !== undefined) validateBoolean(recursive, 'options.recursive');
  return { recursive: recursive === true, mode: parseFileMode(options?.mode, 'options.mode', 0o777) };
}

const isRefusal = (error) => error.code === 'ERR_ACCESS_DENIED';

// Goes from the end of the path to the first parent that exists, and back, creating each directory. The first one that
// was created is the result.
function* makePath(path, mode) {
  const pathModule = require('path');
  const missing = [];
  let made;
  let seen; // the parent that existed
  const wanted = typeof path === 'string' ? path : path.toString();
  let next = wanted;
  for (;;) {
    try {
      yield [mkdir, next, mode];
      made ??= next;
    } catch (error) {
      if (isRefusal(error)) throw error;
      const parent = pathModule.dirname(next);
      // If the parent exists but nothing can be made in it, it was removed while it was a working directory.
      if (error.code === 'ENOENT' && parent !== next && next !== '' && parent !== seen) {
        missing.push(next);
        next = parent;
        continue;
      }
      const known = error.code === 'EEXIST' || error.code === 'EISDIR' || error.code === 'EROFS';
      let there;
      try {
        there = known ? yield [stat, next, false] : undefined;
      } catch (failure) {
        // A program that may write there but not read may learn that the directory exists.
        if (isRefusal(failure) && internalBinding('modules').statKind(next) === 1) {
          there = { isDirectory: () => true };
        } else if (isRefusal(failure)) {
          throw failure;
        } else {
          // Something existed a moment ago: a link without a target.
          throw mkdir.error(failure.errno, wanted);
        }
      }
      // A path that neither exists nor can be created has an error of its own; a file that is no directory cannot
      // contain one.
      seen = next;
      if (there === undefined || !there.isDirectory())
        throw mkdir.error(known && missing.length > 0 ? notDirectory : error.errno, wanted);
    }
    if (missing.length === 0) return made;
    next = missing.pop();
  }
}

function* makeDirectory(path, options) {
  const { recursive, mode } = options;
  if (recursive) return yield* makePath(path, mode);
  yield [mkdir, path, mode];
  return undefined;
}

function readListOptions(given) {
  const options = readOptions(given);
  if (options.recursive != null) validateBoolean(options.recursive, 'options.recursive');
  return {
    encoding: readNameEncoding(given),
    withFileTypes: Boolean(options.withFileTypes),
    recursive: options.recursive === true,
  };
}

// Everything below a directory, level by level. Names are relative to it.
function* listTree(root, { encoding, withFileTypes }) {
  const pathModule = require('path');
  const found = [];
  const waiting = [[root, '']];
  for (let i = 0; i < waiting.length; i++) {
    const [directory, shown] = waiting[i];
    const flat = yield [scandir, directory, false];
    for (let k = 0; k < flat.length; k += 2) {
      const name = flat[k];
      const full = typeof directory === 'string' ? pathModule.join(directory, name) : under(directory, name);
      const kind = flat[k + 1] === UV_DIRENT_UNKNOWN ? kindAt(full) : flat[k + 1];
      const path = under(shown, name);
      if (kind === UV_DIRENT_DIR) waiting.push([full, path]);
      if (withFileTypes) found.push(makeDirent(directory, encoded(name, encoding), kind));
      else found.push(encoded(path, encoding));
    }
  }
  return found;
}

function encoded(name, encoding) {
  if (encoding === false) return name;
  return decodeName(require('internal/buffer/class').Buffer.from(name), encoding);
}

function* listDirectory(path, options) {
  if (options.recursive) return yield* listTree(path, options);
  return showList(yield [scandir, path, options.encoding], path, options);
}

function showList(flat, path, { withFileTypes, encoding }) {
  return withFileTypes ? direntsOf(flat, path, encoding) : namesOf(flat, encoding);
}

const removeDefaults = { force: false, recursive: false, retryDelay: 100, maxRetries: 0 };

function readRemoveOptions(given) {
  if (given === undefined) return removeDefaults;
  validateObject(given, 'options');
  const options = { ...removeDefaults, ...given };
  validateBoolean(options.force, 'options.force');
  validateBoolean(options.recursive, 'options.recursive');
  validateInt32(options.retryDelay, 'options.retryDelay', 0);
  validateUint32(options.maxRetries, 'options.maxRetries');
  return options;
}

const passing = new Set(['EBUSY', 'EMFILE', 'ENFILE', 'ENOTEMPTY', 'EPERM']);

// One step, which is repeated while its error may be temporary; each wait is longer by `retryDelay`. A file that is
// already gone is no error.
function* persist(step, { retryDelay, maxRetries }) {
  for (let tries = 1; ; tries++) {
    try {
      return yield step;
    } catch (error) {
      if (error.code === 'ENOENT') return undefined;
      if (!passing.has(error.code) || tries > maxRetries) throw error;
      yield [pause, tries * retryDelay];
    }
  }
}

// A name that is not valid UTF-8 is decoded with replacement characters, and would not be found again: then all names
// are read as bytes.
const hasMark = (flat) => flat.some((name) => typeof name === 'string' && name.includes('\ufffd'));

function* removeTree(path, options) {
  let flat;
  try {
    flat = yield* persist([scandir, path, typeof path === 'string' ? false : 'buffer'], options);
    if (flat !== undefined && hasMark(flat)) flat = yield* persist([scandir, path, 'buffer'], options);
  } catch (error) {
    // A directory that cannot be read can still be removed if it is empty.
    if (error.code !== 'EACCES') throw error;
    flat = [];
    try {
      yield [rmdir, path];
      return;
    } catch {
      throw error;
    }
  }
  if (flat === undefined) return;
  for (let i = 0; i < flat.length; i += 2) {
    const full = under(path, flat[i]);
    const kind = flat[i + 1] === UV_DIRENT_UNKNOWN ? kindAt(full) : flat[i + 1];
    if (kind === UV_DIRENT_DIR) yield* removeTree(full, options);
    else yield* persist([unlink, full], options);
  }
  yield* persist([rmdir, path], options);
}

function isDirectoryError(path) {
  return new codes.ERR_FS_EISDIR({
    code: 'EISDIR',
    message: 'is a directory',
    path: `${path}`,
    syscall: 'rm',
    errno: 21,
  });
}

function* remove(path, options) {
  let there;
  try {
    there = yield [lstat, path, false];
  } catch (error) {
    if (options.force && error.code === 'ENOENT') return;
    throw error;
  }
  if (!there.isDirectory()) {
    yield* persist([unlink, path], options);
    return;
  }
  if (!options.recursive) throw isDirectoryError(path);
  yield* removeTree(path, options);
}

// rmdir takes options for old programs; they have no effect.
function checkRemoveDirectoryOptions(options) {
  if (options === undefined) return;
  validateObject(options, 'options');
  if (options.recursive !== undefined) {
    throw new codes.ERR_INVALID_ARG_VALUE('options.recursive', options.recursive, 'is no longer supported');
  }
}

module.exports = {
  checkCallback,
  checkRemoveDirectoryOptions,
  listDirectory,
  makeDirectory,
  readListOptions,
  readMakeOptions,
  readPath,
  readRemoveOptions,
  remove,
  showList,
};
