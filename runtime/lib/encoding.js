'use strict';

// TextEncoder and TextDecoder. UTF-8 is done by the binding, in parts by internal/utf8; internal/encoding_others has
// the other encodings. What only some uses need is loaded by them.

const { codes } = require('internal/errors');
const kInspect = Symbol.for('nodejs.util.inspect.custom');
const { byteLengthUtf8, utf8Write, utf8Slice, isUtf8 } = internalBinding('buffer');
let views; // internal/util/views
let parts; // internal/utf8

let labels;

function getEncodingFromLabel(label) {
  if (label === 'utf-8' || label === 'utf8') return 'utf-8';
  if (labels === undefined) {
    labels = new Map();
    for (const [name, list] of require('internal/encoding/labels')) {
      for (const each of list.split(' ')) labels.set(each, name);
    }
  }
  return labels.get(label.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '').toLowerCase());
}

// ---------------------------------------------------------------- TextEncoder

function checkEncoder(value) {
  if (typeof value !== 'object' || value === null || !encoders.has(value))
    throw new codes.ERR_INVALID_THIS('TextEncoder');
}
const encoders = new WeakSet();

class TextEncoder {
  constructor() {
    encoders.add(this);
  }

  get encoding() {
    checkEncoder(this);
    return 'utf-8';
  }

  encode(input = '') {
    checkEncoder(this);
    input = `${input}`;
    const bytes = new Uint8Array(byteLengthUtf8(input));
    utf8Write(bytes, input, 0, bytes.length);
    return bytes;
  }

  encodeInto(source, destination) {
    checkEncoder(this);
    if (typeof source !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('src', 'string', source);
    views ??= require('internal/util/views');
    parts ??= require('internal/encoding/utf8');
    if (!views.isUint8Array(destination)) throw new codes.ERR_INVALID_ARG_TYPE('dest', 'Uint8Array', destination);
    return parts.utf8Write(source, destination, 0, destination.length);
  }

  [kInspect](depth, options) {
    checkEncoder(this);
    if (typeof depth === 'number' && depth < 0) return this;
    const object = {};
    object.encoding = this.encoding;
    return require('internal/util/inspect').inspect(object, options);
  }
}
Object.defineProperties(TextEncoder.prototype, {
  encode: { __proto__: null, enumerable: true },
  encodeInto: { __proto__: null, enumerable: true },
  encoding: { __proto__: null, enumerable: true },
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'TextEncoder' },
});

// ---------------------------------------------------------------- TextDecoder

const states = new WeakMap();

function decoderState(value) {
  const state = typeof value === 'object' && value !== null ? states.get(value) : undefined;
  if (state === undefined) throw new codes.ERR_INVALID_THIS('TextDecoder');
  return state;
}

function bytesOf(input) {
  if (ArrayBuffer.isView(input))
    return input.buffer.detached ? new Uint8Array() : new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  views ??= require('internal/util/views');
  if (views.isAnyArrayBuffer(input)) return new Uint8Array(input);
  const error = new codes.ERR_INVALID_ARG_TYPE('list', ['SharedArrayBuffer', 'ArrayBuffer', 'ArrayBufferView'], input);
  error.message = 'The "list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.';
  throw error;
}

const noBytes = new Uint8Array(0);

function requireOptions(options) {
  const { validateObject, kValidateObjectAllowObjectsAndNull } = require('internal/validators');
  validateObject(options ?? {}, 'options', kValidateObjectAllowObjectsAndNull);
}

// Undefined: the bytes are no text, and the decoder is fatal.
function decodeUtf8(state, bytes, stream) {
  if (!stream) return state.fatal && !isUtf8(bytes) ? undefined : utf8Slice(bytes, 0, bytes.length);
  const keep = { rest: 0 };
  parts ??= require('internal/encoding/utf8');
  const text = parts.utf8Decode(bytes, 0, bytes.length, state.fatal, keep);
  if (text !== undefined && keep.rest < bytes.length) state.rest = bytes.slice(keep.rest);
  return text;
}

class TextDecoder {
  constructor(encoding = 'utf-8', options = undefined) {
    encoding = `${encoding}`;
    if (options !== undefined) requireOptions(options);
    const found = getEncodingFromLabel(encoding);
    if (found === undefined || encoding.includes('\0')) throw new codes.ERR_ENCODING_NOT_SUPPORTED(encoding);
    const converter = found === 'utf-8' ? null : require('internal/encoding/legacy').converterFor(found);
    if (converter === undefined) throw new codes.ERR_ENCODING_NOT_SUPPORTED(encoding);
    states.set(this, {
      encoding: found,
      fatal: !!options?.fatal,
      ignoreBOM: !!options?.ignoreBOM,
      converter,
      rest: noBytes,
      bomSeen: false,
      streaming: false,
    });
  }

  get encoding() {
    return decoderState(this).encoding;
  }

  get fatal() {
    return decoderState(this).fatal;
  }

  get ignoreBOM() {
    return decoderState(this).ignoreBOM;
  }

  decode(input = noBytes, options = undefined) {
    const state = decoderState(this);
    let bytes = bytesOf(input);
    if (options !== undefined) requireOptions(options);
    const stream = !!options?.stream;
    if (!state.streaming) {
      state.bomSeen = false;
      state.rest = noBytes;
    }
    state.streaming = stream;
    if (state.rest.length > 0) {
      const joined = new Uint8Array(state.rest.length + bytes.length);
      joined.set(state.rest);
      joined.set(bytes, state.rest.length);
      bytes = joined;
      state.rest = noBytes;
    }
    let text;
    if (state.encoding === 'utf-8') text = decodeUtf8(state, bytes, stream);
    else text = require('internal/encoding/legacy').decode(state, bytes, stream);
    if (state.encoding === 'windows-1252') return text;
    if (text === undefined) {
      state.streaming = false;
      throw new codes.ERR_ENCODING_INVALID_ENCODED_DATA(state.encoding, undefined);
    }
    if (!state.bomSeen && text.length > 0) {
      state.bomSeen = true;
      if (!state.ignoreBOM && text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    return text;
  }

  [kInspect](depth, options) {
    const state = decoderState(this);
    if (typeof depth === 'number' && depth < 0) return this;
    const shown = { encoding: state.encoding, fatal: state.fatal, ignoreBOM: state.ignoreBOM };
    if (options.showHidden) {
      shown[Symbol('flags')] = (state.fatal ? 2 : 0) | (state.ignoreBOM ? 4 : 0);
      shown[Symbol('handle')] = new (class Converter {})();
    }
    return `TextDecoder ${require('internal/util/inspect').inspect(shown, { ...options, showHidden: false })}`;
  }
}
Object.defineProperties(TextDecoder.prototype, {
  decode: { __proto__: null, enumerable: true },
  encoding: { __proto__: null, enumerable: true },
  fatal: { __proto__: null, enumerable: true },
  ignoreBOM: { __proto__: null, enumerable: true },
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'TextDecoder' },
});

module.exports = { TextEncoder, TextDecoder };
