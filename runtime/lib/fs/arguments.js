'use strict';

// Converts the arguments of fs functions for the binding. A reader takes one argument and gives the value for the
// binding, or throws Node's error; the makers below bind a reader to the name that the error shows.

const { codes } = require('internal/errors');
const {
  parseFileMode,
  validateAbortSignal,
  validateInteger,
  validateInt32,
  validateUint32,
} = require('internal/validators');
const constants = require('internal/fs/constants');

const pathKinds = ['string', 'Buffer', 'URL'];
const bytesKinds = ['Buffer', 'TypedArray', 'DataView'];
const textOrBytesKinds = ['string', ...bytesKinds];
const zero = '\u0000';

// Objects of the URL class, and those of other realms or libraries that look like one. The old parser's have `auth` and
// `path`.
function looksLikeURL(value) {
  return (
    typeof value === 'object' &&
    value !== null &&
    Boolean(value.href && value.protocol) &&
    value.auth === undefined &&
    value.path === undefined
  );
}

function unusualPath(value, name) {
  let path = value;
  if (looksLikeURL(value)) path = require('url').fileURLToPath(value);
  const isText = typeof path === 'string';
  if (!isText && !(path instanceof Uint8Array)) throw new codes.ERR_INVALID_ARG_TYPE(name, pathKinds, value);
  if (isText ? path.includes(zero) : path.includes(0)) {
    throw new codes.ERR_INVALID_ARG_VALUE(name, path, 'must be a string, Uint8Array, or URL without null bytes');
  }
  return path;
}

function readPath(value, name = 'path') {
  return typeof value === 'string' && value.indexOf(zero) < 0 ? value : unusualPath(value, name);
}

function readDescriptor(value) {
  if (typeof value !== 'number' || value !== (value | 0) || value < 0) validateInt32(value, 'fd', 0, 2147483647);
  return value === 0 ? 0 : value;
}

let openFlags;
function makeOpenFlags() {
  const flags = new Map();
  const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_SYNC, O_TRUNC, O_WRONLY } = constants;
  const base = { r: O_RDONLY, w: O_TRUNC | O_CREAT | O_WRONLY, a: O_APPEND | O_CREAT | O_WRONLY };
  for (const letter of ['r', 'w', 'a']) {
    // Further letters, in any order that Node accepts: x only with w and a, s only with r and a.
    const readWrite = (base[letter] & ~O_WRONLY) | O_RDWR;
    flags.set(letter, base[letter]).set(`${letter}+`, readWrite);
    if (letter !== 'w') {
      for (const s of [`${letter}s`, `s${letter}`])
        flags.set(s, base[letter] | O_SYNC).set(`${s}+`, readWrite | O_SYNC);
    }
    if (letter !== 'r') {
      for (const x of [`${letter}x`, `x${letter}`])
        flags.set(x, base[letter] | O_EXCL).set(`${x}+`, readWrite | O_EXCL);
    }
  }
  return flags;
}

function readFlags(value, name = 'flags') {
  if (value == null) return constants.O_RDONLY;
  if (typeof value === 'number') {
    validateInt32(value, name);
    return value;
  }
  if (value === 'r') return constants.O_RDONLY;
  openFlags ??= makeOpenFlags();
  const flags = openFlags.get(value);
  if (flags === undefined) throw new codes.ERR_INVALID_ARG_VALUE(name, value);
  return flags;
}

// Seconds since 1970; earlier times become the current time.
function readTime(value, name = 'time') {
  if (typeof value === 'string' && !Number.isNaN(+value)) return +value;
  if (Number.isFinite(value)) return value < 0 ? Date.now() / 1000 : value;
  if (value instanceof Date) return value.getTime() / 1000;
  throw new codes.ERR_INVALID_ARG_TYPE(name, ['Date', 'Time in seconds'], value);
}

// The mode of access() or copyFile(): three bits. The messages are those of Node's C++ side.
function readBits(value) {
  if (value == null) return 0;
  const fail = (Kind, code, text) => Object.assign(new Kind(text), { code });
  if (typeof value !== 'number') throw fail(TypeError, 'ERR_INVALID_ARG_TYPE', 'mode must be int32 or null/undefined');
  if (Number.isNaN(value) || Math.abs(value) === Infinity)
    throw fail(RangeError, 'ERR_OUT_OF_RANGE', 'mode is out of range');
  if (value < 0 || value > 7) throw fail(RangeError, 'ERR_OUT_OF_RANGE', 'mode is out of range: >= 0 && <= 7');
  return value | 0;
}

function readLength(value) {
  if (value === undefined) return 0;
  validateInteger(value, 'len');
  return Math.max(0, value);
}

// Linux has one type of link; the types are those of Windows.
function linkKind(value) {
  if (value === null || value === undefined || value === 'file') return 0;
  if (value === 'dir') return constants.UV_FS_SYMLINK_DIR;
  return value === 'junction' ? constants.UV_FS_SYMLINK_JUNCTION : undefined;
}

function readLinkKind(value) {
  const kind = linkKind(value);
  if (kind === undefined) {
    throw new codes.ERR_INVALID_ARG_VALUE('type', value, "must be one of: 'dir', 'file', 'junction', null, undefined");
  }
  return kind;
}

const path = (name) => (value) => readPath(value, name);
const mode = (name, otherwise) => (value) => parseFileMode(value, name, otherwise);
const time = (name) => (value) => readTime(value, name);
const owner = (name) => (value) => {
  validateInteger(value, name, -1, 4294967295);
  return value;
};

function checkEncoding(encoding) {
  if (
    encoding &&
    encoding !== 'utf8' &&
    encoding !== 'buffer' &&
    !require('internal/buffer/class').Buffer.isEncoding(encoding)
  ) {
    throw new codes.ERR_INVALID_ARG_VALUE('encoding', encoding, 'is invalid encoding');
  }
}

// Options that may also be the name of an encoding. Missing options come from `defaults`; the program's object is never
// changed.
function readOptions(given, defaults = {}) {
  if (given == null || typeof given === 'function') return defaults;
  let options = given;
  if (typeof given === 'string') options = { ...defaults, encoding: given };
  else if (typeof given !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('options', ['string', 'Object'], given);
  checkEncoding(options.encoding);
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
  return options;
}

// For names that the binding gives: false if it decodes them as UTF-8 itself, else the encoding for their bytes.
function readNameEncoding(given) {
  if (given === undefined || given === null) return false;
  const { encoding } = readOptions(given);
  return !encoding || encoding === 'utf8' || encoding === 'utf-8' ? false : encoding;
}

function decodeName(name, encoding) {
  if (typeof name === 'string') return name;
  const bytes = require('internal/buffer/class').Buffer.from(name);
  return encoding === 'buffer' ? bytes : bytes.toString(encoding || 'utf8');
}

// -> a copy of the list. The program's list may be a proxy or have getters, so it is read only once.
function checkViews(value, name = 'buffers') {
  const refusal = () => new codes.ERR_INVALID_ARG_TYPE(name, 'ArrayBufferView[]', value);
  if (!Array.isArray(value)) throw refusal();
  for (let i = 0; i < value.length; i++) if (!ArrayBuffer.isView(value[i])) throw refusal();
  const list = [];
  for (let i = 0; i < value.length; i++) {
    const view = value[i];
    if (!ArrayBuffer.isView(view)) throw refusal();
    list.push(view);
  }
  return list;
}

function checkBytes(value, name = 'buffer') {
  if (!ArrayBuffer.isView(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, bytesKinds, value);
  return value;
}

function checkCallback(value, name = 'cb') {
  if (typeof value !== 'function') throw new codes.ERR_INVALID_ARG_TYPE(name, 'Function', value);
}

module.exports = {
  bytesKinds,
  checkBytes,
  checkCallback,
  checkEncoding,
  checkViews,
  decodeName,
  looksLikeURL,
  mode,
  owner,
  path,
  readBits,
  readDescriptor,
  readFlags,
  readLength,
  readLinkKind,
  readNameEncoding,
  readOptions,
  readPath,
  readTime,
  textOrBytesKinds,
  time,
  validateUint32,
};
