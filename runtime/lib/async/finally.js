'use strict';

// Promise.prototype.finally as the language says, for an engine whose own takes fewer jobs
// (runtime/engine/jobs/repair.c).

function install(realm) {
  // errors are not captured here: touching them loads the code that makes stacks
  const { Promise, Reflect, Symbol } = realm;
  const { apply } = Reflect;
  const { resolve } = Promise;
  // A `then` of the program sees these functions: they belong to its realm.
  const own = (method) =>
    realm === globalThis ? method : realm.Object.setPrototypeOf(method, realm.Function.prototype);

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
        throw new realm.TypeError('Promise.prototype.finally called on non-object');
      const constructor = speciesOf(this);
      if (typeof onFinally !== 'function') return this.then(onFinally, onFinally);
      return this.then(
        own((value) => apply(resolve, constructor, [onFinally()]).then(own(() => value))),
        own((reason) =>
          apply(resolve, constructor, [onFinally()]).then(
            own(() => {
              throw reason;
            }),
          ),
        ),
      );
    },
  };
  realm.Object.defineProperty(Promise.prototype, 'finally', {
    value: own(replaced),
    writable: true,
    enumerable: false,
    configurable: true,
  });
}

module.exports = { install };
