'use strict';

// TextEncoder and TextDecoder. UTF-8, UTF-16 and the one-byte windows-1252 are done here or by the binding, other
// encodings of one byte by internal/single_byte, and those of several bytes by the system (iconv); ISO-2022-JP, which
// has states, is refused.

const { codes } = require('internal/errors');
const { validateObject, kValidateObjectAllowObjectsAndNull } = require('internal/validators');
const { isAnyArrayBuffer, isUint8Array } = require('internal/util/views');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

const { utf8Decode, utf8Length, utf8Write } = require('internal/utf8');
const bufferBinding = internalBinding('buffer');

let labels;

function getEncodingFromLabel(label) {
  if (label === 'utf-8' || label === 'utf8') return 'utf-8';
  if (labels === undefined) {
    labels = new Map();
    for (const [name, list] of require('internal/encoding_labels')) {
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
    if (bufferBinding.encodeUtf8 !== undefined) return bufferBinding.encodeUtf8(input);
    const bytes = new Uint8Array(utf8Length(input));
    utf8Write(input, bytes, 0, bytes.length);
    return bytes;
  }

  encodeInto(source, destination) {
    checkEncoder(this);
    if (typeof source !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('src', 'string', source);
    if (!isUint8Array(destination)) throw new codes.ERR_INVALID_ARG_TYPE('dest', 'Uint8Array', destination);
    return utf8Write(source, destination, 0, destination.length);
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

const windows1252High =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

function decodeWindows1252(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    text += byte >= 0x80 && byte <= 0x9f ? windows1252High[byte - 0x80] : String.fromCharCode(byte);
  }
  return text;
}

// The system's names of encodings of several bytes.
const multiByte = {
  '__proto__': null,
  'gbk': 'GB18030',
  'gb18030': 'GB18030',
  'big5': 'BIG5-HKSCS',
  'euc-jp': 'EUC-JP-MS',
  'shift_jis': 'CP932',
  'euc-kr': 'UHC',
};

const states = new WeakMap();

function decoderState(value) {
  const state = typeof value === 'object' && value !== null ? states.get(value) : undefined;
  if (state === undefined) throw new codes.ERR_INVALID_THIS('TextDecoder');
  return state;
}

function bytesOf(input) {
  if (ArrayBuffer.isView(input))
    return input.buffer.detached ? new Uint8Array() : new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (isAnyArrayBuffer(input)) return new Uint8Array(input);
  const error = new codes.ERR_INVALID_ARG_TYPE('list', ['SharedArrayBuffer', 'ArrayBuffer', 'ArrayBufferView'], input);
  error.message = 'The "list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.';
  throw error;
}

const noBytes = new Uint8Array(0);

class TextDecoder {
  constructor(encoding = 'utf-8', options = undefined) {
    encoding = `${encoding}`;
    validateObject(options ?? {}, 'options', kValidateObjectAllowObjectsAndNull);
    const found = getEncodingFromLabel(encoding);
    if (found === undefined || encoding.includes('\0')) throw new codes.ERR_ENCODING_NOT_SUPPORTED(encoding);
    let converter;
    if (found !== 'utf-8' && found !== 'utf-16le' && found !== 'utf-16be' && found !== 'windows-1252') {
      converter = multiByte[found] ?? require('internal/single_byte').tableFor(found);
      if (converter === undefined) throw new codes.ERR_ENCODING_NOT_SUPPORTED(encoding);
    }
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
    validateObject(options ?? {}, 'options', kValidateObjectAllowObjectsAndNull);
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
    switch (state.encoding) {
      case 'utf-8':
        text = this.#decodeUtf8(state, bytes, stream);
        break;
      case 'utf-16le':
      case 'utf-16be':
        text = this.#decodeUtf16(state, bytes, stream, state.encoding === 'utf-16le' ? 0 : 1);
        break;
      case 'windows-1252':
        return decodeWindows1252(bytes);
      default:
        text =
          typeof state.converter === 'string'
            ? this.#decodeMultiByte(state, bytes, stream)
            : require('internal/single_byte').decode(state.converter, bytes, state.fatal);
    }
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

  #decodeMultiByte(state, bytes, stream) {
    const answer = internalBinding('charset').decode(state.converter, bytes, state.fatal, !stream);
    if (answer === null) return undefined;
    const [text, left] = answer;
    if (left > 0) state.rest = bytes.slice(bytes.length - left);
    return text;
  }

  #decodeUtf8(state, bytes, stream) {
    if (!stream && bufferBinding.decodeUtf8 !== undefined)
      return bufferBinding.decodeUtf8(bytes, 0, bytes.length, state.fatal);
    const keep = stream ? { rest: 0 } : undefined;
    const text = utf8Decode(bytes, 0, bytes.length, state.fatal, keep);
    if (stream && text !== undefined && keep.rest < bytes.length) state.rest = bytes.slice(keep.rest);
    return text;
  }

  #decodeUtf16(state, bytes, stream, highByte) {
    let text = '';
    const whole = bytes.length & ~1;
    let i = 0;
    for (; i < whole; i += 2) {
      const unit = (bytes[i + (1 - highByte)] << 8) | bytes[i + highByte];
      if ((unit & 0xfc00) === 0xd800) {
        if (i + 3 >= bytes.length) {
          if (stream) break;
          if (state.fatal) return undefined;
          text += '\ufffd';
          if (i + 2 < bytes.length) return text;
          continue;
        }
        const next = (bytes[i + 3 - highByte] << 8) | bytes[i + 2 + highByte];
        if ((next & 0xfc00) === 0xdc00) {
          text += String.fromCharCode(unit, next);
          i += 2;
        } else {
          if (state.fatal) return undefined;
          text += '\ufffd';
        }
      } else if ((unit & 0xfc00) === 0xdc00) {
        if (state.fatal) return undefined;
        text += '\ufffd';
      } else {
        text += String.fromCharCode(unit);
      }
    }
    if (i < bytes.length) {
      if (stream) {
        state.rest = bytes.slice(i);
      } else {
        if (state.fatal) return undefined;
        text += '\ufffd';
      }
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

module.exports = { TextEncoder, TextDecoder, getEncodingFromLabel };
