'use strict';

// What the constructors of streams are made with: their parents, the events that a new stream knows, and properties
// that answer from the state of one side.

// `answers` gives for each name a function of the state; it is `otherwise` for an object that has no such side (the
// prototype, for one, and streams of the old kind). A name with a setter has both, as { get, set }.
function define(prototype, side, otherwise, answers) {
  for (const [name, answer] of Object.entries(answers)) {
    const get = answer.get ?? answer;
    Object.defineProperty(prototype, name, {
      __proto__: null,
      configurable: true,
      enumerable: false,
      get() {
        const state = this[side];
        return state ? get(state) : otherwise;
      },
      set:
        answer.set &&
        function (value) {
          if (this[side]) answer.set(this[side], value);
        },
    });
  }
}

// What both sides are asked under the same names.
function defineCommon(prototype, side) {
  define(prototype, side, false, {
    closed: (state) => Boolean(state.closed),
    destroyed: {
      get: (state) => Boolean(state.destroyed),
      set(state, value) {
        state.destroyed = value;
      },
    },
  });
  define(prototype, side, null, { errored: (state) => state.errored });
}

function extend(constructor, parent) {
  Object.setPrototypeOf(constructor.prototype, parent.prototype);
  Object.setPrototypeOf(constructor, parent);
}

// eventNames() gives the events of a stream in this order, whoever came first.
function eventsOf(names) {
  const events = Object.fromEntries(names.split(' ').map((name) => [name, undefined]));
  return (stream) => {
    stream._events ??= { ...events };
  };
}

module.exports = { define, defineCommon, eventsOf, extend };
