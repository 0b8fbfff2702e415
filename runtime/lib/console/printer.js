'use strict';

// What a console keeps: its two streams, how it shows values, how far its groups are moved in, and what
// it counts and measures.

const { codes, isStackOverflowError } = require('internal/errors');
const { formatList } = require('internal/inspect/format');

const plain = {};
const coloured = { colors: true };
const ignore = () => {};

class Printer {
  streams; // { stdout, stderr }: properties or accessors
  indent = '';
  step;
  counts = new Map();
  started = new Map(); // label -> when
  ignoresErrors;
  #colorMode;
  #options; // for all streams, or a Map from stream to options
  #watchers = new WeakMap(); // stream -> the callback of its writes

  constructor(streams, { ignoreErrors = true, colorMode = 'auto', inspectOptions, groupIndentation = 2 }) {
    this.streams = streams;
    this.step = ' '.repeat(groupIndentation);
    this.ignoresErrors = Boolean(ignoreErrors);
    this.#colorMode = colorMode;
    this.#options = inspectOptions;
  }

  // The options of util.inspect for what goes to this stream.
  optionsFor(name) {
    const stream = this.streams[name];
    const wantsColour = this.#colorMode === 'auto' ? require('internal/tty').shouldColorize(stream) : this.#colorMode;
    const own = this.#options instanceof Map ? this.#options.get(stream) : this.#options;
    if (own === undefined) return wantsColour ? coloured : plain;
    if (own.colors !== undefined) return own;
    if (own !== this.#options) return { ...own, colors: wantsColour };
    own.colors = wantsColour;
    return own;
  }

  format(name, args) {
    return args.length === 1 && typeof args[0] === 'string' ? args[0] : formatList(this.optionsFor(name), args);
  }

  print(name, text) {
    const { indent } = this;
    const moved = indent === '' ? text : indent + text.replaceAll('\n', `\n${indent}`);
    const stream = this.streams[name];
    if (this.ignoresErrors) this.#tryToWrite(stream, `${moved}\n`);
    else stream.write(`${moved}\n`);
  }

  // A failure to log must not end the program; a stack overflow must.
  #tryToWrite(stream, line) {
    try {
      if (stream.listenerCount?.('error') === 0) stream.once('error', ignore);
      stream.write(line, this.#watcher(stream));
    } catch (error) {
      if (isStackOverflowError(error)) throw error;
    } finally {
      stream.removeListener?.('error', ignore);
    }
  }

  // The callback of writes to a stream: one function, so that the stream can call back once for many writes in one
  // tick. The stream emits its error after this.
  #watcher(stream) {
    let watcher = this.#watchers.get(stream);
    if (watcher === undefined) {
      watcher = (error) => {
        if (error == null || stream._writableState?.errorEmitted) return;
        if (stream.listenerCount('error') === 0) stream.once('error', ignore);
      };
      this.#watchers.set(stream, watcher);
    }
    return watcher;
  }

  openGroup() {
    this.indent += this.step;
  }

  closeGroup() {
    this.indent = this.indent.slice(0, this.indent.length - this.step.length);
  }
}

function requireWritable(stream, name) {
  if (typeof stream?.write !== 'function') throw new codes.ERR_CONSOLE_WRITABLE_STREAM(name);
}

// A duration as console.timeEnd tells it: 5.12ms, 1.234s, 1:02.345 (m:ss.mmm), 1:01:02.345 (h:mm:ss.mmm)

const two = (number) => `${number}`.padStart(2, '0');

function formatDuration(ms) {
  if (ms < 1000) return `${Number(ms.toFixed(3))}ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(3)}s`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = ((ms % 60_000) / 1000).toFixed(3).padStart(6, '0');
  if (minutes < 60) return `${minutes}:${seconds} (m:ss.mmm)`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${seconds} (h:mm:ss.mmm)`;
}

module.exports = { formatDuration, Printer, requireWritable };
