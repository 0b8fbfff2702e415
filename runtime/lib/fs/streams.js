'use strict';

// fs.ReadStream and fs.WriteStream. A stream works on an OpenFile, which knows the functions that do the work (the
// program's own, those of node:fs as they are at that moment, or a FileHandle's) and whether one of them is running: a
// descriptor is closed only after it has finished. Both are functions and no classes, because programs call them on
// objects of their own.

const { codes } = require('internal/errors');
const { validateBoolean, validateFunction, validateInt32, validateInteger } = require('internal/validators');
const { readOptions, readPath } = require('internal/fs/arguments');
const { Readable, Writable, finished } = require('stream');
const { fail } = require('internal/streams/life_cycle');

const kFile = Symbol('file');
const kRetries = 5;

// The functions of node:fs over the methods of a FileHandle.
function functionsOf(handle) {
  const { kUnref } = require('internal/fs/promises');
  const settle = (promise, callback, pick) =>
    promise.then(
      (result) =>
        process.nextTick(
          callback,
          null,
          pick === undefined ? undefined : result[pick],
          result?.buffer ?? result?.buffers,
        ),
      (error) => process.nextTick(callback, error),
    );
  return {
    read: (fd, buffer, offset, length, position, callback) =>
      settle(handle.read(buffer, offset, length, position), callback, 'bytesRead'),
    write: (fd, buffer, offset, length, position, callback) =>
      settle(handle.write(buffer, offset, length, position), callback, 'bytesWritten'),
    writev: (fd, buffers, position, callback) => settle(handle.writev(buffers, position), callback, 'bytesWritten'),
    fsync: (fd, callback) => settle(handle.sync(), callback),
    close(fd, callback) {
      handle[kUnref]();
      settle(handle.close(), callback);
    },
  };
}

class OpenFile {
  functions;
  #busy = false;
  #waiting;

  constructor(functions) {
    this.functions = functions;
  }

  // Calls one of the functions; `done` is called at its end, before any waiting code.
  run(name, args, done) {
    this.#busy = true;
    this.functions[name](...args, (...results) => {
      this.#busy = false;
      done(...results);
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (!this.#busy) waiting?.();
      else this.#waiting = waiting;
    });
  }

  whenIdle(callback) {
    if (this.#busy) this.#waiting = callback;
    else callback();
  }
}

function refuseWindowsHandle({ windowsHandle, fd }) {
  if (windowsHandle == null) return;
  if (fd != null) throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('windowsHandle', 'fd');
  throw new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('windowsHandle');
}

// Gives a stream its file: `fd` and `path`, and what works on them.
function attach(stream, path, options, names) {
  const { fd = null, fs = null, autoClose = true } = options;
  if (fd === null) {
    stream.fd = null;
    stream.path = readPath(path);
  } else if (typeof fd === 'number') {
    validateInt32(fd, 'fd', 0);
    stream.fd = fd;
    stream.path = undefined;
  } else if (require('internal/fs/promises').isFileHandle(fd)) {
    if (fs !== null) throw new codes.ERR_METHOD_NOT_IMPLEMENTED('FileHandle with fs');
    fd[require('internal/fs/promises').kRef]();
    fd.on('close', () => stream.close());
    stream.fd = fd.fd;
    stream.path = undefined;
    stream[kFile] = new OpenFile(functionsOf(fd));
    return;
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('options.fd', ['number', 'FileHandle'], fd);
  }
  stream[kFile] = new OpenFile(fs ?? require('fs'));
  if (fs === null) return;
  const needed = [...(fd === null ? ['open'] : []), ...names(fs), ...(autoClose ? ['close'] : [])];
  for (const name of needed) validateFunction(fs[name], `options.fs.${name}`);
}

// How the file is opened, and where reading or writing begins. (The options are read, never copied: they may be
// inherited.)
function place(stream, { flags, mode, start }, usually) {
  if (start !== undefined) validateInteger(start, 'start', 0);
  Object.assign(stream, { flags: flags ?? usually, mode: mode ?? 0o666, start, pos: start });
}

// The options for the classes of node:stream.
function streamOptions({ autoClose, emitClose, highWaterMark, signal, encoding, objectMode }) {
  return { autoDestroy: autoClose ?? true, emitClose, highWaterMark, signal, encoding, objectMode };
}

// Old programs put a method `open` of their own on the stream, or on the prototype. It reports its result by events.
function openByMethod(stream, done) {
  stream.emit = function (event, ...args) {
    if (event === 'open' || event === 'error') {
      delete stream.emit;
      done(event === 'error' ? args[0] : null);
      if (event === 'error') return true; // the stream itself emits it when it is destroyed
    }
    return Reflect.apply(Object.getPrototypeOf(stream).emit, stream, [event, ...args]);
  };
  stream.open();
}

function construct(done) {
  if (typeof this.fd === 'number') {
    done();
    return;
  }
  if (typeof this.open === 'function') {
    openByMethod(this, done);
    return;
  }
  this[kFile].functions.open(this.path, this.flags, this.mode, (error, fd) => {
    if (error) {
      done(error);
      return;
    }
    this.fd = fd;
    done();
    this.emit('open', fd);
    this.emit('ready');
  });
}

function destroy(error, done) {
  const file = this[kFile];
  const close = (failure) => {
    const { fd } = this;
    if (fd === null) {
      done(failure);
      return;
    }
    file.functions.close(fd, (closing) => done(failure || closing));
    this.fd = null;
  };
  file.whenIdle(() => {
    if (!this.flush || this.fd === null) close(error);
    else file.functions.fsync(this.fd, (syncing) => close(error || syncing));
  });
}

// What both classes share: `stateName` is the property in which node:stream keeps its state.
function equip(Stream, stateName) {
  const shared = {
    get autoClose() {
      if (this[stateName] === undefined) throw new codes.ERR_INVALID_THIS(Stream.name);
      return this[stateName].autoDestroy;
    },
    set autoClose(value) {
      this[stateName].autoDestroy = value;
    },
    get pending() {
      return this.fd === null;
    },
  };
  for (const name of ['autoClose', 'pending']) {
    Object.defineProperty(Stream.prototype, name, {
      ...Object.getOwnPropertyDescriptor(shared, name),
      enumerable: false,
    });
  }
  Object.assign(Stream.prototype, { _construct: construct, _destroy: destroy });
}

// ---- reading ----

function ReadStream(path, options) {
  if (!(this instanceof ReadStream)) return new ReadStream(path, options);
  const given = readOptions(options);
  refuseWindowsHandle(given);
  attach(this, path, given, () => ['read']);
  place(this, given, 'r');
  this.end = given.end ?? Infinity;
  if (this.end !== Infinity) {
    validateInteger(this.end, 'end', 0);
    if (this.start > this.end) throw new codes.ERR_OUT_OF_RANGE('start', `<= "end" (here: ${this.end})`, this.start);
  }
  this.bytesRead = 0;
  const forStream = streamOptions(given);
  forStream.highWaterMark ??= 64 * 1024;
  Reflect.apply(Readable, this, [forStream]);
}
Object.setPrototypeOf(ReadStream.prototype, Readable.prototype);
Object.setPrototypeOf(ReadStream, Readable);

equip(ReadStream, '_readableState');

ReadStream.prototype._read = function (wanted) {
  const left = this.end - (this.pos ?? this.bytesRead) + 1;
  const size = Math.min(wanted, left);
  if (size <= 0) {
    this.push(null);
    return;
  }
  const memory = Buffer.allocUnsafeSlow(size);
  this[kFile].run('read', [this.fd, memory, 0, size, this.pos], (error, length) => {
    if (error) {
      fail(this, error);
      return;
    }
    if (this.destroyed) return;
    if (length === 0) {
      this.push(null);
      return;
    }
    if (this.pos !== undefined) this.pos += length;
    this.bytesRead += length;
    // A small slice would keep the whole memory alive.
    this.push(
      length === size
        ? memory
        : length > size / 2
          ? memory.subarray(0, length)
          : Buffer.from(memory.subarray(0, length)),
    );
  });
};

ReadStream.prototype.close = function (callback) {
  if (typeof callback === 'function') finished(this, callback);
  this.destroy();
};

// ---- writing ----

const writers = (fs) =>
  fs.writev === undefined ? ['write'] : fs.write === undefined ? ['writev'] : ['write', 'writev'];

function WriteStream(path, options) {
  if (!(this instanceof WriteStream)) return new WriteStream(path, options);
  const given = readOptions(options);
  refuseWindowsHandle(given);
  attach(this, path, given, writers);
  place(this, given, 'w');
  this.flush = given.flush ?? false;
  validateBoolean(this.flush, 'options.flush');
  this.bytesWritten = 0;
  for (const name of ['write', 'writev']) if (this[kFile].functions[name] === undefined) this[`_${name}`] = null;
  Reflect.apply(Writable, this, [streamOptions(given)]);
  if (given.encoding) this.setDefaultEncoding(given.encoding);
}
Object.setPrototypeOf(WriteStream.prototype, Writable.prototype);
Object.setPrototypeOf(WriteStream, Writable);

equip(WriteStream, '_writableState');

// Writes until nothing is left. A device that accepts nothing is tried a few times more.
function writeOut(stream, name, left, done) {
  const file = stream[kFile];
  const size = name === 'write' ? left.length : left.reduce((sum, { length }) => sum + length, 0);
  let position = stream.pos;
  if (position !== undefined) stream.pos += size;
  let missing = size;
  let retries = 0;
  const step = () => {
    const args = name === 'write' ? [stream.fd, left, 0, left.length, position] : [stream.fd, left, position];
    file.run(name, args, (error, length) => {
      if (error?.code === 'EAGAIN') {
        error = null;
        length = 0;
      }
      if (stream.destroyed || error) {
        done(error || new codes.ERR_STREAM_DESTROYED('write'));
        return;
      }
      stream.bytesWritten += length;
      missing -= length;
      retries = length === 0 ? retries + 1 : 0;
      if (missing === 0) {
        done();
        return;
      }
      if (retries > kRetries) {
        done(new Error(`${name} failed`));
        return;
      }
      if (position !== undefined) position += length;
      left = name === 'write' ? left.subarray(length) : dropBytes(left, length);
      step();
    });
  };
  step();
}

function dropBytes(buffers, count) {
  let index = 0;
  while (count >= buffers[index].length) count -= buffers[index++].length;
  const rest = buffers.slice(index);
  if (count > 0) rest[0] = rest[0].subarray(count);
  return rest;
}

WriteStream.prototype._write = function (data, encoding, done) {
  writeOut(this, 'write', data, done);
};

WriteStream.prototype._writev = function (entries, done) {
  writeOut(
    this,
    'writev',
    entries.map(({ chunk }) => chunk),
    done,
  );
};

WriteStream.prototype.close = function (callback) {
  if (callback) {
    if (this.closed) {
      process.nextTick(callback);
      return;
    }
    this.on('close', callback);
  }
  // Closing the stream closes the file, too.
  if (!this.autoClose) this.on('finish', this.destroy);
  this.end();
};

WriteStream.prototype.destroySoon = WriteStream.prototype.end;

module.exports = { ReadStream, WriteStream };
