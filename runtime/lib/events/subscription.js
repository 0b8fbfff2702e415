'use strict';

// events.once and events.addAbortListener, and the set of listeners that they and events.on use.
//
// A set of listeners that are added and removed together, on emitters and event targets. The emitter may be any object
// with `on` and `once`: pools of workers pass such objects.

const { codes, AbortError } = require('internal/errors');
const { validateAbortSignal, validateObject, validateFunction } = require('internal/validators');

class Subscription {
  #entries = [];

  // On event targets the listener gets priority: other listeners cannot stop the event before it.
  add(emitter, name, listener, once = false, extra = undefined) {
    let options;
    if (typeof emitter.on === 'function') {
      if (once) emitter.once(name, listener);
      else emitter.on(name, listener);
    } else if (typeof emitter.addEventListener === 'function') {
      const { kResistStopPropagation } = require('internal/event_target');
      options = { ...extra, __proto__: null, once, [kResistStopPropagation]: true };
      emitter.addEventListener(name, listener, options);
    } else {
      throw new codes.ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', emitter);
    }
    this.#entries.push({ emitter, name, listener, options });
  }

  // The event `fired`, if one is named, has occurred: its listener is removed already.
  end(fired) {
    for (const { emitter, name, listener, options } of this.#take()) {
      if (name === fired) continue;
      if (typeof emitter.removeListener === 'function') emitter.removeListener(name, listener);
      else if (typeof emitter.removeEventListener === 'function') emitter.removeEventListener(name, listener, options);
      else throw new codes.ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', emitter);
    }
  }

  // A listener that cannot be removed has no effect after a success.
  endAfter(fired) {
    for (const { emitter, name, listener, options } of this.#take()) {
      if (name === fired) continue;
      if (options !== undefined) emitter.removeEventListener(name, listener, options);
      else if (typeof emitter.removeListener === 'function') emitter.removeListener(name, listener);
    }
  }

  #take() {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }
}

// events.once: a promise for the arguments of the next event, rejected by an 'error' or an abort that comes first.

function once(emitter, name, options) {
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  const aborted = () => new AbortError(undefined, { cause: signal.reason });
  if (signal?.aborted) throw aborted();
  const { promise, resolve, reject } = Promise.withResolvers();
  const subscription = new Subscription();
  const fail = (error, fired) => {
    subscription.end(fired);
    reject(error);
  };
  subscription.add(
    emitter,
    name,
    (...args) => {
      subscription.endAfter(name);
      resolve(args);
    },
    true,
    options,
  );
  // Event targets have no such 'error' event.
  if (name !== 'error' && typeof emitter.once === 'function')
    subscription.add(emitter, 'error', (error) => fail(error, 'error'), true);
  if (signal !== undefined && signal !== null) subscription.add(signal, 'abort', () => fail(aborted(), 'abort'), true);
  return promise;
}

// events.addAbortListener: a listener that is called even if others stop the event, or at once if the
// signal is aborted already.

function addAbortListener(signal, listener) {
  if (signal === undefined) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateFunction(listener, 'listener');
  if (signal.aborted) {
    queueMicrotask(() => listener());
    return { __proto__: null, [Symbol.dispose]() {} };
  }
  const { kResistStopPropagation } = require('internal/event_target');
  signal.addEventListener('abort', listener, { __proto__: null, once: true, [kResistStopPropagation]: true });
  return {
    __proto__: null,
    [Symbol.dispose]() {
      signal.removeEventListener('abort', listener);
    },
  };
}

module.exports = { Subscription, once, addAbortListener };
