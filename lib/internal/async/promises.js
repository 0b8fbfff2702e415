'use strict';

// The current frame through promises and `await`: runtime/engine_await.h says how. Costs nothing until it is switched on, which
// the first AsyncLocalStorage, AsyncResource, domain or hook does.

const frame = require('internal/async_context');
const { followPromises, runBefore } = internalBinding('util');

const { Promise } = globalThis;
let followed = false;

function reactionFor(kept) {
  return () => { frame.current = kept; };
}

function follow() {
  if (followed) return;
  followed = true;
  const restore = (_, kept) => { frame.current = kept; };
  if (!followPromises(frame, restore, reactionFor(undefined))) return;
  // The engine looks here for each promise that is awaited or has `then` called, just before it adds its own reaction.
  function get() {
    runBefore(this, reactionFor(frame.current));
    return Promise;
  }
  get.maker = Promise; // for util.inspect
  Object.defineProperty(Promise.prototype, 'constructor', {
    get,
    set(value) {
      Object.defineProperty(this, 'constructor', { value, writable: true, enumerable: this !== Promise.prototype, configurable: true });
    },
    enumerable: false,
    configurable: true,
  });
}

module.exports = { follow };
