'use strict';

// stream/web: the Streams Standard, from the package web-streams-polyfill, with Node's additions: inspection, the
// symbols for node:stream, and the streams for text and compression.

const web = require('internal/deps/web-streams');
const { codes } = require('internal/errors');
const { watch, closedOf, from, values } = require('internal/webstreams/reading');

// The symbols by which node:stream and its package query a web stream.
const kIsDisturbed = Symbol.for('nodejs.stream.disturbed');
const kIsErrored = Symbol.for('nodejs.stream.errored');
const kIsReadable = Symbol.for('nodejs.stream.readable');
const kIsWritable = Symbol.for('nodejs.stream.writable');
const kIsClosedPromise = Symbol.for('nodejs.webstream.isClosedPromise');
const kControllerErrorFunction = Symbol.for('nodejs.webstream.controllerErrorFunction');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const { ReadableStream, WritableStream, TransformStream } = web;

watch(ReadableStream.prototype);
watch(WritableStream.prototype);

function define(target, properties) {
  for (const key of Reflect.ownKeys(properties)) {
    Object.defineProperty(target, key, {
      __proto__: null,
      ...Object.getOwnPropertyDescriptor(properties, key),
      enumerable: false,
      configurable: true,
    });
  }
}

function show(self, depth, options, name, fields) {
  if (depth < 0) return self;
  const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
  return `${name} ${require('internal/util/inspect').inspect(fields, inner)}`;
}

ReadableStream.prototype.values = values;
Object.assign(ReadableStream.prototype, require('internal/webstreams/pipe'));
ReadableStream.from = from;

// The error of a locked stream has Node's code: it is thrown or, if the method returns a promise, rejects it.
const kThrows = (error) => {
  throw error;
};
const kRejects = (error) => Promise.reject(error);
for (const [Class, answers] of [
  [ReadableStream, { getReader: kThrows, tee: kThrows, values: kThrows, cancel: kRejects }],
  [WritableStream, { getWriter: kThrows, close: kRejects, abort: kRejects }],
]) {
  const { prototype } = Class;
  for (const [name, answer] of Object.entries(answers)) {
    const unlocked = prototype[name];
    prototype[name] = {
      [name](...args) {
        if (this?._state !== undefined && this.locked) {
          return answer(new codes.ERR_INVALID_STATE.TypeError(`${Class.name} is locked`));
        }
        return Reflect.apply(unlocked, this, args);
      },
    }[name];
    Object.defineProperty(prototype[name], 'length', { __proto__: null, value: unlocked.length, configurable: true });
  }
}
Object.defineProperty(ReadableStream.prototype, Symbol.asyncIterator, {
  __proto__: null,
  value: ReadableStream.prototype.values,
  writable: true,
  configurable: true,
  enumerable: false,
});

define(ReadableStream.prototype, {
  get [kIsDisturbed]() {
    return this._disturbed === true;
  },
  get [kIsErrored]() {
    return this._state === 'errored';
  },
  get [kIsReadable]() {
    return this._state === 'readable';
  },
  get [kIsClosedPromise]() {
    return { promise: closedOf(this) };
  },
  [kControllerErrorFunction](reason) {
    try {
      this._readableStreamController.error(reason);
    } catch {
      // It is closed already.
    }
  },
  [kInspect](depth, options) {
    return show(this, depth, options, 'ReadableStream', {
      locked: this.locked,
      state: this._state,
      supportsBYOB: this._readableStreamController instanceof web.ReadableByteStreamController,
    });
  },
});
define(WritableStream.prototype, {
  get [kIsErrored]() {
    return this._state === 'errored';
  },
  get [kIsWritable]() {
    return this._state === 'writable';
  },
  get [kIsClosedPromise]() {
    return { promise: closedOf(this) };
  },
  [kControllerErrorFunction](reason) {
    try {
      this._writableStreamController.error(reason);
    } catch {
      // It is closed already.
    }
  },
  [kInspect](depth, options) {
    return show(this, depth, options, 'WritableStream', { locked: this.locked, state: this._state });
  },
});
define(TransformStream.prototype, {
  [kInspect](depth, options) {
    return show(this, depth, options, 'TransformStream', {
      readable: this.readable,
      writable: this.writable,
      backpressure: this._backpressure,
    });
  },
});
define(web.ReadableStreamDefaultReader.prototype, {
  [kInspect](depth, options) {
    return show(this, depth, options, 'ReadableStreamDefaultReader', {
      stream: this._ownerReadableStream,
      readRequests: this._readRequests?.length ?? 0,
      close: this.closed,
    });
  },
});
define(web.CountQueuingStrategy.prototype, {
  [kInspect](depth, options) {
    return show(this, depth, options, 'CountQueuingStrategy', { highWaterMark: this.highWaterMark });
  },
});
define(web.ByteLengthQueuingStrategy.prototype, {
  [kInspect](depth, options) {
    return show(this, depth, options, 'ByteLengthQueuingStrategy', { highWaterMark: this.highWaterMark });
  },
});

const { TextEncoderStream, TextDecoderStream } = require('internal/webstreams/text').make(web);

module.exports = {
  ReadableStream,
  ReadableStreamDefaultReader: web.ReadableStreamDefaultReader,
  ReadableStreamBYOBReader: web.ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest: web.ReadableStreamBYOBRequest,
  ReadableByteStreamController: web.ReadableByteStreamController,
  ReadableStreamDefaultController: web.ReadableStreamDefaultController,
  TransformStream,
  TransformStreamDefaultController: web.TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultWriter: web.WritableStreamDefaultWriter,
  WritableStreamDefaultController: web.WritableStreamDefaultController,
  ByteLengthQueuingStrategy: web.ByteLengthQueuingStrategy,
  CountQueuingStrategy: web.CountQueuingStrategy,
  TextEncoderStream,
  TextDecoderStream,
  get CompressionStream() {
    return require('internal/webstreams/compression').CompressionStream;
  },
  get DecompressionStream() {
    return require('internal/webstreams/compression').DecompressionStream;
  },
};
for (const name of ['CompressionStream', 'DecompressionStream']) {
  const { get } = Object.getOwnPropertyDescriptor(module.exports, name);
  Object.defineProperty(module.exports, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get,
    set(value) {
      Object.defineProperty(module.exports, name, {
        __proto__: null,
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    },
  });
}
