'use strict';

// events.once: a promise for the arguments of the next event, rejected by an 'error' or an abort that comes first.

const { AbortError } = require('internal/errors');
const { validateAbortSignal, validateObject } = require('internal/validators');
const { Subscription } = require('internal/events/subscription');

function once(emitter, name, options) {
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  const aborted = () => new AbortError(undefined, { cause: signal.reason });
  if (signal?.aborted) throw aborted();
  const { promise, resolve, reject } = Promise.withResolvers();
  const subscription = new Subscription();
  const fail = (error, fired) => {
    subscription.end(fired);
    reject(error);
  };
  subscription.add(
    emitter,
    name,
    (...args) => {
      subscription.endAfter(name);
      resolve(args);
    },
    true,
    options,
  );
  // Event targets have no such 'error' event.
  if (name !== 'error' && typeof emitter.once === 'function')
    subscription.add(emitter, 'error', (error) => fail(error, 'error'), true);
  if (signal !== undefined && signal !== null) subscription.add(signal, 'abort', () => fail(aborted(), 'abort'), true);
  return promise;
}

module.exports = { once };
