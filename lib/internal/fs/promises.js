'use strict';

// node:fs/promises and FileHandle. Arguments are checked within the asynchronous functions, so that what is wrong with
// them rejects the promise.

const EventEmitter = require('events');
const { codes, AbortError } = require('internal/errors');
const {
  parseFileMode, validateAbortSignal, validateBoolean, validateEncoding, validateInteger, validateObject,
} = require('internal/validators');
const { kEmptyObject } = require('internal/util');
const { isArrayBufferView } = require('internal/util/types');
const { Buffer } = require('buffer');
const pathModule = require('path');
const { binding, start, fsError } = require('internal/fs/native');
const utils = require('internal/fs/utils');
const {
  constants, copyObject, encodeName, getOptions, getValidatedPath, getValidMode, readStatFs, readStats, stringToFlags,
  checkSymlinkType, toUnixTimestamp, validateBufferArray, validateOffsetLengthRead, validateOffsetLengthWrite,
  validatePosition, validateRmOptions, validateRmdirOptions, validateStringAfterArrayBufferView, wantsBytes,
} = utils;

const kFd = Symbol('kFd');
const kRefs = Symbol('kRefs');
const kRef = Symbol('kRef');
const kUnref = Symbol('kUnref');
const kClosePromise = Symbol('kClosePromise');
const kCloseResolve = Symbol('kCloseResolve');
const kCloseReject = Symbol('kCloseReject');
const kLocked = Symbol('kLocked');
const kChunk = 512 * 1024;
const kIoMaxLength = 2 ** 31 - 1;

// One operation through the loop. `map` makes the value from (result, value) while the shared words still hold it.
function call(operation, map, syscall, path, dest, a, b, c, d, e) {
  return new Promise((resolve, reject) => {
    start(operation, (result, value) => {
      if (result < 0) reject(fsError(result, syscall, path, dest));
      else resolve(map === null ? undefined : map(result, value));
    }, a, b, c, d, e);
  });
}

const asNumber = (result) => result;

// The classic functions as promises, where the callback's value is the result.
function viaCallback(method, ...args) {
  return new Promise((resolve, reject) => {
    require('fs')[method](...args, (error, value) => (error ? reject(error) : resolve(value)));
  });
}

class FileHandle extends EventEmitter {
  constructor(fd) {
    super();
    this[kFd] = fd;
    this[kRefs] = 1;
    this[kClosePromise] = null;
    this.close = () => close(this);
    Object.defineProperty(this.close, 'name', { value: 'close' });
  }

  getAsyncId() {
    return 0;
  }

  get fd() {
    return this[kFd];
  }

  appendFile(data, options) {
    return onHandle(writeFile, this, data, options);
  }

  chmod(mode) {
    return onHandle(fchmod, this, mode);
  }

  chown(uid, gid) {
    return onHandle(fchown, this, uid, gid);
  }

  datasync() {
    return onHandle(fdatasync, this);
  }

  sync() {
    return onHandle(fsync, this);
  }

  read(buffer, offset, length, position) {
    return onHandle(read, this, buffer, offset, length, position);
  }

  readv(buffers, position) {
    return onHandle(readv, this, buffers, position);
  }

  readFile(options) {
    return onHandle(readFile, this, options);
  }

  readLines(options = undefined) {
    return require('readline').createInterface({ input: this.createReadStream(options), crlfDelay: Infinity });
  }

  stat(options) {
    return onHandle(fstat, this, options);
  }

  truncate(len = 0) {
    return onHandle(ftruncate, this, len);
  }

  utimes(atime, mtime) {
    return onHandle(futimes, this, atime, mtime);
  }

  write(buffer, offset, length, position) {
    return onHandle(write, this, buffer, offset, length, position);
  }

  writev(buffers, position) {
    return onHandle(writev, this, buffers, position);
  }

  writeFile(data, options) {
    return onHandle(writeFile, this, data, options);
  }

  readableWebStream(options = kEmptyObject) {
    if (this[kFd] === -1) throw new codes.ERR_INVALID_STATE('The FileHandle is closed');
    if (this[kClosePromise]) throw new codes.ERR_INVALID_STATE('The FileHandle is closing');
    if (this[kLocked]) throw new codes.ERR_INVALID_STATE('The FileHandle is locked');
    this[kLocked] = true;
    validateObject(options, 'options');
    const { type = 'bytes', autoClose = false } = options;
    validateBoolean(autoClose, 'options.autoClose');
    if (type !== 'bytes') {
      process.emitWarning('A non-"bytes" options.type has no effect. A byte-oriented steam is always created.', 'ExperimentalWarning');
    }
    const { ReadableStream } = require('stream/web');
    let done = false;
    const finish = async () => {
      if (done) return;
      done = true;
      this[kUnref]();
      if (autoClose) await this.close();
    };
    this[kRef]();
    let byteController;
    const stream = new ReadableStream({
      type: 'bytes',
      autoAllocateChunkSize: 16384,
      start(controller) {
        byteController = controller;
      },
      pull: async (controller) => {
        const view = controller.byobRequest.view;
        const { bytesRead } = await this.read(view, 0, view.byteLength);
        if (bytesRead === 0) {
          controller.close();
          await finish();
        }
        controller.byobRequest.respond(bytesRead);
      },
      cancel: finish,
    });
    // With the handle the stream ends, even while somebody reads from it.
    this.once('close', () => {
      if (done) return;
      done = true;
      try {
        byteController.close();
        byteController.byobRequest?.respond(0);
      } catch {
        // It had ended already.
      }
      this[kUnref]();
    });
    return stream;
  }

  createReadStream(options = undefined) {
    const { ReadStream } = require('internal/fs/streams');
    return new ReadStream(undefined, { ...options, fd: this });
  }

  createWriteStream(options = undefined) {
    const { WriteStream } = require('internal/fs/streams');
    return new WriteStream(undefined, { ...options, fd: this });
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }

  [kRef]() {
    this[kRefs]++;
  }

  [kUnref]() {
    if (--this[kRefs] === 0) {
      const fd = this[kFd];
      this[kFd] = -1;
      call(binding.close, null, 'close', undefined, undefined, fd).then(this[kCloseResolve], this[kCloseReject]);
    }
  }
}

// Closing waits for those who still use the handle.
function close(handle) {
  if (handle[kFd] === -1) return Promise.resolve();
  if (handle[kClosePromise]) return handle[kClosePromise];
  handle[kRefs]--;
  if (handle[kRefs] === 0) {
    const fd = handle[kFd];
    handle[kFd] = -1;
    handle[kClosePromise] = call(binding.close, null, 'close', undefined, undefined, fd).finally(() => {
      handle[kClosePromise] = undefined;
    });
  } else {
    handle[kClosePromise] = new Promise((resolve, reject) => {
      handle[kCloseResolve] = resolve;
      handle[kCloseReject] = reject;
    }).finally(() => {
      handle[kClosePromise] = undefined;
      handle[kCloseReject] = undefined;
      handle[kCloseResolve] = undefined;
    });
  }
  handle.emit('close');
  return handle[kClosePromise];
}

async function onHandle(fn, handle, ...args) {
  if (!isFileHandle(handle)) throw new codes.ERR_INTERNAL_ASSERTION('handle must be an instance of FileHandle');
  if (handle[kFd] === -1) {
    const error = new Error('file closed');
    error.code = 'EBADF';
    error.syscall = fn.name;
    throw error;
  }
  try {
    handle[kRef]();
    return await fn(handle, ...args);
  } finally {
    handle[kUnref]();
  }
}

function isFileHandle(value) {
  return value instanceof FileHandle;
}

function checkAborted(signal) {
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
}

// ---------------------------------------------------------------- on a handle

async function read(handle, buffer, offset, length, position) {
  if (!isArrayBufferView(buffer)) {
    if (buffer !== undefined) validateObject(buffer, 'options', { nullable: true });
    ({ buffer = Buffer.alloc(16384), offset = 0, length = buffer.byteLength - offset, position = null } = buffer ?? kEmptyObject);
    if (!isArrayBufferView(buffer)) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['Buffer', 'TypedArray', 'DataView'], buffer);
  } else if (offset !== null && typeof offset === 'object') {
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = offset);
  }
  if (offset == null) offset = 0;
  else validateInteger(offset, 'offset', 0);
  length ??= buffer.byteLength - offset;
  if (position == null) position = -1;
  else validatePosition(position, 'position', Number.isInteger(length) ? length : 0);
  if (length === 0) return { __proto__: null, bytesRead: 0, buffer };
  if (buffer.byteLength === 0) throw new codes.ERR_INVALID_ARG_VALUE('buffer', buffer, 'is empty and cannot be written');
  validateInteger(length, 'length', 0);
  validateOffsetLengthRead(offset, length, buffer.byteLength);
  const bytesRead = await call(binding.read, asNumber, 'read', undefined, undefined, handle.fd, buffer, offset, length, position);
  return { __proto__: null, bytesRead, buffer };
}

async function readv(handle, buffers, position) {
  validateBufferArray(buffers);
  if (typeof position !== 'number' && typeof position !== 'bigint') position = null;
  if (buffers.length === 0) return { __proto__: null, bytesRead: 0, buffers };
  const bytesRead = await call(binding.readv, asNumber, 'read', undefined, undefined, handle.fd, buffers, position);
  return { __proto__: null, bytesRead, buffers };
}

async function write(handle, buffer, offset, length, position) {
  if (buffer?.byteLength === 0) return { __proto__: null, bytesWritten: 0, buffer };
  if (isArrayBufferView(buffer)) {
    if (typeof offset === 'object') {
      ({ offset = 0, length = buffer.byteLength - offset, position = null } = offset ?? kEmptyObject);
    }
    if (offset == null) offset = 0;
    else validateInteger(offset, 'offset', 0);
    if (typeof length !== 'number') length = buffer.byteLength - offset;
    if (typeof position !== 'number' && typeof position !== 'bigint') position = null;
    validateOffsetLengthWrite(offset, length, buffer.byteLength);
    const bytesWritten = await call(binding.write, asNumber, 'write', undefined, undefined, handle.fd, buffer, offset, length, position);
    return { __proto__: null, bytesWritten, buffer };
  }
  validateStringAfterArrayBufferView(buffer, 'buffer');
  validateEncoding(buffer, length);
  const bytes = Buffer.from(buffer, typeof length === 'string' && Buffer.isEncoding(length) ? length : 'utf8');
  const place = typeof offset === 'number' || typeof offset === 'bigint' ? offset : null;
  const bytesWritten = await call(binding.write, asNumber, 'write', undefined, undefined, handle.fd, bytes, 0, bytes.length, place);
  return { __proto__: null, bytesWritten, buffer };
}

async function writev(handle, buffers, position) {
  validateBufferArray(buffers);
  if (typeof position !== 'number' && typeof position !== 'bigint') position = null;
  if (buffers.length === 0) return { __proto__: null, bytesWritten: 0, buffers };
  const bytesWritten = await call(binding.writev, asNumber, 'write', undefined, undefined, handle.fd, buffers, position);
  return { __proto__: null, bytesWritten, buffers };
}

async function fchmod(handle, mode) {
  mode = parseFileMode(mode, 'mode');
  return call(binding.fchmod, null, 'fchmod', undefined, undefined, handle.fd, mode);
}

function checkOwner(uid, gid) {
  validateInteger(uid, 'uid', -1, 4294967295);
  validateInteger(gid, 'gid', -1, 4294967295);
}

async function fchown(handle, uid, gid) {
  checkOwner(uid, gid);
  return call(binding.fchown, null, 'fchown', undefined, undefined, handle.fd, uid, gid);
}

async function fsync(handle) {
  return call(binding.fsync, null, 'fsync', undefined, undefined, handle.fd);
}

async function fdatasync(handle) {
  return call(binding.fdatasync, null, 'fdatasync', undefined, undefined, handle.fd);
}

async function fstat(handle, options = { bigint: false }) {
  return call(binding.fstat, () => readStats(options.bigint), 'fstat', undefined, undefined, handle.fd);
}

async function ftruncate(handle, len = 0) {
  validateInteger(len, 'len');
  return call(binding.ftruncate, null, 'ftruncate', undefined, undefined, handle.fd, Math.max(0, len));
}

async function futimes(handle, atime, mtime) {
  return call(binding.futime, null, 'futime', undefined, undefined, handle.fd, toUnixTimestamp(atime, 'atime'), toUnixTimestamp(mtime, 'mtime'));
}

// From where the handle stands to the end.
async function readHandle(handle, options) {
  const { signal, encoding } = options;
  checkAborted(signal);
  const stats = await fstat(handle);
  checkAborted(signal);
  const size = stats.isFile() ? stats.size : 0;
  if (size > kIoMaxLength) throw new codes.ERR_FS_FILE_TOO_LARGE(size);
  const parts = [];
  let total = 0;
  for (;;) {
    checkAborted(signal);
    const room = size > 0 ? Math.max(Math.min(size - total, kChunk), total >= size ? 1 : 0) : 16384;
    const part = Buffer.allocUnsafeSlow(room);
    const n = await call(binding.read, asNumber, 'read', undefined, undefined, handle.fd, part, 0, room, -1);
    if (n === 0) break;
    parts.push(n === room ? part : part.subarray(0, n));
    total += n;
    if (size > 0 && total === size) break;
    if (total > kIoMaxLength) throw new codes.ERR_FS_FILE_TOO_LARGE(total);
  }
  checkAborted(signal);
  const whole = parts.length === 1 ? parts[0] : Buffer.concat(parts, total);
  return encoding && encoding !== 'buffer' ? whole.toString(encoding) : whole;
}

function isCustomIterable(value) {
  return (value !== null && typeof value === 'object' && !isArrayBufferView(value) &&
    (typeof value[Symbol.iterator] === 'function' || typeof value[Symbol.asyncIterator] === 'function'));
}

async function writeWhole(handle, data, signal, encoding) {
  checkAborted(signal);
  if (isCustomIterable(data)) {
    for await (const part of data) {
      checkAborted(signal);
      const bytes = isArrayBufferView(part) ? part : Buffer.from(part, encoding || 'utf8');
      await writeBytes(handle, bytes, signal);
      checkAborted(signal);
    }
    return;
  }
  await writeBytes(handle, data, signal);
}

async function writeBytes(handle, bytes, signal) {
  const length = bytes.byteLength;
  let offset = 0;
  while (offset < length) {
    checkAborted(signal);
    offset += await call(binding.write, asNumber, 'write', undefined, undefined, handle.fd, bytes, offset, Math.min(kChunk, length - offset), -1);
  }
}

// ---------------------------------------------------------------- on a path

async function access(path, mode) {
  path = getValidatedPath(path);
  mode = getValidMode(mode, 'access');
  return call(binding.access, null, 'access', path, undefined, path, mode);
}

async function open(path, flags, mode) {
  path = getValidatedPath(path);
  const flagsNumber = stringToFlags(flags);
  mode = parseFileMode(mode, 'mode', 0o666);
  return call(binding.open, (fd) => new FileHandle(fd), 'open', path, undefined, path, flagsNumber, mode);
}

async function opendir(path, options) {
  return viaCallback('opendir', path, options ?? {});
}

async function readFile(path, options) {
  options = getOptions(options, { flag: 'r' });
  if (isFileHandle(path)) return readHandle(path, options);
  checkAborted(options.signal);
  if (typeof path === 'number') throw new codes.ERR_INVALID_ARG_TYPE('path', ['string', 'Buffer', 'URL'], path);
  return new Promise((resolve, reject) => {
    require('fs').readFile(path, options, (error, data) => (error ? reject(error) : resolve(data)));
  });
}

async function writeFile(path, data, options) {
  options = getOptions(options, { encoding: 'utf8', mode: 0o666, flag: 'w', flush: false });
  const flag = options.flag || 'w';
  const flush = options.flush ?? false;
  validateBoolean(flush, 'options.flush');
  if (!isArrayBufferView(data) && !isCustomIterable(data)) {
    validateStringAfterArrayBufferView(data, 'data');
    data = Buffer.from(data, options.encoding || 'utf8');
  }
  validateAbortSignal(options.signal, 'options.signal');
  if (isFileHandle(path)) return writeWhole(path, data, options.signal, options.encoding);
  checkAborted(options.signal);
  const handle = await open(path, flag, options.mode);
  try {
    await writeWhole(handle, data, options.signal, options.encoding);
    if (flush) await fsync(handle);
  } finally {
    await handle.close();
  }
}

async function appendFile(path, data, options) {
  options = getOptions(options, { encoding: 'utf8', mode: 0o666, flag: 'a', flush: false });
  options = copyObject(options);
  options.flag ||= 'a';
  return writeFile(path, data, options);
}

async function rename(oldPath, newPath) {
  oldPath = getValidatedPath(oldPath, 'oldPath');
  newPath = getValidatedPath(newPath, 'newPath');
  return call(binding.rename, null, 'rename', oldPath, newPath, oldPath, newPath);
}

async function copyFile(src, dest, mode) {
  src = getValidatedPath(src, 'src');
  dest = getValidatedPath(dest, 'dest');
  mode = getValidMode(mode, 'copyFile');
  return call(binding.copyfile, null, 'copyfile', src, dest, src, dest, mode);
}

async function truncate(path, len = 0) {
  const handle = await open(path, 'r+');
  try {
    await ftruncate(handle, len);
  } finally {
    await handle.close();
  }
}

async function rm(path, options) {
  path = getValidatedPath(path);
  options = validateRmOptions(options);
  return viaCallback('rm', path, options);
}

async function rmdir(path, options) {
  path = getValidatedPath(path);
  validateRmdirOptions(options);
  return call(binding.rmdir, null, 'rmdir', path, undefined, path);
}

async function mkdir(path, options) {
  return viaCallback('mkdir', path, options ?? undefined);
}

async function readdir(path, options) {
  return viaCallback('readdir', path, options ?? {});
}

async function readlink(path, options) {
  options = getOptions(options);
  path = getValidatedPath(path, 'oldPath');
  return call(binding.readlink, (result, value) => encodeName(value, options.encoding), 'readlink', path, undefined, path, wantsBytes(options.encoding));
}

async function symlink(target, path, type) {
  checkSymlinkType(type);
  target = getValidatedPath(target, 'target');
  path = getValidatedPath(path);
  return call(binding.symlink, null, 'symlink', target, path, target, path, 0);
}

function statOptions(options) {
  validateAbortSignal(options.signal, 'options.signal');
}

async function lstat(path, options = { bigint: false }) {
  path = getValidatedPath(path);
  return call(binding.lstat, () => readStats(options.bigint), 'lstat', path, undefined, path);
}

async function stat(path, options = { bigint: false }) {
  path = getValidatedPath(path);
  if (options.signal !== undefined) {
    statOptions(options);
    return viaCallback('stat', path, options);
  }
  if (options.throwIfNoEntry === false) return viaCallback('stat', path, options);
  return call(binding.stat, () => readStats(options.bigint), 'stat', path, undefined, path);
}

async function statfs(path, options = { bigint: false }) {
  path = getValidatedPath(path);
  return call(binding.statfs, () => readStatFs(options.bigint), 'statfs', path, undefined, path);
}

async function link(existingPath, newPath) {
  existingPath = getValidatedPath(existingPath, 'existingPath');
  newPath = getValidatedPath(newPath, 'newPath');
  return call(binding.link, null, 'link', existingPath, newPath, existingPath, newPath);
}

async function unlink(path) {
  path = getValidatedPath(path);
  return call(binding.unlink, null, 'unlink', path, undefined, path);
}

async function chmod(path, mode) {
  path = getValidatedPath(path);
  mode = parseFileMode(mode, 'mode');
  return call(binding.chmod, null, 'chmod', path, undefined, path, mode);
}

async function lchmod() {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('lchmod()');
}

async function lchown(path, uid, gid) {
  path = getValidatedPath(path);
  checkOwner(uid, gid);
  return call(binding.lchown, null, 'lchown', path, undefined, path, uid, gid);
}

async function chown(path, uid, gid) {
  path = getValidatedPath(path);
  checkOwner(uid, gid);
  return call(binding.chown, null, 'chown', path, undefined, path, uid, gid);
}

async function utimes(path, atime, mtime) {
  path = getValidatedPath(path);
  return call(binding.utime, null, 'utime', path, undefined, path, toUnixTimestamp(atime), toUnixTimestamp(mtime));
}

async function lutimes(path, atime, mtime) {
  path = getValidatedPath(path);
  return call(binding.lutime, null, 'lutime', path, undefined, path, toUnixTimestamp(atime), toUnixTimestamp(mtime));
}

async function realpath(path, options) {
  options = getOptions(options);
  path = getValidatedPath(path);
  return call(binding.realpath, (result, value) => encodeName(value, options.encoding), 'realpath', path, undefined, path, wantsBytes(options.encoding));
}

async function mkdtemp(prefix, options) {
  return viaCallback('mkdtemp', prefix, options ?? {});
}

async function mkdtempDisposable(prefix, options) {
  const cwd = process.cwd();
  const path = await mkdtemp(prefix, options);
  const full = pathModule.resolve(cwd, `${path}`);
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

async function cp(src, dest, options) {
  options = utils.validateCpOptions(options);
  src = getValidatedPath(src, 'src');
  dest = getValidatedPath(dest, 'dest');
  return require('internal/fs/cp').cp(src, dest, options);
}

function glob(pattern, options) {
  return require('internal/fs/glob').globAsync(pattern, options);
}

function watch(filename, options) {
  return require('internal/fs/watchers').watchIterator(filename, options);
}

module.exports = {
  exports: {
    access, copyFile, cp, glob, open, opendir, rename, truncate, rm, rmdir, mkdir, readdir, readlink, symlink, lstat, stat, statfs,
    link, unlink, chmod, lchmod, lchown, chown, utimes, lutimes, realpath, mkdtemp, mkdtempDisposable, writeFile, appendFile,
    readFile, watch, constants,
  },
  FileHandle,
  isFileHandle,
  kRef,
  kUnref,
};
