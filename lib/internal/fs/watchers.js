'use strict';

// fs.watch and fs.watchFile. Recursive watching is a watcher for every directory below: Linux knows no other way.

const EventEmitter = require('events');
const { codes, AbortError } = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateFunction, validateObject, validateUint32 } = require('internal/validators');
const { binding, describe, fsError, watchers } = require('internal/fs/native');
const { getOptions, getValidatedPath, readStats, Stats, BigIntStats, encodeName, wantsBytes } = require('internal/fs/utils');
const { kEmptyObject } = require('internal/util');
const pathModule = require('path');

function watchError(errno, filename) {
  const [code, text] = describe(errno);
  const shown = `${filename}`;
  const error = new Error(`${code}: ${text}, watch '${shown}'`);
  error.errno = errno;
  error.syscall = 'watch';
  error.code = code;
  error.path = shown;
  error.filename = filename;
  return error;
}

class FSWatcher extends EventEmitter {
  #id = -1;
  #children = new Map(); // path -> id, below a directory watched recursively
  #encoding;
  #persistent;
  #ignore;

  // What `watch` does after it has checked the arguments.
  _begin(filename, options) {
    this.#encoding = options.encoding;
    this.#persistent = options.persistent !== false;
    this.#ignore = makeIgnore(options.ignore);
    const id = binding.watch(filename, wantsBytes(this.#encoding));
    if (id === -2 && options.throwIfNoEntry === false) return;
    if (id < 0) throw watchError(id, filename);
    this.#id = id;
    this.#listen(id, filename, '');
    if (options.recursive) {
      if (binding.stat(-1, filename) === 0 && readStats(false).isDirectory()) this.#watchBelow(`${filename}`, '');
    }
  }

  #listen(id, directory, prefix) {
    if (!this.#persistent) binding.watchRef(id, false);
    watchers.set(id, (status, events, name) => {
      if (status < 0) {
        const error = watchError(status, name === null ? null : encodeName(name, this.#encoding));
        this.close();
        this.emit('error', error);
        return;
      }
      let shown = name === null ? null : encodeName(name, this.#encoding);
      if (shown !== null && prefix !== '') shown = pathModule.join(prefix, `${shown}`);
      if (this.#ignore !== undefined && shown !== null && this.#ignore(`${shown}`)) return;
      if (this.#children.size > 0 || this.recursive) this.#refresh(directory, prefix, name);
      this.emit('change', events & 1 ? 'rename' : 'change', shown);
    });
  }

  #watchBelow(directory, prefix) {
    this.recursive = true;
    const flat = binding.scandir(-1, directory, false);
    if (typeof flat === 'number') return;
    for (let i = 0; i < flat.length; i += 2) {
      if (flat[i + 1] === 2) this.#add(pathModule.join(directory, flat[i]), pathModule.join(prefix, flat[i]), false);
    }
  }

  #add(path, prefix, tell) {
    if (this.#children.has(path) || this.#id === -1) return;
    const id = binding.watch(path, wantsBytes(this.#encoding));
    if (id < 0) return;
    this.#children.set(path, id);
    this.#listen(id, path, prefix);
    if (tell) {
      // What was put into a new directory before anybody watched it.
      const flat = binding.scandir(-1, path, false);
      if (typeof flat !== 'number') {
        for (let i = 0; i < flat.length; i += 2) this.emit('change', 'rename', pathModule.join(prefix, flat[i]));
      }
    }
    this.#watchBelow(path, prefix);
  }

  #refresh(directory, prefix, name) {
    if (name === null) return;
    const path = pathModule.join(`${directory}`, `${encodeName(name, 'utf8')}`);
    if (binding.lstat(-1, path) === 0 && readStats(false).isDirectory()) {
      this.#add(path, pathModule.join(prefix, `${encodeName(name, 'utf8')}`), true);
    } else if (this.#children.has(path)) {
      this.#drop(this.#children.get(path));
      this.#children.delete(path);
    }
  }

  #drop(id) {
    watchers.delete(id);
    binding.unwatch(id);
  }

  close() {
    if (this.#id === -1) return;
    this.#drop(this.#id);
    for (const id of this.#children.values()) this.#drop(id);
    this.#children.clear();
    this.#id = -1;
    process.nextTick(() => this.emit('close'));
  }

  ref() {
    if (this.#id !== -1) binding.watchRef(this.#id, true);
    for (const id of this.#children.values()) binding.watchRef(id, true);
    return this;
  }

  unref() {
    if (this.#id !== -1) binding.watchRef(this.#id, false);
    for (const id of this.#children.values()) binding.watchRef(id, false);
    return this;
  }
}
Object.defineProperty(FSWatcher.prototype, 'recursive', { value: false, writable: true });

// `ignore`: a glob, a regular expression, a function, or a list of them.
function makeIgnore(ignore) {
  if (ignore === undefined || ignore === null) return undefined;
  const list = Array.isArray(ignore) ? ignore : [ignore];
  const tests = list.map((item) => {
    if (typeof item === 'string') {
      if (item.length === 0) throw new codes.ERR_INVALID_ARG_VALUE('options.ignore', item, 'must be a non-empty string');
      return (name) => pathModule.matchesGlob(name, item) || (!item.includes('/') && pathModule.matchesGlob(pathModule.basename(name), item));
    }
    if (item instanceof RegExp) return (name) => item.test(name);
    if (typeof item === 'function') return (name) => item(name);
    throw new codes.ERR_INVALID_ARG_TYPE('options.ignore', ['string', 'RegExp', 'Function', 'Array'], ignore);
  });
  return (name) => tests.some((test) => test(name));
}

function watch(filename, options, listener) {
  if (typeof options === 'function') listener = options;
  options = { ...getOptions(options) };
  if (options.persistent === undefined) options.persistent = true;
  if (options.recursive === undefined) options.recursive = false;
  filename = getValidatedPath(filename, 'filename');
  if (options.recursive !== undefined) validateBoolean(options.recursive, 'options.recursive');
  if (options.persistent !== undefined) validateBoolean(options.persistent, 'options.persistent');
  if (listener !== undefined) validateFunction(listener, 'listener');
  const { signal } = options;
  const watcher = new FSWatcher();
  watcher._begin(filename, options);
  if (listener) watcher.addListener('change', listener);
  if (signal) {
    if (signal.aborted) {
      process.nextTick(() => watcher.close());
    } else {
      const onAbort = () => watcher.close();
      signal.addEventListener('abort', onAbort);
      watcher.once('close', () => signal.removeEventListener('abort', onAbort));
    }
  }
  return watcher;
}

// The events as an asynchronous iterator.
async function* watchIterator(filename, options = kEmptyObject) {
  const path = getValidatedPath(filename, 'filename');
  validateObject(options, 'options');
  const { persistent = true, recursive = false, encoding = 'utf8', maxQueue = 2048, overflow = 'ignore', signal } = options;
  validateBoolean(persistent, 'options.persistent');
  validateBoolean(recursive, 'options.recursive');
  require('internal/validators').validateInteger(maxQueue, 'options.maxQueue');
  require('internal/validators').validateOneOf(overflow, 'options.overflow', ['ignore', 'error', 'throw'].slice(0, 2));
  validateAbortSignal(signal, 'options.signal');
  if (encoding && !Buffer.isEncoding(encoding) && encoding !== 'buffer') {
    throw new codes.ERR_INVALID_ARG_VALUE('options.encoding', encoding, 'is invalid encoding'.replace('is invalid encoding', 'is invalid'));
  }
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });

  const watcher = new FSWatcher();
  const queue = [];
  let failure;
  let wake = Promise.withResolvers();
  watcher.on('change', (eventType, name) => {
    if (queue.length < maxQueue) {
      queue.push({ __proto__: null, eventType, filename: name });
    } else if (overflow === 'error') {
      failure = new codes.ERR_FS_WATCH_QUEUE_OVERFLOW(maxQueue);
    } else {
      process.emitWarning('fs.watch maxQueue exceeded');
    }
    wake.resolve();
  });
  watcher.on('error', (error) => {
    failure = error;
    wake.resolve();
  });
  const onAbort = () => {
    failure = new AbortError(undefined, { cause: signal.reason });
    wake.resolve();
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    watcher._begin(path, { encoding, persistent, recursive, ignore: options.ignore });
    for (;;) {
      await wake.promise;
      wake = Promise.withResolvers();
      while (queue.length > 0) yield queue.shift();
      if (failure !== undefined) throw failure;
    }
  } finally {
    watcher.close();
    signal?.removeEventListener('abort', onAbort);
  }
}

// ---------------------------------------------------------------- watchFile

const kStatUsers = Symbol('kStatUsers');

class StatWatcher extends EventEmitter {
  constructor(bigint) {
    super();
    this._id = -1;
    this.bigint = bigint;
    this[kStatUsers] = 0;
    this.refs = true;
  }

  start(filename, persistent, interval) {
    if (this._id !== -1) return;
    filename = getValidatedPath(filename, 'filename');
    validateUint32(interval, 'interval');
    const id = binding.poll(filename, interval);
    if (id < 0) throw fsError(id, 'watch', filename);
    this._id = id;
    if (!persistent) this.unref();
    watchers.set(id, (status) => {
      if (status < 0) {
        // Not there: all zeros, before and now, and that is told once.
        const { previous, current } = this._missing();
        this.emit('change', current, previous);
        return;
      }
      const now = readStats(this.bigint, 0);
      const before = readStats(this.bigint, 1);
      this.emit('change', now, before);
    });
  }

  _missing() {
    const now = readStats(this.bigint, 0);
    const before = readStats(this.bigint, 1);
    return { previous: before, current: now };
  }

  stop() {
    if (this._id === -1) return;
    const id = this._id;
    this._id = -1;
    watchers.delete(id);
    binding.unwatch(id);
    process.nextTick(() => this.emit('stop'));
  }

  ref() {
    this.refs = true;
    if (this._id !== -1) binding.watchRef(this._id, true);
    return this;
  }

  unref() {
    this.refs = false;
    if (this._id !== -1) binding.watchRef(this._id, false);
    return this;
  }
}

const statWatchers = new Map();

function watchFile(filename, options, listener) {
  filename = getValidatedPath(filename);
  filename = pathModule.resolve(`${filename}`);
  if (options === null || typeof options !== 'object') {
    listener = options;
    options = {};
  }
  const { interval = 5007, persistent = true, bigint = false } = options;
  validateFunction(listener, 'listener');
  let watcher = statWatchers.get(filename);
  if (watcher === undefined) {
    watcher = new StatWatcher(bigint);
    watcher.start(filename, persistent, interval);
    statWatchers.set(filename, watcher);
  } else if (persistent) {
    watcher.ref();
  }
  watcher.addListener('change', listener);
  return watcher;
}

function unwatchFile(filename, listener) {
  filename = getValidatedPath(filename);
  filename = pathModule.resolve(`${filename}`);
  const watcher = statWatchers.get(filename);
  if (watcher === undefined) return;
  if (typeof listener === 'function') watcher.removeListener('change', listener);
  else watcher.removeAllListeners('change');
  if (watcher.listenerCount('change') === 0) {
    watcher.stop();
    statWatchers.delete(filename);
  }
}

module.exports = { FSWatcher, StatWatcher, watch, watchFile, unwatchFile, watchIterator };
