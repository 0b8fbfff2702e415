'use strict';

// process.on('SIGINT', ...): a watcher in the loop for each signal that has listeners.

const { start, stop } = internalBinding('signals');

const numbers = {
  __proto__: null,
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGIOT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGSTKFLT: 16,
  SIGCHLD: 17,
  SIGCONT: 18,
  SIGSTOP: 19,
  SIGTSTP: 20,
  SIGTTIN: 21,
  SIGTTOU: 22,
  SIGURG: 23,
  SIGXCPU: 24,
  SIGXFSZ: 25,
  SIGVTALRM: 26,
  SIGPROF: 27,
  SIGWINCH: 28,
  SIGIO: 29,
  SIGPOLL: 29,
  SIGPWR: 30,
  SIGSYS: 31,
};

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
