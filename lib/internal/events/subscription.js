'use strict';

// A set of listeners that were added together and go together, on emitters and event targets alike.

const { codes } = require('internal/errors');

class Subscription {
  #undo = [];

  // Event targets get the listener in the front row: other listeners cannot stop the event before it.
  add(source, name, listener, once = false, extra = undefined) {
    if (typeof source.on === 'function') {
      if (once) source.once(name, listener);
      else source.on(name, listener);
      this.#undo.push(() => source.removeListener(name, listener));
    } else if (typeof source.addEventListener === 'function') {
      const { kResistStopPropagation } = require('internal/event_target');
      const options = { ...extra, __proto__: null, once, [kResistStopPropagation]: true };
      source.addEventListener(name, listener, options);
      this.#undo.push(() => source.removeEventListener(name, listener, options));
    } else {
      throw new codes.ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', source);
    }
  }

  end() {
    const steps = this.#undo;
    this.#undo = [];
    for (const step of steps) step();
  }
}

module.exports = { Subscription };
