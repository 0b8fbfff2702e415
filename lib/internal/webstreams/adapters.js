'use strict';

// Streams of Node as streams of the web, and back. Backpressure is carried over in both directions; an end or an error on one
// side ends the other.

const { codes, AbortError } = require('internal/errors');
const { validateObject, validateBoolean, validateOneOf } = require('internal/validators');
const { Buffer } = require('buffer');
const { isAnyArrayBuffer } = require('internal/util/types');
const { isDestroyed, isReadable, isWritable, isWritableEnded, isWritableNodeStream, isReadableStream, isWritableStream } =
  require('internal/deps/readable-stream/lib/internal/streams/utils');
const eos = require('internal/deps/readable-stream/lib/internal/streams/end-of-stream');
const { destroyer } = require('internal/deps/readable-stream/lib/internal/streams/destroy');

function web() {
  return require('stream/web');
}

// An error that only says that the stream closed early means that it was aborted.
function asAbort(error) {
  if (error?.code === 'ERR_STREAM_PREMATURE_CLOSE') return new AbortError(undefined, { cause: error });
  return error;
}

function newWritableStreamFromStreamWritable(streamWritable) {
  if (!isWritableNodeStream(streamWritable)) throw new codes.ERR_INVALID_ARG_TYPE('streamWritable', 'stream.Writable', streamWritable);
  const { WritableStream, CountQueuingStrategy, ByteLengthQueuingStrategy } = web();
  if (isDestroyed(streamWritable) || !isWritable(streamWritable)) {
    const writable = new WritableStream();
    writable.close();
    return writable;
  }
  const highWaterMark = streamWritable.writableHighWaterMark;
  const strategy = streamWritable.writableObjectMode ? new CountQueuingStrategy({ highWaterMark }) : new ByteLengthQueuingStrategy({ highWaterMark });
  let controller;
  let backpressure;
  let closed;
  streamWritable.on('drain', () => {
    backpressure?.resolve();
    backpressure = undefined;
  });
  const cleanup = eos(streamWritable, { readable: false }, (error) => {
    error = asAbort(error);
    cleanup();
    // Errors after the end have nowhere to go but here.
    streamWritable.on('error', () => {});
    if (error != null) {
      backpressure?.reject(error);
      if (closed !== undefined) {
        closed.reject(error);
        closed = undefined;
      }
      controller.error(error);
      controller = undefined;
      return;
    }
    if (closed !== undefined) {
      closed.resolve();
      closed = undefined;
      return;
    }
    controller.error(new AbortError());
    controller = undefined;
  });
  return new WritableStream({
    start(c) {
      controller = c;
    },
    write(chunk) {
      if (!streamWritable.writableObjectMode && typeof chunk === 'object' && !(chunk instanceof Uint8Array)) {
        if (ArrayBuffer.isView(chunk)) chunk = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
        else if (isAnyArrayBuffer(chunk)) chunk = new Uint8Array(chunk);
      }
      if (streamWritable.writableNeedDrain || !streamWritable.write(chunk)) {
        backpressure = Promise.withResolvers();
        return backpressure.promise.finally(() => {
          backpressure = undefined;
        });
      }
      return undefined;
    },
    abort(reason) {
      destroyer(streamWritable, reason);
    },
    close() {
      if (closed === undefined && !isWritableEnded(streamWritable)) streamWritable.end();
      closed = Promise.withResolvers();
      return closed.promise;
    },
  }, strategy);
}

function newStreamWritableFromWritableStream(writableStream, options = {}) {
  if (!isWritableStream(writableStream)) throw new codes.ERR_INVALID_ARG_TYPE('writableStream', 'WritableStream', writableStream);
  validateObject(options, 'options');
  const { highWaterMark, decodeStrings = true, objectMode = false, signal } = options;
  validateBoolean(objectMode, 'options.objectMode');
  validateBoolean(decodeStrings, 'options.decodeStrings');
  const { Writable } = require('stream');
  const writer = writableStream.getWriter();
  let closed = false;
  const writable = new Writable({
    highWaterMark,
    objectMode,
    decodeStrings,
    signal,
    writev(chunks, callback) {
      const done = (error) => {
        error = error?.filter?.((each) => each) ?? error;
        try {
          callback(error?.length === 0 ? undefined : error);
        } catch (err) {
          process.nextTick(() => destroyer(writable, err));
        }
      };
      writer.ready.then(() => Promise.all(chunks.map((data) => writer.write(data.chunk))).then(() => done(), done), done);
    },
    write(chunk, encoding, callback) {
      if (typeof chunk === 'string' && decodeStrings && !objectMode) {
        const bytes = Buffer.from(chunk, encoding);
        chunk = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      }
      const done = (error) => {
        try {
          callback(error);
        } catch (err) {
          destroyer(this, err);
        }
      };
      writer.ready.then(() => writer.write(chunk).then(() => done(), done), done);
    },
    destroy(error, callback) {
      const done = () => {
        try {
          callback(error);
        } catch (err) {
          process.nextTick(() => {
            throw err;
          });
        }
      };
      if (!closed) {
        if (error != null) writer.abort(error).then(done, done);
        else writer.close().then(done, done);
        return;
      }
      done();
    },
    final(callback) {
      const done = (error) => {
        try {
          callback(error);
        } catch (err) {
          process.nextTick(() => destroyer(writable, err));
        }
      };
      if (!closed) writer.close().then(() => done(), done);
    },
  });
  writer.closed.then(() => {
    closed = true;
  }, (error) => {
    closed = true;
    destroyer(writable, error);
  });
  return writable;
}

function newReadableStreamFromStreamReadable(streamReadable, options = {}) {
  if (typeof streamReadable?._readableState !== 'object') {
    throw new codes.ERR_INVALID_ARG_TYPE('streamReadable', 'stream.Readable', streamReadable);
  }
  validateObject(options, 'options');
  if (options.type !== undefined) validateOneOf(options.type, 'options.type', ['bytes', undefined]);
  const isBytes = options.type === 'bytes';
  const { ReadableStream, CountQueuingStrategy } = web();
  if (isDestroyed(streamReadable) || !isReadable(streamReadable)) {
    const readable = new ReadableStream(isBytes ? { type: 'bytes' } : undefined);
    readable.cancel();
    return readable;
  }
  const objectMode = streamReadable.readableObjectMode;
  const highWaterMark = streamReadable.readableHighWaterMark;
  const strategy = options.strategy ?? (isBytes ? { highWaterMark } : objectMode ? new CountQueuingStrategy({ highWaterMark }) : { highWaterMark });
  let controller;
  let wasCanceled = false;
  function onData(chunk) {
    if (Buffer.isBuffer(chunk) && !objectMode) chunk = isBytes ? new Uint8Array(chunk) : new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    controller.enqueue(chunk);
    if (controller.desiredSize <= 0) streamReadable.pause();
  }
  streamReadable.pause();
  const cleanup = eos(streamReadable, { writable: false }, (error) => {
    error = asAbort(error);
    cleanup();
    streamReadable.on('error', () => {});
    if (error) {
      controller.error(error);
      return;
    }
    if (wasCanceled) return;
    controller.close();
    controller.byobRequest?.respond(0);
  });
  streamReadable.on('data', onData);
  return new ReadableStream({
    type: isBytes ? 'bytes' : undefined,
    start(c) {
      controller = c;
    },
    pull() {
      streamReadable.resume();
    },
    cancel(reason) {
      wasCanceled = true;
      destroyer(streamReadable, reason);
    },
  }, strategy);
}

function newStreamReadableFromReadableStream(readableStream, options = {}) {
  if (!isReadableStream(readableStream)) throw new codes.ERR_INVALID_ARG_TYPE('readableStream', 'ReadableStream', readableStream);
  validateObject(options, 'options');
  const { highWaterMark, encoding, objectMode = false, signal } = options;
  if (encoding !== undefined && !Buffer.isEncoding(encoding)) throw new codes.ERR_INVALID_ARG_VALUE('options.encoding', encoding);
  validateBoolean(objectMode, 'options.objectMode');
  const { Readable } = require('stream');
  const reader = readableStream.getReader();
  let closed = false;
  const readable = new Readable({
    objectMode,
    highWaterMark,
    encoding,
    signal,
    read() {
      reader.read().then((chunk) => {
        if (chunk.done) readable.push(null);
        else readable.push(chunk.value);
      }, (error) => destroyer(readable, error));
    },
    destroy(error, callback) {
      const done = () => {
        try {
          callback(error);
        } catch (err) {
          process.nextTick(() => {
            throw err;
          });
        }
      };
      if (!closed) {
        reader.cancel(error).then(done, done);
        return;
      }
      done();
    },
  });
  reader.closed.then(() => {
    closed = true;
  }, (error) => {
    closed = true;
    destroyer(readable, error);
  });
  return readable;
}

function newReadableWritablePairFromDuplex(duplex, options = {}) {
  if (typeof duplex?._writableState !== 'object' || typeof duplex?._readableState !== 'object') {
    throw new codes.ERR_INVALID_ARG_TYPE('duplex', 'stream.Duplex', duplex);
  }
  validateObject(options, 'options');
  const { ReadableStream, WritableStream } = web();
  if (options.type !== undefined && options.readableType === undefined) {
    process.emitWarning(
      "Passing 'options.type' to Duplex.toWeb() is deprecated. Please use 'options.readableType' instead.", 'DeprecationWarning', 'DEP0201');
  }
  const readableOptions = { type: options.readableType ?? options.type };
  if (isDestroyed(duplex)) {
    const writable = new WritableStream();
    const readable = new ReadableStream(readableOptions.type === 'bytes' ? { type: 'bytes' } : undefined);
    writable.close();
    readable.cancel();
    return { readable, writable };
  }
  const writable = isWritable(duplex) ? newWritableStreamFromStreamWritable(duplex) : new WritableStream();
  if (!isWritable(duplex)) writable.close();
  const readable = isReadable(duplex) ? newReadableStreamFromStreamReadable(duplex, readableOptions) : new ReadableStream();
  if (!isReadable(duplex)) readable.cancel();
  return { writable, readable };
}

function newStreamDuplexFromReadableWritablePair(pair = {}, options = {}) {
  validateObject(pair, 'pair');
  const { readable: readableStream, writable: writableStream } = pair;
  if (!isReadableStream(readableStream)) throw new codes.ERR_INVALID_ARG_TYPE('pair.readable', 'ReadableStream', readableStream);
  if (!isWritableStream(writableStream)) throw new codes.ERR_INVALID_ARG_TYPE('pair.writable', 'WritableStream', writableStream);
  validateObject(options, 'options');
  const { allowHalfOpen = false, objectMode = false, encoding, decodeStrings = true, highWaterMark, signal } = options;
  validateBoolean(objectMode, 'options.objectMode');
  if (encoding !== undefined && !Buffer.isEncoding(encoding)) throw new codes.ERR_INVALID_ARG_VALUE('options.encoding', encoding);
  const { Duplex } = require('stream');
  const writer = writableStream.getWriter();
  const reader = readableStream.getReader();
  let writableClosed = false;
  let readableClosed = false;
  const duplex = new Duplex({
    allowHalfOpen,
    highWaterMark,
    objectMode,
    encoding,
    decodeStrings,
    signal,
    writev(chunks, callback) {
      const done = (error) => {
        try {
          callback(error);
        } catch (err) {
          process.nextTick(() => destroyer(duplex, err));
        }
      };
      writer.ready.then(() => Promise.all(chunks.map((data) => writer.write(data.chunk))).then(() => done(), done), done);
    },
    write(chunk, chunkEncoding, callback) {
      if (typeof chunk === 'string' && decodeStrings && !objectMode) {
        const bytes = Buffer.from(chunk, chunkEncoding);
        chunk = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      }
      const done = (error) => {
        try {
          callback(error);
        } catch (err) {
          destroyer(duplex, err);
        }
      };
      writer.ready.then(() => writer.write(chunk).then(() => done(), done), done);
    },
    final(callback) {
      const done = (error) => {
        try {
          callback(error);
        } catch (err) {
          process.nextTick(() => destroyer(duplex, err));
        }
      };
      if (!writableClosed) writer.close().then(() => done(), done);
      else done();
    },
    read() {
      reader.read().then((chunk) => {
        if (chunk.done) duplex.push(null);
        else duplex.push(chunk.value);
      }, (error) => destroyer(duplex, error));
    },
    destroy(error, callback) {
      const done = () => {
        try {
          callback(error);
        } catch (err) {
          process.nextTick(() => {
            throw err;
          });
        }
      };
      const closing = [];
      if (!writableClosed) closing.push(writer.abort(error));
      if (!readableClosed) closing.push(reader.cancel(error));
      Promise.allSettled(closing).then(done, done);
    },
  });
  writer.closed.then(() => {
    writableClosed = true;
  }, (error) => {
    writableClosed = true;
    readableClosed = true;
    destroyer(duplex, error);
  });
  reader.closed.then(() => {
    readableClosed = true;
  }, (error) => {
    writableClosed = true;
    readableClosed = true;
    destroyer(duplex, error);
  });
  return duplex;
}

module.exports = {
  newWritableStreamFromStreamWritable,
  newReadableStreamFromStreamReadable,
  newStreamWritableFromWritableStream,
  newStreamReadableFromReadableStream,
  newReadableWritablePairFromDuplex,
  newStreamDuplexFromReadableWritablePair,
};
