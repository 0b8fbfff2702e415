'use strict';

// Replaces readable-stream's `finished`: the package's own, with one rule of Node 26. If a stream has already ended,
// the callback is called in the next tick with the state at the time of the call, not with later events. The package
// plans that tick, too, but reads the state of the stream only then.

const { validateBoolean } = require('internal/validators');
const { clock } = require('internal/streams/package');
const watch = require('internal/deps/readable-stream/lib/internal/streams/package-end-of-stream');

// A stream that was ended is not over before it has emitted 'finish', unless only its readable side is asked for.
function isAboutToFinish(stream, options) {
  const { _readableState: readable, _writableState: writable } = stream;
  if (readable && options?.writable === false) return false;
  return writable?.finished === false && !writable.destroyed && !stream.errored && !stream.closed;
}

function finished(stream, options, callback) {
  if (arguments.length === 2) return finished(stream, {}, options);
  if (typeof callback !== 'function') return watch(stream, options, callback);
  let plan; // what the package would do in the next tick
  let outcome; // the arguments of the callback, once they are known before it may be called
  let isAsking = true;
  const { nextTick } = clock;
  clock.nextTick = (...action) => {
    plan = action;
  };
  try {
    const unwatch = watch(stream, options, function (...args) {
      if (isAsking) outcome ??= args;
      else Reflect.apply(callback, this, args);
    });
    if (plan === undefined || isAboutToFinish(stream, options)) return unwatch;
    const [action, ...args] = plan;
    action(...args);
    if (outcome === undefined) {
      nextTick(action, ...args);
      return unwatch;
    }
    nextTick(() => {
      if (outcome !== undefined) Reflect.apply(callback, stream, outcome);
    });
    return () => {
      outcome = undefined;
      unwatch();
    };
  } finally {
    clock.nextTick = nextTick;
    isAsking = false;
  }
}

// The same as a promise.
function promised(stream, options) {
  if (options?.cleanup != null) validateBoolean(options.cleanup, 'cleanup');
  return new Promise((resolve, reject) => {
    const unwatch = finished(stream, options, (error) => {
      if (options?.cleanup) unwatch();
      if (error) reject(error);
      else resolve();
    });
  });
}

module.exports = Object.assign(finished, { finished: promised });
