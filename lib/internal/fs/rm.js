'use strict';

// Removing files, and directories with all that is in them.

const { codes } = require('internal/errors');
const { binding, start, fsError } = require('internal/fs/native');
const { readStats, joinPath } = require('internal/fs/utils');

const UV_ENOENT = -2;
const UV_EISDIR = -21;
const retried = new Set([-16, -24, -23, -39, -1]); // EBUSY, EMFILE, ENFILE, ENOTEMPTY, EPERM

function isDirectoryError(path) {
  return new codes.ERR_FS_EISDIR({ code: 'EISDIR', message: 'is a directory', path, syscall: 'rm', errno: 21 });
}

function sleep(ms) {
  if (ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function removeSync(path) {
  let err = binding.lstat(-1, path);
  if (err < 0) return err === UV_ENOENT ? 0 : err;
  if (!readStats(false).isDirectory()) {
    err = binding.unlink(-1, path);
    return err < 0 && err !== UV_ENOENT ? [err, 'unlink', path] : 0;
  }
  err = binding.rmdir(-1, path);
  if (err >= 0 || err === UV_ENOENT) return 0;
  if (err !== -39 && err !== -17 && err !== -20) {
    // Perhaps it only cannot be removed while something is in it.
    if (err !== -13 && err !== -1) return [err, 'rmdir', path];
  }
  const entries = binding.scandir(-1, path, true);
  if (typeof entries === 'number') return [entries, 'scandir', path];
  for (let i = 0; i < entries.length; i += 2) {
    const result = removeSync(joinName(path, entries[i]));
    if (result !== 0) return result;
  }
  err = binding.rmdir(-1, path);
  return err < 0 && err !== UV_ENOENT ? [err, 'rmdir', path] : 0;
}

// Names come as bytes: not every name is text.
function joinName(path, name) {
  const bytes = Buffer.from(name);
  const text = bytes.toString();
  return typeof path === 'string' && Buffer.from(text).equals(bytes) ? (path.endsWith('/') ? path + text : `${path}/${text}`) : joinPath(path, bytes);
}

function rmSync(path, options) {
  const found = binding.lstat(-1, path);
  if (found < 0) {
    if (options.force && found === UV_ENOENT) return;
    throw fsError(found, 'lstat', path);
  }
  if (readStats(false).isDirectory() && !options.recursive) throw isDirectoryError(path);
  for (let tries = 0; ; tries++) {
    const result = removeSync(path);
    if (result === 0) return;
    const [errno, syscall, at] = typeof result === 'number' ? [result, 'lstat', path] : result;
    if (!retried.has(errno) || tries >= options.maxRetries) throw fsError(errno, syscall, at);
    sleep((tries + 1) * options.retryDelay);
  }
}

const call = (operation, ...args) => new Promise((resolve) => start(operation, (result, value) => resolve(result >= 0 && value !== undefined ? value : result), ...args));

async function remove(path) {
  let err = await call(binding.lstat, path);
  if (err < 0) return err === UV_ENOENT ? 0 : [err, 'lstat', path];
  const isDirectory = lastWasDirectory(path);
  if (!isDirectory) {
    err = await call(binding.unlink, path);
    if (err !== UV_EISDIR) return err < 0 && err !== UV_ENOENT ? [err, 'unlink', path] : 0;
  }
  err = await call(binding.rmdir, path);
  if (err >= 0 || err === UV_ENOENT) return 0;
  if (err !== -39 && err !== -17 && err !== -20 && err !== -13 && err !== -1) return [err, 'rmdir', path];
  const entries = await call(binding.scandir, path, true);
  if (typeof entries === 'number') return [entries, 'scandir', path];
  for (let i = 0; i < entries.length; i += 2) {
    const result = await remove(joinName(path, entries[i]));
    if (result !== 0) return result;
  }
  err = await call(binding.rmdir, path);
  return err < 0 && err !== UV_ENOENT ? [err, 'rmdir', path] : 0;
}

// By the time that a promise goes on, the shared words may hold another file's stat: this asks again.
function lastWasDirectory(path) {
  return binding.lstat(-1, path) >= 0 && readStats(false).isDirectory();
}

async function removeWithRetries(path, options) {
  for (let tries = 0; ; tries++) {
    const result = await remove(path);
    if (result === 0) return null;
    const [errno, syscall, at] = result;
    if (!retried.has(errno) || tries >= options.maxRetries) return fsError(errno, syscall, at);
    await new Promise((resolve) => setTimeout(resolve, (tries + 1) * options.retryDelay));
  }
}

function rm(path, options, callback) {
  start(binding.lstat, (found) => {
    if (found < 0) {
      if (options.force && found === UV_ENOENT) callback(null);
      else callback(fsError(found, 'lstat', path));
      return;
    }
    if (readStats(false).isDirectory() && !options.recursive) {
      callback(isDirectoryError(path));
      return;
    }
    removeWithRetries(path, options).then((error) => process.nextTick(callback, error));
  }, path);
}

module.exports = { rm, rmSync };
