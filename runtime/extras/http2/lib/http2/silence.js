'use strict';

// The timeout of a session or a stream: it expires when nothing was sent or received for long enough.

const timers = require('internal/timers');
const { codes } = require('internal/errors');
const { validateFunction, validateNumber } = require('internal/validators');

const kTimer = Symbol('silence');

function touch(owner) {
  const timer = owner[kTimer];
  if (timer !== undefined && timer !== null) timer.refresh();
}

function stopTimer(owner) {
  if (owner[kTimer] === undefined || owner[kTimer] === null) return;
  timers.clearTimeout(owner[kTimer]);
  owner[kTimer] = null;
}

// A method: setTimeout(msecs[, callback]). `expire` is called with the owner.
function setTimeoutWith(expire) {
  return function setTimeout(msecs, callback) {
    if (this.destroyed) return this;
    validateNumber(msecs, 'msecs');
    if (!(msecs >= 0 && msecs < Infinity))
      throw new codes.ERR_OUT_OF_RANGE('msecs', 'a non-negative finite number', msecs);
    if (callback !== undefined) validateFunction(callback, 'callback');
    this.timeout = msecs;
    stopTimer(this);
    if (msecs === 0) {
      if (callback !== undefined) this.removeListener('timeout', callback);
      return this;
    }
    this[kTimer] = timers.setTimeout(expire, Math.min(msecs, timers.TIMEOUT_MAX), this).unref();
    if (callback !== undefined) this.once('timeout', callback);
    return this;
  };
}

module.exports = { kTimer, setTimeoutWith, stopTimer, touch };
