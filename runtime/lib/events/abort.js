'use strict';

// events.addAbortListener: a listener that is called even if others stop the event, or at once if the signal is aborted
// already.

const { codes } = require('internal/errors');
const { validateAbortSignal, validateFunction } = require('internal/validators');

function addAbortListener(signal, listener) {
  if (signal === undefined) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateFunction(listener, 'listener');
  if (signal.aborted) {
    queueMicrotask(() => listener());
    return { __proto__: null, [Symbol.dispose]() {} };
  }
  const { kResistStopPropagation } = require('internal/event_target');
  signal.addEventListener('abort', listener, { __proto__: null, once: true, [kResistStopPropagation]: true });
  return {
    __proto__: null,
    [Symbol.dispose]() {
      signal.removeEventListener('abort', listener);
    },
  };
}

module.exports = { addAbortListener };
