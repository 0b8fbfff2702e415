'use strict';

// Promise.any, as ECMAScript defines it: if all promises fail, the engine's own gives an error without a message.

const kMessage = 'All promises were rejected';

// A promise of this class, with its two functions.
function openPromise(Kind) {
  const ends = {};
  ends.promise = new Kind((resolve, reject) => {
    if (ends.resolve !== undefined || ends.reject !== undefined)
      throw new TypeError('Promise executor has already been invoked with non-undefined arguments');
    ends.resolve = resolve;
    ends.reject = reject;
  });
  for (const end of [ends.resolve, ends.reject]) {
    if (typeof end !== 'function') throw new TypeError('Promise resolve or reject function is not callable');
  }
  return ends;
}

// Without frames: it is made when the last promise fails, outside of any call.
function failure(errors) {
  const error = new AggregateError(errors, kMessage);
  Object.defineProperty(error, 'stack', {
    value: `AggregateError: ${kMessage}`,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  return error;
}

function any(Kind, iterable) {
  if ((typeof Kind !== 'object' || Kind === null) && typeof Kind !== 'function')
    throw new TypeError('Promise.any called on non-object');
  const { promise, resolve, reject } = openPromise(Kind);
  const errors = [];
  let waiting = 1; // the iteration itself counts as one: nothing is decided before it ends
  const failed = () => {
    if (--waiting === 0) reject(failure(errors));
  };
  try {
    const make = Kind.resolve;
    if (typeof make !== 'function') throw new TypeError('Promise resolve or reject function is not callable');
    for (const item of iterable) {
      const place = errors.push(undefined) - 1;
      let told = false;
      waiting++;
      Reflect.apply(make, Kind, [item]).then(resolve, (reason) => {
        if (told) return;
        told = true;
        errors[place] = reason;
        failed();
      });
    }
    failed();
  } catch (error) {
    reject(error);
  }
  return promise;
}

module.exports = { any };
