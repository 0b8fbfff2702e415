'use strict';

// node:stream. The parts that most programs do not use are loaded when they are asked for.

const { Stream } = require('internal/streams/legacy');
const utils = require('internal/streams/utils');
const { setDefaultHighWaterMark, getDefaultHighWaterMark } = require('internal/streams/state');
const { codes } = require('internal/errors');

module.exports = Stream;
Stream.isDestroyed = utils.isDestroyed;
Stream.isDisturbed = utils.isDisturbed;
Stream.isErrored = utils.isErrored;
Stream.isReadable = utils.isReadable;
Stream.isWritable = utils.isWritable;

const Readable = Stream.Readable = require('internal/streams/readable');

function lazyOperator(kind, name, isStream) {
  const fn = function (...args) {
    if (new.target) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    const op = require('internal/streams/operators')[kind][name];
    if (!isStream) return Promise.prototype.then.call(op.apply(this, args), (value) => value);
    const result = op.apply(this, args);
    return name === 'compose' ? result : Readable.from(result);
  };
  Object.defineProperties(fn, {
    name: { __proto__: null, value: name },
    length: { __proto__: null, value: name === 'toArray' ? 0 : 1 },
  });
  Object.defineProperty(Readable.prototype, name, { __proto__: null, value: fn, enumerable: false, configurable: true, writable: true });
}
for (const name of ['drop', 'filter', 'flatMap', 'map', 'take', 'compose']) lazyOperator('streamReturningOperators', name, true);
for (const name of ['every', 'forEach', 'reduce', 'toArray', 'some', 'find']) lazyOperator('promiseReturningOperators', name, false);

Stream.Writable = require('internal/streams/writable');
Stream.Duplex = require('internal/streams/duplex');
Stream.Transform = require('internal/streams/transform');
Stream.PassThrough = require('internal/streams/passthrough');

function lazyFunction(name, load) {
  let loaded;
  Object.defineProperty(Stream, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      loaded ??= load();
      return loaded;
    },
    set(value) {
      Object.defineProperty(Stream, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
    },
  });
}

function withPromise(fn, name) {
  Object.defineProperty(fn, Symbol.for('nodejs.util.promisify.custom'), {
    __proto__: null,
    enumerable: true,
    get() {
      return require('stream/promises')[name];
    },
  });
  return fn;
}

lazyFunction('duplexPair', () => require('internal/streams/duplexpair'));
lazyFunction('pipeline', () => withPromise(require('internal/streams/pipeline').pipeline, 'pipeline'));
Stream.addAbortSignal = require('internal/streams/add_abort_signal').addAbortSignal;
Stream.finished = withPromise(require('internal/streams/end_of_stream').eos, 'finished');
Stream.destroy = require('internal/streams/destroy').destroyer;
lazyFunction('compose', () => require('internal/streams/compose'));
Stream.setDefaultHighWaterMark = setDefaultHighWaterMark;
Stream.getDefaultHighWaterMark = getDefaultHighWaterMark;
lazyFunction('promises', () => require('stream/promises'));

// The old name of the class itself.
Stream.Stream = Stream;

Stream._isArrayBufferView = ArrayBuffer.isView;
Stream._isUint8Array = require('internal/util/types').isUint8Array;
Stream._uint8ArrayToBuffer = function _uint8ArrayToBuffer(chunk) {
  const { Buffer } = require('buffer');
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
};
