'use strict';

// The head of a message that is sent: the lines that the program asked for, then those that HTTP needs.
//
// What the program's lines say about the connection and the body decides how the message is framed: with a length, in
// chunks, or by the end of the connection. The decision is stored in the message (`framing` and similar properties).

const { now } = internalBinding('runtime');
const { codes } = require('internal/errors');
const { FieldTable, lowerCase, validateHeaderName, validateHeaderValue } = require('internal/http/fields');

// Which of the relevant lines were present.
const kConnection = 1;
const kLength = 2;
const kTransfer = 4;
const kDate = 8;
const kExpect = 16;
const kTrailer = 32;
const kKeepAlive = 64;
const marks = new Map([
  ['connection', kConnection],
  ['content-length', kLength],
  ['transfer-encoding', kTransfer],
  ['date', kDate],
  ['expect', kExpect],
  ['trailer', kTrailer],
  ['keep-alive', kKeepAlive],
]);

const chunkedWord = /(?:^|\W)chunked(?:$|\W)/i;
const closeWord = /(?:^|\W)close(?:$|\W)/i;

// The Date line is valid until the second ends; the loop's clock tells when that is.
let dateLine = '';
let dateUntil = 0;
function currentDate() {
  const time = now();
  if (time >= dateUntil) {
    const date = new Date();
    dateUntil = time + 1000 - date.getMilliseconds();
    dateLine = `Date: ${date.toUTCString()}\r\n`;
  }
  return dateLine;
}

class Head {
  constructor(message, firstLine) {
    this.message = message;
    this.text = firstLine;
    this.seen = 0;
    this.close = false;
    this.chunked = false;
  }

  // Writes one line and notes its meaning. Values were checked when they were set, unless `check` says otherwise.
  line(name, value, check) {
    if (check) validateHeaderValue(name, value, this.message.relaxedValues);
    this.text += `${name}: ${value}\r\n`;
    const mark = marks.get(lowerCase(name));
    if (mark === undefined) return;
    this.seen |= mark;
    if (mark === kConnection) {
      this.close = closeWord.test(value);
    } else if (mark === kTransfer) {
      this.chunked = chunkedWord.test(value);
    } else if (mark === kLength) {
      this.message._contentLength = +value;
    }
  }

  field(name, value, check) {
    if (check) validateHeaderName(name);
    if (!Array.isArray(value)) {
      this.line(name, value, check);
      return;
    }
    const lower = lowerCase(name);
    const single = lower === 'cookie' || this.message.uniqueHeaders?.has(lower);
    if (value.length > 1 && single) {
      this.line(name, value.join('; '), check);
    } else {
      for (const item of value) this.line(name, item, check);
    }
  }

  // A FieldTable; a list of names and values; a list of pairs; or an object.
  fields(source) {
    if (source instanceof FieldTable) {
      for (const { name, value } of source.entries.values()) this.field(name, value, false);
    } else if (Array.isArray(source)) {
      if (source.length > 0 && Array.isArray(source[0])) {
        for (const pair of source) this.field(pair[0], pair[1], true);
      } else {
        if (source.length % 2 !== 0) throw new codes.ERR_INVALID_ARG_VALUE('headers', source);
        for (let i = 0; i < source.length; i += 2) this.field(source[i], source[i + 1], true);
      }
    } else if (source) {
      for (const name in source) {
        if (Object.hasOwn(source, name)) this.field(name, source[name], true);
      }
    }
  }

  // -> the whole head
  finish() {
    const { message } = this;
    if (message.sendDate && (this.seen & kDate) === 0) this.text += currentDate();
    const { statusCode } = message;
    if (this.chunked && (statusCode === 204 || statusCode === 304)) {
      // A message without a body cannot use chunked encoding: no chunk is sent, and the connection is closed.
      this.chunked = false;
      message.shouldKeepAlive = false;
    }
    this.persistence();
    this.framing();
    message.chunkedEncoding = this.chunked;
    if ((this.seen & kTrailer) !== 0 && !this.chunked) throw new codes.ERR_HTTP_TRAILER_INVALID();
    message.expects = (this.seen & kExpect) !== 0;
    return `${this.text}\r\n`;
  }

  persistence() {
    const { message } = this;
    if ((this.seen & kConnection) !== 0) {
      if (this.close) message.lastOnConnection = true;
      else message.shouldKeepAlive = true;
      return;
    }
    if (message.withoutConnection) {
      message.lastOnConnection = !message.shouldKeepAlive;
      return;
    }
    const framed = (this.seen & kLength) !== 0 || message.useChunkedEncodingByDefault || message.agent;
    if (!message.shouldKeepAlive || !framed) {
      message.lastOnConnection = true;
      this.text += 'Connection: close\r\n';
    } else if (message.connectionExhausted) {
      this.text += 'Connection: close\r\n';
    } else {
      this.text += message.keepAliveLines((this.seen & kKeepAlive) === 0);
    }
  }

  framing() {
    const { message } = this;
    if ((this.seen & (kLength | kTransfer)) !== 0) return;
    if (!message._hasBody) {
      this.chunked = false;
    } else if (!message.useChunkedEncodingByDefault) {
      message.lastOnConnection = true;
    } else if ((this.seen & kTrailer) === 0 && !message.withoutLength && typeof message._contentLength === 'number') {
      this.text += `Content-Length: ${message._contentLength}\r\n`;
    } else if (!message.withoutTransfer) {
      this.text += 'Transfer-Encoding: chunked\r\n';
      this.chunked = true;
    } else {
      message.lastOnConnection = true; // only the end of the connection can end the body
    }
  }
}

function composeHead(message, firstLine, source) {
  const head = new Head(message, firstLine);
  head.fields(source);
  return head.finish();
}

module.exports = { composeHead };
