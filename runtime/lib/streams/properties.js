'use strict';

// What all streams share: properties over their state, and high-water marks.
//
// Helpers for the constructors of streams: their parents, the initial events of a new stream, and properties that read
// the state of one side.

const { codes } = require('internal/errors');
const { validateInteger } = require('internal/validators');

// `answers` has for each name a function of the state; an object without such a side (for example the prototype, or an
// old-style stream) gives `otherwise`. A name with a setter has both, as { get, set }.
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

// Properties of both sides with the same names.
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

// eventNames() gives the events of a stream in this order, independent of the order in which they were added.
function eventsOf(names) {
  const events = Object.fromEntries(names.split(' ').map((name) => [name, undefined]));
  return (stream) => {
    stream._events ??= { ...events };
  };
}

// High-water marks: how much a stream buffers before write() returns false, or before it stops reading ahead.

let bytes = 65536;
let objects = 16;

const getDefaultHighWaterMark = (isObjectMode) => (isObjectMode ? objects : bytes);

function setDefaultHighWaterMark(isObjectMode, mark) {
  validateInteger(mark, 'value', 0);
  if (isObjectMode) objects = mark;
  else bytes = mark;
}

// The mark of a new side. `ownName` is the option for that side alone, of a stream that has two sides.
function waterMark(isObjectMode, options, ownName) {
  if (!options) return getDefaultHighWaterMark(isObjectMode);
  const mark = options.highWaterMark ?? (ownName === undefined ? undefined : options[ownName]);
  if (mark == null) return getDefaultHighWaterMark(isObjectMode);
  if (!Number.isInteger(mark) || mark < 0)
    throw new codes.ERR_INVALID_ARG_VALUE(`options.${ownName ?? 'highWaterMark'}`, mark);
  return mark;
}

module.exports = {
  define,
  defineCommon,
  eventsOf,
  extend,
  getDefaultHighWaterMark,
  setDefaultHighWaterMark,
  waterMark,
};
