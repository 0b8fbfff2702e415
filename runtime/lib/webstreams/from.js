'use strict';

// ReadableStream.from, which takes as many jobs as Node's: a result of the iterator takes one, and a value that is an
// object another one, since it may be a promise. While reads wait, the iterator is asked again at once.

const { codes } = require('internal/errors');

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

function iteratorOf(iterable) {
  const method = iterable[Symbol.asyncIterator] ?? iterable[Symbol.iterator];
  if (typeof method !== 'function')
    throw new codes.ERR_ARG_NOT_ITERABLE(require('internal/util/inspect').inspect(iterable));
  const iterator = Reflect.apply(method, iterable, []);
  if (!isObject(iterator)) throw new codes.ERR_INVALID_STATE.TypeError('The iterator method must return an object');
  return iterator;
}

function checkResult(result, name) {
  if (isObject(result)) return;
  throw new codes.ERR_INVALID_STATE.TypeError(
    `The promise returned by the iterator.${name}() method must fulfill with an object`,
  );
}

function make(ReadableStream) {
  return {
    from(iterable) {
      const iterator = iteratorOf(iterable);
      const { next } = iterator;
      let stream;

      // Answers the waiting reads, then resolves. An error ends the stream at once.
      async function pull(controller) {
        try {
          do {
            let result;
            try {
              result = Reflect.apply(next, iterator, []);
            } catch (error) {
              result = Promise.reject(error);
            }
            result = await result;
            checkResult(result, 'next');
            if (result.done) {
              controller.close();
              return;
            }
            const { value } = result;
            controller.enqueue(isObject(value) ? await value : value);
          } while (stream._reader?._readRequests?.length > 0);
        } catch (error) {
          controller.error(error);
        }
      }

      stream = new ReadableStream({ pull }, { highWaterMark: 0 });
      // A function `cancel` of a source takes two jobs more.
      stream._readableStreamController._cancelAlgorithm = (reason) => {
        const end = iterator.return;
        if (end === undefined) return Promise.resolve();
        try {
          const result = Promise.resolve(Reflect.apply(end, iterator, [reason]));
          return result.then((ended) => checkResult(ended, 'return'));
        } catch (error) {
          return Promise.reject(error);
        }
      };
      return stream;
    },
  }.from;
}

module.exports = { make };
