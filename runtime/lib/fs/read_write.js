'use strict';

// Reading and writing at a descriptor: what the forms of read and write share. A plan says which part of which bytes is
// transferred; the forms differ only in what they do with the count.

const { codes } = require('internal/errors');
const { validateEncoding, validateInteger, validateObject } = require('internal/validators');
const { binding, start, fsError, lateError } = require('internal/fs/native');
const {
  bytesKinds,
  checkBytes,
  checkCallback,
  checkViews,
  readDescriptor,
  textOrBytesKinds,
} = require('internal/fs/arguments');

const largest = 2 ** 31 - 1;
const largestPosition = 2n ** 63n - 1n;
const noOptions = Object.freeze({ __proto__: null });

// The state of one transfer. Reads and writes accept different ranges, and their errors have different messages.
class Plan {
  constructor(bytes, offset, length, position) {
    this.bytes = bytes;
    this.offset = offset;
    this.length = length;
    this.position = position;
  }
}

function readPosition(position, length) {
  if (position === undefined || position === null) return -1;
  if (typeof position === 'bigint') {
    const most = largestPosition - BigInt(length);
    if (position < -1n || position > most)
      throw new codes.ERR_OUT_OF_RANGE('position', `>= -1 && <= ${most}`, position);
    return position;
  }
  if (typeof position !== 'number') throw new codes.ERR_INVALID_ARG_TYPE('position', ['bigint', 'integer'], position);
  validateInteger(position, 'position', -1);
  return position;
}

function planRead(bytes, offset, length, position) {
  if (offset == null) offset = 0;
  else validateInteger(offset, 'offset', 0);
  length = typeof length === 'bigint' ? length | 0 : length | 0;
  if (length !== 0) {
    if (bytes.byteLength === 0) {
      throw new codes.ERR_INVALID_ARG_VALUE('buffer', bytes, 'is empty and cannot be written');
    }
    if (length < 0) throw new codes.ERR_OUT_OF_RANGE('length', '>= 0', length);
    if (length > bytes.byteLength - offset)
      throw new codes.ERR_OUT_OF_RANGE('length', `<= ${bytes.byteLength - offset}`, length);
  }
  return new Plan(bytes, offset, length, readPosition(position, length));
}

function planWrite(bytes, offset, length, position) {
  if (offset == null || typeof offset === 'function') offset = 0;
  else validateInteger(offset, 'offset', 0);
  if (typeof length !== 'number') length = bytes.byteLength - offset;
  if (offset > bytes.byteLength) throw new codes.ERR_OUT_OF_RANGE('offset', `<= ${bytes.byteLength}`, offset);
  if (length > bytes.byteLength - offset)
    throw new codes.ERR_OUT_OF_RANGE('length', `<= ${bytes.byteLength - offset}`, length);
  if (length < 0) throw new codes.ERR_OUT_OF_RANGE('length', '>= 0', length);
  validateInteger(length, 'length', 0, largest);
  return new Plan(bytes, offset, length, typeof position === 'number' || typeof position === 'bigint' ? position : -1);
}

function planText(text, position, encoding) {
  validateEncoding(text, encoding);
  const bytes = require('internal/buffer/class').Buffer.from(text, typeof encoding === 'string' ? encoding : 'utf8');
  return new Plan(
    bytes,
    0,
    bytes.byteLength,
    typeof position === 'number' || typeof position === 'bigint' ? position : -1,
  );
}

// (bytes), (bytes, options), (options) or (bytes, offset, length, position), for reads.
function planOfRead(bytes, offsetOrOptions, length, position, mayMakeBytes) {
  let offset = offsetOrOptions;
  if (bytes !== undefined && bytes !== null && !ArrayBuffer.isView(bytes) && mayMakeBytes) {
    validateObject(bytes, 'options', { nullable: true });
    const options = bytes;
    ({ buffer: bytes = require('internal/buffer/class').Buffer.alloc(16384), offset = 0, position = null } = options);
    checkBytes(bytes);
    ({ length = bytes.byteLength - offset } = options);
  } else if (bytes == null && mayMakeBytes) {
    bytes = require('internal/buffer/class').Buffer.alloc(16384);
    offset = 0;
    length = bytes.byteLength;
  } else if (typeof offsetOrOptions === 'object' && ArrayBuffer.isView(bytes)) {
    ({ offset = 0, length = bytes.byteLength - offset, position = null } = offsetOrOptions ?? noOptions);
  }
  checkBytes(bytes);
  const isAll = length === undefined || (mayMakeBytes && length === null);
  return planRead(bytes, offset, isAll ? bytes.byteLength - (offset ?? 0) : length, position);
}

function planOfWrite(bytes, offsetOrOptions, length, position) {
  let offset = offsetOrOptions;
  if (typeof offsetOrOptions === 'object' && offsetOrOptions !== null) {
    ({ offset = 0, length = bytes.byteLength - offset, position = null } = offsetOrOptions);
  }
  return planWrite(bytes, offset, length, position);
}

function moveNow(native, syscall, fd, plan) {
  const count = native(-1, readDescriptor(fd), plan.bytes, plan.offset, plan.length, plan.position);
  if (count < 0) throw fsError(count, syscall);
  return count;
}

// callback(error or null, count, buffer): reads and writes give their callbacks the same three arguments, also when
// they fail.
function moveLater(native, syscall, fd, plan, what, callback) {
  start(
    native,
    (count) => {
      if (count < 0) callback(lateError(count, syscall), 0, what);
      else callback(null, count, what);
    },
    fd,
    plan.bytes,
    plan.offset,
    plan.length,
    plan.position,
  );
}

function read(fd, buffer, offsetOrOptions, length, position, callback) {
  readDescriptor(fd);
  let plan;
  if (arguments.length <= 4) {
    // The callback is the last argument; before it are bytes, options, or both.
    if (arguments.length === 4) {
      validateObject(offsetOrOptions, 'options', { nullable: true });
      callback = length;
      length = undefined;
      checkBytes(buffer);
      offsetOrOptions ??= noOptions;
    } else if (arguments.length === 3) {
      callback = offsetOrOptions;
      offsetOrOptions = ArrayBuffer.isView(buffer) ? noOptions : undefined;
      length = undefined;
    } else {
      callback = buffer;
      buffer = undefined;
      offsetOrOptions = undefined;
    }
    plan = planOfRead(buffer, offsetOrOptions, undefined, null, arguments.length !== 4);
    checkCallback(callback);
  } else {
    checkBytes(buffer);
    checkCallback(callback);
    plan = planRead(buffer, offsetOrOptions, length, position);
  }
  if (plan.length === 0) {
    process.nextTick(callback, null, 0, plan.bytes);
    return;
  }
  moveLater(binding.read, 'read', fd, plan, plan.bytes, callback);
}

function readSync(fd, buffer, offsetOrOptions, length, position) {
  checkBytes(buffer);
  if ((arguments.length <= 3 && offsetOrOptions !== undefined) || typeof offsetOrOptions === 'object') {
    validateObject(offsetOrOptions, 'options', { nullable: true });
  }
  const plan =
    typeof offsetOrOptions === 'number' && arguments.length > 3
      ? planRead(buffer, offsetOrOptions, length === undefined ? buffer.byteLength - offsetOrOptions : length, position)
      : planOfRead(buffer, offsetOrOptions, length, position, false);
  return plan.length === 0 ? 0 : moveNow(binding.read, 'read', fd, plan);
}

function write(fd, buffer, offsetOrOptions, length, position, callback) {
  readDescriptor(fd);
  if (ArrayBuffer.isView(buffer)) {
    callback ||= position || length || offsetOrOptions;
    checkCallback(callback);
    if (typeof length === 'function') length = undefined;
    if (typeof position === 'function') position = undefined;
    const plan = planOfWrite(
      buffer,
      typeof offsetOrOptions === 'function' ? undefined : offsetOrOptions,
      length,
      position,
    );
    moveLater(binding.write, 'write', fd, plan, buffer, callback);
    return;
  }
  if (typeof buffer !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('buffer', textOrBytesKinds, buffer);
  // (fd, text, position, encoding, callback), the last two or three of them left out or not
  let encoding = length;
  callback = position;
  let at = offsetOrOptions;
  if (typeof callback !== 'function') {
    if (typeof at === 'function') {
      callback = at;
      at = null;
    } else {
      callback = length;
    }
    encoding = 'utf8';
  }
  const plan = planText(buffer, at, encoding);
  checkCallback(callback);
  moveLater(binding.write, 'write', fd, plan, buffer, callback);
}

function writeSync(fd, buffer, offsetOrOptions, length, position) {
  if (ArrayBuffer.isView(buffer)) {
    return moveNow(binding.write, 'write', fd, planOfWrite(buffer, offsetOrOptions, length, position));
  }
  if (typeof buffer !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('buffer', textOrBytesKinds, buffer);
  return moveNow(binding.write, 'write', fd, planText(buffer, offsetOrOptions, length));
}

const positionOf = (position) => (typeof position === 'number' || typeof position === 'bigint' ? position : -1);

// readv and writev are one function with another binding; they differ only if there are no bytes.
function makeVector(native, syscall) {
  const later = function (fd, buffers, position, callback) {
    readDescriptor(fd);
    const list = checkViews(buffers);
    callback ||= position;
    checkCallback(callback);
    if (list.length === 0) {
      process.nextTick(callback, null, 0, buffers);
      return;
    }
    start(
      native,
      (count) => {
        if (count < 0) callback(lateError(count, syscall), 0, buffers);
        else callback(null, count, buffers);
      },
      fd,
      list,
      positionOf(position),
    );
  };
  const now = function (fd, buffers, position) {
    const list = checkViews(buffers);
    readDescriptor(fd);
    if (list.length === 0) return 0;
    const count = native(-1, fd, list, positionOf(position));
    if (count < 0) throw fsError(count, syscall);
    return count;
  };
  return [later, now];
}

const [readv, readvSync] = makeVector(binding.readv, 'read');
const [writev, writevSync] = makeVector(binding.writev, 'write');

module.exports = {
  bytesKinds,
  moveLater,
  planOfRead,
  planOfWrite,
  planText,
  positionOf,
  read,
  readSync,
  readv,
  readvSync,
  write,
  writeSync,
  writev,
  writevSync,
};
