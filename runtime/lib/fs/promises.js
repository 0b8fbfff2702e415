'use strict';

// fs.promises: the table's operations as promises, and those that take more than one step.

const { codes } = require('internal/errors');
const constants = require('internal/fs/constants');
const { operations } = require('internal/fs/operations');
const { promiseForm } = require('internal/fs/functions');
const { runPromise } = require('internal/fs/tasks');
const { mode, readFlags, readOptions, readPath } = require('internal/fs/arguments');
const { FileHandle, isFileHandle, kRef, kUnref } = require('internal/fs/file_handle');
const directoryTree = require('internal/fs/directory_tree');
const wholeFile = require('internal/fs/whole_file');
const { nextIsAwaited } = require('internal/fs/native');

const readMode = mode('mode', 0o666);

async function open(path, flags, mode) {
  const name = readPath(path);
  const number = readFlags(flags);
  return new FileHandle(await operations.open.promise(name, number, readMode(mode)), name);
}

// Some functions take a handle in place of a path.
async function withHandle(path, flags, mode, work) {
  const handle = await open(path, flags, mode);
  let result;
  try {
    result = await work(handle);
  } catch (error) {
    try {
      await handle.close();
    } catch (second) {
      throw require('internal/errors').aggregateTwoErrors(second, error);
    }
    throw error;
  }
  await handle.close();
  return result;
}

async function truncate(path, len = 0) {
  return withHandle(path, 'r+', undefined, (handle) => handle.truncate(len));
}

async function readFile(path, options) {
  const read = readOptions(options, wholeFile.readDefaults);
  wholeFile.checkDestination(read);
  const flag = read.flag || 'r';
  if (isFileHandle(path)) {
    if (path.fd === -1) require('internal/validators').validateInteger(path.fd, 'fd', 0, 2147483647);
    return path.readFile(options);
  }
  if (read.signal?.aborted) throw wholeFile.abortion(read.signal);
  const name = readPath(path);
  return new Promise((resolve, reject) => {
    nextIsAwaited();
    wholeFile.readPathLater(name, readFlags(flag), read, (error, data) =>
      error === null ? resolve(data) : reject(error),
    );
  });
}

async function writeFile(path, data, options) {
  const read = wholeFile.readWriteOptions(options, wholeFile.writeDefaults);
  if (isFileHandle(path)) return path.writeFile(data, options);
  const isSource =
    typeof data === 'object' &&
    data !== null &&
    !ArrayBuffer.isView(data) &&
    (data[Symbol.asyncIterator] !== undefined || data[Symbol.iterator] !== undefined);
  const bytes = isSource ? undefined : wholeFile.bytesOf(data, read.encoding);
  if (read.signal?.aborted) throw wholeFile.abortion(read.signal);
  if (!isSource && !read.flush) {
    const name = readPath(path);
    return new Promise((resolve, reject) => {
      nextIsAwaited();
      wholeFile.writePathLater(name, bytes, read, (error) => (error === null ? resolve() : reject(error)));
    });
  }
  return withHandle(path, read.flag, read.mode, (handle) => handle.writeFile(data, read));
}

async function appendFile(path, data, options) {
  const read = wholeFile.readWriteOptions(options, wholeFile.appendDefaults);
  return writeFile(path, data, { ...read, signal: read.signal });
}

async function mkdir(path, options) {
  const read = directoryTree.readMakeOptions(options);
  return runPromise(directoryTree.makeDirectory(readPath(path), read));
}

async function readdir(path, options) {
  const read = directoryTree.readListOptions(options);
  return runPromise(directoryTree.listDirectory(readPath(path), read));
}

async function rm(path, options) {
  const name = readPath(path);
  return runPromise(directoryTree.remove(name, directoryTree.readRemoveOptions(options)));
}

async function rmdir(path, options) {
  const name = readPath(path);
  directoryTree.checkRemoveDirectoryOptions(options);
  return operations.rmdir.promise(name);
}

async function cp(src, dest, options) {
  const copying = require('internal/fs/cp');
  const read = copying.readCopyOptions(options);
  return runPromise(copying.copy(readPath(src, 'src'), readPath(dest, 'dest'), read, false));
}

const makeTemporary = promiseForm(operations.mkdtemp);

async function mkdtempDisposable(prefix, options) {
  const path = await makeTemporary(prefix, options);
  const full = require('path').resolve(path);
  const remove = async () => {
    await rm(full, { maxRetries: 0, recursive: true, force: true, retryDelay: 0 });
  };
  return {
    __proto__: null,
    path,
    remove,
    async [Symbol.asyncDispose]() {
      await remove();
    },
  };
}

async function stat(path, options = { bigint: false }) {
  return statOrNothing(operations.stat, path, options);
}

async function lstat(path, options = { bigint: false }) {
  return statOrNothing(operations.lstat, path, options);
}

async function statOrNothing(operation, path, options) {
  const { bigint, throwIfNoEntry } = options;
  try {
    return await operation.promise(readPath(path), bigint);
  } catch (error) {
    if (throwIfNoEntry === false && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw error;
  }
}

async function lchmod(path, mode) {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('lchmod()');
}

async function opendir(path, options, callback) {
  return require('internal/fs/dir').opendirPromise(path, options);
}

async function* glob(pattern, options) {
  yield* require('internal/fs/glob').globAsync(pattern, options);
}

async function* _watch(filename, options = {}) {
  yield* require('internal/fs/watch_events').watchEvents(filename, options);
}

const of = (name) => promiseForm(operations[name]);

module.exports = {
  exports: {
    access: of('access'),
    copyFile: of('copyFile'),
    cp,
    glob,
    open,
    opendir,
    rename: of('rename'),
    truncate,
    rm,
    rmdir,
    mkdir,
    readdir,
    readlink: of('readlink'),
    symlink: of('symlink'),
    lstat,
    stat,
    statfs: of('statfs'),
    link: of('link'),
    unlink: of('unlink'),
    chmod: of('chmod'),
    lchmod,
    lchown: of('lchown'),
    chown: of('chown'),
    utimes: of('utimes'),
    lutimes: of('lutimes'),
    realpath: of('realpath'),
    mkdtemp: makeTemporary,
    mkdtempDisposable,
    writeFile,
    appendFile,
    readFile,
    watch: _watch,
    constants,
  },
  FileHandle,
  isFileHandle,
  kRef,
  kUnref,
};
