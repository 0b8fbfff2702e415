'use strict';

// Methods of promises and generators that replace the engine's, whose number of jobs is wrong.
//
// Promise.prototype.finally as the language says, for an engine whose own takes fewer jobs
// (runtime/engine/jobs/repair.c).

function installFinally(realm) {
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

// generator.return(thenable) of asynchronous generators, for an engine that continues one job too early if a thenable
// resolves with a promise (runtime/engine/jobs/repair.c). The engine gets another thenable instead, which passes such a
// promise on one job later. The engine still decides when it calls `then`: a busy generator calls it later.

function installGeneratorReturn(realm) {
  const { Promise, Reflect } = realm;
  const { apply } = Reflect;
  // The program's `then` sees these functions: they belong to its realm.
  const own = (method) =>
    realm === globalThis ? method : realm.Object.setPrototypeOf(method, realm.Function.prototype);
  const holder = realm.eval('(async function* () {})').constructor.prototype.prototype;
  const original = holder.return;
  const { then } = Promise.prototype;
  const settled = Promise.resolve();
  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
  const isThenable = (value) => isObject(value) && (value instanceof Promise || typeof value.then === 'function');

  // The `then` method of a value that is no promise; undefined: there is none, or reading it throws, which the engine
  // will find, too.
  function thenOf(value) {
    if (!isObject(value) || value instanceof Promise) return undefined;
    try {
      const found = value.then;
      return typeof found === 'function' ? found : undefined;
    } catch {
      return undefined;
    }
  }

  function later(value, ask) {
    return {
      then(resolve, reject) {
        let isDone = false;
        const once = (function_) => (result) => {
          if (isDone) return;
          isDone = true;
          function_(result);
        };
        const fulfil = (result) => {
          try {
            if (isThenable(result)) apply(then, settled, [() => resolve(result)]);
            else resolve(result);
          } catch (error) {
            reject(error); // its `then` cannot be read
          }
        };
        const refuse = once(reject);
        try {
          apply(ask, value, [own(once(fulfil)), own(refuse)]);
        } catch (error) {
          refuse(error);
        }
      },
    };
  }

  const { return: replaced } = {
    return(value) {
      const ask = thenOf(value);
      return apply(original, this, [ask === undefined ? value : later(value, ask)]);
    },
  };
  realm.Object.defineProperty(holder, 'return', {
    value: own(replaced),
    writable: true,
    enumerable: false,
    configurable: true,
  });
}

module.exports = { installFinally, installGeneratorReturn };
