'use strict';

// stream.Transform and stream.PassThrough: written data comes out of the readable side, changed or not. A write is
// complete when the readable side has room for its results; if it is full, the writer waits until it is read.

const { codes } = require('internal/errors');
const { getDefaultHighWaterMark, extend } = require('internal/streams/properties');
const Duplex = require('internal/streams/duplex');

const given = [
  ['transform', '_transform'],
  ['flush', '_flush'],
]; // options that are methods
const kHeld = Symbol('held'); // the answer to the last write, while the reader is full

// If the readable side buffers nothing, the writable side must not buffer either.
function withMarks(options) {
  const { highWaterMark, readableHighWaterMark, readableObjectMode, objectMode } = options ?? {};
  const mark =
    highWaterMark ?? readableHighWaterMark ?? getDefaultHighWaterMark(Boolean(objectMode || readableObjectMode));
  if (mark !== 0) return options;
  return {
    ...options,
    highWaterMark: null,
    readableHighWaterMark: 0,
    writableHighWaterMark: options?.writableHighWaterMark || 0,
  };
}

function Transform(options) {
  if (!(this instanceof Transform)) return new Transform(options);
  Duplex.call(this, withMarks(options));
  this._readableState.sync = false; // only the writer makes it read
  this[kHeld] = null;
  for (const [name, method] of given) {
    const own = options?.[name];
    if (typeof own === 'function') this[method] = own;
  }
  // A stream with a _final of its own is flushed after that.
  this.on('prefinish', flushAfterFinal);
}

extend(Transform, Duplex);

// The last chunks for the reader.
function pushAll(stream, pieces, tell) {
  for (const piece of pieces) stream.push(piece);
  tell();
}

function conclude(stream, tell) {
  const { _flush: remains } = stream;
  if (stream.destroyed || typeof remains !== 'function') return pushAll(stream, [null], tell);
  return remains.call(stream, (error, rest) =>
    error ? tell(error) : pushAll(stream, rest == null ? [null] : [rest, null], tell),
  );
}

function concludeByFinal(tell) {
  conclude(this, tell);
}

function flushAfterFinal() {
  if (this._final !== concludeByFinal) conclude(this, (error) => error && this.destroy(error));
}

Transform.prototype._final = concludeByFinal;

Transform.prototype._transform = function () {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_transform()');
};

// The reader has taken data: the writer may go on, too.
Transform.prototype._read = function () {
  const answer = this[kHeld];
  this[kHeld] = null;
  answer?.();
};

Transform.prototype._write = function (chunk, encoding, answer) {
  const reader = this._readableState;
  const before = reader.length;
  this._transform(chunk, encoding, (error, result) => {
    if (error) {
      answer(error);
      return;
    }
    if (result != null) this.push(result);
    const isFull = reader.length !== before && reader.length >= reader.highWaterMark;
    // A source that is faster than the end of this stream would write forever.
    if (reader.ended) process.nextTick(answer);
    else if (isFull && !this._writableState.ended) this[kHeld] = answer;
    else answer();
  });
};

function PassThrough(options) {
  const stream = this instanceof PassThrough ? this : Object.create(PassThrough.prototype);
  Transform.call(stream, options);
  return stream;
}

extend(PassThrough, Transform);

PassThrough.prototype._transform = function (chunk, encoding, done) {
  done(null, chunk);
};

module.exports = { Transform, PassThrough };
