'use strict';

// A promise of the end of a web stream, locked or not. The implementation keeps its state in `_state`; an accessor on
// the prototype observes every change of it.

const kClosed = Symbol('kClosed');
const kState = Symbol('kState');

function watch(prototype) {
  Object.defineProperty(prototype, '_state', {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      return this[kState];
    },
    set(value) {
      if (this[kState] === undefined) {
        Object.defineProperty(this, kState, {
          __proto__: null,
          value,
          writable: true,
          enumerable: false,
          configurable: true,
        });
      } else {
        this[kState] = value;
      }
      const closed = this[kClosed];
      if (closed !== undefined) settle(this, closed);
    },
  });
}

function settle(stream, closed) {
  if (stream._state === 'closed') closed.resolve();
  // The error is stored after the state is set.
  else if (stream._state === 'errored') queueMicrotask(() => closed.reject(stream._storedError));
}

function closedOf(stream) {
  if (stream.readable !== undefined && stream.writable !== undefined && stream[kState] === undefined) {
    return Promise.all([closedOf(stream.readable), closedOf(stream.writable)]);
  }
  if (stream[kClosed] === undefined) {
    const closed = Promise.withResolvers();
    Object.defineProperty(stream, kClosed, { __proto__: null, value: closed, enumerable: false });
    closed.promise.catch(() => {});
    settle(stream, closed);
  }
  return stream[kClosed].promise;
}

module.exports = { watch, closedOf };
