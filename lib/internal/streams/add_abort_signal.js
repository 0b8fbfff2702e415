'use strict';

// A stream that is destroyed when a signal aborts.

const { AbortError, codes } = require('internal/errors');
const { isNodeStream, isWebStream, kControllerErrorFunction } = require('internal/streams/utils');

function validateAbortSignal(signal, name) {
  if (typeof signal !== 'object' || signal === null || !('aborted' in signal)) throw new codes.ERR_INVALID_ARG_TYPE(name, 'AbortSignal', signal);
}

function addAbortSignal(signal, stream) {
  validateAbortSignal(signal, 'signal');
  if (!isNodeStream(stream) && !isWebStream(stream)) {
    throw new codes.ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  return addAbortSignalNoValidate(signal, stream);
}

function addAbortSignalNoValidate(signal, stream) {
  if (typeof signal !== 'object' || signal === null || !('aborted' in signal)) return stream;
  const onAbort = isNodeStream(stream) ?
    () => stream.destroy(new AbortError(undefined, { cause: signal.reason })) :
    () => stream[kControllerErrorFunction]?.(new AbortError(undefined, { cause: signal.reason }));
  if (signal.aborted) {
    onAbort();
  } else {
    const disposable = require('events').addAbortListener(signal, onAbort);
    require('internal/streams/end_of_stream').eos(stream, () => disposable[Symbol.dispose]());
  }
  return stream;
}

module.exports = { addAbortSignal, addAbortSignalNoValidate };
