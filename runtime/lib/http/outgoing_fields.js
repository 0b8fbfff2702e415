'use strict';

// The header fields of an outgoing message, and its trailers: what a program sets before the
// head is composed (internal/http/head).

const { codes } = require('internal/errors');
const { validateString } = require('internal/validators');
const {
  FieldTable,
  hasBadCharacter,
  isToken,
  validateHeaderName,
  validateHeaderValue,
} = require('internal/http/fields');

const { ERR_HTTP_HEADERS_SENT, ERR_INVALID_ARG_TYPE, ERR_INVALID_CHAR, ERR_INVALID_HTTP_TOKEN } = codes;

const kFields = Symbol('fields'); // a FieldTable; null before the first
const kTrailerText = Symbol('trailers');

function refuseLate(message, what) {
  if (message._header) throw new ERR_HTTP_HEADERS_SENT(what);
}

const methods = {
  setHeader(name, value) {
    refuseLate(this, 'set');
    validateHeaderName(name);
    validateHeaderValue(name, value, this.relaxedValues);
    (this[kFields] ??= new FieldTable()).set(name, value);
    return this;
  },

  setHeaders(headers) {
    refuseLate(this, 'set');
    const fits =
      headers !== null &&
      typeof headers === 'object' &&
      !Array.isArray(headers) &&
      typeof headers.keys === 'function' &&
      typeof headers.get === 'function';
    if (!fits) throw new ERR_INVALID_ARG_TYPE('headers', ['Headers', 'Map'], headers);
    // Headers gives each cookie separately; they are sent as a list.
    const cookies = [];
    for (const [name, value] of headers) {
      if (name === 'set-cookie') cookies.push(...[value].flat());
      else this.setHeader(name, value);
    }
    if (cookies.length > 0) this.setHeader('set-cookie', cookies);
    return this;
  },

  appendHeader(name, value) {
    refuseLate(this, 'append');
    validateHeaderName(name);
    validateHeaderValue(name, value, this.relaxedValues);
    (this[kFields] ??= new FieldTable()).append(name, value);
    return this;
  },

  getHeader(name) {
    validateString(name, 'name');
    return this[kFields] === null ? undefined : this[kFields].get(name);
  },

  hasHeader(name) {
    validateString(name, 'name');
    return this[kFields] !== null && this[kFields].has(name);
  },

  getHeaders() {
    return this[kFields] === null ? { __proto__: null } : this[kFields].toObject(false);
  },

  getHeaderNames() {
    return this[kFields] === null ? [] : this[kFields].names();
  },

  getRawHeaderNames() {
    return this[kFields] === null ? [] : this[kFields].rawNames();
  },

  removeHeader(name) {
    validateString(name, 'name');
    refuseLate(this, 'remove');
    const lower = name.toLowerCase();
    if (lower === 'connection') this.withoutConnection = true;
    else if (lower === 'content-length') this.withoutLength = true;
    else if (lower === 'transfer-encoding') this.withoutTransfer = true;
    else if (lower === 'date') this.sendDate = false;
    this[kFields]?.delete(lower);
  },

  _renderHeaders() {
    if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
    return this[kFields] === null ? {} : this[kFields].toObject(true);
  },

  addTrailers(headers) {
    let text = '';
    const list = Array.isArray(headers) ? headers : Object.keys(headers).map((name) => [name, headers[name]]);
    for (const [name, value] of list) {
      if (!name || !isToken(name)) throw new ERR_INVALID_HTTP_TOKEN('Trailer name', name);
      const values =
        Array.isArray(value) && !this.uniqueHeaders?.has(name.toLowerCase()) ? value : [[value].flat().join('; ')];
      for (const item of values) {
        if (hasBadCharacter(item, this.relaxedValues)) throw new ERR_INVALID_CHAR('trailer content', name);
        text += `${name}: ${item}\r\n`;
      }
    }
    this[kTrailerText] = text;
  },
};

// Values of a header that may occur only once are joined.
function parseUniqueHeaders(list) {
  return Array.isArray(list) && list.length > 0 ? new Set(list.map((name) => name.toLowerCase())) : null;
}

module.exports = { kFields, kTrailerText, methods, parseUniqueHeaders };
