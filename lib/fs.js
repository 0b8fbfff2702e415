'use strict';

// node:fs, with callbacks and synchronous. Each operation checks its arguments, then asks the binding: `start` goes through
// the loop and calls back with a result, which is an error if it is below zero; without the loop `check` throws it.

const { codes, AbortError, hideStackFrames } = require('internal/errors');
const {
  parseFileMode, validateBoolean, validateEncoding, validateFunction, validateInteger, validateObject, validateString,
} = require('internal/validators');
const { customPromisifyArgs, kEmptyObject, promisify: { custom: kCustomPromisified }, deprecate } = require('internal/util');
const { isArrayBufferView } = require('internal/util/types');
const { Buffer } = require('buffer');
const pathModule = require('path');
const { binding, start, check, fsError } = require('internal/fs/native');
const utils = require('internal/fs/utils');
const {
  constants, copyObject, Dirent, encodeName, getDirent, getOptions, getValidatedFd, getValidatedPath, getValidMode,
  readStatFs, readStats, stringToFlags, checkSymlinkType, toUnixTimestamp, validateBufferArray,
  validateOffsetLengthRead, validateOffsetLengthWrite, validatePosition, validateRmOptions, validateRmdirOptions,
  validateStringAfterArrayBufferView, wantsBytes, joinPath, kType,
} = utils;

const kIoMaxLength = 2 ** 31 - 1;
const kReadChunk = 512 * 1024;
const FastBuffer = Buffer[Symbol.species];
const UV_ENOENT = -2;
const UV_EEXIST = -17;
const UV_ENOTDIR = -20;

function makeCallback(callback) {
  if (typeof callback !== 'function') validateFunction(callback, 'cb');
  return callback;
}

// For operations whose callback gets an error or nothing.
function starts(operation, syscall, callback, path, dest, a, b, c, d) {
  start(operation, (result) => {
    if (result < 0) callback(fsError(result, syscall, path, dest));
    else callback(null);
  }, a, b, c, d);
}

// ---------------------------------------------------------------- access

function access(path, mode, callback) {
  if (typeof mode === 'function') {
    callback = mode;
    mode = constants.F_OK;
  }
  path = getValidatedPath(path);
  mode = getValidMode(mode, 'access');
  callback = makeCallback(callback);
  starts(binding.access, 'access', callback, path, undefined, path, mode);
}

function accessSync(path, mode) {
  path = getValidatedPath(path);
  mode = getValidMode(mode, 'access');
  check(binding.access(-1, path, mode), 'access', path);
}

function exists(path, callback) {
  validateFunction(callback, 'cb');
  try {
    path = getValidatedPath(path);
  } catch {
    callback(false);
    return;
  }
  start(binding.access, (result) => callback(result >= 0), path, constants.F_OK);
}

Object.defineProperty(exists, kCustomPromisified, {
  __proto__: null,
  value: function exists(path) {
    return new Promise((resolve) => module.exports.exists(path, resolve));
  },
});

let showExistsDeprecation = true;
function existsSync(path) {
  try {
    path = getValidatedPath(path);
  } catch (error) {
    if (showExistsDeprecation && error?.code === 'ERR_INVALID_ARG_TYPE') {
      process.emitWarning('Passing invalid argument types to fs.existsSync is deprecated', 'DeprecationWarning', 'DEP0187');
      showExistsDeprecation = false;
    }
    return false;
  }
  return binding.access(-1, path, constants.F_OK) >= 0;
}

// ---------------------------------------------------------------- opening and closing

function open(path, flags, mode, callback) {
  path = getValidatedPath(path);
  if (arguments.length < 3) {
    callback = flags;
    flags = 'r';
    mode = 0o666;
  } else if (typeof mode === 'function') {
    callback = mode;
    mode = 0o666;
  } else {
    mode = parseFileMode(mode, 'mode', 0o666);
  }
  const flagsNumber = stringToFlags(flags);
  callback = makeCallback(callback);
  start(binding.open, (result) => {
    if (result < 0) callback(fsError(result, 'open', path));
    else callback(null, result);
  }, path, flagsNumber, mode);
}

function openSync(path, flags, mode) {
  path = getValidatedPath(path);
  return check(binding.open(-1, path, stringToFlags(flags), parseFileMode(mode, 'mode', 0o666)), 'open', path);
}

function openAsBlob(path, options = kEmptyObject) {
  try {
    return Promise.resolve(openAsBlobSync(path, options));
  } catch (error) {
    if (error?.code === 'ERR_INVALID_ARG_TYPE' || error?.code === 'ERR_INVALID_ARG_VALUE') throw error;
    return Promise.reject(error);
  }
}

function openAsBlobSync(path, options = kEmptyObject) {
  validateObject(options, 'options');
  const type = options.type || '';
  validateString(type, 'options.type');
  path = getValidatedPath(path);
  const { createFileBlob } = require('internal/fs/blob');
  return createFileBlob(path, type);
}

function defaultCloseCallback(err) {
  if (err != null) throw err;
}

function close(fd, callback = defaultCloseCallback) {
  fd = getValidatedFd(fd);
  if (callback !== defaultCloseCallback) callback = makeCallback(callback);
  starts(binding.close, 'close', callback, undefined, undefined, fd);
}

function closeSync(fd) {
  check(binding.close(-1, getValidatedFd(fd)), 'close');
}

// ---------------------------------------------------------------- whole files

function checkAborted(signal, callback) {
  if (signal?.aborted) {
    callback(new AbortError(undefined, { cause: signal.reason }));
    return true;
  }
  return false;
}

function decode(buffer, encoding) {
  return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer;
}

function readFile(path, options, callback) {
  callback ||= options;
  validateFunction(callback, 'cb');
  options = getOptions(options, { flag: 'r' });
  const { encoding, signal } = options;
  if (typeof path === 'number' && path === path >>> 0) {
    if (checkAborted(signal, callback)) return;
    readFileFromFd(path, signal, (err, buffer) => (err ? callback(err) : deliver(buffer)));
    return;
  }
  if (checkAborted(signal, callback)) return;
  const flags = stringToFlags(options.flag, 'options.flag');
  path = getValidatedPath(path);
  const asText = (encoding === 'utf8' || encoding === 'utf-8') && options.buffer === undefined;

  start(binding.readFile, (result, value) => {
    if (signal !== undefined && checkAborted(signal, callback)) return;
    if (result < 0) {
      if (value === 0) callback(fsError(result, 'open', path));
      else if (value === 1) callback(fsError(result, 'read', path));
      else callback(value === undefined ? fsError(result, 'open', path) : new codes.ERR_FS_FILE_TOO_LARGE(value));
      return;
    }
    if (asText) {
      callback(null, value);
      return;
    }
    let buffer;
    if (result > 65536) {
      buffer = new FastBuffer(binding.takeFile());
    } else {
      buffer = new FastBuffer(result);
      binding.takeFile(buffer);
    }
    if (encoding || options.buffer !== undefined) deliver(buffer);
    else callback(null, buffer);
  }, path, flags, asText);

  function deliver(buffer) {
    let value = buffer;
    try {
      value = decode(options.buffer === undefined ? buffer : intoBuffer(buffer, options.buffer), encoding);
    } catch (error) {
      callback(error);
      return;
    }
    callback(null, value);
  }
}

// The option `buffer`: what was read, in memory of the caller's.
function intoBuffer(data, target) {
  if (typeof target === 'function') target = target(data.length);
  if (!isArrayBufferView(target)) throw new codes.ERR_INVALID_ARG_TYPE('options.buffer', ['Buffer', 'TypedArray', 'DataView'], target);
  if (target.byteLength < data.length) throw new codes.ERR_INVALID_ARG_VALUE('options.buffer', target, 'is too small to contain the entire file');
  const view = Buffer.from(target.buffer, target.byteOffset, data.length);
  view.set(data);
  return view;
}

// Reading from where a descriptor stands to its end, in parts, so that an abort is heard in between.
function readFileFromFd(fd, signal, callback) {
  start(binding.fstat, (result) => {
    if (result < 0) return callback(fsError(result, 'fstat'));
    const stats = readStats(false);
    const size = stats.isFile() ? stats.size : 0;
    if (size > kIoMaxLength) return callback(new codes.ERR_FS_FILE_TOO_LARGE(size));
    const parts = [];
    let whole = size > 0 ? Buffer.allocUnsafeSlow(size) : undefined;
    let at = 0;
    const next = () => {
      if (checkAborted(signal, callback)) return;
      let target = whole;
      let offset = at;
      let length;
      if (whole === undefined) {
        target = Buffer.allocUnsafeSlow(65536);
        offset = 0;
        length = 65536;
      } else {
        length = Math.min(kReadChunk, size - at);
      }
      start(binding.read, (n) => {
        if (n < 0) return callback(fsError(n, 'read'));
        at += n;
        if (whole === undefined && n > 0) parts.push(n === target.length ? target : target.subarray(0, n));
        if (n === 0 || (whole !== undefined && at === size)) {
          if (whole === undefined) whole = Buffer.concat(parts, at);
          else if (at < size) whole = whole.subarray(0, at);
          callback(null, whole);
          return;
        }
        next();
      }, fd, target, offset, length, -1);
    };
    next();
  }, fd);
}

function readAllSync(fd, path) {
  check(binding.fstat(-1, fd), 'fstat');
  const stats = readStats(false);
  const size = stats.isFile() ? stats.size : 0;
  if (size > kIoMaxLength) throw new codes.ERR_FS_FILE_TOO_LARGE(size);
  if (size > 0) {
    const buffer = Buffer.allocUnsafeSlow(size);
    let at = 0;
    while (at < size) {
      const n = check(binding.read(-1, fd, buffer, at, size - at, -1), 'read');
      if (n === 0) return buffer.subarray(0, at);
      at += n;
    }
    return buffer;
  }
  const parts = [];
  let total = 0;
  for (;;) {
    const part = Buffer.allocUnsafeSlow(8192);
    const n = check(binding.read(-1, fd, part, 0, 8192, -1), 'read');
    if (n === 0) return Buffer.concat(parts, total);
    parts.push(part.subarray(0, n));
    total += n;
  }
}

function readFileSync(path, options) {
  options = getOptions(options, { flag: 'r' });
  const isFd = typeof path === 'number' && path === path >>> 0;
  const flags = isFd ? 0 : stringToFlags(options.flag);
  if (!isFd) path = getValidatedPath(path);
  const fd = isFd ? path : check(binding.open(-1, path, flags, 0o666), 'open', path);
  let buffer;
  try {
    buffer = readAllSync(fd, path);
  } finally {
    if (!isFd) binding.close(-1, fd);
  }
  return decode(buffer, options.encoding);
}

function toBytes(data, encoding) {
  if (isArrayBufferView(data)) return data;
  validateStringAfterArrayBufferView(data, 'data');
  return Buffer.from(String(data), encoding || 'utf8');
}

function writeAll(fd, isUserFd, buffer, position, signal, flush, callback) {
  let offset = 0;
  const length = buffer.byteLength;
  const finish = (error) => {
    if (isUserFd) return callback(error);
    start(binding.close, (result) => {
      if (error === null && result < 0) error = fsError(result, 'close');
      callback(error);
    }, fd);
  };
  const flushed = () => {
    if (!flush) return finish(null);
    module.exports.fsync(fd, (error) => finish(error ?? null));
  };
  const next = () => {
    if (signal?.aborted) return finish(new AbortError(undefined, { cause: signal.reason }));
    if (length === 0) return flushed();
    start(binding.write, (n) => {
      if (n < 0) return finish(fsError(n, 'write'));
      offset += n;
      if (offset < length) {
        if (position >= 0) position += n;
        return next();
      }
      flushed();
    }, fd, buffer, offset, signal === undefined ? length - offset : Math.min(length - offset, kReadChunk), position);
  };
  next();
}

function writeFile(path, data, options, callback) {
  callback ||= options;
  validateFunction(callback, 'cb');
  options = getOptions(options, { encoding: 'utf8', mode: 0o666, flag: 'w', flush: false });
  const flag = options.flag || 'w';
  const flush = options.flush ?? false;
  validateBoolean(flush, 'options.flush');
  data = toBytes(data, options.encoding);
  if (typeof path === 'number' && path === path >>> 0) {
    if (checkAborted(options.signal, callback)) return;
    writeAll(path, true, data, -1, options.signal, flush, callback);
    return;
  }
  if (checkAborted(options.signal, callback)) return;
  module.exports.open(path, flag, options.mode, (error, fd) => {
    if (error) callback(error);
    else writeAll(fd, false, data, -1, options.signal, flush, callback);
  });
}

function writeFileSync(path, data, options) {
  options = getOptions(options, { encoding: 'utf8', mode: 0o666, flag: 'w', flush: false });
  const flush = options.flush ?? false;
  validateBoolean(flush, 'options.flush');
  data = toBytes(data, options.encoding);
  const isFd = typeof path === 'number' && path === path >>> 0;
  const fd = isFd ? path : module.exports.openSync(path, options.flag || 'w', options.mode);
  try {
    let offset = 0;
    while (offset < data.byteLength) {
      offset += check(binding.write(-1, fd, data, offset, data.byteLength - offset, -1), 'write');
    }
    if (flush) module.exports.fsyncSync(fd);
  } finally {
    if (!isFd) closeSync(fd);
  }
}

function appendOptions(path, options) {
  options = getOptions(options, { encoding: 'utf8', mode: 0o666, flag: 'a' });
  options = copyObject(options);
  if (!options.flag || (typeof path === 'number' && path === path >>> 0)) options.flag = 'a';
  return options;
}

function appendFile(path, data, options, callback) {
  callback ||= options;
  validateFunction(callback, 'cb');
  module.exports.writeFile(path, data, appendOptions(path, options), callback);
}

function appendFileSync(path, data, options) {
  module.exports.writeFileSync(path, data, appendOptions(path, options));
}

// ---------------------------------------------------------------- read and write

function checkReadRange(buffer, offset, length, position) {
  if (offset == null) offset = 0;
  else validateInteger(offset, 'offset', 0);
  length |= 0;
  return [offset, length, position];
}

function read(fd, buffer, offsetOrOptions, length, position, callback) {
  fd = getValidatedFd(fd);
  let offset = offsetOrOptions;
  let params = null;
  if (arguments.length <= 4) {
    if (arguments.length === 4) {
      validateObject(offsetOrOptions, 'options', { nullable: true });
      callback = length;
      params = offsetOrOptions;
    } else if (arguments.length === 3) {
      if (!isArrayBufferView(buffer)) {
        params = buffer;
        ({ buffer = Buffer.alloc(16384) } = params ?? kEmptyObject);
      }
      callback = offsetOrOptions;
    } else {
      callback = buffer;
      buffer = Buffer.alloc(16384);
    }
    if (params !== undefined && params !== null) validateObject(params, 'options');
    ({ offset = 0, length = buffer?.byteLength - offset, position = null } = params ?? kEmptyObject);
  }
  if (!isArrayBufferView(buffer)) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['Buffer', 'TypedArray', 'DataView'], buffer);
  callback = makeCallback(callback);
  [offset, length, position] = checkReadRange(buffer, offset, length, position);
  if (position == null) position = -1;
  else validatePosition(position, 'position', length);
  if (length === 0) return process.nextTick(() => callback(null, 0, buffer));
  if (buffer.byteLength === 0) throw new codes.ERR_INVALID_ARG_VALUE('buffer', buffer, 'is empty and cannot be written');
  validateOffsetLengthRead(offset, length, buffer.byteLength);
  start(binding.read, (result) => {
    if (result < 0) callback(fsError(result, 'read'), 0, buffer);
    else callback(null, result, buffer);
  }, fd, buffer, offset, length, position);
}
Object.defineProperty(read, customPromisifyArgs, { __proto__: null, value: ['bytesRead', 'buffer'], enumerable: false });

function readSync(fd, buffer, offsetOrOptions, length, position) {
  fd = getValidatedFd(fd);
  if (!isArrayBufferView(buffer)) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['Buffer', 'TypedArray', 'DataView'], buffer);
  let offset = offsetOrOptions;
  if (arguments.length <= 3 || (offsetOrOptions !== null && typeof offsetOrOptions === 'object')) {
    if (offsetOrOptions !== undefined) validateObject(offsetOrOptions, 'options', { nullable: true });
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = offsetOrOptions ?? kEmptyObject);
  }
  [offset, length, position] = checkReadRange(buffer, offset, length, position);
  if (position == null) position = -1;
  else validatePosition(position, 'position', length);
  if (length === 0) return 0;
  if (buffer.byteLength === 0) throw new codes.ERR_INVALID_ARG_VALUE('buffer', buffer, 'is empty and cannot be written');
  validateOffsetLengthRead(offset, length, buffer.byteLength);
  return check(binding.read(-1, fd, buffer, offset, length, position), 'read');
}

function vectorPosition(position) {
  return typeof position === 'number' || typeof position === 'bigint' ? position : null;
}

function readv(fd, buffers, position, callback) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  callback = makeCallback(callback || position);
  if (buffers.length === 0) return process.nextTick(() => callback(null, 0, buffers));
  start(binding.readv, (result) => {
    if (result < 0) callback(fsError(result, 'read'), 0, buffers);
    else callback(null, result, buffers);
  }, fd, buffers, vectorPosition(position));
}
Object.defineProperty(readv, customPromisifyArgs, { __proto__: null, value: ['bytesRead', 'buffers'], enumerable: false });

function readvSync(fd, buffers, position) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  if (buffers.length === 0) return 0;
  return check(binding.readv(-1, fd, buffers, vectorPosition(position)), 'read');
}

// The place of a write of bytes, from any of the ways to give it.
function writeRange(buffer, offset, length, position) {
  if (typeof offset === 'object') {
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = offset ?? kEmptyObject);
  }
  if (offset == null || typeof offset === 'function') offset = 0;
  else validateInteger(offset, 'offset', 0);
  if (typeof length !== 'number') length = buffer.byteLength - offset;
  validateOffsetLengthWrite(offset, length, buffer.byteLength);
  return [offset, length, typeof position === 'number' || typeof position === 'bigint' ? position : null];
}

function write(fd, buffer, offsetOrOptions, length, position, callback) {
  fd = getValidatedFd(fd);
  if (isArrayBufferView(buffer)) {
    callback ||= position || length || offsetOrOptions;
    validateFunction(callback, 'cb');
    const [offset, count, place] = writeRange(buffer, offsetOrOptions, length, position);
    start(binding.write, (result) => {
      if (result < 0) callback(fsError(result, 'write'), 0, buffer);
      else callback(null, result, buffer);
    }, fd, buffer, offset, count, place);
    return;
  }
  validateStringAfterArrayBufferView(buffer, 'buffer');
  // (fd, string[, position[, encoding]], callback)
  const rest = [offsetOrOptions, length, position];
  const at = rest.findIndex((value) => typeof value === 'function');
  callback = at === -1 ? callback ?? rest[2] : rest[at];
  const place = at === 0 ? null : offsetOrOptions;
  const encoding = at === 2 ? length : at === 1 || at === 0 ? 'utf8' : length;
  validateEncoding(buffer, encoding);
  validateFunction(callback, 'cb');
  const bytes = Buffer.from(buffer, Buffer.isEncoding(encoding) ? encoding : 'utf8');
  start(binding.write, (result) => {
    if (result < 0) callback(fsError(result, 'write'), 0, buffer);
    else callback(null, result, buffer);
  }, fd, bytes, 0, bytes.byteLength, vectorPosition(place));
}
Object.defineProperty(write, customPromisifyArgs, { __proto__: null, value: ['bytesWritten', 'buffer'], enumerable: false });

function writeSync(fd, buffer, offsetOrOptions, length, position) {
  fd = getValidatedFd(fd);
  if (isArrayBufferView(buffer)) {
    if (position === undefined) position = null;
    const [offset, count, place] = writeRange(buffer, offsetOrOptions, length, position);
    return check(binding.write(-1, fd, buffer, offset, count, place), 'write');
  }
  validateStringAfterArrayBufferView(buffer, 'buffer');
  validateEncoding(buffer, length);
  const bytes = Buffer.from(buffer, typeof length === 'string' && Buffer.isEncoding(length) ? length : 'utf8');
  return check(binding.write(-1, fd, bytes, 0, bytes.byteLength, vectorPosition(offsetOrOptions)), 'write');
}

function writev(fd, buffers, position, callback) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  callback = makeCallback(callback || position);
  if (buffers.length === 0) return process.nextTick(() => callback(null, 0, buffers));
  start(binding.writev, (result) => {
    if (result < 0) callback(fsError(result, 'write'), 0, buffers);
    else callback(null, result, buffers);
  }, fd, buffers, vectorPosition(position));
}
Object.defineProperty(writev, customPromisifyArgs, { __proto__: null, value: ['bytesWritten', 'buffers'], enumerable: false });

function writevSync(fd, buffers, position) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  if (buffers.length === 0) return 0;
  return check(binding.writev(-1, fd, buffers, vectorPosition(position)), 'write');
}

// ---------------------------------------------------------------- names

function rename(oldPath, newPath, callback) {
  callback = makeCallback(callback);
  oldPath = getValidatedPath(oldPath, 'oldPath');
  newPath = getValidatedPath(newPath, 'newPath');
  starts(binding.rename, 'rename', callback, oldPath, newPath, oldPath, newPath);
}

function renameSync(oldPath, newPath) {
  oldPath = getValidatedPath(oldPath, 'oldPath');
  newPath = getValidatedPath(newPath, 'newPath');
  check(binding.rename(-1, oldPath, newPath), 'rename', oldPath, newPath);
}

function link(existingPath, newPath, callback) {
  callback = makeCallback(callback);
  existingPath = getValidatedPath(existingPath, 'existingPath');
  newPath = getValidatedPath(newPath, 'newPath');
  starts(binding.link, 'link', callback, existingPath, newPath, existingPath, newPath);
}

function linkSync(existingPath, newPath) {
  existingPath = getValidatedPath(existingPath, 'existingPath');
  newPath = getValidatedPath(newPath, 'newPath');
  check(binding.link(-1, existingPath, newPath), 'link', existingPath, newPath);
}

function symlink(target, path, type, callback) {
  if (callback === undefined) {
    callback = makeCallback(type);
    type = undefined;
  } else {
    checkSymlinkType(type);
    callback = makeCallback(callback);
  }
  target = getValidatedPath(target, 'target');
  path = getValidatedPath(path);
  starts(binding.symlink, 'symlink', callback, target, path, target, path, 0);
}

function symlinkSync(target, path, type) {
  checkSymlinkType(type);
  target = getValidatedPath(target, 'target');
  path = getValidatedPath(path);
  check(binding.symlink(-1, target, path, 0), 'symlink', target, path);
}

function unlink(path, callback) {
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  starts(binding.unlink, 'unlink', callback, path, undefined, path);
}

function unlinkSync(path) {
  path = getValidatedPath(path);
  check(binding.unlink(-1, path), 'unlink', path);
}

function readlink(path, options, callback) {
  callback = makeCallback(typeof options === 'function' ? options : callback);
  options = getOptions(options);
  path = getValidatedPath(path);
  start(binding.readlink, (result, value) => {
    if (result < 0) callback(fsError(result, 'readlink', path));
    else callback(null, encodeName(value, options.encoding));
  }, path, wantsBytes(options.encoding));
}

function readlinkSync(path, options) {
  options = getOptions(options);
  path = getValidatedPath(path);
  return encodeName(check(binding.readlink(-1, path, wantsBytes(options.encoding)), 'readlink', path), options.encoding);
}

// Says which part of a path it was that failed, and of what: the kernel only knows the whole. A path is a result, too.
function explainRealpath(path, result) {
  const names = pathModule.resolve(`${path}`).split('/').filter(Boolean);
  let current = '';
  for (let i = 0, hops = 0; i < names.length;) {
    const next = `${current}/${names[i]}`;
    const err = binding.lstat(-1, next);
    if (err < 0) return fsError(err, 'lstat', next);
    if (!readStats(false).isSymbolicLink()) {
      current = next;
      i++;
      continue;
    }
    const found = binding.stat(-1, next);
    if (found < 0) return fsError(found, 'stat', next);
    const stats = readStats(false);
    // A pipe has a name, but there is nothing in the file system behind it.
    if (stats.isFIFO() || stats.isSocket()) return pathModule.resolve(current || '/', binding.readlink(-1, next, false));
    if (++hops > 40) break;
    const target = pathModule.resolve(current || '/', binding.readlink(-1, next, false));
    names.splice(0, i + 1, ...target.split('/').filter(Boolean));
    current = '';
    i = 0;
  }
  return fsError(result, 'realpath', path);
}

function realpath(path, options, callback) {
  callback = makeCallback(typeof options === 'function' ? options : callback);
  options = getOptions(options);
  path = getValidatedPath(path);
  start(binding.realpath, (result, value) => {
    if (result < 0) {
      const found = explainRealpath(path, result);
      if (typeof found === 'string') callback(null, found);
      else callback(found);
      return;
    }
    callback(null, encodeName(value, options.encoding));
  }, path === '' ? '.' : path, wantsBytes(options.encoding));
}
realpath.native = (path, options, callback) => {
  callback = makeCallback(callback || options);
  options = getOptions(options);
  path = getValidatedPath(path);
  start(binding.realpath, (result, value) => {
    if (result < 0) callback(fsError(result, 'realpath', path));
    else callback(null, encodeName(value, options.encoding));
  }, path, wantsBytes(options.encoding));
};

function realpathSync(path, options) {
  options = getOptions(options);
  path = getValidatedPath(path);
  const result = binding.realpath(-1, path === '' ? '.' : path, wantsBytes(options.encoding));
  if (typeof result === 'number') {
    const found = explainRealpath(path, result);
    if (typeof found === 'string') return found;
    throw found;
  }
  return encodeName(result, options.encoding);
}
realpathSync.native = (path, options) => {
  options = getOptions(options);
  path = getValidatedPath(path);
  return encodeName(check(binding.realpath(-1, path, wantsBytes(options.encoding)), 'realpath', path), options.encoding);
};

function copyFile(src, dest, mode, callback) {
  if (typeof mode === 'function') {
    callback = mode;
    mode = 0;
  }
  src = getValidatedPath(src, 'src');
  dest = getValidatedPath(dest, 'dest');
  callback = makeCallback(callback);
  mode = getValidMode(mode, 'copyFile');
  starts(binding.copyfile, 'copyfile', callback, src, dest, src, dest, mode);
}

function copyFileSync(src, dest, mode) {
  src = getValidatedPath(src, 'src');
  dest = getValidatedPath(dest, 'dest');
  mode = getValidMode(mode, 'copyFile');
  check(binding.copyfile(-1, src, dest, mode), 'copyfile', src, dest);
}

// ---------------------------------------------------------------- stat

function statWith(operation, syscall) {
  return (path, options, callback) => {
    start(operation, (result) => {
      if (result < 0) {
        if (options.throwIfNoEntry === false && (result === UV_ENOENT || result === UV_ENOTDIR)) callback(null, undefined);
        else callback(fsError(result, syscall, typeof path === 'number' ? undefined : path));
      } else {
        callback(null, readStats(options.bigint));
      }
    }, path);
  };
}
const startStat = statWith(binding.stat, 'stat');
const startLstat = statWith(binding.lstat, 'lstat');
const startFstat = statWith(binding.fstat, 'fstat');

function checkStatOptions(options) {
  if (options.signal !== undefined) require('internal/validators').validateAbortSignal(options.signal, 'options.signal');
}

// A stat cannot be stopped half-way; who aborts it is told at once.
function withSignal(signal, callback, begin) {
  if (signal === undefined || signal === null) return begin(callback);
  if (signal.aborted) {
    process.nextTick(callback, new AbortError(undefined, { cause: signal.reason }));
    return;
  }
  let done = false;
  const onAbort = () => {
    if (done) return;
    done = true;
    callback(new AbortError(undefined, { cause: signal.reason }));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  begin((...args) => {
    signal.removeEventListener('abort', onAbort);
    if (done) return;
    done = true;
    callback(...args);
  });
}

function stat(path, options = { bigint: false }, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kEmptyObject;
  }
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  checkStatOptions(options);
  withSignal(options.signal, callback, (done) => startStat(path, options, done));
}

function lstat(path, options = { bigint: false }, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kEmptyObject;
  }
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  startLstat(path, options, callback);
}

function fstat(fd, options = { bigint: false }, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kEmptyObject;
  }
  fd = getValidatedFd(fd);
  callback = makeCallback(callback);
  startFstat(fd, options, callback);
}

function statResult(result, syscall, path, options) {
  if (result < 0 && options.throwIfNoEntry === false && (result === UV_ENOENT || result === UV_ENOTDIR)) return undefined;
  check(result, syscall, path);
  return readStats(options.bigint);
}

function statSync(path, options = { bigint: false, throwIfNoEntry: true }) {
  path = getValidatedPath(path);
  return statResult(binding.stat(-1, path), 'stat', path, options);
}

function lstatSync(path, options = { bigint: false, throwIfNoEntry: true }) {
  path = getValidatedPath(path);
  return statResult(binding.lstat(-1, path), 'lstat', path, options);
}

function fstatSync(fd, options = { bigint: false }) {
  fd = getValidatedFd(fd);
  check(binding.fstat(-1, fd), 'fstat');
  return readStats(options.bigint);
}

function statfs(path, options = { bigint: false }, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kEmptyObject;
  }
  validateFunction(callback, 'cb');
  path = getValidatedPath(path);
  start(binding.statfs, (result) => {
    if (result < 0) callback(fsError(result, 'statfs', path));
    else callback(null, readStatFs(options.bigint));
  }, path);
}

function statfsSync(path, options = { bigint: false }) {
  path = getValidatedPath(path);
  check(binding.statfs(-1, path), 'statfs', path);
  return readStatFs(options.bigint);
}

// ---------------------------------------------------------------- properties of files

function truncate(path, len, callback) {
  if (typeof path === 'number') throw new codes.ERR_INVALID_ARG_TYPE('path', ['string', 'Buffer', 'URL'], path);
  if (typeof len === 'function') {
    callback = len;
    len = 0;
  } else if (len === undefined) {
    len = 0;
  }
  validateInteger(len, 'len');
  len = Math.max(0, len);
  validateFunction(callback, 'cb');
  module.exports.open(path, 'r+', (err, fd) => {
    if (err) return callback(err);
    start(binding.ftruncate, (result) => {
      module.exports.close(fd, (closeError) => {
        callback(result < 0 ? fsError(result, 'ftruncate') : closeError || null);
      });
    }, fd, len);
  });
}

function truncateSync(path, len) {
  if (typeof path === 'number') throw new codes.ERR_INVALID_ARG_TYPE('path', ['string', 'Buffer', 'URL'], path);
  if (len === undefined) len = 0;
  const fd = module.exports.openSync(path, 'r+');
  try {
    module.exports.ftruncateSync(fd, len);
  } finally {
    module.exports.closeSync(fd);
  }
}

function ftruncate(fd, len = 0, callback) {
  if (typeof len === 'function') {
    callback = len;
    len = 0;
  }
  fd = getValidatedFd(fd);
  validateInteger(len, 'len');
  callback = makeCallback(callback);
  starts(binding.ftruncate, 'ftruncate', callback, undefined, undefined, fd, Math.max(0, len));
}

function ftruncateSync(fd, len = 0) {
  fd = getValidatedFd(fd);
  validateInteger(len, 'len');
  check(binding.ftruncate(-1, fd, len < 0 ? 0 : len), 'ftruncate');
}

function fsync(fd, callback) {
  fd = getValidatedFd(fd);
  callback = makeCallback(callback);
  starts(binding.fsync, 'fsync', callback, undefined, undefined, fd);
}

function fsyncSync(fd) {
  check(binding.fsync(-1, getValidatedFd(fd)), 'fsync');
}

function fdatasync(fd, callback) {
  fd = getValidatedFd(fd);
  callback = makeCallback(callback);
  starts(binding.fdatasync, 'fdatasync', callback, undefined, undefined, fd);
}

function fdatasyncSync(fd) {
  check(binding.fdatasync(-1, getValidatedFd(fd)), 'fdatasync');
}

function chmod(path, mode, callback) {
  path = getValidatedPath(path);
  mode = parseFileMode(mode, 'mode');
  callback = makeCallback(callback);
  starts(binding.chmod, 'chmod', callback, path, undefined, path, mode);
}

function chmodSync(path, mode) {
  path = getValidatedPath(path);
  mode = parseFileMode(mode, 'mode');
  check(binding.chmod(-1, path, mode), 'chmod', path);
}

function fchmod(fd, mode, callback) {
  fd = getValidatedFd(fd);
  mode = parseFileMode(mode, 'mode');
  callback = makeCallback(callback);
  starts(binding.fchmod, 'fchmod', callback, undefined, undefined, fd, mode);
}

function fchmodSync(fd, mode) {
  check(binding.fchmod(-1, getValidatedFd(fd), parseFileMode(mode, 'mode')), 'fchmod');
}

function checkOwner(uid, gid) {
  validateInteger(uid, 'uid', -1, 4294967295);
  validateInteger(gid, 'gid', -1, 4294967295);
}

function chown(path, uid, gid, callback) {
  path = getValidatedPath(path);
  checkOwner(uid, gid);
  callback = makeCallback(callback);
  starts(binding.chown, 'chown', callback, path, undefined, path, uid, gid);
}

function chownSync(path, uid, gid) {
  path = getValidatedPath(path);
  checkOwner(uid, gid);
  check(binding.chown(-1, path, uid, gid), 'chown', path);
}

function lchown(path, uid, gid, callback) {
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  checkOwner(uid, gid);
  starts(binding.lchown, 'lchown', callback, path, undefined, path, uid, gid);
}

function lchownSync(path, uid, gid) {
  path = getValidatedPath(path);
  checkOwner(uid, gid);
  check(binding.lchown(-1, path, uid, gid), 'lchown', path);
}

function fchown(fd, uid, gid, callback) {
  fd = getValidatedFd(fd);
  checkOwner(uid, gid);
  callback = makeCallback(callback);
  starts(binding.fchown, 'fchown', callback, undefined, undefined, fd, uid, gid);
}

function fchownSync(fd, uid, gid) {
  fd = getValidatedFd(fd);
  checkOwner(uid, gid);
  check(binding.fchown(-1, fd, uid, gid), 'fchown');
}

function utimes(path, atime, mtime, callback) {
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  atime = toUnixTimestamp(atime);
  mtime = toUnixTimestamp(mtime);
  starts(binding.utime, 'utime', callback, path, undefined, path, atime, mtime);
}

function utimesSync(path, atime, mtime) {
  path = getValidatedPath(path);
  check(binding.utime(-1, path, toUnixTimestamp(atime), toUnixTimestamp(mtime)), 'utime', path);
}

function futimes(fd, atime, mtime, callback) {
  fd = getValidatedFd(fd);
  atime = toUnixTimestamp(atime, 'atime');
  mtime = toUnixTimestamp(mtime, 'mtime');
  callback = makeCallback(callback);
  starts(binding.futime, 'futime', callback, undefined, undefined, fd, atime, mtime);
}

function futimesSync(fd, atime, mtime) {
  check(binding.futime(-1, getValidatedFd(fd), toUnixTimestamp(atime, 'atime'), toUnixTimestamp(mtime, 'mtime')), 'futime');
}

function lutimes(path, atime, mtime, callback) {
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  starts(binding.lutime, 'lutime', callback, path, undefined, path, toUnixTimestamp(atime), toUnixTimestamp(mtime));
}

function lutimesSync(path, atime, mtime) {
  path = getValidatedPath(path);
  check(binding.lutime(-1, path, toUnixTimestamp(atime), toUnixTimestamp(mtime)), 'lutime', path);
}

// ---------------------------------------------------------------- directories

function mkdirOptions(options) {
  let mode = 0o777;
  let recursive = false;
  if (typeof options === 'number' || typeof options === 'string') {
    mode = parseFileMode(options, 'mode');
  } else if (options) {
    if (options.recursive !== undefined) {
      recursive = options.recursive;
      validateBoolean(recursive, 'options.recursive');
    }
    if (options.mode !== undefined) mode = parseFileMode(options.mode, 'options.mode');
  }
  return { mode, recursive };
}

// Upwards until something can be made, then down again. The result is the first directory made.
function mkdirp(path, mode, callback) {
  const missing = [];
  let goingDown = false;
  let first;
  let current = path;
  const fail = (errno) => callback(fsError(errno, 'mkdir', path));
  const attempt = () => {
    start(binding.mkdir, (result) => {
      if (result >= 0) {
        first ??= current;
        return next();
      }
      if (result === UV_ENOENT) {
        const parent = pathModule.dirname(`${current}`);
        if (parent === `${current}` || goingDown) return fail(result);
        missing.push(current);
        current = parent;
        return attempt();
      }
      if (result !== UV_EEXIST) {
        if (result === -30 || result === -13 || result === -1) return checkDirectory(result);
        return fail(result);
      }
      checkDirectory(result);
    }, current, mode);
  };
  const checkDirectory = (errno) => {
    start(binding.stat, (result) => {
      if (result < 0) return fail(errno === UV_EEXIST ? result : errno);
      if (!readStats(false).isDirectory()) return fail(missing.length > 0 ? UV_ENOTDIR : errno);
      next();
    }, current);
  };
  const next = () => {
    if (missing.length === 0) return callback(null, first === undefined ? undefined : `${first}`);
    current = missing.pop();
    goingDown = true;
    attempt();
  };
  attempt();
}

function mkdirpSync(path, mode) {
  const missing = [];
  let goingDown = false;
  let first;
  let current = path;
  for (;;) {
    const result = binding.mkdir(-1, current, mode);
    if (result >= 0) {
      first ??= current;
    } else if (result === UV_ENOENT) {
      const parent = pathModule.dirname(`${current}`);
      if (parent === `${current}` || goingDown) throw fsError(result, 'mkdir', path);
      missing.push(current);
      current = parent;
      continue;
    } else if (result === UV_EEXIST || result === -30 || result === -13 || result === -1) {
      const found = binding.stat(-1, current);
      if (found < 0) throw fsError(result === UV_EEXIST ? found : result, 'mkdir', path);
      if (!readStats(false).isDirectory()) throw fsError(missing.length > 0 ? UV_ENOTDIR : result, 'mkdir', path);
    } else {
      throw fsError(result, 'mkdir', path);
    }
    if (missing.length === 0) return first === undefined ? undefined : `${first}`;
    current = missing.pop();
    goingDown = true;
  }
}

function mkdir(path, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  const { mode, recursive } = mkdirOptions(options);
  if (recursive) mkdirp(path, mode, callback);
  else starts(binding.mkdir, 'mkdir', callback, path, undefined, path, mode);
}

function mkdirSync(path, options) {
  path = getValidatedPath(path);
  const { mode, recursive } = mkdirOptions(options);
  if (recursive) return mkdirpSync(path, mode);
  check(binding.mkdir(-1, path, mode), 'mkdir', path);
}

function temporaryName(prefix) {
  if (typeof prefix === 'string') return `${prefix}XXXXXX`;
  return Buffer.concat([prefix, Buffer.from('XXXXXX')]);
}

function mkdtemp(prefix, options, callback) {
  callback = makeCallback(typeof options === 'function' ? options : callback);
  options = getOptions(options);
  prefix = getValidatedPath(prefix, 'prefix');
  warnAboutTrailingX(prefix);
  const path = temporaryName(prefix);
  start(binding.mkdtemp, (result, value) => {
    if (result < 0) callback(fsError(result, 'mkdtemp', path));
    else callback(null, encodeName(value, options.encoding));
  }, path, wantsBytes(options.encoding));
}

function mkdtempSync(prefix, options) {
  options = getOptions(options);
  prefix = getValidatedPath(prefix, 'prefix');
  warnAboutTrailingX(prefix);
  const path = temporaryName(prefix);
  return encodeName(check(binding.mkdtemp(-1, path, wantsBytes(options.encoding)), 'mkdtemp', path), options.encoding);
}

function mkdtempDisposableSync(prefix, options) {
  options = getOptions(options);
  prefix = getValidatedPath(prefix, 'prefix');
  warnAboutTrailingX(prefix);
  const cwd = process.cwd();
  const path = mkdtempSync(prefix, options);
  const full = pathModule.resolve(cwd, `${path}`);
  const remove = () => rmSync(full, { maxRetries: 0, recursive: true, force: true, retryDelay: 0 });
  return { path, remove, [Symbol.dispose]() { remove(); } };
}

let warnedTrailingX = false;
function warnAboutTrailingX(prefix) {
  const last = typeof prefix === 'string' ? prefix.charCodeAt(prefix.length - 1) : prefix[prefix.length - 1];
  if (!warnedTrailingX && last === 88) {
    warnedTrailingX = true;
    process.emitWarning('mkdtemp() templates ending with X are not portable. For details see: https://nodejs.org/api/fs.html');
  }
}

function entryList(flat, path, options) {
  const list = [];
  if (options.withFileTypes) {
    for (let i = 0; i < flat.length; i += 2) list.push(getDirent(path, encodeName(flat[i], options.encoding), flat[i + 1]));
  } else {
    for (let i = 0; i < flat.length; i += 2) list.push(encodeName(flat[i], options.encoding));
  }
  return list;
}

function isDirectoryEntry(path, name, type) {
  if (type === constants.UV_DIRENT_UNKNOWN) return binding.lstat(-1, joinPath(path, name)) === 0 && readStats(false).isDirectory();
  return type === constants.UV_DIRENT_DIR;
}

// One directory's entries added to the list, and its subdirectories to the queue.
function collectEntries(flat, root, current, options, list, queue) {
  for (let i = 0; i < flat.length; i += 2) {
    const name = encodeName(flat[i], options.encoding);
    const type = flat[i + 1];
    if (options.withFileTypes) list.push(getDirent(current, name, type));
    else list.push(pathModule.relative(root, pathModule.join(current, `${name}`)));
    if (isDirectoryEntry(current, name, type)) queue.push(pathModule.join(current, `${name}`));
  }
}

function readdir(path, options, callback) {
  callback = makeCallback(typeof options === 'function' ? options : callback);
  options = getOptions(options);
  path = getValidatedPath(path);
  if (options.recursive != null) validateBoolean(options.recursive, 'options.recursive');
  if (!options.recursive) {
    start(binding.scandir, (result, flat) => {
      if (result < 0) callback(fsError(result, 'scandir', path));
      else callback(null, entryList(flat, path, options));
    }, path, wantsBytes(options.encoding));
    return;
  }
  const root = `${path}`;
  const queue = [root];
  const list = [];
  const next = () => {
    const current = queue.shift();
    if (current === undefined) return callback(null, list);
    start(binding.scandir, (result, flat) => {
      if (result < 0) return callback(fsError(result, 'scandir', current));
      collectEntries(flat, root, current, options, list, queue);
      next();
    }, current, wantsBytes(options.encoding));
  };
  next();
}

function readdirSync(path, options) {
  options = getOptions(options);
  path = getValidatedPath(path);
  if (options.recursive != null) validateBoolean(options.recursive, 'options.recursive');
  if (!options.recursive) {
    return entryList(check(binding.scandir(-1, path, wantsBytes(options.encoding)), 'scandir', path), path, options);
  }
  const root = `${path}`;
  const queue = [root];
  const list = [];
  while (queue.length > 0) {
    const current = queue.shift();
    collectEntries(check(binding.scandir(-1, current, wantsBytes(options.encoding)), 'scandir', current), root, current, options, list, queue);
  }
  return list;
}

function rmdir(path, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  callback = makeCallback(callback);
  path = getValidatedPath(path);
  validateRmdirOptions(options);
  starts(binding.rmdir, 'rmdir', callback, path, undefined, path);
}

function rmdirSync(path, options) {
  path = getValidatedPath(path);
  validateRmdirOptions(options);
  check(binding.rmdir(-1, path), 'rmdir', path);
}

function rm(path, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  path = getValidatedPath(path);
  callback = makeCallback(callback);
  const checked = validateRmOptions(options);
  require('internal/fs/rm').rm(path, checked, callback);
}

function rmSync(path, options) {
  path = getValidatedPath(path);
  require('internal/fs/rm').rmSync(path, validateRmOptions(options));
}

function cp(src, dest, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  callback = makeCallback(callback);
  options = utils.validateCpOptions(options);
  src = getValidatedPath(src, 'src');
  dest = getValidatedPath(dest, 'dest');
  require('internal/fs/cp').cp(src, dest, options).then(() => process.nextTick(callback, null), (error) => process.nextTick(callback, error));
}

function cpSync(src, dest, options) {
  options = utils.validateCpOptions(options);
  src = getValidatedPath(src, 'src');
  dest = getValidatedPath(dest, 'dest');
  require('internal/fs/cp').cpSync(src, dest, options);
}

function glob(pattern, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  callback = makeCallback(callback);
  const { globAsync } = require('internal/fs/glob');
  const iterator = globAsync(pattern, options);
  (async () => {
    const list = [];
    for await (const found of iterator) list.push(found);
    return list;
  })().then((list) => process.nextTick(callback, null, list), (error) => process.nextTick(callback, error));
}

function globSync(pattern, options) {
  return require('internal/fs/glob').globSync(pattern, options);
}

// ---------------------------------------------------------------- watching

function watch(filename, options, listener) {
  return require('internal/fs/watchers').watch(filename, options, listener);
}

function watchFile(filename, options, listener) {
  return require('internal/fs/watchers').watchFile(filename, options, listener);
}

function unwatchFile(filename, listener) {
  require('internal/fs/watchers').unwatchFile(filename, listener);
}

// ---------------------------------------------------------------- streams

function createReadStream(path, options) {
  const { ReadStream } = require('internal/fs/streams');
  return new ReadStream(path, options);
}

function createWriteStream(path, options) {
  const { WriteStream } = require('internal/fs/streams');
  return new WriteStream(path, options);
}

module.exports = {
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
  Stats: utils.DeprecatedStats,

  get ReadStream() {
    return require('internal/fs/streams').ReadStream;
  },
  set ReadStream(value) {
    require('internal/fs/streams').ReadStream = value;
  },
  get WriteStream() {
    return require('internal/fs/streams').WriteStream;
  },
  set WriteStream(value) {
    require('internal/fs/streams').WriteStream = value;
  },
  get FileReadStream() {
    return fileStream('ReadStream');
  },
  set FileReadStream(value) {
    fileStreams.ReadStream = value;
  },
  get FileWriteStream() {
    return fileStream('WriteStream');
  },
  set FileWriteStream(value) {
    fileStreams.WriteStream = value;
  },
  get Utf8Stream() {
    return require('internal/fs/utf8_stream').Utf8Stream;
  },

  _toUnixTimestamp: toUnixTimestamp,
};

const fileStreams = {};
function fileStream(name) {
  return (fileStreams[name] ??= require('internal/fs/streams')[name]);
}

Object.defineProperties(module.exports, {
  Dir: { __proto__: null, enumerable: true, get: () => require('internal/fs/dir').Dir },
  opendir: { __proto__: null, enumerable: true, writable: true, configurable: true, value: (path, options, callback) => require('internal/fs/dir').opendir(path, options, callback) },
  opendirSync: { __proto__: null, enumerable: true, writable: true, configurable: true, value: (path, options) => require('internal/fs/dir').opendirSync(path, options) },
  constants: { __proto__: null, enumerable: true, value: constants },
  promises: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => require('internal/fs/promises').exports,
  },
});
