'use strict';

// What all of fs has in common: the checks of its arguments, flags, and the objects that it hands out.

const { codes } = require('internal/errors');
const { validateInt32, validateUint32, validateObject, validateOneOf, validateBoolean, validateAbortSignal, validateInteger } =
  require('internal/validators');
const { isUint8Array, isDate, isArrayBufferView } = require('internal/util/types');
const { binding } = require('internal/fs/native');
const { deprecate, kEmptyObject } = require('internal/util');
const { Buffer } = require('buffer');
const constants = require('internal/fs/constants');
const pathModule = require('path');

const {
  O_RDONLY, O_WRONLY, O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_SYNC, O_TRUNC, S_IFMT, S_IFDIR, S_IFREG, S_IFBLK, S_IFCHR,
  S_IFIFO, S_IFLNK, S_IFSOCK, UV_DIRENT_UNKNOWN, UV_DIRENT_FILE, UV_DIRENT_DIR, UV_DIRENT_LINK, UV_DIRENT_FIFO,
  UV_DIRENT_SOCKET, UV_DIRENT_CHAR, UV_DIRENT_BLOCK,
} = constants;

const flagsByName = {
  '__proto__': null,
  'r': O_RDONLY,
  'rs': O_RDONLY | O_SYNC,
  'sr': O_RDONLY | O_SYNC,
  'r+': O_RDWR,
  'rs+': O_RDWR | O_SYNC,
  'sr+': O_RDWR | O_SYNC,
  'w': O_TRUNC | O_CREAT | O_WRONLY,
  'wx': O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  'xw': O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  'w+': O_TRUNC | O_CREAT | O_RDWR,
  'wx+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
  'xw+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
  'a': O_APPEND | O_CREAT | O_WRONLY,
  'ax': O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
  'xa': O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
  'as': O_APPEND | O_CREAT | O_WRONLY | O_SYNC,
  'sa': O_APPEND | O_CREAT | O_WRONLY | O_SYNC,
  'a+': O_APPEND | O_CREAT | O_RDWR,
  'ax+': O_APPEND | O_CREAT | O_RDWR | O_EXCL,
  'xa+': O_APPEND | O_CREAT | O_RDWR | O_EXCL,
  'as+': O_APPEND | O_CREAT | O_RDWR | O_SYNC,
  'sa+': O_APPEND | O_CREAT | O_RDWR | O_SYNC,
};

function stringToFlags(flags, name = 'flags') {
  if (typeof flags === 'number') {
    validateInt32(flags, name);
    return flags;
  }
  if (flags == null) return O_RDONLY;
  const value = flagsByName[flags];
  if (value === undefined) throw new codes.ERR_INVALID_ARG_VALUE(name, flags);
  return value;
}

// ---------------------------------------------------------------- paths and descriptors

function nullCheck(path, name) {
  const has = typeof path === 'string' ? path.includes('\u0000') : path.includes(0);
  if (has) throw new codes.ERR_INVALID_ARG_VALUE(name, path, 'must be a string, Uint8Array, or URL without null bytes');
}

function isURL(value) {
  return value !== null && typeof value === 'object' && value.href && value.protocol && value.auth === undefined && value.path === undefined;
}

function getValidatedPath(value, name = 'path') {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) nullCheck(value, name);
    return value;
  }
  if (isURL(value)) value = require('url').fileURLToPath(value);
  if (typeof value !== 'string' && !isUint8Array(value)) {
    throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'URL'], value);
  }
  nullCheck(value, name);
  return value;
}

function getValidatedFd(fd, name = 'fd') {
  if (Object.is(fd, -0)) return 0;
  validateInt32(fd, name, 0);
  return fd;
}

function getValidMode(mode, type) {
  const isAccess = type === 'access';
  const max = isAccess ? 7 : 7;
  if (mode == null) return isAccess ? constants.F_OK : 0;
  validateInteger(mode, 'mode', 0, max);
  return mode;
}

function validateEncodingName(encoding) {
  if (encoding && encoding !== 'buffer' && !Buffer.isEncoding(encoding)) {
    throw new codes.ERR_INVALID_ARG_VALUE('encoding', encoding, 'is invalid encoding');
  }
}

function getOptions(options, defaults = kEmptyObject) {
  if (options == null || typeof options === 'function') return defaults;
  if (typeof options === 'string') {
    defaults = { ...defaults };
    defaults.encoding = options;
    options = defaults;
  } else if (typeof options !== 'object') {
    throw new codes.ERR_INVALID_ARG_TYPE('options', ['string', 'Object'], options);
  }
  if (options.encoding !== 'buffer') validateEncodingName(options.encoding);
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
  return options;
}

function copyObject(source) {
  const target = {};
  for (const key in source) target[key] = source[key];
  return target;
}

// How many bytes remain to be given a place: the checks of read and write.
function validateOffsetLengthRead(offset, length, bufferLength) {
  if (offset < 0) throw new codes.ERR_OUT_OF_RANGE('offset', '>= 0', offset);
  if (length < 0) throw new codes.ERR_OUT_OF_RANGE('length', '>= 0', length);
  if (offset + length > bufferLength) throw new codes.ERR_OUT_OF_RANGE('length', `<= ${bufferLength - offset}`, length);
}

function validateOffsetLengthWrite(offset, length, byteLength) {
  if (offset > byteLength) throw new codes.ERR_OUT_OF_RANGE('offset', `<= ${byteLength}`, offset);
  if (length > byteLength - offset) throw new codes.ERR_OUT_OF_RANGE('length', `<= ${byteLength - offset}`, length);
  if (length < 0) throw new codes.ERR_OUT_OF_RANGE('length', '>= 0', length);
  validateInt32(length, 'length', 0);
}

function validatePosition(position, name, length = 0) {
  if (typeof position === 'number') {
    validateInteger(position, name, -1);
  } else if (typeof position === 'bigint') {
    const max = 2n ** 63n - 1n - BigInt(length);
    if (!(position >= -1n && position <= max)) throw new codes.ERR_OUT_OF_RANGE(name, `>= -1 && <= ${max}`, position);
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE(name, ['integer', 'bigint'], position);
  }
}

function validateBufferArray(buffers, name = 'buffers') {
  if (!Array.isArray(buffers)) throw new codes.ERR_INVALID_ARG_TYPE(name, 'ArrayBufferView[]', buffers);
  for (let i = 0; i < buffers.length; i++) {
    if (!isArrayBufferView(buffers[i])) throw new codes.ERR_INVALID_ARG_TYPE(name, 'ArrayBufferView[]', buffers);
  }
  return buffers;
}

function validateStringAfterArrayBufferView(value, name) {
  if (typeof value !== 'string') {
    throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'TypedArray', 'DataView'], value);
  }
}

function toUnixTimestamp(time, name = 'time') {
  if (typeof time === 'string' && +time == time) return +time;
  if (Number.isFinite(time)) return time < 0 ? Date.now() / 1000 : time;
  if (isDate(time)) return time.getTime() / 1000;
  throw new codes.ERR_INVALID_ARG_TYPE(name, ['Date', 'Time in seconds'], time);
}

const rmDefaults = { recursive: false, force: false, retryDelay: 100, maxRetries: 0 };
const rmdirDefaults = { retryDelay: 100, maxRetries: 0, recursive: false };

function validateRmOptions(options) {
  if (options !== undefined) validateObject(options, 'options');
  options = { ...rmDefaults, ...options };
  validateBoolean(options.recursive, 'options.recursive');
  validateBoolean(options.force, 'options.force');
  validateInt32(options.retryDelay, 'options.retryDelay', 0);
  validateUint32(options.maxRetries, 'options.maxRetries');
  return options;
}

function validateRmdirOptions(options) {
  if (options !== undefined) validateObject(options, 'options');
  options = { ...rmdirDefaults, ...options };
  if (options.recursive !== undefined && 'recursive' in options && options.recursive !== false) {
    throw new codes.ERR_INVALID_ARG_VALUE('options.recursive', options.recursive, 'is no longer supported');
  }
  validateInt32(options.retryDelay, 'options.retryDelay', 0);
  validateUint32(options.maxRetries, 'options.maxRetries');
  return options;
}

function validateCpOptions(options) {
  if (options === undefined) options = {};
  validateObject(options, 'options');
  options = { dereference: false, errorOnExist: false, filter: undefined, force: true, preserveTimestamps: false, recursive: false, verbatimSymlinks: false, mode: 0, ...options };
  for (const name of ['dereference', 'errorOnExist', 'force', 'preserveTimestamps', 'recursive', 'verbatimSymlinks']) {
    validateBoolean(options[name], `options.${name}`);
  }
  options.mode = getValidMode(options.mode, 'copyFile');
  if (options.dereference === true && options.verbatimSymlinks === true) {
    throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('dereference', 'verbatimSymlinks');
  }
  if (options.filter !== undefined && typeof options.filter !== 'function') {
    throw new codes.ERR_INVALID_ARG_TYPE('options.filter', 'Function', options.filter);
  }
  return options;
}

const symlinkTypes = ['dir', 'file', 'junction'];
function checkSymlinkType(type) {
  if (type != null && !symlinkTypes.includes(type)) {
    validateOneOf(type, 'type', ['dir', 'file', 'junction', null, undefined]);
  }
}

// ---------------------------------------------------------------- stats

function isKind(stats, kind) {
  const mode = stats.mode;
  if (typeof mode === 'bigint') return (mode & BigInt(S_IFMT)) === BigInt(kind);
  return (mode & S_IFMT) === kind;
}

function StatsBase(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks) {
  this.dev = dev;
  this.mode = mode;
  this.nlink = nlink;
  this.uid = uid;
  this.gid = gid;
  this.rdev = rdev;
  this.blksize = blksize;
  this.ino = ino;
  this.size = size;
  this.blocks = blocks;
}
StatsBase.prototype.isDirectory = function isDirectory() { return this._checkModeProperty(S_IFDIR); };
StatsBase.prototype.isFile = function isFile() { return this._checkModeProperty(S_IFREG); };
StatsBase.prototype.isBlockDevice = function isBlockDevice() { return this._checkModeProperty(S_IFBLK); };
StatsBase.prototype.isCharacterDevice = function isCharacterDevice() { return this._checkModeProperty(S_IFCHR); };
StatsBase.prototype.isSymbolicLink = function isSymbolicLink() { return this._checkModeProperty(S_IFLNK); };
StatsBase.prototype.isFIFO = function isFIFO() { return this._checkModeProperty(S_IFIFO); };
StatsBase.prototype.isSocket = function isSocket() { return this._checkModeProperty(S_IFSOCK); };
StatsBase.prototype._checkModeProperty = function _checkModeProperty(kind) { return isKind(this, kind); };

const dateFields = ['atime', 'mtime', 'ctime', 'birthtime'];

// The dates are made when somebody asks for them, and kept from then on.
function defineDates(prototype) {
  for (const name of dateFields) {
    Object.defineProperty(prototype, name, {
      enumerable: true,
      configurable: true,
      get() {
        const ms = this[`${name}Ms`];
        return (this[name] = ms === undefined ? undefined : new Date(Math.round(Number(ms))));
      },
      set(value) {
        Object.defineProperty(this, name, { value, enumerable: true, configurable: true, writable: true });
      },
    });
  }
}

function Stats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks, atimeMs, mtimeMs, ctimeMs, birthtimeMs) {
  if (!new.target) return new Stats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks, atimeMs, mtimeMs, ctimeMs, birthtimeMs);
  StatsBase.call(this, dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks);
  this.atimeMs = atimeMs;
  this.mtimeMs = mtimeMs;
  this.ctimeMs = ctimeMs;
  this.birthtimeMs = birthtimeMs;
}
Object.setPrototypeOf(Stats.prototype, StatsBase.prototype);
Object.setPrototypeOf(Stats, StatsBase);
defineDates(Stats.prototype);

function BigIntStats(dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks, atimeNs, mtimeNs, ctimeNs, birthtimeNs) {
  StatsBase.call(this, dev, mode, nlink, uid, gid, rdev, blksize, ino, size, blocks);
  this.atimeMs = atimeNs / 1000000n;
  this.mtimeMs = mtimeNs / 1000000n;
  this.ctimeMs = ctimeNs / 1000000n;
  this.birthtimeMs = birthtimeNs / 1000000n;
  this.atimeNs = atimeNs;
  this.mtimeNs = mtimeNs;
  this.ctimeNs = ctimeNs;
  this.birthtimeNs = birthtimeNs;
}
Object.setPrototypeOf(BigIntStats.prototype, StatsBase.prototype);
Object.setPrototypeOf(BigIntStats, StatsBase);
defineDates(BigIntStats.prototype);

const words = binding.stats;
const exactWords = binding.exactStats;

// A row of the shared words as an object: 0 the latest, 1 the one before it.
function readStats(bigint, row = 0) {
  const o = row * 18;
  if (bigint) {
    const w = exactWords;
    const ns = (i) => w[o + i] * 1000000000n + w[o + i + 1];
    return new BigIntStats(w[o], w[o + 1], w[o + 2], w[o + 3], w[o + 4], w[o + 5], w[o + 6], BigInt.asUintN(64, w[o + 7]), w[o + 8],
                           w[o + 9], ns(10), ns(12), ns(14), ns(16));
  }
  const w = words;
  return new Stats(w[o], w[o + 1], w[o + 2], w[o + 3], w[o + 4], w[o + 5], w[o + 6], w[o + 7], w[o + 8], w[o + 9],
                   w[o + 10] * 1000 + w[o + 11] / 1e6, w[o + 12] * 1000 + w[o + 13] / 1e6, w[o + 14] * 1000 + w[o + 15] / 1e6,
                   w[o + 16] * 1000 + w[o + 17] / 1e6);
}

class StatFs {
  constructor(type, bsize, blocks, bfree, bavail, files, ffree, frsize) {
    this.type = type;
    this.bsize = bsize;
    this.frsize = frsize;
    this.blocks = blocks;
    this.bfree = bfree;
    this.bavail = bavail;
    this.files = files;
    this.ffree = ffree;
  }
}

function readStatFs(bigint) {
  const w = bigint ? exactWords : words;
  return new StatFs(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]);
}

// ---------------------------------------------------------------- directory entries

const kType = Symbol('type');
const kStats = Symbol('stats');

class Dirent {
  constructor(name, type, path) {
    this.name = name;
    this.parentPath = path;
    this[kType] = type;
  }
  isDirectory() { return this[kType] === UV_DIRENT_DIR; }
  isFile() { return this[kType] === UV_DIRENT_FILE; }
  isBlockDevice() { return this[kType] === UV_DIRENT_BLOCK; }
  isCharacterDevice() { return this[kType] === UV_DIRENT_CHAR; }
  isSymbolicLink() { return this[kType] === UV_DIRENT_LINK; }
  isFIFO() { return this[kType] === UV_DIRENT_FIFO; }
  isSocket() { return this[kType] === UV_DIRENT_SOCKET; }
}

function typeOfStats(stats) {
  switch (stats.mode & S_IFMT) {
    case S_IFDIR: return UV_DIRENT_DIR;
    case S_IFREG: return UV_DIRENT_FILE;
    case S_IFLNK: return UV_DIRENT_LINK;
    case S_IFIFO: return UV_DIRENT_FIFO;
    case S_IFSOCK: return UV_DIRENT_SOCKET;
    case S_IFCHR: return UV_DIRENT_CHAR;
    case S_IFBLK: return UV_DIRENT_BLOCK;
    default: return UV_DIRENT_UNKNOWN;
  }
}

function joinPath(parent, name) {
  if (typeof parent === 'string' && typeof name === 'string') return pathModule.join(parent, name);
  const separator = Buffer.from(pathModule.sep);
  return Buffer.concat([Buffer.from(parent), separator, Buffer.from(name)]);
}

// Some file systems do not tell what an entry is: then its stat does.
function getDirent(path, name, type) {
  if (type === UV_DIRENT_UNKNOWN) {
    const result = binding.lstat(-1, joinPath(path, name));
    if (result === 0) type = typeOfStats(readStats(false));
  }
  return new Dirent(name, type, path);
}

// A name as the caller wants it: names come from C as text, or as array buffers.
function encodeName(name, encoding) {
  if (typeof name === 'string') return name;
  const buffer = Buffer.from(name);
  return encoding === 'buffer' ? buffer : buffer.toString(encoding);
}

// Only UTF-8 is made in C.
function wantsBytes(encoding) {
  return encoding !== undefined && encoding !== null && encoding !== 'utf8' && encoding !== 'utf-8';
}

module.exports = {
  BigIntStats,
  constants,
  copyObject,
  Dirent,
  encodeName,
  getDirent,
  getOptions,
  getValidatedFd,
  getValidatedPath,
  getValidMode,
  isURL,
  joinPath,
  kType,
  kStats,
  nullCheck,
  readStatFs,
  readStats,
  realizeStats: Stats,
  Stats,
  StatFs,
  stringToFlags,
  checkSymlinkType,
  toUnixTimestamp,
  typeOfStats,
  validateBufferArray,
  validateCpOptions,
  validateEncodingName,
  validateOffsetLengthRead,
  validateOffsetLengthWrite,
  validatePosition,
  validateRmOptions,
  validateRmdirOptions,
  validateStringAfterArrayBufferView,
  wantsBytes,
  DeprecatedStats: deprecate(Stats, 'fs.Stats constructor is deprecated.', 'DEP0180'),
};
