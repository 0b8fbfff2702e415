'use strict';

// fs.watch. Recursive watching uses a watcher for every directory below: Linux has no other way.

const { often, end } = require('internal/async/bound');
const EventEmitter = require('events');
const { codes } = require('internal/errors');
const { validateBoolean, validateFunction } = require('internal/validators');
const { binding, describe, watchers } = require('internal/fs/native');
const { decodeName, readNameEncoding, readOptions, readPath } = require('internal/fs/arguments');
const { kindAt } = require('internal/fs/dirent');
const { takeStats } = require('internal/fs/stats');
const { UV_DIRENT_DIR } = require('internal/fs/constants');
const pathModule = require('path');

const absent = -2;

function watchError(errno, filename) {
  const [code, text] = describe(errno);
  const shown = `${filename}`;
  return Object.assign(new Error(`${code}: ${text}, watch '${shown}'`), {
    errno,
    syscall: 'watch',
    code,
    path: shown,
    filename,
  });
}

// `ignore`: a glob, a regular expression, a function, or a list of them, as one test of names.
function makeIgnore(ignore) {
  if (ignore === undefined || ignore === null) return undefined;
  const tests = [ignore].flat().map((item) => {
    switch (typeof item) {
      case 'function':
        return item;
      case 'string':
        if (item === '') throw new codes.ERR_INVALID_ARG_VALUE('options.ignore', item, 'must be a non-empty string');
        return (name) =>
          pathModule.matchesGlob(name, item) ||
          (!item.includes('/') && pathModule.matchesGlob(pathModule.basename(name), item));
      default:
        if (item instanceof RegExp) return (name) => item.test(name);
        throw new codes.ERR_INVALID_ARG_TYPE('options.ignore', ['string', 'RegExp', 'Function', 'Array'], ignore);
    }
  });
  return (name) => tests.some((test) => test(name));
}

class FSWatcher extends EventEmitter {
  #ids = new Map(); // path -> the binding's number; the first is the path that was asked for
  #encoding = false;
  #persistent = true;
  #recursive = false;
  #ignore;

  // The part of `watch` after the check of its arguments.
  _begin(filename, { encoding, persistent, recursive, ignore, throwIfNoEntry }) {
    this.#encoding = readNameEncoding({ encoding });
    this.#persistent = persistent !== false;
    this.#ignore = makeIgnore(ignore);
    const err = this.#listen(filename, '');
    if (err === absent && throwIfNoEntry === false) return;
    if (err < 0) throw watchError(err, filename);
    this.#recursive = Boolean(recursive) && binding.stat(-1, filename) === 0 && takeStats(false).isDirectory();
    if (this.#recursive) this.#listenBelow(`${filename}`, '');
  }

  #listen(directory, prefix) {
    const id = binding.watch(directory, this.#encoding);
    if (id < 0) return id;
    this.#ids.set(`${directory}`, id);
    if (!this.#persistent) binding.watchRef(id, false);
    watchers.set(
      id,
      often(
        'FSEVENTWRAP',
        (status, events, name) => {
          if (status < 0) this.#fail(status, name);
          else this.#hear(directory, prefix, events, name);
        },
        this,
      ),
    );
    return 0;
  }

  #fail(status, name) {
    const error = watchError(status, name === null ? null : decodeName(name, this.#encoding));
    this.close();
    this.emit('error', error);
  }

  #hear(directory, prefix, events, name) {
    let shown = name;
    if (name !== null) {
      shown = decodeName(name, this.#encoding);
      if (prefix !== '') shown = pathModule.join(prefix, `${shown}`);
      if (this.#ignore?.(`${shown}`)) return;
      if (this.#recursive) {
        const text = decodeName(name, 'utf8');
        this.#follow(pathModule.join(`${directory}`, text), pathModule.join(prefix, text));
      }
    }
    this.emit('change', events & 1 ? 'rename' : 'change', shown);
  }

  #listenBelow(directory, prefix) {
    const flat = binding.scandir(-1, directory, false);
    for (let i = 0; i < flat.length; i += 2) {
      if (flat[i + 1] === UV_DIRENT_DIR)
        this.#enter(pathModule.join(directory, flat[i]), pathModule.join(prefix, flat[i]));
    }
  }

  #enter(path, prefix) {
    if (this.#ids.has(path) || this.#ids.size === 0 || this.#listen(path, prefix) < 0) return false;
    this.#listenBelow(path, prefix);
    return true;
  }

  // Something happened to a name: a new directory is watched, a removed one is not any more.
  #follow(path, prefix) {
    if (kindAt(path) !== UV_DIRENT_DIR) {
      const id = this.#ids.get(path);
      if (id !== undefined) this.#drop(path, id);
    } else if (this.#enter(path, prefix)) {
      // Entries that were made in a new directory before it was watched.
      const flat = binding.scandir(-1, path, false);
      for (let i = 0; i < flat.length; i += 2) this.emit('change', 'rename', pathModule.join(prefix, flat[i]));
    }
  }

  #drop(path, id) {
    this.#ids.delete(path);
    watchers.delete(id);
    binding.unwatch(id);
  }

  close() {
    if (this.#ids.size === 0) return;
    for (const [path, id] of this.#ids) this.#drop(path, id);
    end(this);
    process.nextTick(() => this.emit('close'));
  }

  ref() {
    for (const id of this.#ids.values()) binding.watchRef(id, true);
    return this;
  }

  unref() {
    for (const id of this.#ids.values()) binding.watchRef(id, false);
    return this;
  }
}

function watch(filename, options, listener) {
  const read = { persistent: true, recursive: false, ...readOptions(options) };
  const heard = typeof options === 'function' ? options : listener;
  const path = readPath(filename, 'filename');
  validateBoolean(read.recursive, 'options.recursive');
  validateBoolean(read.persistent, 'options.persistent');
  if (heard !== undefined) validateFunction(heard, 'listener');
  const watcher = new FSWatcher();
  watcher._begin(path, read);
  if (heard !== undefined) watcher.addListener('change', heard);
  const { signal } = read;
  if (signal?.aborted) {
    process.nextTick(() => watcher.close());
  } else if (signal) {
    const close = () => watcher.close();
    signal.addEventListener('abort', close);
    watcher.once('close', () => signal.removeEventListener('abort', close));
  }
  return watcher;
}

module.exports = { FSWatcher, watch };
