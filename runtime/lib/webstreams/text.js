'use strict';

// TextEncoderStream and TextDecoderStream: transform streams over the encoder and the decoder. A character may be split
// between two chunks: the decoder keeps the bytes of its beginning, and this file keeps the first half of a surrogate
// pair for the encoder.

const { codes } = require('internal/errors');
const { TextEncoder, TextDecoder } = require('internal/encoding');
const { reveal } = require('internal/webstreams/reveal');

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
      if (!(#transform in Object(stream))) throw reveal.stranger(name === 'encoding' ? 'handle' : 'transform');
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
      if (!(#transform in Object(stream))) throw reveal.stranger(isFace ? 'transform' : 'handle');
      return isFace ? stream.#transform[name] : stream.#decoder[name];
    }
  }

  reveal(TextEncoderStream, ['encoding', 'readable', 'writable']);
  reveal(TextDecoderStream, ['encoding', 'fatal', 'ignoreBOM', 'readable', 'writable']);
  return { TextEncoderStream, TextDecoderStream };
}

module.exports = { make };
