'use strict';

// fs.watchFile: polls the stat of a file. All listeners of one path share a watcher.

const { often, end } = require('internal/async/bound');
const EventEmitter = require('events');
const { validateFunction, validateUint32 } = require('internal/validators');
const { binding, fsError, watchers } = require('internal/fs/native');
const { readPath } = require('internal/fs/arguments');
const { takeStats } = require('internal/fs/stats');

const byPath = new Map();

class StatWatcher extends EventEmitter {
  #id = -1;
  #bigint;

  constructor(bigint) {
    super();
    this.#bigint = bigint;
  }

  start(filename, persistent, interval) {
    if (this.#id !== -1) return;
    const path = readPath(filename, 'filename');
    validateUint32(interval, 'interval');
    const id = binding.poll(path, interval);
    if (id < 0) throw fsError(id, 'watch', path);
    this.#id = id;
    if (!persistent) this.unref();
    // The stats of a file that does not exist are all zeros.
    watchers.set(
      id,
      often('STATWATCHER', () => this.emit('change', takeStats(this.#bigint, 0), takeStats(this.#bigint, 1)), this),
    );
  }

  stop() {
    if (this.#id === -1) return;
    watchers.delete(this.#id);
    binding.unwatch(this.#id);
    this.#id = -1;
    end(this);
    process.nextTick(() => this.emit('stop'));
  }

  ref() {
    return this.#keepAlive(true);
  }

  unref() {
    return this.#keepAlive(false);
  }

  #keepAlive(yes) {
    if (this.#id !== -1) binding.watchRef(this.#id, yes);
    return this;
  }
}

const keyOf = (filename) => require('path').resolve(`${readPath(filename)}`);

function watchFile(filename, options, listener) {
  const key = keyOf(filename);
  const hasOptions = options !== null && typeof options === 'object';
  const heard = hasOptions ? listener : options;
  const { interval = 5007, persistent = true, bigint = false } = hasOptions ? options : {};
  validateFunction(heard, 'listener');
  let watcher = byPath.get(key);
  if (watcher === undefined) {
    watcher = new StatWatcher(bigint);
    watcher.start(key, persistent, interval);
    byPath.set(key, watcher);
  } else if (persistent) {
    watcher.ref();
  }
  return watcher.addListener('change', heard);
}

function unwatchFile(filename, listener) {
  const key = keyOf(filename);
  const watcher = byPath.get(key);
  if (watcher === undefined) return;
  if (typeof listener === 'function') watcher.removeListener('change', listener);
  else watcher.removeAllListeners('change');
  if (watcher.listenerCount('change') > 0) return;
  watcher.stop();
  byPath.delete(key);
}

module.exports = { StatWatcher, unwatchFile, watchFile };
