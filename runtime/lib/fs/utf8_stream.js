'use strict';

// fs.Utf8Stream: a writer for logs. Text is collected in batches; one batch at a time is written to the file, on a
// thread or synchronously. A batch that was written only in part stays at the head of the queue until the rest is
// written, too.

const EventEmitter = require('events');
const { dirname } = require('path');
const { codes } = require('internal/errors');
const {
  validateBoolean,
  validateFunction,
  validateObject,
  validateOneOf,
  validateUint32,
} = require('internal/validators');

const kRetryDelay = 100;
const kMaxWrite = 16 * 1024;
const kEnoughWaiting = kMaxWrite + 3; // write() returns false when this much, or minLength, is queued

// Batches of text: new text is appended to the last one if it fits. Lengths are those of JavaScript's strings.
const textQueue = {
  join: (batch, data) => batch + data,
  nothing: () => '',
  // Converts a number of bytes to a length in the batch. A character that was written only in part is written again.
  units(batch, bytes) {
    const all = Buffer.from(batch);
    if (bytes >= all.length) return batch.length;
    while (bytes > 0 && (all[bytes] & 0xc0) === 0x80) bytes--;
    return all.toString('utf8', 0, bytes).length;
  },
  rest: (batch, units) => batch.slice(units),
};

const binaryQueue = {
  join: (batch, data) => Buffer.concat([batch, data]),
  nothing: () => Buffer.alloc(0),
  units: (batch, bytes) => bytes,
  rest: (batch, units) => batch.subarray(units),
};

class Utf8Stream extends EventEmitter {
  #fs;
  #kind;
  #options;
  #queue = [];
  #headIsTaken = false; // the first batch was given to the file, and nothing is added to it
  #isPartial = false; // a part of it was taken
  #length = 0; // of all that waits
  #fd = -1;
  #file = null;
  #isOpening = false;
  #isWriting = false;
  #isEnding = false;
  #isDestroyed = false;
  #wantsReopening = false;
  #wantsFlush = false;
  #drainIsDue = false;
  #timer;

  constructor(options = {}) {
    super();
    validateObject(options, 'options');
    const {
      fd,
      dest,
      minLength = 0,
      maxLength = 0,
      maxWrite = kMaxWrite,
      periodicFlush = 0,
      sync = false,
      append = true,
      mkdir = false,
      fsync = false,
      contentMode = 'utf8',
      mode,
      retryEAGAIN = () => true,
      fs = {},
    } = options;
    const target = fd ?? dest;
    if (typeof target !== 'number' && typeof target !== 'string')
      throw new codes.ERR_INVALID_ARG_TYPE('fd', ['number', 'string'], target);
    for (const [name, value] of Object.entries({ minLength, maxLength, maxWrite, periodicFlush }))
      validateUint32(value, `options.${name}`);
    for (const [name, value] of Object.entries({ sync, append, mkdir, fsync }))
      validateBoolean(value, `options.${name}`);
    validateFunction(retryEAGAIN, 'options.retryEAGAIN');
    validateObject(fs, 'options.fs');
    validateOneOf(contentMode, 'options.contentMode', ['buffer', 'utf8']);
    if (minLength >= (maxWrite || kMaxWrite)) {
      throw new codes.ERR_INVALID_ARG_VALUE.RangeError(
        'minLength',
        minLength,
        `should be smaller than maxWrite (${maxWrite || kMaxWrite})`,
      );
    }
    this.#fs = { ...require('fs'), ...fs };
    this.#kind = contentMode === 'utf8' ? textQueue : binaryQueue;
    this.#options = {
      minLength,
      maxLength,
      maxWrite: maxWrite || kMaxWrite,
      periodicFlush,
      sync,
      append,
      mkdir,
      fsync,
      contentMode,
      mode,
      retryEAGAIN,
    };
    if (typeof target === 'number') {
      this.#fd = target;
      process.nextTick(() => this.emit('ready'));
    } else {
      this.#open(target);
    }
    if (periodicFlush > 0) this.#timer = setInterval(() => this.flush(), periodicFlush).unref();
  }

  // ---- opening ----

  #open(file) {
    const { append, mkdir, mode, sync } = this.#options;
    const flags = append ? 'a' : 'w';
    this.#isOpening = true;
    this.#isWriting = true; // nothing is written before the file is open
    if (sync) {
      try {
        if (mkdir) this.#fs.mkdirSync(dirname(file), { recursive: true });
        this.#opened(file, null, this.#fs.openSync(file, flags, mode));
      } catch (error) {
        this.#opened(file, error);
        throw error;
      }
      return;
    }
    const open = (error) => {
      if (error) this.#opened(file, error);
      else this.#fs.open(file, flags, mode, (failure, fd) => this.#opened(file, failure, fd));
    };
    if (mkdir) this.#fs.mkdir(dirname(file), { recursive: true }, open);
    else open();
  }

  #opened(file, error, fd) {
    const wasOpen = this.#fd !== -1;
    this.#isOpening = this.#isWriting = false;
    if (error) {
      this.#wantsReopening = false;
      const tell = () => {
        if (this.listenerCount('error') > 0) this.emit('error', error);
      };
      if (this.#options.sync) process.nextTick(tell);
      else this.emit('error', error);
      return;
    }
    this.#fd = fd;
    this.#file = file;
    this.#wantsReopening = false;
    if (this.#options.sync) process.nextTick(() => this.emit('ready'));
    else this.emit('ready');
    if (this.#isDestroyed || this.#isOpening) return;
    if (wasOpen) process.nextTick(() => this.emit('drain'));
    if (!this.#isWriting && (this.#wantsFlush || (this.#length > 0 && this.#length >= this.#options.minLength)))
      this.#step();
  }

  reopen(file) {
    this.#refuseDestroyed();
    if (this.#isOpening) {
      this.once('ready', () => this.reopen(file));
      return;
    }
    if (this.#isEnding) return;
    if (this.#file === null)
      throw new codes.ERR_OPERATION_FAILED('Unable to reopen a file descriptor, you must pass a file to SonicBoom');
    if (file) this.#file = file;
    if (this.#isWriting) this.#wantsReopening = true;
    else this.#replace();
  }

  // Opens the file again; the old descriptor is closed once there is a new one.
  #replace() {
    const old = this.#fd;
    const closeOld = () => {
      if (this.#fd === old) return;
      this.#fs.close(old, (error) => {
        if (error) this.emit('error', error);
      });
    };
    this.once('ready', closeOld);
    this.#open(this.#file);
  }

  // ---- writing ----

  write(data) {
    this.#refuseDestroyed();
    const { contentMode, maxLength, maxWrite, minLength } = this.#options;
    if (contentMode === 'utf8' ? typeof data !== 'string' : !Buffer.isBuffer(data)) {
      throw new codes.ERR_INVALID_ARG_TYPE('data', contentMode === 'utf8' ? 'string' : 'Buffer', data);
    }
    const length = this.#length + data.length;
    if (maxLength > 0 && length > maxLength) {
      this.emit('drop', data);
      return this.#length < kEnoughWaiting;
    }
    const last = this.#queue.length - 1;
    const isRoomy = last >= Number(this.#headIsTaken) && this.#queue[last].length + data.length <= maxWrite;
    if (isRoomy) this.#queue[last] = this.#kind.join(this.#queue[last], data);
    else this.#queue.push(data);
    this.#length = length;
    if (!this.#isWriting && length >= minLength) this.#step();
    return this.#length < Math.max(minLength, kEnoughWaiting);
  }

  // Writes the first batch to the file.
  #step() {
    this.#isWriting = true;
    this.#wantsFlush = false;
    this.#headIsTaken = true;
    const batch = (this.#queue[0] ??= this.#kind.nothing());
    const args = typeof batch === 'string' ? [this.#fd, batch, 'utf8'] : [this.#fd, batch];
    if (!this.#options.sync) {
      this.#fs.write(...args, (error, bytes) => this.#written(error, bytes));
      return;
    }
    let bytes;
    try {
      bytes = this.#fs.writeSync(...args);
    } catch (error) {
      this.#written(error);
      return;
    }
    this.#written(null, bytes);
  }

  #mayRetry(error) {
    if (error.code !== 'EAGAIN' && error.code !== 'EBUSY') return false;
    const { length } = this.#queue[0];
    return this.#options.retryEAGAIN(error, length, this.#length - length);
  }

  #written(error, bytes) {
    if (error) {
      if (!this.#mayRetry(error)) {
        this.#isWriting = false;
        this.emit('error', error);
      } else if (this.#options.sync) {
        require('internal/util').sleep(kRetryDelay);
        this.#step();
      } else {
        setTimeout(() => this.#step(), kRetryDelay);
      }
      return;
    }
    this.emit('write', bytes);
    this.#take(bytes);
    if (this.#queue.length > 0 && this.#isPartial) {
      this.#step();
      return;
    }
    if (this.#options.fsync) this.#fs.fsyncSync(this.#fd);
    this.#settle();
  }

  // Removes what was written from the queue. Without a count, all of it was written.
  #take(bytes) {
    const batch = this.#queue[0];
    const units = bytes === undefined ? batch.length : this.#kind.units(batch, bytes);
    this.#length -= units;
    this.#isPartial = units < batch.length;
    if (this.#isPartial) {
      this.#queue[0] = this.#kind.rest(batch, units);
    } else {
      this.#queue.shift();
      this.#headIsTaken = false;
    }
  }

  // Decides what to do after a batch.
  #settle() {
    if (this.#isDestroyed) {
      this.#isWriting = false;
      this.emit('drain');
      this.#release();
    } else if (this.#wantsReopening) {
      this.#isWriting = false;
      this.#replace();
    } else if (this.#length > this.#options.minLength || (this.#isEnding && this.#length > 0)) {
      this.#step();
    } else {
      this.#isWriting = false;
      if (this.#isEnding) this.#close();
      else this.#tellDrained();
    }
  }

  #tellDrained() {
    if (!this.#options.sync) {
      this.emit('drain');
    } else if (!this.#drainIsDue) {
      this.#drainIsDue = true;
      process.nextTick(() => {
        this.#drainIsDue = false;
        this.emit('drain');
      });
    }
  }

  // ---- flushing ----

  flush(callback) {
    if (callback !== undefined) validateFunction(callback, 'cb');
    if (this.#isDestroyed) {
      const error = new codes.ERR_INVALID_STATE('Utf8Stream is destroyed');
      if (callback === undefined) throw error;
      callback(error);
      return;
    }
    if (this.#options.minLength <= 0) {
      callback?.();
      return;
    }
    if (callback !== undefined) this.#callWhenDrained(callback);
    if (this.#isOpening) this.#wantsFlush = true;
    else if (!this.#isWriting) this.#step();
  }

  #callWhenDrained(callback) {
    const drained = () => {
      this.off('error', failed);
      if (this.#options.fsync) {
        callback();
        return;
      }
      // A stream that was destroyed meanwhile has no file to sync.
      this.#fs.fsync(this.#fd, (error) => callback(error?.code === 'EBADF' ? undefined : error));
    };
    const failed = (error) => {
      this.off('drain', drained);
      callback(error);
    };
    this.once('drain', drained);
    this.once('error', failed);
  }

  flushSync() {
    this.#refuseDestroyed();
    if (this.#fd < 0) throw new codes.ERR_INVALID_STATE('Invalid file descriptor');
    // A batch on a thread is written there.
    const underWay = this.#isWriting && this.#headIsTaken ? this.#queue.splice(0, 1) : [];
    try {
      while (this.#queue.length > 0) {
        const batch = this.#queue[0];
        try {
          this.#take(
            typeof batch === 'string'
              ? this.#fs.writeSync(this.#fd, batch, 'utf8')
              : this.#fs.writeSync(this.#fd, batch),
          );
        } catch (error) {
          if (!this.#mayRetry(error)) throw error;
          require('internal/util').sleep(kRetryDelay);
        }
      }
    } finally {
      this.#queue.unshift(...underWay);
      this.#headIsTaken = underWay.length > 0;
    }
    try {
      this.#fs.fsyncSync(this.#fd);
    } catch {
      // Not every file can be synced.
    }
  }

  // ---- the end ----

  end() {
    this.#refuseDestroyed();
    if (this.#isOpening) {
      this.once('ready', () => this.end());
      return;
    }
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (this.#isWriting) return;
    if (this.#length > 0 && this.#fd >= 0) this.#step();
    else this.#close();
  }

  destroy() {
    if (!this.#isDestroyed) this.#close();
  }

  [Symbol.dispose]() {
    this.destroy();
  }

  #close() {
    if (this.#fd === -1) {
      this.once('ready', () => this.#close());
      return;
    }
    clearInterval(this.#timer);
    this.#isDestroyed = true;
    if (!this.#isWriting) this.#release();
  }

  #release() {
    this.#queue = [];
    this.#length = 0;
    const fd = this.#fd;
    const closed = (error) => {
      if (error) {
        this.emit('error', error);
        return;
      }
      if (this.#isEnding) this.emit('finish');
      this.emit('close');
    };
    const close = () => {
      if (fd === 1 || fd === 2) process.nextTick(closed);
      else this.#fs.close(fd, closed);
    };
    if (this.#options.fsync) close();
    else this.#fs.fsync(fd, close);
  }

  #refuseDestroyed() {
    if (this.#isDestroyed) throw new codes.ERR_INVALID_STATE('Utf8Stream is destroyed');
  }

  // ---- properties ----

  static {
    const asked = [
      'mode',
      'minLength',
      'maxLength',
      'sync',
      'fsync',
      'append',
      'periodicFlush',
      'contentMode',
      'mkdir',
    ];
    for (const name of asked) {
      Object.defineProperty(Utf8Stream.prototype, name, {
        __proto__: null,
        configurable: true,
        enumerable: false,
        get() {
          return this.#options[name];
        },
      });
    }
  }

  get file() {
    return this.#file;
  }

  get fd() {
    return this.#fd;
  }

  get writing() {
    return this.#isWriting;
  }
}

module.exports = { Utf8Stream };
