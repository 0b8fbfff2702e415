'use strict';

// A whole buffer in one call: zlib.gzipSync and similar functions need an engine and no stream; zlib.gzip and similar
// functions use a stream, so that their callbacks have the same timing as Node's.

const { codes } = require('internal/errors');
const { steady } = require('internal/zlib/engine');
const { validateFunction } = require('internal/validators');
const { isArrayBufferView, isAnyArrayBuffer } = require('internal/util/types');

function bytesOf(input) {
  if (typeof input === 'string') return Buffer.from(input);
  if (isArrayBufferView(input)) return input;
  if (isAnyArrayBuffer(input)) return Buffer.from(input);
  throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], input);
}

function join(pieces, length) {
  return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, length);
}

const sizeOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), 'byteLength').get;

// Runs an engine until the input is used up, or the compressed stream has ended.
function stepThrough(engine, input, flush, { chunkSize, maxOutputLength, rejectGarbageAfterEnd }) {
  const { byteLength } = input;
  // A wrong length would make the engine read beyond the buffer.
  if (input instanceof Uint8Array && byteLength !== Reflect.apply(sizeOf, input, [])) {
    throw new codes.ERR_OUT_OF_RANGE('byteLength', `<= ${Reflect.apply(sizeOf, input, [])}`, byteLength);
  }
  input = steady(input);
  const pieces = [];
  let length = 0;
  let left = byteLength;
  for (;;) {
    const output = Buffer.allocUnsafe(chunkSize);
    engine.writeSync(flush, input, byteLength - left, left, output, 0, chunkSize);
    const failure = engine.failure;
    if (failure !== undefined) throw failure;
    const [roomLeft, inputLeft] = engine.state;
    left = inputLeft;
    if (roomLeft < chunkSize) {
      pieces.push(output.subarray(0, chunkSize - roomLeft));
      length += chunkSize - roomLeft;
      if (length > maxOutputLength) throw new codes.ERR_BUFFER_TOO_LARGE(maxOutputLength);
    }
    if (roomLeft > 0) break;
  }
  if (left > 0 && rejectGarbageAfterEnd) throw new codes.ERR_TRAILING_JUNK_AFTER_STREAM_END();
  return { joined: join(pieces, length), consumed: byteLength - left };
}

// The functions of one class, such as gzip and gzipSync of Gzip.
function functionsFor(Class, format) {
  function sync(buffer, options) {
    const input = bytesOf(buffer);
    if (options?.info) {
      const engine = new Class(options);
      return { buffer: engine._processChunk(input, engine._finishFlushFlag), engine };
    }
    const settings = require('internal/zlib/settings').settingsFor(format, options);
    try {
      return stepThrough(settings.engine, input, settings.finishFlush, settings).joined;
    } finally {
      settings.engine.close();
    }
  }

  function whole(buffer, options, callback) {
    if (typeof options === 'function') {
      callback = options;
      options = {};
    }
    validateFunction(callback, 'callback');
    const input = bytesOf(buffer);
    const stream = new Class(options);
    const pieces = [];
    let length = 0;
    let failed = false;
    stream.on('data', (piece) => {
      pieces.push(piece);
      length += piece.length;
      if (length <= stream._maxOutputLength || failed) return;
      failed = true;
      stream.close();
      callback(new codes.ERR_BUFFER_TOO_LARGE(stream._maxOutputLength));
    });
    stream.on('error', (error) => {
      if (failed) return;
      failed = true;
      callback(error);
    });
    stream.on('end', () => {
      if (failed) return;
      const joined = join(pieces, length);
      stream.close();
      callback(null, stream._info ? { buffer: joined, engine: stream } : joined);
    });
    stream.end(input);
  }

  return { whole, sync };
}

module.exports = { functionsFor, stepThrough };
