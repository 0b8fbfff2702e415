'use strict';

// Promise.prototype.finally as the language says, for an engine whose own takes fewer jobs
// (runtime/engine/jobs/repair.c).

function install(realm) {
  // errors are not captured here: touching them loads the code that makes stacks
  const { Promise, Reflect, Symbol } = realm;
  const { apply } = Reflect;
  const { resolve } = Promise;

  function speciesOf(promise) {
    const constructor = promise.constructor;
    if (constructor === undefined) return Promise;
    if ((typeof constructor !== 'object' && typeof constructor !== 'function') || constructor === null)
      throw new realm.TypeError('The .constructor property is not an object');
    return constructor[Symbol.species] ?? Promise;
  }

  const { finally: replaced } = {
    finally(onFinally) {
      if ((typeof this !== 'object' && typeof this !== 'function') || this === null)
        throw new realm.TypeError('Promise.prototype.finally called on a non-object');
      const constructor = speciesOf(this);
      if (typeof onFinally !== 'function') return this.then(onFinally, onFinally);
      return this.then(
        (value) => apply(resolve, constructor, [onFinally()]).then(() => value),
        (reason) =>
          apply(resolve, constructor, [onFinally()]).then(() => {
            throw reason;
          }),
      );
    },
  };
  realm.Object.defineProperty(Promise.prototype, 'finally', {
    value: replaced,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}

module.exports = { install };
