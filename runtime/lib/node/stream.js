'use strict';

// node:stream: our streams (internal/streams/*), and further functions from npm's readable-stream, which is embedded
// whole. Parts that most programs do not use are loaded on first use.
//
// Known differences from Node 26: stream/iter, which is experimental in Node, is missing; pipeTo() of a web stream
// writes a chunk that it waits for within enqueue(), while Node takes a microtask.

const part = (name) => require(`internal/deps/readable-stream/lib/internal/streams/${name}`);

const { Stream } = part('legacy');
const questions = part('utils');
const marks = require('internal/streams/properties');

module.exports = Stream;

function hidden(target, name, value) {
  Object.defineProperty(target, name, {
    __proto__: null,
    value,
    writable: true,
    configurable: true,
    enumerable: false,
  });
}

// A property that is computed when it is first read.
function later(name, load) {
  const settle = (value) => {
    Object.defineProperty(Stream, name, {
      __proto__: null,
      value,
      writable: true,
      configurable: true,
      enumerable: true,
    });
  };
  Object.defineProperty(Stream, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      const value = load();
      settle(value);
      return value;
    },
    set: settle,
  });
}

function promised(callbackForm, name) {
  Object.defineProperty(callbackForm, Symbol.for('nodejs.util.promisify.custom'), {
    __proto__: null,
    enumerable: true,
    get: () => require('stream/promises')[name],
  });
  return callbackForm;
}

for (const name of ['isDestroyed', 'isDisturbed', 'isErrored', 'isReadable', 'isWritable'])
  Stream[name] = questions[name];
// The package's own parts are constructed and destroyed as ours are.
const { construct, destroy, undestroy, fail } = require('internal/streams/life_cycle');
Object.assign(part('destroy'), { construct, destroy, undestroy, errorOrDestroy: fail });
Stream.Readable = require('internal/streams/readable');
Stream.Writable = require('internal/streams/writable');
Stream.Duplex = require('internal/streams/duplex');
Object.assign(Stream, require('internal/streams/transform'));

// The iterator helpers: those that return a stream, and those that return a promise.
for (const [kind, names] of [
  ['streamReturningOperators', 'drop filter flatMap map take compose'],
  ['promiseReturningOperators', 'every forEach reduce toArray some find'],
]) {
  for (const name of names.split(' ')) {
    const helper = {
      [name](...args) {
        const result = Reflect.apply(part('operators')[kind][name], this, args);
        return kind[0] === 'p' || name === 'compose' ? result : Stream.Readable.from(result);
      },
    }[name];
    Object.defineProperty(helper, 'length', { __proto__: null, value: name === 'toArray' ? 0 : 1 });
    hidden(Stream.Readable.prototype, name, helper);
  }
}

later('duplexPair', () => require('internal/streams/pair').duplexPair);
later('pipeline', () =>
  promised(require('internal/streams/pipeline').pipelineBefore(part('pipeline').pipeline), 'pipeline'),
);
Stream.addAbortSignal = part('add-abort-signal').addAbortSignal;
Stream.finished = promised(part('end-of-stream'), 'finished');
Stream.destroy = part('destroy').destroyer;
later('compose', () => require('internal/streams/compose').compose);
Stream.setDefaultHighWaterMark = marks.setDefaultHighWaterMark;
Stream.getDefaultHighWaterMark = marks.getDefaultHighWaterMark;
later('promises', () => require('stream/promises'));

Stream.Stream = Stream; // the old name
Stream._isArrayBufferView = ArrayBuffer.isView;
// The package calls this to check whether a chunk is binary: any view is.
Stream._isUint8Array = ArrayBuffer.isView;
Stream._uint8ArrayToBuffer = (chunk) =>
  require('internal/buffer/class').Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
