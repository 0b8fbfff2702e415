'use strict';

// process.on('SIGINT', ...): a watcher in the loop for each signal that has listeners.

const { start, stop } = internalBinding('signals');

const { signals: numbers } = require('internal/util/os_constants');

const watchers = new Map();

function onListenerAdded(type) {
  const number = numbers[type];
  if (number === undefined || watchers.has(type)) return;
  const watcher = {};
  const id = start(
    number,
    require('internal/async/bound').often('SIGNALWRAP', () => process.emit(type, type, number), watcher),
  );
  if (id < 0) {
    const { ErrnoException } = require('internal/errors');
    throw new ErrnoException(id, 'uv_signal_start');
  }
  watchers.set(type, { id, watcher });
}

function onListenerRemoved(type) {
  if (!watchers.has(type) || process.listenerCount(type) !== 0) return;
  const { id, watcher } = watchers.get(type);
  stop(id);
  require('internal/async/bound').end(watcher);
  watchers.delete(type);
}

module.exports = { numbers, onListenerAdded, onListenerRemoved };
