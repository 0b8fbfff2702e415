'use strict';

// A stream whose _construct has called back goes to work in the next tick. The package takes two: one until it hears of it, and
// one until it tells. The second is left out here.

const clock = require('internal/deps/readable-stream/lib/internal/shims/process');

const { nextTick } = clock;

// What the package schedules first from within `action` it does at once.
function withoutTick(action, argument) {
  clock.nextTick = (callback, ...args) => {
    clock.nextTick = nextTick;
    Reflect.apply(callback, undefined, args);
  };
  try {
    action(argument);
  } finally {
    clock.nextTick = nextTick;
  }
}

function report(stream, callback, error) {
  clock.nextTick = (hear, ...args) => {
    nextTick(() => {
      if (error || stream.destroyed) Reflect.apply(hear, undefined, args);
      else withoutTick(hear, ...args);
    });
  };
  try {
    callback(error);
  } finally {
    clock.nextTick = nextTick;
  }
}

function install(destroy) {
  const { construct } = destroy;
  destroy.construct = function(stream, callback) {
    const original = stream._construct;
    if (typeof original === 'function') {
      const own = Object.getOwnPropertyDescriptor(stream, '_construct');
      const begin = function(done) {
        if (own === undefined) delete this._construct;
        else Object.defineProperty(this, '_construct', own);
        return original.call(this, (error) => report(this, done, error));
      };
      Object.defineProperty(stream, '_construct', { __proto__: null, configurable: true, enumerable: false, writable: true, value: begin });
    }
    return construct(stream, callback);
  };
}

module.exports = { install };
