'use strict';

// AsyncResource: an identity of the program's own, and the frame in which it was made.

const { codes } = require('internal/errors');
const frame = require('internal/async/context');
const tracker = require('internal/async/tracker');
const { validateFunction, validateString } = require('internal/validators');
const { follow } = require('internal/async/promises');

// Resources that the program does not destroy are destroyed when they are collected.
let collected;
function watch(resource, id) {
  collected ??= new FinalizationRegistry(tracker.destroyId);
  collected.register(resource, id, resource);
}

class AsyncResource {
  #kept = frame.current;

  constructor(type, options = {}) {
    validateString(type, 'type');
    tracker.begin();
    follow();
    const given = typeof options === 'number' ? { triggerAsyncId: options } : options;
    const { triggerAsyncId = tracker.running().id, requireManualDestroy } = given;
    if (!Number.isSafeInteger(triggerAsyncId) || triggerAsyncId < -1) {
      throw new codes.ERR_INVALID_ASYNC_ID('triggerAsyncId', triggerAsyncId);
    }
    if (type === '' && tracker.hasHooks()) throw new codes.ERR_ASYNC_TYPE(type);
    const { id } = tracker.create(type, this, triggerAsyncId);
    if (!requireManualDestroy && tracker.hasHooks()) watch(this, id);
  }

  runInAsyncScope(fn, thisArg, ...args) {
    const outside = frame.current;
    frame.current = this.#kept;
    tracker.enter(this);
    try {
      return Reflect.apply(fn, thisArg, args);
    } finally {
      tracker.leave();
      frame.current = outside;
    }
  }

  emitDestroy() {
    collected?.unregister(this);
    tracker.destroyId(tracker.idOf(this).id);
    return this;
  }

  asyncId() {
    return tracker.idOf(this).id; // known to hooks of its own init, too
  }

  triggerAsyncId() {
    return tracker.idOf(this).trigger;
  }

  bind(fn, thisArg) {
    validateFunction(fn, 'fn');
    const run = (self, args) => this.runInAsyncScope(fn, self, ...args);
    const bound =
      thisArg === undefined
        ? function (...args) {
            return run(this, args);
          }
        : (...args) => run(thisArg, args);
    return Object.defineProperty(bound, 'length', { value: fn.length, configurable: true });
  }

  static bind(fn, type, thisArg) {
    validateFunction(fn, 'fn');
    return new AsyncResource(type || fn.name || 'bound-anonymous-fn').bind(fn, thisArg);
  }
}

module.exports = { AsyncResource };
