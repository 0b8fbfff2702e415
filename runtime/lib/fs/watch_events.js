'use strict';

// fs.promises.watch: the events of a watcher as an async iterator. Events that were not read yet wait in a queue of
// limited length.

const { codes, AbortError } = require('internal/errors');
const {
  validateAbortSignal,
  validateBoolean,
  validateInteger,
  validateObject,
  validateOneOf,
} = require('internal/validators');
const { FSWatcher } = require('internal/fs/watchers');
const { readPath } = require('internal/fs/arguments');

// [name, default, check, ...]
const known = [
  ['persistent', true, validateBoolean],
  ['recursive', false, validateBoolean],
  ['maxQueue', 2048, validateInteger],
  ['overflow', 'ignore', validateOneOf, ['ignore', 'error']],
  ['signal', undefined, validateAbortSignal],
  ['encoding', 'utf8'],
  ['ignore'],
];

function readEventOptions(options) {
  validateObject(options, 'options');
  const read = {};
  for (const [name, otherwise, check, ...rest] of known) {
    const value = options[name] === undefined ? otherwise : options[name];
    check?.(value, `options.${name}`, ...rest);
    read[name] = value;
  }
  const { encoding } = read;
  if (encoding && encoding !== 'buffer' && !require('internal/buffer/class').Buffer.isEncoding(encoding)) {
    throw new codes.ERR_INVALID_ARG_VALUE('options.encoding', encoding);
  }
  return read;
}

class EventLine {
  #waiting = [];
  #failure;
  #wanted; // iterators that wait for an event
  #room;
  #strict;

  constructor(room, strict) {
    this.#room = room;
    this.#strict = strict;
  }

  add(eventType, filename) {
    if (this.#waiting.length < this.#room) {
      this.#waiting.push({ __proto__: null, eventType, filename });
      this.#wake();
    } else if (this.#strict) {
      this.fail(new codes.ERR_FS_WATCH_QUEUE_OVERFLOW(this.#room));
    } else {
      process.emitWarning('fs.watch maxQueue exceeded');
    }
  }

  fail(error) {
    this.#failure ??= error;
    this.#wake();
  }

  #wake() {
    this.#wanted?.resolve();
    this.#wanted = undefined;
  }

  async next() {
    while (this.#waiting.length === 0) {
      if (this.#failure !== undefined) throw this.#failure;
      this.#wanted = Promise.withResolvers();
      await this.#wanted.promise;
    }
    return this.#waiting.shift();
  }
}

async function* watchEvents(filename, given) {
  const path = readPath(filename, 'filename');
  const options = readEventOptions(given);
  const { signal } = options;
  const abortion = () => new AbortError(undefined, { cause: signal.reason });
  if (signal?.aborted) throw abortion();
  const line = new EventLine(options.maxQueue, options.overflow === 'error');
  const watcher = new FSWatcher();
  watcher.on('change', (type, name) => line.add(type, name)).on('error', (error) => line.fail(error));
  const onAbort = () => line.fail(abortion());
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    watcher._begin(path, options);
    for (;;) yield await line.next();
  } finally {
    watcher.close();
    signal?.removeEventListener('abort', onAbort);
  }
}

module.exports = { watchEvents };
