'use strict';

// TextEncoderStream and TextDecoderStream, and getters of classes over transform streams.
//
// Getters and inspection for the classes over transform streams: a static method `read(object, name)` has access to
// their private fields; it becomes the getters of the prototype and the output of util.inspect, and is then removed.

const { codes } = require('internal/errors');
const { TextEncoder, TextDecoder } = require('internal/encoding');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

function reveal(Class, names) {
  const { read } = Class;
  delete Class.read;
  for (const name of names) {
    const getter = Object.getOwnPropertyDescriptor(
      {
        get [name]() {
          return read(this, name);
        },
      },
      name,
    );
    Object.defineProperty(Class.prototype, name, { ...getter, enumerable: true, configurable: true });
  }
  Object.defineProperty(Class.prototype, Symbol.toStringTag, {
    __proto__: null,
    value: Class.name,
    configurable: true,
  });
  Object.defineProperty(Class.prototype, kInspect, {
    __proto__: null,
    configurable: true,
    value(depth, options) {
      if (this == null) throw new (require('internal/errors').codes.ERR_INVALID_THIS)(Class.name);
      const fields = Object.fromEntries(names.map((name) => [name, read(this, name)]));
      if (depth < 0) return this;
      const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
      return `${Class.name} ${require('internal/util/inspect').inspect(fields, inner)}`;
    },
  });
}

// Node's error for an object of another class.
reveal.wrongReceiver = (part) =>
  new TypeError(`Cannot read private member #${part} from an object whose class did not declare it`);

// TextEncoderStream and TextDecoderStream: transform streams over the encoder and the decoder. A character may be split
// between two chunks: the decoder keeps the bytes of its beginning, and this file keeps the first half of a surrogate
// pair for the encoder.

// Splits a text before a trailing high surrogate.
function cutPair(text) {
  const at = text.length - 1;
  return at >= 0 && (text.charCodeAt(at) & 0xfc00) === 0xd800 ? at : text.length;
}

function make({ TransformStream }) {
  class TextEncoderStream {
    #transform;
    #half = '';

    constructor() {
      const encoder = new TextEncoder();
      this.#transform = new TransformStream({
        transform: (chunk, controller) => {
          const text = this.#half + chunk;
          const end = cutPair(text);
          this.#half = text.slice(end);
          if (end > 0) controller.enqueue(encoder.encode(text.slice(0, end)));
        },
        // A lone surrogate is encoded as the replacement character.
        flush: (controller) => {
          if (this.#half !== '') controller.enqueue(encoder.encode(this.#half));
        },
      });
    }

    static read(stream, name) {
      if (!(#transform in Object(stream))) throw reveal.wrongReceiver(name === 'encoding' ? 'handle' : 'transform');
      return name === 'encoding' ? 'utf-8' : stream.#transform[name];
    }
  }

  class TextDecoderStream {
    #transform;
    #decoder;

    constructor(encoding = 'utf-8', options = {}) {
      const decoder = (this.#decoder = new TextDecoder(encoding, options));
      const tell = (text, controller) => {
        if (text !== '') controller.enqueue(text);
      };
      this.#transform = new TransformStream({
        transform(chunk, controller) {
          if (chunk === undefined) throw new codes.ERR_INVALID_ARG_TYPE('chunk', 'string', chunk);
          tell(decoder.decode(chunk, { stream: true }), controller);
        },
        flush(controller) {
          tell(decoder.decode(), controller);
          controller.terminate();
        },
      });
    }

    static read(stream, name) {
      const isFace = name === 'readable' || name === 'writable';
      if (!(#transform in Object(stream))) throw reveal.wrongReceiver(isFace ? 'transform' : 'handle');
      return isFace ? stream.#transform[name] : stream.#decoder[name];
    }
  }

  reveal(TextEncoderStream, ['encoding', 'readable', 'writable']);
  reveal(TextDecoderStream, ['encoding', 'fatal', 'ignoreBOM', 'readable', 'writable']);
  return { TextEncoderStream, TextDecoderStream };
}

module.exports = { reveal, make };
