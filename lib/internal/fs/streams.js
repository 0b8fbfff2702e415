'use strict';

// fs.ReadStream and fs.WriteStream: a file as a stream, by path, by descriptor or by FileHandle.

const { codes } = require('internal/errors');
const { validateFunction, validateInteger, validateBoolean } = require('internal/validators');
const { copyObject, getOptions, getValidatedFd, getValidatedPath } = require('internal/fs/utils');
const { Readable, Writable, finished } = require('stream');
const { Buffer } = require('buffer');
const { deprecate } = require('internal/util');

const kFs = Symbol('kFs');
const kHandle = Symbol('kHandle');
const kIsPerformingIO = Symbol('kIsPerformingIO');
const kIoDone = Symbol('kIoDone');

// The deprecated method `open` does nothing of its own: opening is part of the construction.
function openReadFs() {}
function openWriteFs() {}

function construct(stream, knownOpen, callback) {
  if (typeof stream.fd === 'number') {
    callback();
    return;
  }
  if (stream.open !== knownOpen) {
    // Somebody gave the stream a method `open` of their own; what it emits tells the outcome.
    const emit = stream.emit;
    stream.emit = function(...args) {
      if (args[0] === 'open') {
        this.emit = emit;
        callback();
        Reflect.apply(emit, this, args);
      } else if (args[0] === 'error') {
        this.emit = emit;
        callback(args[1]);
      } else {
        Reflect.apply(emit, this, args);
      }
    };
    stream.open();
    return;
  }
  stream[kFs].open(stream.path, stream.flags, stream.mode, (error, fd) => {
    if (error) {
      callback(error);
    } else {
      stream.fd = fd;
      callback();
      stream.emit('open', stream.fd);
      stream.emit('ready');
    }
  });
}

// A FileHandle behaves like a module fs of its own.
function handleFs(handle, stream) {
  handle[require('internal/fs/promises').kRef]();
  handle.on('close', stream.close.bind(stream));
  return {
    open: (path, flags, mode, callback) => callback(new codes.ERR_METHOD_NOT_IMPLEMENTED('open()')),
    close(fd, callback) {
      handle[require('internal/fs/promises').kUnref]();
      handle.close().then(() => callback(), callback);
    },
    fsync: (fd, callback) => void handle.sync().then(() => callback(), callback),
    read(fd, buffer, offset, length, position, callback) {
      handle.read(buffer, offset, length, position).then(
        (r) => process.nextTick(callback, null, r.bytesRead, r.buffer),
        (error) => process.nextTick(callback, error, 0, buffer));
    },
    write(fd, buffer, offset, length, position, callback) {
      handle.write(buffer, offset, length, position).then(
        (r) => process.nextTick(callback, null, r.bytesWritten, r.buffer),
        (error) => process.nextTick(callback, error, 0, buffer));
    },
    writev(fd, buffers, position, callback) {
      handle.writev(buffers, position).then(
        (r) => process.nextTick(callback, null, r.bytesWritten, r.buffers),
        (error) => process.nextTick(callback, error, 0, buffers));
    },
  };
}

function importFd(stream, options) {
  if (typeof options.fd === 'number') {
    stream[kFs] = options.fs || require('fs');
    return getValidatedFd(options.fd);
  }
  if (options.fd !== null && typeof options.fd === 'object' && require('internal/fs/promises').isFileHandle(options.fd)) {
    if (options.fs) throw new codes.ERR_METHOD_NOT_IMPLEMENTED('FileHandle with fs');
    stream[kHandle] = options.fd;
    stream[kFs] = handleFs(options.fd, stream);
    return options.fd.fd;
  }
  throw new codes.ERR_INVALID_ARG_TYPE('fd', ['number', 'FileHandle'], options.fd);
}

function checkMethod(options, name) {
  validateFunction(options.fs[name], `options.fs.${name}`);
}

function close(stream, error, callback) {
  if (!stream.fd && stream.fd !== 0) {
    callback(error);
    return;
  }
  if (stream.flush) {
    stream[kFs].fsync(stream.fd, (flushError) => doClose(stream, error || flushError, callback));
    return;
  }
  doClose(stream, error, callback);
}

function doClose(stream, error, callback) {
  stream[kFs].close(stream.fd, (closeError) => callback(closeError || error));
  stream.fd = null;
}

function ReadStream(path, options) {
  if (!(this instanceof ReadStream)) return new ReadStream(path, options);
  options = copyObject(getOptions(options, {}));
  if (options.highWaterMark === undefined) options.highWaterMark = 64 * 1024;
  if (options.autoDestroy === undefined) options.autoDestroy = false;

  if (options.fd == null) {
    this.fd = null;
    this[kFs] = options.fs || require('fs');
    if (options.fs) for (const name of ['open', 'read', 'close']) checkMethod({ fs: this[kFs] }, name);
    this.path = getValidatedPath(path);
    this.flags = options.flags === undefined ? 'r' : options.flags;
    this.mode = options.mode === undefined ? 0o666 : options.mode;
  } else {
    this.fd = importFd(this, options);
    if (options.fs) for (const name of ['read', 'close']) checkMethod(options, name);
  }
  options.autoDestroy = options.autoClose === undefined ? true : options.autoClose;
  this.start = options.start;
  this.end = options.end ?? Infinity;
  this.pos = undefined;
  this.bytesRead = 0;
  this[kIsPerformingIO] = false;

  if (this.start !== undefined) {
    validateInteger(this.start, 'start', 0);
    this.pos = this.start;
  }
  if (this.end !== Infinity) {
    validateInteger(this.end, 'end', 0);
    if (this.start !== undefined && this.start > this.end) {
      throw new codes.ERR_OUT_OF_RANGE('start', `<= "end" (here: ${this.end})`, this.start);
    }
  }
  Reflect.apply(Readable, this, [options]);
  if (options.encoding) this.setEncoding(options.encoding);
}
Object.setPrototypeOf(ReadStream.prototype, Readable.prototype);
Object.setPrototypeOf(ReadStream, Readable);

Object.defineProperty(ReadStream.prototype, 'autoClose', {
  __proto__: null,
  get() {
    if (this._readableState === undefined) throw new codes.ERR_INVALID_THIS('ReadStream');
    return this._readableState.autoDestroy;
  },
  set(value) {
    this._readableState.autoDestroy = value;
  },
});

ReadStream.prototype.open = deprecate(openReadFs, 'ReadStream.prototype.open() is deprecated', 'DEP0135');
const deprecatedReadOpen = ReadStream.prototype.open;
ReadStream.prototype._construct = function(callback) {
  construct(this, deprecatedReadOpen, callback);
};

ReadStream.prototype._read = function(n) {
  n = this.pos !== undefined ? Math.min(this.end - this.pos + 1, n) : Math.min(this.end - this.bytesRead + 1, n);
  if (n <= 0) {
    this.push(null);
    return;
  }
  const buffer = Buffer.allocUnsafeSlow(n);
  this[kIsPerformingIO] = true;
  this[kFs].read(this.fd, buffer, 0, n, this.pos, (error, bytesRead, buf) => {
    this[kIsPerformingIO] = false;
    // A destroy that came meanwhile waits for this.
    if (this.destroyed) {
      this.emit(kIoDone, error);
      return;
    }
    if (error) {
      require('internal/deps/readable-stream/lib/internal/streams/destroy').errorOrDestroy(this, error);
    } else if (bytesRead > 0) {
      if (this.pos !== undefined) this.pos += bytesRead;
      this.bytesRead += bytesRead;
      if (bytesRead !== buf.length) {
        // What was asked for in vain is given back: the rest of the buffer would live as long as this part.
        const dst = Buffer.allocUnsafeSlow(bytesRead);
        buf.copy(dst, 0, 0, bytesRead);
        buf = dst;
      }
      this.push(buf);
    } else {
      this.push(null);
    }
  });
};

ReadStream.prototype._destroy = function(error, callback) {
  if (this[kIsPerformingIO]) this.once(kIoDone, (er) => close(this, error || er, callback));
  else close(this, error, callback);
};

ReadStream.prototype.close = function(callback) {
  if (typeof callback === 'function') finished(this, callback);
  this.destroy();
};

Object.defineProperty(ReadStream.prototype, 'pending', {
  __proto__: null,
  get() {
    return this.fd === null;
  },
  configurable: true,
});

function WriteStream(path, options) {
  if (!(this instanceof WriteStream)) return new WriteStream(path, options);
  options = copyObject(getOptions(options, {}));
  options.decodeStrings = true;

  if (options.fd == null) {
    this.fd = null;
    this[kFs] = options.fs || require('fs');
    if (options.fs) checkMethod({ fs: this[kFs] }, 'open');
    this.path = getValidatedPath(path);
    this.flags = options.flags === undefined ? 'w' : options.flags;
    this.mode = options.mode === undefined ? 0o666 : options.mode;
  } else {
    this.fd = importFd(this, options);
  }
  options.autoDestroy = options.autoClose === undefined ? true : options.autoClose;
  if (options.fs) {
    if (!this[kFs].write && !this[kFs].writev) throw new codes.ERR_INVALID_ARG_TYPE('options.fs.write', 'function', this[kFs].write);
    if (this[kFs].write) validateFunction(this[kFs].write, 'options.fs.write');
    if (this[kFs].writev) validateFunction(this[kFs].writev, 'options.fs.writev');
    validateFunction(this[kFs].close, 'options.fs.close');
    // Without one of the two, the other does for both.
    if (!this[kFs].write) this._write = null;
    if (!this[kFs].writev) this._writev = null;
  }
  this.flush = options.flush;
  if (this.flush == null) this.flush = false;
  validateBoolean(this.flush, 'options.flush');

  this.start = options.start;
  this.pos = undefined;
  this.bytesWritten = 0;
  this[kIsPerformingIO] = false;
  if (this.start !== undefined) {
    validateInteger(this.start, 'start', 0);
    this.pos = this.start;
  }
  Reflect.apply(Writable, this, [options]);
  if (options.encoding) this.setDefaultEncoding(options.encoding);
}
Object.setPrototypeOf(WriteStream.prototype, Writable.prototype);
Object.setPrototypeOf(WriteStream, Writable);

Object.defineProperty(WriteStream.prototype, 'autoClose', {
  __proto__: null,
  get() {
    if (this._writableState === undefined) throw new codes.ERR_INVALID_THIS('WriteStream');
    return this._writableState.autoDestroy;
  },
  set(value) {
    this._writableState.autoDestroy = value;
  },
});

WriteStream.prototype.open = deprecate(openWriteFs, 'WriteStream.prototype.open() is deprecated', 'DEP0135');
const deprecatedWriteOpen = WriteStream.prototype.open;
WriteStream.prototype._construct = function(callback) {
  construct(this, deprecatedWriteOpen, callback);
};

// What one write left over is written again, a few times at most if the system takes nothing.
function writeAll(stream, data, size, position, callback, retries = 0) {
  stream[kFs].write(stream.fd, data, 0, size, position, (error, bytesWritten, buffer) => {
    if (error?.code === 'EAGAIN') {
      error = null;
      bytesWritten = 0;
    }
    if (stream.destroyed || error) {
      callback(error || new codes.ERR_STREAM_DESTROYED('write'));
      return;
    }
    stream.bytesWritten += bytesWritten;
    retries = bytesWritten ? 0 : retries + 1;
    size -= bytesWritten;
    if (retries > 5) callback(new Error('writev failed'));
    else if (size) writeAll(stream, buffer.slice(bytesWritten), size, position === undefined ? undefined : position + bytesWritten, callback, retries);
    else callback();
  });
}

function writevAll(stream, chunks, size, position, callback, retries = 0) {
  stream[kFs].writev(stream.fd, chunks, position ?? null, (error, bytesWritten, buffers) => {
    if (error?.code === 'EAGAIN') {
      error = null;
      bytesWritten = 0;
    }
    if (stream.destroyed || error) {
      callback(error || new codes.ERR_STREAM_DESTROYED('writev'));
      return;
    }
    stream.bytesWritten += bytesWritten;
    retries = bytesWritten ? 0 : retries + 1;
    size -= bytesWritten;
    if (retries > 5) callback(new Error('writev failed'));
    else if (size) writevAll(stream, [Buffer.concat(buffers).slice(bytesWritten)], size, position === undefined ? undefined : position + bytesWritten, callback, retries);
    else callback();
  });
}

function afterWrite(stream, callback) {
  return (error) => {
    stream[kIsPerformingIO] = false;
    if (stream.destroyed) {
      callback(error);
      stream.emit(kIoDone, error);
      return;
    }
    callback(error);
  };
}

WriteStream.prototype._write = function(data, encoding, callback) {
  this[kIsPerformingIO] = true;
  const position = this.pos;
  if (this.pos !== undefined) this.pos += data.length;
  writeAll(this, data, data.length, position, afterWrite(this, callback));
};

WriteStream.prototype._writev = function(data, callback) {
  const chunks = new Array(data.length);
  let size = 0;
  for (let i = 0; i < data.length; i++) {
    chunks[i] = data[i].chunk;
    size += chunks[i].length;
  }
  this[kIsPerformingIO] = true;
  const position = this.pos;
  if (this.pos !== undefined) this.pos += size;
  writevAll(this, chunks, size, position, afterWrite(this, callback));
};

WriteStream.prototype._destroy = ReadStream.prototype._destroy;

WriteStream.prototype.close = function(callback) {
  if (callback) {
    if (this.closed) {
      process.nextTick(callback);
      return;
    }
    this.on('close', callback);
  }
  // Without autoClose nothing destroys the stream when it has finished.
  if (!this.autoClose) this.on('finish', this.destroy);
  this.end();
};

WriteStream.prototype.destroySoon = WriteStream.prototype.end;

Object.defineProperty(WriteStream.prototype, 'pending', {
  __proto__: null,
  get() {
    return this.fd === null;
  },
  configurable: true,
});

module.exports = { ReadStream, WriteStream };
