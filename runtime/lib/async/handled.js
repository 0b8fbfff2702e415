'use strict';

// Whether a rejected promise is handled. The engine knows; if its state cannot be read, a promise that was reported as
// rejected is observed: every way to handle it (then, catch, finally, await, Promise.all) reads its `constructor`
// first, and finds an accessor of ours.

const { promiseHandled } = internalBinding('util');
const { hidesPromises } = internalBinding('runtime');

const handled = new WeakSet();

function watch(promise) {
  if (!hidesPromises || Object.hasOwn(promise, 'constructor')) return;
  const constructor = {
    configurable: true,
    get() {
      handled.add(promise);
      delete promise.constructor;
      return promise.constructor;
    },
    set(value) {
      Object.defineProperty(promise, 'constructor', { value, writable: true, enumerable: true, configurable: true });
    },
  };
  Reflect.defineProperty(promise, 'constructor', constructor);
}

module.exports = { isHandled: hidesPromises ? (promise) => handled.has(promise) : promiseHandled, watch };
