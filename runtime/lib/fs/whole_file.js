'use strict';

// readFile, writeFile and appendFile. The binding reads a file with a path in one call, on a thread or synchronously.
// Files with a descriptor, and most writing, are tasks of single steps (internal/fs/tasks).

const { AbortError, codes } = require('internal/errors');
const { parseFileMode, validateBoolean, validateEncoding } = require('internal/validators');
const { binding, start, fsError, lateError } = require('internal/fs/native');
const {
  bytesKinds,
  checkCallback,
  readDescriptor,
  readFlags,
  readOptions,
  readPath,
  textOrBytesKinds,
} = require('internal/fs/arguments');
const { readFailure, writeFailure } = require('internal/shared');

// Not all files are read or written step by step.
const table = () => require('internal/fs/operations').operations;
const runLater = (task, callback) => require('internal/fs/tasks').runLater(task, callback);
const runNow = (task) => require('internal/fs/tasks').runNow(task);
let Bytes;
// A file that is read as text needs none.
const bytesClass = () => (Bytes ??= require('internal/buffer/class').Buffer[Symbol.species]);
const readDefaults = Object.freeze({ flag: 'r' });
const chunkSize = 64 * 1024;
const largest = 2 ** 31 - 1;
const adoptAbove = 64 * 1024; // smaller files are copied, as memory of the engine is faster to allocate

function isDescriptor(value) {
  if (typeof value !== 'number' || value !== (value | 0)) return false;
  readDescriptor(value);
  return true;
}
const isUTF8 = (encoding) => encoding === 'utf8' || encoding === 'utf-8';
const abortion = (signal) => new AbortError(undefined, { cause: signal.reason });

// Where the program wants the bytes: in new memory, in bytes of its own, or in the bytes that its function gives for a
// size.
function checkDestination(options) {
  const { buffer } = options;
  if (buffer !== undefined && typeof buffer !== 'function' && !ArrayBuffer.isView(buffer)) {
    throw new codes.ERR_INVALID_ARG_TYPE('options.buffer', ['Function', ...bytesKinds], buffer);
  }
}

function settleInto(destination, bytes) {
  let name = 'options.buffer';
  if (typeof destination === 'function') {
    destination = destination(bytes.length);
    name += '()';
    if (!ArrayBuffer.isView(destination)) throw new codes.ERR_INVALID_ARG_TYPE(name, bytesKinds, destination);
  }
  if (destination.byteLength < bytes.length) {
    throw new codes.ERR_INVALID_ARG_VALUE(
      `${name}.byteLength`,
      destination.byteLength,
      `is smaller than the file size of ${bytes.length} bytes`,
    );
  }
  const view = new (bytesClass())(destination.buffer, destination.byteOffset, bytes.length);
  view.set(bytes);
  return view;
}

function present(bytes, { encoding, buffer }) {
  const placed = buffer === undefined ? bytes : settleInto(buffer, bytes);
  return encoding && encoding !== 'buffer' ? placed.toString(encoding) : placed;
}

function failure(number, stage, path, make = fsError) {
  if (stage === readFailure.kOpen || stage === undefined) return make(number, 'open', path);
  return stage === readFailure.kRead ? make(number, 'read', path) : new codes.ERR_FS_FILE_TOO_LARGE(stage);
}

function takeBytes(length) {
  if (length > adoptAbove) return new (bytesClass())(binding.takeFile());
  const bytes = new (bytesClass())(length);
  if (length > 0) binding.takeFile(bytes);
  return bytes;
}

// Reads for the runtime itself, even if the program has no permission to read the file: `purpose` is one of readPurpose
// (internal/shared).
function readFor(purpose, path) {
  const result = binding.readFileNow(path, 0, false, purpose);
  if (result < 0) {
    const stage = binding.takeFile();
    throw failure(result, stage, stage === readFailure.kRead ? undefined : path);
  }
  return takeBytes(result);
}

// From the descriptor's position to the end.
function* readToEnd(fd, options) {
  const { signal } = options;
  const stats = yield [table().fstat, fd, false];
  const size = stats.isFile() ? stats.size : 0;
  if (size > largest) throw new codes.ERR_FS_FILE_TOO_LARGE(size);
  const chunks = [];
  let room = size > 0 ? size + 1 : chunkSize;
  let total = 0;
  for (;;) {
    if (signal?.aborted) throw abortion(signal);
    const chunk = require('internal/buffer/class').Buffer.allocUnsafeSlow(room);
    const count = yield [table().read, fd, chunk, 0, room, -1];
    if (signal?.aborted) throw abortion(signal);
    if (count === 0) break;
    chunks.push(count === room ? chunk : chunk.subarray(0, count));
    total += count;
    if (total > largest) throw new codes.ERR_FS_FILE_TOO_LARGE(total);
    room = total < size ? size - total + 1 : chunkSize;
  }
  return present(
    chunks.length === 1 ? chunks[0] : require('internal/buffer/class').Buffer.concat(chunks, total),
    options,
  );
}

// A permission error is given to the callback, at once.
function tryStart(callback, ...rest) {
  let refusal;
  try {
    start(...rest);
    return;
  } catch (error) {
    refusal = error;
  }
  callback(refusal);
}

// The fast path: one call into C, one call back. `callback(error, data)`.
function readPathLater(path, flags, options, callback) {
  const { encoding, buffer, signal } = options;
  const asText = buffer === undefined && isUTF8(encoding);
  const plain = buffer === undefined && !encoding;
  tryStart(
    callback,
    binding.readFile,
    (length, value) => {
      if (signal?.aborted) {
        callback(abortion(signal));
      } else if (length < 0) {
        callback(failure(length, value, path, lateError));
      } else if (asText) {
        callback(null, value);
      } else if (plain) {
        callback(null, takeBytes(length));
      } else {
        let result;
        try {
          result = present(takeBytes(length), options);
        } catch (error) {
          callback(error);
          return;
        }
        callback(null, result);
      }
    },
    path,
    flags,
    asText,
  );
}

function readFile(path, options, callback) {
  callback ||= options;
  checkCallback(callback);
  const read = readOptions(options, readDefaults);
  checkDestination(read);
  if (isDescriptor(path)) {
    if (read.signal?.aborted) callback(abortion(read.signal));
    else runLater(readToEnd(path, read), callback);
    return;
  }
  if (read.signal?.aborted) {
    callback(abortion(read.signal));
    return;
  }
  const flags = readFlags(read.flag ?? 'r');
  readPathLater(readPath(path), flags, read, callback);
}

function readFileSync(path, options) {
  const read = readOptions(options, readDefaults);
  checkDestination(read);
  if (isDescriptor(path)) return runNow(readToEnd(path, { ...read, signal: undefined }));
  const name = readPath(path);
  const asText = isUTF8(read.encoding) && read.buffer === undefined;
  const result = binding.readFileNow(name, readFlags(read.flag ?? 'r'), asText);
  if (typeof result === 'string') return result;
  if (result < 0) {
    const stage = binding.takeFile();
    throw failure(result, stage, stage === readFailure.kRead ? undefined : name);
  }
  return present(takeBytes(result), read);
}

const writeDefaults = Object.freeze({ encoding: 'utf8', mode: 0o666, flag: 'w', flush: false });
const appendDefaults = Object.freeze({ ...writeDefaults, flag: 'a' });

function readWriteOptions(given, defaults) {
  const options = readOptions(given, defaults);
  const flush = options.flush ?? false;
  validateBoolean(flush, 'options.flush');
  return {
    encoding: options.encoding || 'utf8',
    mode: options.mode,
    flag: options.flag || defaults.flag,
    flush,
    signal: options.signal,
  };
}

function bytesOf(data, encoding) {
  if (ArrayBuffer.isView(data)) return data;
  if (typeof data !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('data', textOrBytesKinds, data);
  validateEncoding(data, encoding);
  return require('internal/buffer/class').Buffer.from(data, encoding);
}

function* writeAll(fd, bytes, signal) {
  let at = 0;
  do {
    at += yield [table().write, fd, bytes, at, bytes.byteLength - at, -1];
    if (signal?.aborted) throw abortion(signal);
  } while (at < bytes.byteLength);
}

// Through the public functions, so that a program that replaces them sees the calls.
const flushing = {
  now: (fd) => require('fs').fsyncSync(fd),
  later: (callback, fd) => require('fs').fsync(fd, callback),
};

// Everything between opening and closing; a failure to close is reported together with the failure before it.
function* withFile(path, flags, mode, work) {
  const fd = yield [table().open, path, flags, mode];
  try {
    yield* work(fd);
  } catch (error) {
    try {
      yield [table().close, fd];
    } catch (second) {
      throw require('internal/errors').aggregateTwoErrors(second, error);
    }
    throw error;
  }
  yield [table().close, fd];
}

function* writeWhole(target, bytes, options) {
  const { flush, signal } = options;
  const work = function* (fd) {
    if (bytes.byteLength > 0) yield* writeAll(fd, bytes, signal);
    else if (signal?.aborted) throw abortion(signal);
    if (flush) yield [flushing, fd];
  };
  if (isDescriptor(target)) yield* work(target);
  else yield* withFile(target, readFlags(options.flag), parseFileMode(options.mode, 'mode', 0o666), work);
}

const writeStages = { [writeFailure.kOpen]: 'open', [writeFailure.kWrite]: 'write', [writeFailure.kClose]: 'close' };

// The fast path, for bytes that go to a path without a flush: one call into C, one call back.
function writePathLater(path, bytes, options, callback) {
  const { signal } = options;
  tryStart(
    callback,
    binding.writeFile,
    (result, stage) => {
      if (signal?.aborted) callback(abortion(signal));
      else if (result < 0)
        callback(lateError(result, writeStages[stage], stage === writeFailure.kOpen ? path : undefined));
      else callback(null);
      void bytes;
    },
    path,
    readFlags(options.flag),
    parseFileMode(options.mode, 'mode', 0o666),
    bytes,
  );
}

// One function for writing and one for appending.
function makeWriters(defaults) {
  const later = function (path, data, options, callback) {
    callback ||= options;
    checkCallback(callback);
    const read = readWriteOptions(options, defaults);
    const bytes = bytesOf(data, read.encoding);
    if (read.signal?.aborted) {
      callback(abortion(read.signal));
      return;
    }
    // An error in the arguments is thrown here, not given to the callback.
    readFlags(read.flag);
    parseFileMode(read.mode, 'mode', 0o666);
    if (isDescriptor(path)) runLater(writeWhole(path, bytes, read), callback);
    else if (read.flush) runLater(writeWhole(readPath(path), bytes, read), callback);
    else writePathLater(readPath(path), bytes, read, callback);
  };
  const now = function (path, data, options) {
    const read = readWriteOptions(options, defaults);
    const bytes = bytesOf(data, read.encoding);
    runNow(writeWhole(isDescriptor(path) ? path : readPath(path), bytes, { ...read, signal: undefined }));
  };
  return [later, now];
}

const [writeFile, writeFileSync] = makeWriters(writeDefaults);
const [appendFile, appendFileSync] = makeWriters(appendDefaults);

module.exports = {
  abortion,
  appendDefaults,
  appendFile,
  appendFileSync,
  bytesOf,
  checkDestination,
  readDefaults,
  readFile,
  readFileSync,
  readFor,
  readPathLater,
  readToEnd,
  readWriteOptions,
  withFile,
  writeAll,
  writeDefaults,
  writePathLater,
  writeFile,
  writeFileSync,
};
