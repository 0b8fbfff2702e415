'use strict';

// Callbacks that C calls from the loop: they run in the frame in which they were given and, while identities are
// tracked, as a resource of some type. If there is neither, they stay as they are.

const frame = require('internal/async/context');

function wrap(type, callback, resource, isOver, maker) {
  const { current: kept, tracker } = frame;
  if (kept === undefined && tracker === null) return callback;
  tracker?.create(type, resource, maker === undefined ? undefined : tracker.idOf(maker)?.id);
  return function (...args) {
    const outside = frame.current;
    frame.current = kept;
    tracker?.enter(resource);
    const result = Reflect.apply(callback, this, args);
    tracker?.leave();
    if (isOver) tracker?.destroy(resource);
    frame.current = outside;
    return result;
  };
}

// For a callback that is called once, as that of a request; `maker` is the resource that it is made for.
function once(type, callback, resource = {}, maker = undefined) {
  return wrap(type, callback, resource, true, maker);
}

// For a callback that is called any number of times, until end(resource).
function often(type, callback, resource) {
  return wrap(type, callback, resource, false, undefined);
}

function end(resource) {
  frame.tracker?.destroy(resource);
}

module.exports = { once, often, end };
