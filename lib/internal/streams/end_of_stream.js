'use strict';

// finished(): calls back once when a stream has ended, finished, failed or closed too early.

const { AbortError, codes } = require('internal/errors');
const { once } = require('internal/util');
const { validateAbortSignal, validateFunction, validateObject, validateBoolean } = require('internal/validators');
const {
  isClosed, isReadable, isReadableNodeStream, isReadableStream, isReadableFinished, isReadableErrored, isWritable, isWritableNodeStream,
  isWritableStream, isWritableFinished, isWritableErrored, isNodeStream, willEmitClose, kIsClosedPromise,
} = require('internal/streams/utils');

const frame = require('internal/async_context');

const nop = () => {};

function isRequest(stream) {
  return stream.setHeader && typeof stream.abort === 'function';
}

// Runs the callback in the asynchronous context of the one who asked.
function bindContext(callback) {
  const kept = frame.current;
  if (kept === undefined) return callback;
  return function (...args) {
    const before = frame.current;
    frame.current = kept;
    try {
      return Reflect.apply(callback, this, args);
    } finally {
      frame.current = before;
    }
  };
}

function eos(stream, options, callback) {
  if (arguments.length === 2) {
    callback = options;
    options = {};
  } else if (options == null) {
    options = {};
  } else {
    validateObject(options, 'options');
  }
  validateFunction(callback, 'callback');
  validateAbortSignal(options.signal, 'options.signal');
  callback = once(options[eos.kNoBind] ? callback : bindContext(callback));

  if (isReadableStream(stream) || isWritableStream(stream)) return eosWeb(stream, options, callback);
  if (!isNodeStream(stream)) throw new codes.ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);

  const readable = options.readable ?? isReadableNodeStream(stream);
  const writable = options.writable ?? isWritableNodeStream(stream);
  const wState = stream._writableState;
  const rState = stream._readableState;

  const onlegacyfinish = () => {
    if (!stream.writable) onfinish();
  };
  let willClose = willEmitClose(stream) && isReadableNodeStream(stream) === readable && isWritableNodeStream(stream) === writable;
  let writableFinished = isWritableFinished(stream, false);
  const onfinish = () => {
    writableFinished = true;
    if (stream.destroyed) willClose = false;
    if (willClose && (!stream.readable || readable)) return;
    if (!readable || readableFinished) callback.call(stream);
  };
  let readableFinished = isReadableFinished(stream, false);
  const onend = () => {
    readableFinished = true;
    if (stream.destroyed) willClose = false;
    if (willClose && (!stream.writable || writable)) return;
    if (!writable || writableFinished) callback.call(stream);
  };
  const onerror = (err) => {
    callback.call(stream, err);
  };
  let closed = isClosed(stream);
  const onclose = () => {
    closed = true;
    const errored = isWritableErrored(stream) || isReadableErrored(stream);
    if (errored && typeof errored !== 'boolean') return callback.call(stream, errored);
    if (readable && !readableFinished && isReadableNodeStream(stream, true)) {
      if (!isReadableFinished(stream, false)) return callback.call(stream, new codes.ERR_STREAM_PREMATURE_CLOSE());
    }
    if (writable && !writableFinished) {
      if (!isWritableFinished(stream, false)) return callback.call(stream, new codes.ERR_STREAM_PREMATURE_CLOSE());
    }
    return callback.call(stream);
  };
  const onclosed = () => {
    closed = true;
    const errored = isWritableErrored(stream) || isReadableErrored(stream);
    if (errored && typeof errored !== 'boolean') return callback.call(stream, errored);
    return callback.call(stream);
  };
  const onrequest = () => {
    stream.req.on('finish', onfinish);
  };

  if (isRequest(stream)) {
    stream.on('complete', onfinish);
    if (!willClose) stream.on('abort', onclose);
    if (stream.req) onrequest();
    else stream.on('request', onrequest);
  } else if (writable && !wState) {
    stream.on('end', onlegacyfinish);
    stream.on('close', onlegacyfinish);
  }
  // Not every legacy stream says 'close' after 'aborted'.
  if (!willClose && typeof stream.aborted === 'boolean') stream.on('aborted', onclose);
  stream.on('end', onend);
  stream.on('finish', onfinish);
  if (options.error !== false) stream.on('error', onerror);
  stream.on('close', onclose);

  if (closed) {
    process.nextTick(onclose);
  } else if (wState?.errorEmitted || rState?.errorEmitted) {
    if (!willClose) process.nextTick(onclosed);
  } else if (!readable && (!willClose || isReadable(stream)) && (writableFinished || isWritable(stream) === false) &&
    (wState == null || wState.pendingcb === undefined || wState.pendingcb === 0)) {
    process.nextTick(onclosed);
  } else if (!writable && (!willClose || isWritable(stream)) && (readableFinished || isReadable(stream) === false)) {
    process.nextTick(onclosed);
  } else if (rState && stream.req && stream.aborted) {
    process.nextTick(onclosed);
  }

  const cleanup = () => {
    callback = nop;
    stream.removeListener('aborted', onclose);
    stream.removeListener('complete', onfinish);
    stream.removeListener('abort', onclose);
    stream.removeListener('request', onrequest);
    if (stream.req) stream.req.removeListener('finish', onfinish);
    stream.removeListener('end', onlegacyfinish);
    stream.removeListener('close', onlegacyfinish);
    stream.removeListener('finish', onfinish);
    stream.removeListener('end', onend);
    stream.removeListener('error', onerror);
    stream.removeListener('close', onclose);
  };
  if (options.signal && !closed) {
    const abort = () => {
      // The callback is kept because cleanup forgets it.
      const endCallback = callback;
      cleanup();
      endCallback.call(stream, new AbortError(undefined, { cause: options.signal.reason }));
    };
    if (options.signal.aborted) {
      process.nextTick(abort);
    } else {
      const disposable = require('events').addAbortListener(options.signal, abort);
      const original = callback;
      callback = once((...args) => {
        disposable[Symbol.dispose]();
        original.apply(stream, args);
      });
    }
  }
  return cleanup;
}
eos.kNoBind = Symbol('kNoBind');

function eosWeb(stream, options, callback) {
  let isAborted = false;
  let abort = nop;
  if (options.signal) {
    abort = () => {
      isAborted = true;
      callback.call(stream, new AbortError(undefined, { cause: options.signal.reason }));
    };
    if (options.signal.aborted) {
      process.nextTick(abort);
    } else {
      const disposable = require('events').addAbortListener(options.signal, abort);
      const original = callback;
      callback = once((...args) => {
        disposable[Symbol.dispose]();
        original.apply(stream, args);
      });
    }
  }
  const resolver = (...args) => {
    if (!isAborted) process.nextTick(() => callback.apply(stream, args));
  };
  const closed = stream[kIsClosedPromise]?.promise ?? require('internal/webstreams/closed').closedOf(stream);
  closed.then(() => resolver(), resolver);
  return nop;
}

function finished(stream, opts) {
  let autoCleanup = false;
  if (opts == null) opts = {};
  if (opts.cleanup !== undefined) {
    validateBoolean(opts.cleanup, 'cleanup');
    autoCleanup = opts.cleanup;
  }
  return new Promise((resolve, reject) => {
    const cleanup = eos(stream, opts, (err) => {
      if (autoCleanup) cleanup();
      if (err) reject(err);
      else resolve();
    });
  });
}

module.exports = { eos, finished };
