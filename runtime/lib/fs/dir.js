'use strict';

// Dir: a directory that is read entry by entry. Reading and closing are tasks on one state (internal/fs/tasks).
// Asynchronous operations run one after the other in a queue; synchronous ones are an error while the queue is not
// empty.

const { codes } = require('internal/errors');
const frame = require('internal/async/context');
const { validateUint32 } = require('internal/validators');
const { operations } = require('internal/fs/operations');
const { checkCallback, readNameEncoding, readOptions, readPath } = require('internal/fs/arguments');
const { runLater, runNow } = require('internal/fs/tasks');
const { makeDirent, under } = require('internal/fs/dirent');

const { closedir, opendir, readdir, scandir } = operations;
const defaultBufferSize = 32;

function readDirOptions(given) {
  const options = readOptions(given);
  const { bufferSize = defaultBufferSize, recursive = false } = options;
  validateUint32(bufferSize, 'options.bufferSize', true);
  return { bufferSize, recursive: Boolean(recursive), encoding: readNameEncoding(given) };
}

class Dir {
  #handle;
  #path;
  #options;
  #closed = false;
  #ready = []; // entries that were read and not yet given
  #line = []; // functions that wait for the one before them
  #moving = false;

  constructor(handle, path, options) {
    if (handle == null) throw new codes.ERR_MISSING_ARGS('handle');
    this.#handle = handle;
    this.#path = path;
    this.#options = options?.bufferSize === undefined ? readDirOptions(options) : options;
    frame.tracker?.create('DIRHANDLE', this);
  }

  get path() {
    if (!(#path in this)) throw new codes.ERR_INVALID_THIS('Dir');
    return this.#path;
  }

  *#next() {
    const { encoding, bufferSize, recursive } = this.#options;
    if (this.#ready.length === 0) this.#add(yield [readdir, this.#handle, bufferSize, encoding], this.#path);
    if (this.#ready.length === 0) return null;
    const entry = this.#ready.shift();
    if (recursive && entry.isDirectory()) {
      const below = under(entry.parentPath, entry.name);
      this.#add(yield [scandir, below, encoding], below);
    }
    return entry;
  }

  #add(flat, directory) {
    for (let i = 0; i < flat.length; i += 2)
      this.#ready.push(makeDirent(directory, flat[i], flat[i + 1], this.#options.encoding));
  }

  *#shut() {
    this.#closed = true;
    frame.tracker?.destroy(this);
    yield [closedir, this.#handle];
  }

  #checkOpen() {
    if (this.#closed) throw new codes.ERR_DIR_CLOSED();
  }

  #checkIdle() {
    this.#checkOpen();
    if (this.#moving) throw new codes.ERR_DIR_CONCURRENT_OPERATION();
  }

  // callback(error) or callback(null[, value])
  #queue(makeTask, callback) {
    const turn = () => {
      if (this.#closed) {
        process.nextTick(leave, new codes.ERR_DIR_CLOSED());
        return;
      }
      runLater(makeTask(), leave);
    };
    const leave = (...outcome) => {
      this.#moving = this.#line.length > 0;
      if (this.#moving) this.#line.shift()();
      callback(...outcome);
    };
    if (this.#moving) {
      this.#line.push(turn);
    } else {
      this.#moving = true;
      turn();
    }
  }

  #promise(start) {
    return new Promise((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value))));
  }

  read(callback) {
    if (callback === undefined) return this.#promise((done) => this.read(done));
    checkCallback(callback, 'callback');
    this.#checkOpen();
    // The end of the directory is `null`, which the end of a task does not distinguish from no value.
    this.#queue(
      () => this.#next(),
      (error, entry = null) => (error ? callback(error) : callback(null, entry)),
    );
    return undefined;
  }

  readSync() {
    this.#checkIdle();
    return runNow(this.#next());
  }

  close(callback) {
    if (callback === undefined)
      return this.#promise((done) => {
        this.#checkOpen();
        this.close(done);
      });
    checkCallback(callback, 'callback');
    if (this.#closed) {
      process.nextTick(callback, new codes.ERR_DIR_CLOSED());
      return undefined;
    }
    this.#queue(() => this.#shut(), callback);
    return undefined;
  }

  closeSync() {
    this.#checkIdle();
    runNow(this.#shut());
  }

  async *entries() {
    try {
      for (let entry = await this.read(); entry !== null; entry = await this.read()) yield entry;
    } finally {
      await this.close();
    }
  }

  [Symbol.dispose]() {
    if (!this.#closed) this.closeSync();
  }

  async [Symbol.asyncDispose]() {
    if (!this.#closed) await this.close();
  }
}
Object.defineProperty(Dir.prototype, Symbol.asyncIterator, {
  value: Dir.prototype.entries,
  writable: true,
  enumerable: false,
  configurable: true,
});

function opendirLater(path, options, callback) {
  if (typeof options === 'function') callback = options;
  checkCallback(callback, 'callback');
  const name = readPath(path);
  const read = readDirOptions(options);
  opendir.later((error, handle) => {
    if (error !== null) callback(error);
    else callback(null, new Dir(handle, name, read));
  }, name);
}

function opendirSync(path, options) {
  const name = readPath(path);
  const read = readDirOptions(options);
  return new Dir(opendir.now(name), name, read);
}

async function opendirPromise(path, options) {
  const name = readPath(path);
  const read = readDirOptions(options);
  return new Dir(await opendir.promise(name), name, read);
}

module.exports = { Dir, opendirLater, opendirPromise, opendirSync };
