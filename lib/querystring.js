'use strict';

// node:querystring: the query part of a URL as an object, and back.

const { codes } = require('internal/errors');

const hexValue = new Int8Array(256).fill(-1);
for (let i = 0; i < 10; i++) hexValue[48 + i] = i;
for (let i = 0; i < 6; i++) hexValue[65 + i] = hexValue[97 + i] = 10 + i;

const hexTable = Array.from({ length: 256 }, (_, i) => `%${i < 16 ? '0' : ''}${i.toString(16).toUpperCase()}`);

// The characters that stay: letters, digits and ! ' ( ) * - . _ ~
const unescaped = new Uint8Array(128);
for (const c of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!'()*-._~") unescaped[c.charCodeAt(0)] = 1;

// Bytes of a percent-encoded text; what is not a correct %XX stays as it is.
function unescapeBuffer(text, decodeSpaces) {
  const { Buffer } = require('buffer');
  const out = Buffer.allocUnsafe(text.length);
  let index = 0;
  let at = 0;
  const maxLength = text.length - 2;
  while (index < text.length) {
    let code = text.charCodeAt(index);
    if (code === 43 && decodeSpaces) {
      out[at++] = 32;
      index++;
      continue;
    }
    if (code === 37 && index < maxLength) {
      const high = hexValue[text.charCodeAt(index + 1)] ?? -1;
      const low = hexValue[text.charCodeAt(index + 2)] ?? -1;
      if (high >= 0 && low >= 0) {
        code = high * 16 + low;
        index += 2;
      }
    }
    out[at++] = code;
    index++;
  }
  return at === text.length ? out : out.slice(0, at);
}

function qsUnescape(text, decodeSpaces) {
  try {
    return decodeURIComponent(text);
  } catch {
    return QueryString.unescapeBuffer(text, decodeSpaces).toString();
  }
}

function encodeText(text, table) {
  let out = '';
  let last = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code < 0x80) {
      if (table[code] === 1) continue;
      if (last < i) out += text.slice(last, i);
      last = i + 1;
      out += hexTable[code];
      continue;
    }
    if (last < i) out += text.slice(last, i);
    if (code < 0x800) {
      last = i + 1;
      out += hexTable[0xc0 | (code >> 6)] + hexTable[0x80 | (code & 63)];
    } else if (code < 0xd800 || code >= 0xe000) {
      last = i + 1;
      out += hexTable[0xe0 | (code >> 12)] + hexTable[0x80 | ((code >> 6) & 63)] + hexTable[0x80 | (code & 63)];
    } else {
      i++;
      if (i >= text.length) throw new codes.ERR_INVALID_URI();
      code = 0x10000 + (((code & 0x3ff) << 10) | (text.charCodeAt(i) & 0x3ff));
      last = i + 1;
      out += hexTable[0xf0 | (code >> 18)] + hexTable[0x80 | ((code >> 12) & 63)] + hexTable[0x80 | ((code >> 6) & 63)] + hexTable[0x80 | (code & 63)];
    }
  }
  if (last === 0) return text;
  return last < text.length ? out + text.slice(last) : out;
}

function qsEscape(value) {
  if (typeof value !== 'string') {
    if (typeof value === 'object') value = String(value);
    else value += '';
  }
  return encodeText(value, unescaped);
}

function primitiveText(value) {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return `${value}`;
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return '';
}

function encodeValue(value, encode) {
  if (typeof value === 'string') return value.length > 0 ? encode(value) : '';
  if (typeof value === 'number' && Number.isFinite(value)) return Math.abs(value) < 1e21 ? `${value}` : encode(`${value}`);
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return '';
}

function stringify(object, separator, equals, options) {
  separator ||= '&';
  equals ||= '=';
  let encode = QueryString.escape;
  if (typeof options?.encodeURIComponent === 'function') encode = options.encodeURIComponent;
  const convert = encode === qsEscape ? encodeValue : (value, with_) => with_(primitiveText(value));
  if (object === null || typeof object !== 'object') return '';
  const keys = Object.keys(object);
  let fields = '';
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    const value = object[key];
    const start = convert(key, encode) + equals;
    if (Array.isArray(value)) {
      if (value.length === 0) continue;
      if (fields) fields += separator;
      for (let j = 0; j < value.length; j++) {
        if (j) fields += separator;
        fields += start + convert(value[j], encode);
      }
    } else {
      if (fields) fields += separator;
      fields += start + convert(value, encode);
    }
  }
  return fields;
}

function parse(text, separator, equals, options) {
  const result = { __proto__: null };
  if (typeof text !== 'string' || text.length === 0) return result;
  separator = separator ? `${separator}` : '&';
  equals = equals ? `${equals}` : '=';
  let pairs = 1000;
  if (typeof options?.maxKeys === 'number') pairs = options.maxKeys > 0 ? options.maxKeys : -1;
  let decode = QueryString.unescape;
  if (typeof options?.decodeURIComponent === 'function') decode = options.decodeURIComponent;
  const isCustom = decode !== qsUnescape;
  const convert = (part) => {
    if (!isCustom && !part.includes('%') && !part.includes('+')) return part;
    part = part.replaceAll('+', isCustom ? '%20' : ' ');
    if (!isCustom && !part.includes('%')) return part;
    try {
      return decode(part);
    } catch {
      return QueryString.unescape(part, true);
    }
  };
  let start = 0;
  while (start <= text.length) {
    let end = separator === '' ? -1 : text.indexOf(separator, start);
    if (end === -1) end = text.length;
    if (end > start) {
      const piece = text.slice(start, end);
      const at = piece.indexOf(equals);
      const key = convert(at === -1 ? piece : piece.slice(0, at));
      const value = at === -1 ? '' : convert(piece.slice(at + equals.length));
      const existing = result[key];
      if (existing === undefined) result[key] = value;
      else if (typeof existing === 'string') result[key] = [existing, value];
      else existing.push(value);
    }
    // Empty pairs count, too.
    if (--pairs === 0) break;
    start = end + (separator.length || 1);
  }
  return result;
}

const QueryString = module.exports = {
  unescapeBuffer,
  unescape: qsUnescape,
  escape: qsEscape,
  stringify,
  encode: stringify,
  parse,
  decode: parse,
};
