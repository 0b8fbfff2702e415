'use strict';

// fs.Utf8Stream: a fast writer of text to a file or a descriptor, for logs. What is written is gathered until there is
// enough of it, and goes out in one piece; `sync` says whether at once or through the loop.

const EventEmitter = require('events');
const { codes } = require('internal/errors');
const { validateBoolean, validateFunction, validateObject, validateOneOf, validateUint32, validateString } = require('internal/validators');
const { Buffer } = require('buffer');
const pathModule = require('path');

const kBusy = 100;

class Utf8Stream extends EventEmitter {
  #fs;
  #fd = -1;
  #file = null;
  #mode;
  #mkdir;
  #append;
  #sync;
  #fsync;
  #minLength;
  #maxLength;
  #maxWrite;
  #periodicFlush;
  #timer;
  #contentMode;
  #retry;
  #parts = [];
  #length = 0;
  #writing = false;
  #ending = false;
  #destroyed = false;
  #opening = false;
  #reopening = false;
  #drainNeeded = false;
  #flushes = [];

  constructor(options = {}) {
    super();
    validateObject(options, 'options');
    const { append = true, contentMode = 'utf8', dest, fs, fsync = false, maxLength = 0, maxWrite = 16384, minLength = 0, mkdir = false, mode, periodicFlush = 0,
      retryEAGAIN = () => true, sync = false } = options;
    const target = options.fd ?? dest;
    validateOneOf(contentMode, 'options.contentMode', ['utf8', 'buffer']);
    validateBoolean(append, 'options.append');
    validateBoolean(fsync, 'options.fsync');
    validateBoolean(mkdir, 'options.mkdir');
    validateBoolean(sync, 'options.sync');
    validateUint32(maxLength, 'options.maxLength');
    validateUint32(maxWrite, 'options.maxWrite');
    validateUint32(minLength, 'options.minLength');
    validateUint32(periodicFlush, 'options.periodicFlush');
    validateFunction(retryEAGAIN, 'options.retryEAGAIN');
    if (minLength > 0 && minLength >= maxWrite) throw new codes.ERR_INVALID_ARG_VALUE('options.minLength', minLength, `should be smaller than maxWrite (${maxWrite})`);
    this.#fs = { ...require('fs'), ...fs };
    this.#append = append;
    this.#contentMode = contentMode;
    this.#fsync = fsync;
    this.#maxLength = maxLength;
    this.#maxWrite = maxWrite;
    this.#minLength = minLength;
    this.#mkdir = mkdir;
    this.#mode = mode;
    this.#periodicFlush = periodicFlush;
    this.#retry = retryEAGAIN;
    this.#sync = sync;
    if (typeof target === 'number') {
      this.#fd = target;
      process.nextTick(() => this.emit('ready'));
    } else {
      validateString(target, 'options.dest');
      this.#open(target);
    }
    if (periodicFlush > 0) {
      this.#timer = setInterval(() => this.flush(() => {}), periodicFlush);
      this.#timer.unref();
    }
  }

  get append() { return this.#append; }
  get contentMode() { return this.#contentMode; }
  get fd() { return this.#fd; }
  get file() { return this.#file; }
  get fsync() { return this.#fsync; }
  get maxLength() { return this.#maxLength; }
  get minLength() { return this.#minLength; }
  get mkdir() { return this.#mkdir; }
  get mode() { return this.#mode; }
  get periodicFlush() { return this.#periodicFlush; }
  get sync() { return this.#sync; }
  get writing() { return this.#writing; }

  #open(file) {
    this.#opening = true;
    const opened = (error, fd) => {
      this.#opening = false;
      this.#reopening = false;
      if (error) {
        this.emit('error', error);
        return;
      }
      this.#fd = fd;
      this.#file = file;
      this.emit('ready');
      if (this.#destroyed) return;
      if (this.#length > 0 && (this.#length >= this.#minLength || this.#ending)) this.#next();
      else if (this.#ending) this.#close();
    };
    const flags = this.#append ? 'a' : 'w';
    if (this.#sync) {
      try {
        if (this.#mkdir) this.#fs.mkdirSync(pathModule.dirname(file), { recursive: true });
        opened(null, this.#fs.openSync(file, flags, this.#mode));
      } catch (error) {
        opened(error);
        throw error;
      }
      return;
    }
    const open = () => this.#fs.open(file, flags, this.#mode, opened);
    if (this.#mkdir) this.#fs.mkdir(pathModule.dirname(file), { recursive: true }, (error) => (error ? opened(error) : open()));
    else open();
  }

  write(data) {
    if (this.#destroyed) throw new codes.ERR_INVALID_STATE('Utf8Stream is destroyed');
    if (this.#contentMode === 'buffer' ? !Buffer.isBuffer(data) && typeof data !== 'string' : typeof data !== 'string') data = `${data}`;
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    if (this.#maxLength > 0 && this.#length + bytes.length > this.#maxLength) {
      this.emit('drop', data);
      return this.#length < kBusy * this.#maxWrite;
    }
    this.#parts.push(bytes);
    this.#length += bytes.length;
    if (!this.#writing && this.#fd !== -1 && !this.#opening && this.#length >= this.#minLength) this.#next();
    const fine = this.#length < this.#maxWrite;
    if (!fine) this.#drainNeeded = true;
    return fine;
  }

  #take() {
    const all = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    const part = all.subarray(0, this.#maxWrite);
    const rest = all.subarray(part.length);
    this.#parts = rest.length > 0 ? [rest] : [];
    this.#length = rest.length;
    return part;
  }

  #giveBack(bytes) {
    this.#parts.unshift(bytes);
    this.#length += bytes.length;
  }

  #next() {
    if (this.#writing || this.#fd === -1 || this.#length === 0) return;
    this.#writing = true;
    const bytes = this.#take();
    const done = (error, written) => {
      this.#writing = false;
      if (error) {
        this.#giveBack(bytes);
        if ((error.code === 'EAGAIN' || error.code === 'EBUSY') && this.#retry(error, bytes.length, this.#length)) {
          setTimeout(() => this.#next(), kBusy);
        } else {
          this.emit('error', error);
        }
        return;
      }
      this.emit('write', written);
      if (written < bytes.length) this.#giveBack(bytes.subarray(written));
      if (this.#length > 0 && (this.#length >= this.#minLength || this.#ending || this.#flushes.length > 0)) {
        if (this.#sync) this.#next();
        else process.nextTick(() => this.#next());
        return;
      }
      if (this.#fsync) this.#fs.fsyncSync(this.#fd);
      for (const flushed of this.#flushes.splice(0)) flushed(null);
      if (this.#ending) this.#close();
      else if (this.#drainNeeded) {
        this.#drainNeeded = false;
        process.nextTick(() => this.emit('drain'));
      }
    };
    if (!this.#sync) {
      this.#fs.write(this.#fd, bytes, 0, bytes.length, null, done);
      return;
    }
    let written;
    try {
      written = this.#fs.writeSync(this.#fd, bytes, 0, bytes.length);
    } catch (error) {
      done(error);
      return;
    }
    done(null, written);
  }

  flush(callback) {
    if (callback !== undefined) validateFunction(callback, 'cb');
    if (this.#destroyed) {
      const error = new codes.ERR_INVALID_STATE('Utf8Stream is destroyed');
      if (callback === undefined) throw error;
      callback(error);
      return;
    }
    if (this.#length === 0 && !this.#writing) {
      if (callback) process.nextTick(callback, null);
      return;
    }
    this.#flushes.push(callback ?? (() => {}));
    this.#next();
  }

  flushSync() {
    if (this.#destroyed) throw new codes.ERR_INVALID_STATE('Utf8Stream is destroyed');
    if (this.#fd < 0) throw new codes.ERR_INVALID_STATE('Utf8Stream is not ready');
    while (this.#length > 0) {
      const bytes = this.#take();
      try {
        const written = this.#fs.writeSync(this.#fd, bytes, 0, bytes.length);
        if (written < bytes.length) this.#giveBack(bytes.subarray(written));
      } catch (error) {
        this.#giveBack(bytes);
        if (!(error.code === 'EAGAIN' || error.code === 'EBUSY') || !this.#retry(error, bytes.length, this.#length)) throw error;
      }
    }
    try {
      this.#fs.fsyncSync(this.#fd);
    } catch {
      // Not every descriptor can be synchronized.
    }
  }

  reopen(file) {
    if (this.#destroyed) throw new codes.ERR_INVALID_STATE('Utf8Stream is destroyed');
    if (this.#opening) {
      this.once('ready', () => this.reopen(file));
      return;
    }
    if (this.#ending) return;
    file ??= this.#file;
    if (!file) throw new codes.ERR_INVALID_STATE('Unable to reopen a file descriptor, you must pass a file to Utf8Stream');
    this.#reopening = true;
    if (this.#writing) {
      this.flush(() => this.reopen(file));
      return;
    }
    const old = this.#fd;
    this.once('ready', () => {
      if (old !== this.#fd) this.#fs.close(old, (error) => { if (error) this.emit('error', error); });
    });
    this.#open(file);
  }

  end() {
    if (this.#destroyed) throw new codes.ERR_INVALID_STATE('Utf8Stream is destroyed');
    if (this.#ending) return;
    this.#ending = true;
    if (this.#opening || this.#writing) return;
    if (this.#length > 0) this.#next();
    else this.#close();
  }

  destroy() {
    if (!this.#destroyed) this.#close();
  }

  #close() {
    if (this.#fd === -1) {
      this.once('ready', () => this.#close());
      return;
    }
    if (this.#destroyed) return;
    this.#destroyed = true;
    clearInterval(this.#timer);
    const finished = () => {
      if (this.#ending) this.emit('finish');
      this.emit('close');
    };
    if (this.#fd === 1 || this.#fd === 2) {
      setImmediate(finished);
      return;
    }
    this.#fs.close(this.#fd, (error) => {
      if (error) this.emit('error', error);
      else finished();
    });
  }

  [Symbol.dispose]() {
    this.destroy();
  }
}

module.exports = { Utf8Stream };
