'use strict';

// Readable.toWeb, Writable.toWeb and Duplex.toWeb: a web stream whose source or sink is a Node stream. The end
// of the Node stream is observed with stream.finished; a stream that is closed before its end is an AbortError
// on the web side. The compression streams differ: their errors are translated, and a chunk that cannot be
// written destroys the stream.

const { destroy, finished, isReadable, isWritable } = require('stream');
const { ReadableStream, WritableStream, CountQueuingStrategy } = require('stream/web');
const { AbortError, codes } = require('internal/errors');
const { validateObject, validateOneOf } = require('internal/validators');
const { isAnyArrayBuffer } = require('internal/util/types');

const ignore = () => {};
const asItIs = (error) => error;

// A chunk without a size cannot be written either: the Node stream will give the error.
const sizeInBytes = (chunk) => chunk?.byteLength ?? chunk?.length ?? 1;

function strategyFor(objectMode, highWaterMark) {
  return objectMode ? new CountQueuingStrategy({ highWaterMark }) : { highWaterMark, size: sizeInBytes };
}

// The other side may still fail, but a reader of the web stream needs no second error.
function ignoreErrors(node) {
  if (!node.listeners('error').includes(ignore)) node.on('error', ignore);
}

// Calls back once, with the error for the web side, when the given side of a Node stream is over.
function watch(node, side, callback) {
  const stop = finished(node, side, (error) => {
    stop();
    ignoreErrors(node);
    callback(
      error?.code === 'ERR_STREAM_PREMATURE_CLOSE' ? new AbortError(undefined, { cause: error }) : (error ?? null),
    );
  });
}

// Whether the readable side has ended completely.
function wasReadWhole({ readable, endEmitted, ended, length }) {
  return readable === false || endEmitted || (ended && length === 0);
}

// The source of a ReadableStream: the Node stream flows while there is room.
class Source {
  #node;
  #translate;
  #controller;
  #open = true;
  type;

  constructor(node, type, { translate = asItIs }) {
    this.#node = node;
    this.#translate = translate;
    this.type = type;
  }

  start(controller) {
    const node = this.#node;
    this.#controller = controller;
    node.pause();
    node.on('data', (chunk) => this.#deliver(chunk));
    if (node.closed || node.readableEnded || node._readableState.readable === false) {
      ignoreErrors(node);
      this.#close(node.errored ?? (wasReadWhole(node._readableState) ? null : new AbortError()));
    } else {
      watch(node, { writable: false }, (error) => this.#close(error));
    }
  }

  #deliver(chunk) {
    // A chunk of a Node stream may be a part of a pool; consumers of web streams may keep, or transfer, their chunks.
    this.#controller.enqueue(Buffer.isBuffer(chunk) && !this.#node.readableObjectMode ? new Uint8Array(chunk) : chunk);
    if (this.#controller.desiredSize <= 0) this.#node.pause();
  }

  #close(error) {
    if (!this.#open) return;
    this.#open = false;
    if (error) {
      this.#controller.error(this.#translate(error));
      return;
    }
    this.#controller.close();
    // A reader that waits with its own view gets it back empty.
    this.#controller.byobRequest?.respond(0);
  }

  pull() {
    this.#node.resume();
  }

  cancel(reason) {
    this.#open = false;
    destroy(this.#node, reason);
  }
}

function readableToWeb(node, options = {}, wishes = {}) {
  if (typeof node?._readableState !== 'object')
    throw new codes.ERR_INVALID_ARG_TYPE('streamReadable', 'stream.Readable', node);
  validateObject(options, 'options');
  const { type, strategy } = options;
  if (type !== undefined) validateOneOf(type, 'options.type', ['bytes', undefined]);
  if (strategy !== undefined) validateObject(strategy, 'strategy');
  const highWaterMark = node.readableHighWaterMark;
  if (type === 'bytes') return new ReadableStream(new Source(node, type, wishes), { highWaterMark });
  return new ReadableStream(
    new Source(node, undefined, wishes),
    strategy ?? strategyFor(node.readableObjectMode, highWaterMark),
  );
}

// The sink of a WritableStream. One write is in progress at a time; it ends when the Node stream has room again.
class Sink {
  #node;
  #translate;
  #destroysOnThrow;
  #check;
  #controller;
  #room; // resolves when there is room again, if there is none
  #closing; // resolves when the Node stream is through, once that was asked for

  constructor(node, { translate = asItIs, destroysOnThrow = false, check = ignore }) {
    this.#node = node;
    this.#translate = translate;
    this.#destroysOnThrow = destroysOnThrow;
    this.#check = check;
  }

  start(controller) {
    this.#controller = controller;
    this.#node.on('drain', () => this.#room?.resolve());
    watch(this.#node, { readable: false }, (error) => this.#end(error));
  }

  #end(failure) {
    const error = this.#translate(failure);
    this.#room?.[error ? 'reject' : 'resolve'](error ?? undefined);
    if (!error && this.#closing !== undefined) {
      this.#closing.resolve();
      return;
    }
    // An end that was not requested here is an error, too.
    const reason = error ?? new AbortError();
    this.#closing?.reject(reason);
    this.#controller.error(reason);
  }

  write(chunk) {
    const data = isAnyArrayBuffer(chunk) && !this.#node.writableObjectMode ? Buffer.from(chunk) : chunk;
    const room = Promise.withResolvers();
    room.promise.catch(ignore);
    this.#room = room; // before the write, which may drain at once
    try {
      this.#check(chunk);
      if (this.#node.write(data) && !this.#node.writableNeedDrain) {
        this.#room = undefined;
        return undefined;
      }
    } catch (error) {
      if (this.#destroysOnThrow) destroy(this.#node, error);
      throw error;
    }
    // A stream that has failed takes nothing more, and will not drain: its error comes later, by itself.
    if (!this.#node.writableNeedDrain) room.resolve();
    const over = room.promise.finally(() => {
      this.#room = undefined;
    });
    return over.then().then(); // Node takes two jobs more, too
  }

  close() {
    this.#closing = Promise.withResolvers();
    if (!this.#node.writableEnded) this.#node.end();
    return this.#closing.promise;
  }

  abort(reason) {
    destroy(this.#node, reason);
  }
}

function closedWritable() {
  const stream = new WritableStream();
  stream.close();
  return stream;
}

function writableToWeb(node, wishes = {}) {
  if (typeof node?.write !== 'function' || typeof node.on !== 'function') {
    throw new codes.ERR_INVALID_ARG_TYPE('streamWritable', 'stream.Writable', node);
  }
  if (isWritable(node) === false) return closedWritable();
  return new WritableStream(new Sink(node, wishes), strategyFor(node.writableObjectMode, node.writableHighWaterMark));
}

const warnOfType = (() => {
  let warned = false;
  return () => {
    if (warned) return;
    warned = true;
    process.emitWarning(
      "Passing 'options.type' to Duplex.toWeb() is deprecated. " +
        "To specify the ReadableStream type, use 'options.readableType'.",
      'DeprecationWarning',
      'DEP0201',
    );
  };
})();

function duplexToWeb(node, options = {}, wishes = {}) {
  if (typeof node?._readableState !== 'object' || typeof node._writableState !== 'object') {
    throw new codes.ERR_INVALID_ARG_TYPE('duplex', 'stream.Duplex', node);
  }
  validateObject(options, 'options');
  if (options.type !== undefined) warnOfType();
  const type = options.readableType ?? options.type;
  if (node.destroyed) {
    return { readable: new ReadableStream({ start: (controller) => controller.close() }), writable: closedWritable() };
  }
  const nothing = { type, start: (controller) => controller.close() };
  const readable = isReadable(node) ? readableToWeb(node, { type }, wishes) : new ReadableStream(nothing);
  return { readable, writable: isWritable(node) ? writableToWeb(node, wishes) : closedWritable() };
}

module.exports = { readableToWeb, writableToWeb, duplexToWeb };
