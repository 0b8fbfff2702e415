'use strict';

// node:fs. Most functions are made from the table of operations (internal/fs/operations) by internal/fs/functions;
// those of several steps are tasks; this file gives them Node's signatures and exports all of them. Rarely used parts
// are loaded on first use.

const constants = require('internal/fs/constants');
const { binding } = require('internal/fs/native');
const { checkCallback, readDescriptor, readFlags, readLength, readPath, readTime } = require('internal/fs/arguments');
const { customPromisifyArgs, deprecate } = require('internal/util');
const { Dirent } = require('internal/fs/dirent');
const { Stats } = require('internal/fs/stats');

const lazily = (module) => {
  let loaded;
  return () => (loaded ??= require(module));
};
const table = lazily('internal/fs/operations');
const functions = lazily('internal/fs/functions');
const wholeFile = lazily('internal/fs/whole_file');
const readWrite = lazily('internal/fs/read_write');
const directoryTree = lazily('internal/fs/directory_tree');
const tasks = lazily('internal/fs/tasks');
const permission = lazily('internal/process/permission');
const copying = lazily('internal/fs/cp');
const realPaths = lazily('internal/fs/realpath');
const streams = lazily('internal/fs/streams');
const directories = lazily('internal/fs/dir');
const watching = lazily('internal/fs/watchers');
const fileWatching = lazily('internal/fs/watch_file');

const noOptions = {};

// The default callback throws its error.
function throwIt(error) {
  if (error != null) throw error;
}

function close(fd, callback = throwIt) {
  const descriptor = readDescriptor(fd);
  if (callback !== throwIt) checkCallback(callback);
  table().operations.close.later(callback, descriptor);
}

// ---------------------------------------------------------------- existence

function exists(path, callback) {
  checkCallback(callback);
  let name;
  try {
    name = readPath(path);
  } catch {
    callback(false);
    return;
  }
  table().operations.access.later((error) => callback(error === null), name, 0);
}
Object.defineProperty(exists, Symbol.for('nodejs.util.promisify.custom'), {
  value: { exists: (path) => new Promise((resolve) => exists(path, resolve)) }.exists,
});

let warnedOfExistsSync = false;
function existsSync(path) {
  let name;
  try {
    name = readPath(path);
  } catch (error) {
    if (error.code === 'ERR_INVALID_ARG_TYPE' && !warnedOfExistsSync) {
      warnedOfExistsSync = true;
      process.emitWarning(
        'Passing invalid argument types to fs.existsSync is deprecated',
        'DeprecationWarning',
        'DEP0187',
      );
    }
    return false;
  }
  return binding.access(-1, name, 0) === 0;
}

// Synchronous stat: a caller that only asks whether a file exists can do without the error.
const isAbsence = (number) => number === -2 || number === -20;

function statNow(operation, path, options) {
  const name = operation.readers[0](path);
  const bigint = options === undefined ? false : options.bigint;
  const number = operation.native(-1, name);
  if (number < 0) {
    if (isAbsence(number) && options?.throwIfNoEntry === false) return undefined;
    throw operation.error(number, name);
  }
  return operation.result(number, bigint);
}

function statLater(operation, path, options, callback) {
  const heard = typeof options === 'function' ? options : callback;
  checkCallback(heard);
  const {
    bigint = false,
    throwIfNoEntry,
    signal,
  } = typeof options === 'function' || options === undefined ? noOptions : options;
  const name = readPath(path);
  if (signal?.aborted) {
    heard(wholeFile().abortion(signal));
    return;
  }
  operation.later(
    (error, stats) => {
      if (error === null) heard(null, stats);
      else if (throwIfNoEntry === false && isAbsence(error.errno)) heard(null, undefined);
      else heard(error);
    },
    name,
    bigint,
  );
}

// ---------------------------------------------------------------- forms of tasks

// From `prepare(...arguments)`, which checks its arguments and gives a task, to a call with a callback. Options may be
// left out. Functions that write throw a permission error, as Node's do.
function startTask(prepare, given, { callbackLast = false, mustWrite = false } = noOptions) {
  const count = given.length - 1;
  let callback = given[count];
  if (typeof given[count - 1] === 'function' && callback === undefined) {
    callback = given[count - 1];
    given[count - 1] = undefined;
  }
  given.length = count;
  if (!callbackLast) checkCallback(callback);
  const task = prepare(...given);
  if (mustWrite) permission().check(permission().kWrite, `${readPath(given[0])}`);
  tasks().runLater(task, callback ?? throwIt);
}

const runNow = (task) => tasks().runNow(task);

// An operation that usually takes one step needs no task then.
function mkdir(path, options, callback) {
  startTask(prepareMkdir, [path, options, callback], { mustWrite: true });
}

function mkdirSync(path, options) {
  const name = readPath(path);
  const read = directoryTree().readMakeOptions(options);
  return read.recursive
    ? runNow(directoryTree().makeDirectory(name, read))
    : table().operations.mkdir.now(name, read.mode);
}

function prepareMkdir(path, options) {
  const name = readPath(path);
  return directoryTree().makeDirectory(name, directoryTree().readMakeOptions(options));
}

function readdir(path, options, callback) {
  startTask(prepareReaddir, [path, options, callback]);
}

function readdirSync(path, options) {
  const read = directoryTree().readListOptions(options);
  const name = readPath(path);
  return read.recursive
    ? runNow(directoryTree().listDirectory(name, read))
    : directoryTree().showList(table().operations.scandir.now(name, read.encoding), name, read);
}

function prepareReaddir(path, options) {
  const read = directoryTree().readListOptions(options);
  return directoryTree().listDirectory(readPath(path), read);
}

function* removeDirectory(name) {
  yield [table().operations.rmdir, name];
}

function prepareRmdir(path, options) {
  const name = readPath(path);
  directoryTree().checkRemoveDirectoryOptions(options);
  return removeDirectory(name);
}

function rmdir(path, options, callback) {
  startTask(prepareRmdir, [path, options, callback], { mustWrite: true });
}

function rmdirSync(path, options) {
  return runNow(prepareRmdir(path, options));
}

function prepareRm(path, options) {
  const name = readPath(path);
  return directoryTree().remove(name, directoryTree().readRemoveOptions(options));
}

function rm(path, options, callback) {
  startTask(prepareRm, [path, options, callback], { callbackLast: true });
}

function rmSync(path, options) {
  const task = prepareRm(path, options);
  if (permission().isOn && options?.recursive) permission().check(permission().kWrite, `${readPath(path)}`);
  return runNow(task);
}

// Other parts of the path than its links need no permission, as in Node: module loaders do so, too.
function realpathSync(path, options) {
  if (!permission().isOn) return runNow(prepareRealPath(path, options));
  const [name, encoding] = realPaths().readRealPathArguments(path, options);
  return realPaths().foundAtOnce(name, encoding);
}

function realpath(path, options, callback) {
  startTask(prepareRealPath, [path, options, callback]);
}

function prepareCopy(atOnce) {
  return (src, dest, options) => {
    const read = copying().readCopyOptions(options);
    return copying().copy(readPath(src, 'src'), readPath(dest, 'dest'), read, atOnce);
  };
}

function cp(src, dest, options, callback) {
  startTask(prepareCopy(false), [src, dest, options, callback]);
}

function cpSync(src, dest, options) {
  return runNow(prepareCopy(true)(src, dest, options));
}

function* truncateAt(name, length) {
  yield* wholeFile().withFile(name, constants.O_RDWR, 0o666, function* (fd) {
    yield [table().operations.ftruncate, fd, length];
  });
}

function prepareRealPath(path, options) {
  return realPaths().findRealPath(...realPaths().readRealPathArguments(path, options));
}

function truncate(path, len, callback) {
  let length = len;
  if (typeof len === 'function') {
    callback = len;
    length = 0;
  }
  length = readLength(length);
  checkCallback(callback);
  tasks().runLater(truncateAt(readPath(path), length), callback);
}

function truncateSync(path, len) {
  const name = readPath(path);
  runNow(truncateAt(name, readLength(len)));
}

function openSync(path, flags, mode) {
  const number = readFlags(flags);
  const permissions = table().operations.open.readers[2](mode);
  return table().operations.open.now(readPath(path), number, permissions);
}

function mkdtempDisposableSync(prefix, options) {
  const path = fs.mkdtempSync(prefix, options);
  const full = require('path').resolve(path);
  const remove = () => fs.rmSync(full, { maxRetries: 0, recursive: true, force: true, retryDelay: 0 });
  return { __proto__: null, path, remove, [Symbol.dispose]: remove };
}

function openAsBlobSync(path, options = {}) {
  const { validateObject, validateString } = require('internal/validators');
  validateObject(options, 'options');
  const type = options.type || '';
  validateString(type, 'options.type');
  const name = readPath(path);
  table().operations.stat.now(name, false);
  return require('internal/fs/blob').createFileBlob(name, type);
}

function openAsBlob(path, options = {}) {
  return Promise.resolve(openAsBlobSync(path, options));
}

function glob(pattern, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  checkCallback(callback);
  require('internal/fs/glob').globCallback(pattern, options, callback);
}

function globSync(pattern, options) {
  return require('internal/fs/glob').globSync(pattern, options);
}

function createReadStream(path, options) {
  return new fs.ReadStream(path, options);
}

function createWriteStream(path, options) {
  return new fs.WriteStream(path, options);
}

function watch(filename, options, listener) {
  return watching().watch(filename, options, listener);
}

function watchFile(filename, options, listener) {
  return fileWatching().watchFile(filename, options, listener);
}

function unwatchFile(filename, listener) {
  fileWatching().unwatchFile(filename, listener);
}

function opendir(path, options, callback) {
  directories().opendirLater(path, options, callback);
}

function opendirSync(path, options) {
  return directories().opendirSync(path, options);
}

// ---------------------------------------------------------------- what the table of operations gives

// Programs see a function for each; what it does is made from the table with the first call.
const laters = { __proto__: null };
const nows = { __proto__: null };
const later = (name) => (laters[name] ??= functions().callbackForm(table().operations[name]));
const now = (name) => (nows[name] ??= functions().syncForm(table().operations[name]));

function access(path, mode, callback) {
  later('access')(path, mode, callback);
}

function accessSync(path, mode) {
  return now('access')(path, mode);
}

function chown(path, uid, gid, callback) {
  later('chown')(path, uid, gid, callback);
}

function chownSync(path, uid, gid) {
  return now('chown')(path, uid, gid);
}

function chmod(path, mode, callback) {
  later('chmod')(path, mode, callback);
}

function chmodSync(path, mode) {
  return now('chmod')(path, mode);
}

function copyFile(src, dest, mode, callback) {
  later('copyFile')(src, dest, mode, callback);
}

function copyFileSync(src, dest, mode) {
  return now('copyFile')(src, dest, mode);
}

function fchown(fd, uid, gid, callback) {
  later('fchown')(fd, uid, gid, callback);
}

function fchownSync(fd, uid, gid) {
  return now('fchown')(fd, uid, gid);
}

function fchmod(fd, mode, callback) {
  later('fchmod')(fd, mode, callback);
}

function fchmodSync(fd, mode) {
  return now('fchmod')(fd, mode);
}

function fdatasync(fd, callback) {
  later('fdatasync')(fd, callback);
}

function fdatasyncSync(fd) {
  return now('fdatasync')(fd);
}

function fsync(fd, callback) {
  later('fsync')(fd, callback);
}

function fsyncSync(fd) {
  return now('fsync')(fd);
}

function futimes(fd, atime, mtime, callback) {
  later('futimes')(fd, atime, mtime, callback);
}

function futimesSync(fd, atime, mtime) {
  return now('futimes')(fd, atime, mtime);
}

function lchown(path, uid, gid, callback) {
  later('lchown')(path, uid, gid, callback);
}

function lchownSync(path, uid, gid) {
  return now('lchown')(path, uid, gid);
}

function link(existingPath, newPath, callback) {
  later('link')(existingPath, newPath, callback);
}

function linkSync(existingPath, newPath) {
  return now('link')(existingPath, newPath);
}

function lutimes(path, atime, mtime, callback) {
  later('lutimes')(path, atime, mtime, callback);
}

function lutimesSync(path, atime, mtime) {
  return now('lutimes')(path, atime, mtime);
}

function mkdtemp(prefix, options, callback) {
  later('mkdtemp')(prefix, options, callback);
}

function mkdtempSync(prefix, options) {
  return now('mkdtemp')(prefix, options);
}

function readlink(path, options, callback) {
  later('readlink')(path, options, callback);
}

function readlinkSync(path, options) {
  return now('readlink')(path, options);
}

function rename(oldPath, newPath, callback) {
  later('rename')(oldPath, newPath, callback);
}

function renameSync(oldPath, newPath) {
  return now('rename')(oldPath, newPath);
}

function symlink(target, path, type, callback) {
  later('symlink')(target, path, type, callback);
}

function symlinkSync(target, path, type) {
  return now('symlink')(target, path, type);
}

function unlink(path, callback) {
  later('unlink')(path, callback);
}

function unlinkSync(path) {
  return now('unlink')(path);
}

function utimes(path, atime, mtime, callback) {
  later('utimes')(path, atime, mtime, callback);
}

function utimesSync(path, atime, mtime) {
  return now('utimes')(path, atime, mtime);
}

function closeSync(fd) {
  return now('close')(fd);
}

function ftruncate(fd, len = undefined, callback = undefined) {
  later('ftruncate')(fd, len, callback);
}

function ftruncateSync(fd, len = undefined) {
  return now('ftruncate')(fd, len);
}

function open(path, flags, mode, callback) {
  later('open')(path, flags, mode, callback);
}

function fstat(fd, options = undefined, callback = undefined) {
  later('fstat')(fd, options, callback);
}

function fstatSync(fd, options = undefined) {
  return statNow(table().operations.fstat, fd, options);
}

function lstat(path, options = undefined, callback = undefined) {
  statLater(table().operations.lstat, path, options, callback);
}

function lstatSync(path, options = undefined) {
  return statNow(table().operations.lstat, path, options);
}

function stat(path, options = undefined, callback = undefined) {
  statLater(table().operations.stat, path, options, callback);
}

function statSync(path, options = undefined) {
  return statNow(table().operations.stat, path, options);
}

function statfs(path, options = undefined, callback = undefined) {
  later('statfs')(path, options, callback);
}

function statfsSync(path, options = undefined) {
  return statNow(table().operations.statfs, path, options);
}

const nativeRealPaths = {
  later: function native(path, options, callback) {
    later('realpath')(path, options, callback);
  },
  now: function native(path, options) {
    return now('realpath')(path, options);
  },
};

// ---------------------------------------------------------------- whole files, and parts of them

function appendFile(path, data, options, callback) {
  wholeFile().appendFile(path, data, options, callback);
}

function appendFileSync(path, data, options) {
  return wholeFile().appendFileSync(path, data, options);
}

function readFile(path, options, callback) {
  wholeFile().readFile(path, options, callback);
}

function readFileSync(path, options) {
  return wholeFile().readFileSync(path, options);
}

function writeFile(path, data, options, callback) {
  wholeFile().writeFile(path, data, options, callback);
}

function writeFileSync(path, data, options) {
  return wholeFile().writeFileSync(path, data, options);
}

function read(fd, buffer, offsetOrOptions, length, position, callback) {
  return Reflect.apply(readWrite().read, undefined, arguments); // how many there are matters
}

function readSync(fd, buffer, offsetOrOptions, length, position) {
  return Reflect.apply(readWrite().readSync, undefined, arguments);
}

function readv(fd, buffers, position, callback) {
  return readWrite().readv(fd, buffers, position, callback);
}

function readvSync(fd, buffers, position) {
  return readWrite().readvSync(fd, buffers, position);
}

function write(fd, buffer, offsetOrOptions, length, position, callback) {
  return readWrite().write(fd, buffer, offsetOrOptions, length, position, callback);
}

function writeSync(fd, buffer, offsetOrOptions, length, position) {
  return readWrite().writeSync(fd, buffer, offsetOrOptions, length, position);
}

function writev(fd, buffers, position, callback) {
  return readWrite().writev(fd, buffers, position, callback);
}

function writevSync(fd, buffers, position) {
  return readWrite().writevSync(fd, buffers, position);
}

function toUnixTimestamp(time) {
  return readTime(time);
}

// ---------------------------------------------------------------- all of them, in Node's order

const fs = {
  appendFile,
  appendFileSync,
  access,
  accessSync,
  chown,
  chownSync,
  chmod,
  chmodSync,
  close,
  closeSync,
  copyFile,
  copyFileSync,
  cp,
  cpSync,
  createReadStream,
  createWriteStream,
  exists,
  existsSync,
  fchown,
  fchownSync,
  fchmod,
  fchmodSync,
  fdatasync,
  fdatasyncSync,
  fstat,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncate,
  ftruncateSync,
  futimes,
  futimesSync,
  glob,
  globSync,
  lchown,
  lchownSync,
  lchmod: undefined,
  lchmodSync: undefined,
  link,
  linkSync,
  lstat,
  lstatSync,
  lutimes,
  lutimesSync,
  mkdir,
  mkdirSync,
  mkdtemp,
  mkdtempSync,
  mkdtempDisposableSync,
  open,
  openSync,
  openAsBlob,
  openAsBlobSync,
  readdir,
  readdirSync,
  read,
  readSync,
  readv,
  readvSync,
  readFile,
  readFileSync,
  readlink,
  readlinkSync,
  realpath,
  realpathSync,
  rename,
  renameSync,
  rm,
  rmSync,
  rmdir,
  rmdirSync,
  stat,
  statfs,
  statSync,
  statfsSync,
  symlink,
  symlinkSync,
  truncate,
  truncateSync,
  unwatchFile,
  unlink,
  unlinkSync,
  utimes,
  utimesSync,
  watch,
  watchFile,
  writeFile,
  writeFileSync,
  write,
  writeSync,
  writev,
  writevSync,
  Dirent,
  Stats: deprecate(Stats, 'fs.Stats constructor is deprecated.', 'DEP0180'),
};
realpath.native = nativeRealPaths.later;
realpathSync.native = nativeRealPaths.now;

for (const [method, result] of [
  [read, ['bytesRead', 'buffer']],
  [readv, ['bytesRead', 'buffers']],
  [write, ['bytesWritten', 'buffer']],
  [writev, ['bytesWritten', 'buffers']],
]) {
  Object.defineProperty(method, customPromisifyArgs, { value: result, enumerable: false });
}

// A class that is loaded on first use; programs may replace it.
function addLazyClass(name, load) {
  let value;
  Object.defineProperty(fs, name, {
    configurable: true,
    enumerable: true,
    get() {
      value ??= load();
      return value;
    },
    set(replacement) {
      value = replacement;
    },
  });
}

addLazyClass('ReadStream', () => streams().ReadStream);
addLazyClass('WriteStream', () => streams().WriteStream);
addLazyClass('FileReadStream', () => streams().ReadStream);
addLazyClass('FileWriteStream', () => streams().WriteStream);
addLazyClass('Utf8Stream', () => require('internal/fs/utf8_stream').Utf8Stream);
fs._toUnixTimestamp = toUnixTimestamp;
addLazyClass('Dir', () => directories().Dir);
Object.assign(fs, { opendir, opendirSync });
Object.defineProperty(fs, 'constants', { enumerable: true, value: constants });
addLazyClass('promises', () => require('internal/fs/promises').exports);

module.exports = fs;
