'use strict';

// fs.Dir: a directory that is open, read some entries at a time.

const { codes } = require('internal/errors');
const { validateFunction, validateUint32 } = require('internal/validators');
const { binding, start, fsError, check } = require('internal/fs/native');
const { getDirent, getOptions, getValidatedPath, encodeName, wantsBytes, joinPath } = require('internal/fs/utils');

class Dir {
  #handle;
  #path;
  #options;
  #entries = [];
  #closed = false;
  #queue = null; // calls that wait for the operation under way; null: none is
  #pending = []; // subdirectories to go on with

  constructor(handle, path, options) {
    if (handle === undefined || handle === null) throw new codes.ERR_MISSING_ARGS('handle');
    this.#handle = handle;
    this.#path = path;
    this.#options = { bufferSize: 32, ...getOptions(options, { encoding: 'utf8' }) };
    try {
      validateUint32(this.#options.bufferSize, 'options.bufferSize', true);
    } catch (error) {
      binding.closedir(-1, handle);
      throw error;
    }
  }

  get path() {
    if (!(#path in this)) throw new codes.ERR_INVALID_THIS('Dir');
    return this.#path;
  }

  #take(flat, path) {
    for (let i = 0; i < flat.length; i += 2) {
      const entry = getDirent(path, encodeName(flat[i], this.#options.encoding), flat[i + 1]);
      this.#entries.push(entry);
      if (this.#options.recursive && entry.isDirectory()) this.#pending.push(joinPath(path, entry.name));
    }
  }

  // A subdirectory is read whole: another handle for each would have to be closed, too.
  #descend() {
    while (this.#pending.length > 0 && this.#entries.length === 0) {
      const path = this.#pending.shift();
      const flat = binding.scandir(-1, path, wantsBytes(this.#options.encoding));
      if (typeof flat === 'number') throw fsError(flat, 'opendir', path);
      this.#take(flat, path);
    }
    return this.#entries.length > 0 ? this.#entries.shift() : null;
  }

  read(callback) {
    if (callback === undefined) {
      return new Promise((resolve, reject) => this.read((error, entry) => (error ? reject(error) : resolve(entry))));
    }
    validateFunction(callback, 'callback');
    if (this.#closed) {
      const error = new codes.ERR_DIR_CLOSED();
      process.nextTick(callback, error);
      return undefined;
    }
    if (this.#queue !== null) {
      this.#queue.push(() => this.read(callback));
      return undefined;
    }
    if (this.#entries.length > 0) {
      process.nextTick(callback, null, this.#entries.shift());
      return undefined;
    }
    this.#queue = [];
    start(binding.readdir, (result, flat) => {
      process.nextTick((waiting) => {
        for (const call of waiting) call();
      }, this.#queue);
      this.#queue = null;
      if (result < 0) return callback(fsError(result, 'scandir', this.#path));
      this.#take(flat, this.#path);
      let entry;
      try {
        entry = this.#entries.length > 0 ? this.#entries.shift() : this.#descend();
      } catch (error) {
        return callback(error);
      }
      callback(null, entry);
    }, this.#handle, this.#options.bufferSize, wantsBytes(this.#options.encoding));
    return undefined;
  }

  readSync() {
    if (this.#closed) throw new codes.ERR_DIR_CLOSED();
    if (this.#queue !== null) throw new codes.ERR_DIR_CONCURRENT_OPERATION();
    if (this.#entries.length > 0) return this.#entries.shift();
    const flat = check(binding.readdir(-1, this.#handle, this.#options.bufferSize, wantsBytes(this.#options.encoding)), 'scandir', this.#path);
    this.#take(flat, this.#path);
    return this.#entries.length > 0 ? this.#entries.shift() : this.#descend();
  }

  close(callback) {
    if (callback === undefined) {
      if (this.#closed) return Promise.reject(new codes.ERR_DIR_CLOSED());
      return new Promise((resolve, reject) => this.close((error) => (error ? reject(error) : resolve())));
    }
    validateFunction(callback, 'callback');
    if (this.#closed) {
      process.nextTick(callback, new codes.ERR_DIR_CLOSED());
      return undefined;
    }
    if (this.#queue !== null) {
      this.#queue.push(() => this.close(callback));
      return undefined;
    }
    this.#closed = true;
    start(binding.closedir, (result) => callback(result < 0 ? fsError(result, 'closedir') : null), this.#handle);
    return undefined;
  }

  closeSync() {
    if (this.#closed) throw new codes.ERR_DIR_CLOSED();
    if (this.#queue !== null) throw new codes.ERR_DIR_CONCURRENT_OPERATION();
    this.#closed = true;
    check(binding.closedir(-1, this.#handle), 'closedir');
  }

  async* entries() {
    try {
      for (;;) {
        const entry = await this.read();
        if (entry === null) break;
        yield entry;
      }
    } finally {
      await this.close();
    }
  }

  [Symbol.dispose]() {
    if (this.#closed) return;
    this.closeSync();
  }

  async [Symbol.asyncDispose]() {
    if (this.#closed) return;
    await this.close();
  }
}

Object.defineProperty(Dir.prototype, Symbol.asyncIterator, {
  __proto__: null, value: Dir.prototype.entries, enumerable: false, writable: true, configurable: true,
});

function opendir(path, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  validateFunction(callback, 'callback');
  path = getValidatedPath(path);
  options = getOptions(options, { encoding: 'utf8' });
  if (options.bufferSize !== undefined) validateUint32(options.bufferSize, 'options.bufferSize', true);
  start(binding.opendir, (result) => {
    if (result < 0) callback(fsError(result, 'opendir', path));
    else callback(null, new Dir(result, path, options));
  }, path);
}

function opendirSync(path, options) {
  path = getValidatedPath(path);
  options = getOptions(options, { encoding: 'utf8' });
  const handle = check(binding.opendir(-1, path), 'opendir');
  return new Dir(handle, path, options);
}

module.exports = { Dir, opendir, opendirSync };
