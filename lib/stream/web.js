'use strict';

// stream/web: the Streams Standard, from the package web-streams-polyfill, with Node's additions: how they are shown, what
// node:stream can ask of them, and the streams for text and compression.

const web = require('internal/deps/web-streams');
const { codes } = require('internal/errors');
const { watch, closedOf } = require('internal/webstreams/closed');

// The names by which node:stream and its package ask a web stream.
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
    Object.defineProperty(target, key, { __proto__: null, ...Object.getOwnPropertyDescriptor(properties, key), enumerable: false, configurable: true });
  }
}

function show(self, depth, options, name, fields) {
  if (depth < 0) return self;
  const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
  return `${name} ${require('internal/util/inspect').inspect(fields, inner)}`;
}

// A locked stream says so with Node's code: by throwing, or, where a promise is given back, by rejecting it.
const kThrows = (error) => {
  throw error;
};
const kRejects = (error) => Promise.reject(error);
for (const [Class, answers] of [
  [ReadableStream, { getReader: kThrows, tee: kThrows, values: kThrows, pipeThrough: kThrows, cancel: kRejects, pipeTo: kRejects }],
  [WritableStream, { getWriter: kThrows, close: kRejects, abort: kRejects }],
]) {
  const { prototype } = Class;
  for (const [name, answer] of Object.entries(answers)) {
    const unlocked = prototype[name];
    prototype[name] = {
      [name](...args) {
        if (this?._state !== undefined && this.locked) {
          return answer(new codes.ERR_INVALID_STATE.TypeError(`${name.startsWith('pipe') ? 'The ' : ''}${Class.name} is locked`));
        }
        return Reflect.apply(unlocked, this, args);
      },
    }[name];
    Object.defineProperty(prototype[name], 'length', { __proto__: null, value: unlocked.length, configurable: true });
  }
}
Object.defineProperty(ReadableStream.prototype, Symbol.asyncIterator, {
  __proto__: null, value: ReadableStream.prototype.values, writable: true, configurable: true, enumerable: false,
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
      locked: this.locked, state: this._state, supportsBYOB: this._readableStreamController instanceof web.ReadableByteStreamController,
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
    return show(this, depth, options, 'TransformStream', { readable: this.readable, writable: this.writable, backpressure: this._backpressure });
  },
});
define(web.ReadableStreamDefaultReader.prototype, {
  [kInspect](depth, options) {
    return show(this, depth, options, 'ReadableStreamDefaultReader', {
      stream: this._ownerReadableStream, readRequests: this._readRequests?.length ?? 0, close: this.closed,
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

// ---------------------------------------------------------------- text

class TextEncoderStream {
  #pending = null;
  #transform;

  constructor() {
    const { TextEncoder } = require('internal/encoding');
    const encoder = new TextEncoder();
    this.#transform = new TransformStream({
      transform: (chunk, controller) => {
        // A surrogate pair may be cut in two by the chunks.
        chunk = `${chunk}`;
        if (this.#pending !== null) chunk = this.#pending + chunk;
        this.#pending = null;
        const last = chunk.charCodeAt(chunk.length - 1);
        if ((last & 0xfc00) === 0xd800) {
          this.#pending = chunk.slice(-1);
          chunk = chunk.slice(0, -1);
        }
        const bytes = encoder.encode(chunk);
        if (bytes.length > 0) controller.enqueue(bytes);
      },
      flush: (controller) => {
        if (this.#pending !== null) controller.enqueue(new Uint8Array([0xef, 0xbf, 0xbd]));
      },
    });
  }

  get encoding() {
    checkBrand(this, (self) => #transform in self, 'TextEncoderStream');
    return 'utf-8';
  }

  get readable() {
    checkBrand(this, (self) => #transform in self, 'TextEncoderStream');
    return this.#transform.readable;
  }

  get writable() {
    checkBrand(this, (self) => #transform in self, 'TextEncoderStream');
    return this.#transform.writable;
  }

  [kInspect](depth, options) {
    checkBrand(this, (self) => #transform in self, 'TextEncoderStream');
    return show(this, depth, options, 'TextEncoderStream', { encoding: 'utf-8', readable: this.readable, writable: this.writable });
  }
}

class TextDecoderStream {
  #decoder;
  #transform;

  constructor(encoding = 'utf-8', options = {}) {
    const { TextDecoder } = require('internal/encoding');
    this.#decoder = new TextDecoder(encoding, options);
    this.#transform = new TransformStream({
      transform: (chunk, controller) => {
        if (chunk === undefined) throw new codes.ERR_INVALID_ARG_TYPE('chunk', 'string', chunk);
        const text = this.#decoder.decode(chunk, { stream: true });
        if (text) controller.enqueue(text);
      },
      flush: (controller) => {
        const text = this.#decoder.decode();
        if (text) controller.enqueue(text);
        controller.terminate();
      },
    });
  }

  get encoding() {
    checkBrand(this, (self) => #decoder in self, 'TextDecoderStream');
    return this.#decoder.encoding;
  }

  get fatal() {
    checkBrand(this, (self) => #decoder in self, 'TextDecoderStream');
    return this.#decoder.fatal;
  }

  get ignoreBOM() {
    checkBrand(this, (self) => #decoder in self, 'TextDecoderStream');
    return this.#decoder.ignoreBOM;
  }

  get readable() {
    checkBrand(this, (self) => #decoder in self, 'TextDecoderStream');
    return this.#transform.readable;
  }

  get writable() {
    checkBrand(this, (self) => #decoder in self, 'TextDecoderStream');
    return this.#transform.writable;
  }

  [kInspect](depth, options) {
    checkBrand(this, (self) => #decoder in self, 'TextDecoderStream');
    return show(this, depth, options, 'TextDecoderStream', {
      encoding: this.encoding, fatal: this.fatal, ignoreBOM: this.ignoreBOM, readable: this.readable, writable: this.writable,
    });
  }
}

function checkBrand(value, isOne, name) {
  if (typeof value !== 'object' || value === null || !isOne(value)) throw new codes.ERR_INVALID_THIS(name);
}

for (const [Class, names] of [
  [TextEncoderStream, ['encoding', 'readable', 'writable']], [TextDecoderStream, ['encoding', 'fatal', 'ignoreBOM', 'readable', 'writable']],
]) {
  for (const name of names) Object.defineProperty(Class.prototype, name, { __proto__: null, enumerable: true });
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { __proto__: null, configurable: true, value: Class.name });
}

// ---------------------------------------------------------------- compression

const formats = { '__proto__': null, 'deflate': ['createDeflate', 'createInflate'], 'deflate-raw': ['createDeflateRaw', 'createInflateRaw'],
  'gzip': ['createGzip', 'createGunzip'], 'brotli': ['createBrotliCompress', 'createBrotliDecompress'] };

function makeCompression(name, which) {
  return {
    [name]: class {
      #pair;

      constructor(format) {
        if (!Object.hasOwn(formats, format)) throw new codes.ERR_INVALID_ARG_VALUE('format', format);
        const handle = require('zlib')[formats[format][which]]();
        this.#pair = require('internal/webstreams/from_node').duplexToWeb(handle);
      }

      get readable() {
        return this.#pair.readable;
      }

      get writable() {
        return this.#pair.writable;
      }

      [kInspect](depth, options) {
        return show(this, depth, options, name, { readable: this.readable, writable: this.writable });
      }
    },
  }[name];
}
const CompressionStream = makeCompression('CompressionStream', 0);
const DecompressionStream = makeCompression('DecompressionStream', 1);

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
  CompressionStream,
  DecompressionStream,
};
