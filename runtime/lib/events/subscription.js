'use strict';

// A set of listeners that are added and removed together, on emitters and event targets. The emitter may be any object
// with `on` and `once`: pools of workers pass such objects.

const { codes } = require('internal/errors');

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

module.exports = { Subscription };
