'use strict';

// node:fs. Most functions are made from the table of operations (internal/fs/operations) by internal/fs/forms; those of
// several steps are tasks; this file gives them Node's signatures and exports all of them. Rarely used parts are loaded
// on first use.

const constants = require('internal/fs/constants');
const { binding } = require('internal/fs/native');
const { operations } = require('internal/fs/operations');
const { addForms, callbackForm, named, syncForm } = require('internal/fs/forms');
const { runLater, runNow } = require('internal/fs/tasks');
const { checkCallback, readDescriptor, readFlags, readLength, readPath, readTime } = require('internal/fs/arguments');
const { customPromisifyArgs, deprecate } = require('internal/util');
const permission = require('internal/process/permission');
const { Dirent } = require('internal/fs/dirent');
const { Stats } = require('internal/fs/stats');
const transfer = require('internal/fs/transfer');
const trees = require('internal/fs/trees');
const wholeFile = require('internal/fs/whole_file');

const lazily = (module) => () => require(module);
const copying = lazily('internal/fs/cp');
const realPaths = lazily('internal/fs/realpath');
const streams = lazily('internal/fs/streams');
const directories = lazily('internal/fs/dir');
const watching = lazily('internal/fs/watchers');
const fileWatching = lazily('internal/fs/watch_file');

const noOptions = {};
const fs = {};

// The default callback throws its error.
function throwIt(error) {
  if (error != null) throw error;
}

function close(fd, callback = throwIt) {
  const descriptor = readDescriptor(fd);
  if (callback !== throwIt) checkCallback(callback);
  operations.close.later(callback, descriptor);
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
  operations.access.later((error) => callback(error === null), name, 0);
}
Object.defineProperty(exists, Symbol.for('nodejs.util.promisify.custom'), {
  value: named((path) => new Promise((resolve) => exists(path, resolve)), 'exists', 1),
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

function statNow(operation) {
  return named(
    function (path, options = undefined) {
      const name = operation.readers[0](path);
      const bigint = options === undefined ? false : options.bigint;
      const number = operation.native(-1, name);
      if (number < 0) {
        if (isAbsence(number) && options?.throwIfNoEntry === false) return undefined;
        throw operation.error(number, name);
      }
      return operation.result(number, bigint);
    },
    `${operation.name}Sync`,
    1,
  );
}

function statLater(operation) {
  return named(
    function (path, options = undefined, callback = undefined) {
      const heard = typeof options === 'function' ? options : callback;
      checkCallback(heard);
      const {
        bigint = false,
        throwIfNoEntry,
        signal,
      } = typeof options === 'function' || options === undefined ? noOptions : options;
      const name = readPath(path);
      if (signal?.aborted) {
        heard(wholeFile.abortion(signal));
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
    },
    operation.name,
    1,
  );
}

// ---------------------------------------------------------------- forms of tasks

// From `prepare(...arguments)`, which checks its arguments and gives a task, to a function with a callback. Options may
// be left out. Functions that write throw a permission error, as Node's do.
function taskForm(name, count, prepare, { callbackLast = false, callbackName, mustWrite = false } = {}) {
  return named(
    function (...given) {
      let callback = given[count];
      if (typeof given[count - 1] === 'function' && callback === undefined) {
        callback = given[count - 1];
        given[count - 1] = undefined;
      }
      given.length = count;
      if (!callbackLast) checkCallback(callback, callbackName);
      const task = prepare(...given);
      if (mustWrite) permission.check(permission.kWrite, `${readPath(given[0])}`);
      runLater(task, callback ?? throwIt);
    },
    name,
    count + 1,
  );
}

function taskSyncForm(name, count, prepare) {
  return named((...given) => runNow(prepare(...given)), `${name}Sync`, count);
}

function addTask(name, count, prepare, options) {
  fs[name] = taskForm(name, count, prepare, options);
  fs[`${name}Sync`] = taskSyncForm(name, count, prepare);
}

// An operation that usually takes one step needs no task then.
function mkdirSync(path, options) {
  const name = readPath(path);
  const read = trees.readMakeOptions(options);
  return read.recursive ? runNow(trees.makeDirectory(name, read)) : operations.mkdir.now(name, read.mode);
}

function prepareMkdir(path, options) {
  const name = readPath(path);
  return trees.makeDirectory(name, trees.readMakeOptions(options));
}

function readdirSync(path, options) {
  const read = trees.readListOptions(options);
  const name = readPath(path);
  return read.recursive
    ? runNow(trees.listDirectory(name, read))
    : trees.showList(operations.scandir.now(name, read.encoding), name, read);
}

function prepareReaddir(path, options) {
  const read = trees.readListOptions(options);
  return trees.listDirectory(readPath(path), read);
}

function* removeDirectory(name) {
  yield [operations.rmdir, name];
}

function prepareRmdir(path, options) {
  const name = readPath(path);
  trees.checkRemoveDirectoryOptions(options);
  return removeDirectory(name);
}

function prepareRm(path, options) {
  const name = readPath(path);
  return trees.remove(name, trees.readRemoveOptions(options));
}

function rmSync(path, options) {
  const task = prepareRm(path, options);
  if (permission.isOn && options?.recursive) permission.check(permission.kWrite, `${readPath(path)}`);
  return runNow(task);
}

// Other parts of the path than its links need no permission, as in Node: module loaders do so, too.
function realpathSync(path, options) {
  if (!permission.isOn) return runNow(prepareRealPath(path, options));
  const [name, encoding] = realPaths().readRealPathArguments(path, options);
  return realPaths().foundAtOnce(name, encoding);
}

function prepareCopy(atOnce) {
  return (src, dest, options) => {
    const read = copying().readCopyOptions(options);
    return copying().copy(readPath(src, 'src'), readPath(dest, 'dest'), read, atOnce);
  };
}

function* truncateAt(name, length) {
  yield* wholeFile.withFile(name, constants.O_RDWR, 0o666, function* (fd) {
    yield [operations.ftruncate, fd, length];
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
  runLater(truncateAt(readPath(path), length), callback);
}

function truncateSync(path, len) {
  const name = readPath(path);
  runNow(truncateAt(name, readLength(len)));
}

function openSync(path, flags, mode) {
  const number = readFlags(flags);
  const permissions = operations.open.readers[2](mode);
  return operations.open.now(readPath(path), number, permissions);
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
  operations.stat.now(name, false);
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

// ---------------------------------------------------------------- all of them, in Node's order

const both = (name, later, now, length) => {
  fs[name] = named(later, name, length);
  fs[`${name}Sync`] = named(now, `${name}Sync`, length - 1);
};
const ofTable = (...names) => names.forEach((name) => addForms(fs, operations[name]));

both('appendFile', wholeFile.appendFile, wholeFile.appendFileSync, 4);
ofTable('access', 'chown', 'chmod');
fs.close = close;
fs.closeSync = syncForm(operations.close);
ofTable('copyFile');
fs.cp = taskForm('cp', 3, prepareCopy(false));
fs.cpSync = taskSyncForm('cp', 3, prepareCopy(true));
Object.assign(fs, { createReadStream, createWriteStream, exists, existsSync });
ofTable('fchown', 'fchmod', 'fdatasync', 'fstat', 'fsync', 'ftruncate', 'futimes');
Object.assign(fs, { glob, globSync });
ofTable('lchown');
fs.lchmod = undefined;
fs.lchmodSync = undefined;
ofTable('link', 'lstat', 'lutimes');
addTask('mkdir', 2, prepareMkdir, { mustWrite: true });
fs.mkdirSync = mkdirSync;
ofTable('mkdtemp');
fs.mkdtempDisposableSync = mkdtempDisposableSync;
fs.open = callbackForm(operations.open);
Object.assign(fs, { openSync, openAsBlob, openAsBlobSync });
addTask('readdir', 2, prepareReaddir);
fs.readdirSync = readdirSync;
both('read', transfer.read, transfer.readSync, 6);
both('readv', transfer.readv, transfer.readvSync, 4);
both('readFile', wholeFile.readFile, wholeFile.readFileSync, 3);
ofTable('readlink');
addTask('realpath', 2, prepareRealPath);
fs.realpathSync = named(realpathSync, 'realpathSync', 2);
fs.realpath.native = named(callbackForm(operations.realpath), 'native', 3);
fs.realpathSync.native = named(syncForm(operations.realpath), 'native', 2);
ofTable('rename');
addTask('rm', 2, prepareRm, { callbackLast: true });
fs.rmSync = named(rmSync, 'rmSync', 2);
addTask('rmdir', 2, prepareRmdir, { mustWrite: true });
for (const name of ['lstat', 'stat']) fs[name] = statLater(operations[name]);
fs.statfs = callbackForm(operations.statfs);
for (const name of ['fstat', 'lstat', 'stat', 'statfs']) fs[`${name}Sync`] = statNow(operations[name]);
ofTable('symlink');
Object.assign(fs, { truncate, truncateSync, unwatchFile });
ofTable('unlink', 'utimes');
Object.assign(fs, { watch, watchFile });
both('writeFile', wholeFile.writeFile, wholeFile.writeFileSync, 4);
both('write', transfer.write, transfer.writeSync, 6);
both('writev', transfer.writev, transfer.writevSync, 4);
fs.Dirent = Dirent;
fs.Stats = deprecate(Stats, 'fs.Stats constructor is deprecated.', 'DEP0180');

for (const [name, result] of [
  ['read', ['bytesRead', 'buffer']],
  ['readv', ['bytesRead', 'buffers']],
  ['write', ['bytesWritten', 'buffer']],
  ['writev', ['bytesWritten', 'buffers']],
]) {
  Object.defineProperty(fs[name], customPromisifyArgs, { value: result, enumerable: false });
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
fs._toUnixTimestamp = named((time) => readTime(time), 'toUnixTimestamp', 1);
addLazyClass('Dir', () => directories().Dir);
Object.assign(fs, { opendir, opendirSync });
Object.defineProperty(fs, 'constants', { enumerable: true, value: constants });
addLazyClass('promises', () => require('internal/fs/promises').exports);

module.exports = fs;
