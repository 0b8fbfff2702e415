'use strict';

// node:querystring: pairs of names and values in a text.

const { Buffer } = require('internal/buffer/class');

// ---- escaping ----

const plain = /^[A-Za-z0-9\-_.!~*'()]*$/;

function qsEscape(str) {
  const text = typeof str === 'string' ? str : typeof str === 'object' ? String(str) : `${str}`;
  if (plain.test(text)) return text;
  try {
    return encodeURIComponent(text);
  } catch {
    return encodeURIComponent(text.replace(/[\ud800-\udfff][^]?/g, pairUp));
  }
}

// A lone surrogate is combined with the next code unit, whatever it is, as in Node; at the end it is an error.
function pairUp(half) {
  if (half.length === 1) {
    const { codes } = require('internal/errors');
    throw new codes.ERR_INVALID_URI();
  }
  return String.fromCodePoint(0x10000 + (((half.charCodeAt(0) & 0x3ff) << 10) | (half.charCodeAt(1) & 0x3ff)));
}

const hexadecimal = /^[0-9A-Fa-f]{2}$/;

// To bytes; an invalid escape stands for itself.
function unescapeBuffer(s, decodeSpaces) {
  const given = Buffer.from(`${s}`, 'latin1');
  const out = Buffer.allocUnsafe(given.length);
  let length = 0;
  for (let at = 0; at < given.length; at++) {
    let byte = given[at];
    if (byte === 0x25) {
      const digits = given.toString('latin1', at + 1, at + 3);
      if (hexadecimal.test(digits)) {
        byte = Number.parseInt(digits, 16);
        at += 2;
      }
    } else if (byte === 0x2b && decodeSpaces) {
      byte = 0x20;
    }
    out[length++] = byte;
  }
  return out.subarray(0, length);
}

function qsUnescape(s, decodeSpaces) {
  try {
    return decodeURIComponent(s);
  } catch {
    return querystring.unescapeBuffer(s, decodeSpaces).toString();
  }
}

// ---- writing ----

function textOf(value) {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return Number.isFinite(value) ? `${value}` : '';
    case 'bigint':
    case 'boolean':
      return `${value}`;
    default:
      return '';
  }
}

function stringify(obj, sep, eq, options) {
  if (obj === null || typeof obj !== 'object') return '';
  const escape = typeof options?.encodeURIComponent === 'function' ? options.encodeURIComponent : querystring.escape;
  const between = sep || '&';
  const pairs = [];
  for (const key of Object.keys(obj)) {
    const name = `${escape(key)}${eq || '='}`;
    for (const value of Array.isArray(obj[key]) ? obj[key] : [obj[key]]) pairs.push(name + escape(textOf(value)));
  }
  return pairs.join(between);
}

// ---- reading ----

const worthDecoding = /%[0-9A-Fa-f]{2}/;

function decoder(options) {
  const given = typeof options?.decodeURIComponent === 'function' ? options.decodeURIComponent : querystring.unescape;
  const isOwn = given === qsUnescape;
  return (text) => {
    if (text === '') return text; // a call of the program's function is not needed
    if (isOwn && !worthDecoding.test(text)) return text.replaceAll('+', ' ');
    const spaced = text.replaceAll('+', isOwn ? ' ' : '%20');
    try {
      return given(spaced);
    } catch {
      return qsUnescape(spaced, true);
    }
  };
}

function parse(qs, sep, eq, options) {
  const result = { __proto__: null };
  if (typeof qs !== 'string' || qs === '') return result;
  const equals = eq ? `${eq}` : '=';
  const decode = decoder(options);
  const most = typeof options?.maxKeys === 'number' ? options.maxKeys : 1000;
  let count = 0;
  for (const pair of qs.split(sep ? `${sep}` : '&')) {
    if (pair === '') {
      if (++count === most) break;
      continue;
    }
    const at = pair.indexOf(equals);
    const name = decode(at === -1 ? pair : pair.slice(0, at));
    const value = at === -1 ? '' : decode(pair.slice(at + equals.length));
    const present = result[name];
    if (present === undefined) result[name] = value;
    else if (typeof present === 'string') result[name] = [present, value];
    else present.push(value);
    if (++count === most) break;
  }
  return result;
}

const querystring = (module.exports = {
  unescapeBuffer,
  unescape: qsUnescape,
  escape: qsEscape,
  stringify,
  encode: stringify,
  parse,
  decode: parse,
});
