'use strict';
// The frames of WebSocket (RFC 6455), as far as a chat needs them: texts up to 64 KB, also in fragments, pings, and the close.

const { createHash } = require('node:crypto');

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 1, CLOSE = 8, PING = 9, PONG = 10;
const MOST = 64 * 1024;

const acceptKey = (key) => createHash('sha1').update(key + GUID).digest('base64');

function encode(opcode, payload) {
  const length = payload.length;
  const head = length < 126 ? Buffer.from([0x80 | opcode, length]) : Buffer.from([0x80 | opcode, 126, length >> 8, length & 255]);
  return Buffer.concat([head, payload]);
}

const encodeText = (text) => encode(TEXT, Buffer.from(text));
const encodeClose = (code) => encode(CLOSE, Buffer.from([code >> 8, code & 255]));

// Takes bytes as they come. on.text(text), on.close(code), on.ping(payload): each is called for a whole message.
class Reader {
  #rest = Buffer.alloc(0);
  #fragments = [];

  constructor(on) {
    this.on = on;
  }

  push(bytes) {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    while (this.#takeFrame());
  }

  #takeFrame() {
    const rest = this.#rest;
    if (rest.length < 2) return false;
    const isLast = (rest[0] & 0x80) !== 0, opcode = rest[0] & 15, isMasked = (rest[1] & 0x80) !== 0;
    let length = rest[1] & 127, at = 2;
    if (length === 127 || !isMasked) return this.#fail(length === 127 ? 1009 : 1002);
    if (length === 126) {
      if (rest.length < 4) return false;
      length = rest.readUInt16BE(2);
      at = 4;
    }
    if (rest.length < at + 4 + length) return false;
    const mask = rest.subarray(at, at + 4), payload = Buffer.from(rest.subarray(at + 4, at + 4 + length));
    for (let i = 0; i < length; i++) payload[i] ^= mask[i & 3];
    this.#rest = rest.subarray(at + 4 + length);
    return this.#frame(opcode, isLast, payload);
  }

  #frame(opcode, isLast, payload) {
    if (opcode === CLOSE) return this.#fail(payload.length >= 2 ? payload.readUInt16BE(0) : 1000);
    if (opcode === PING) this.on.ping(payload);
    if (opcode > TEXT) return opcode === PING || opcode === PONG ? true : this.#fail(1003);
    this.#fragments.push(payload);
    if (this.#fragments.reduce((sum, part) => sum + part.length, 0) > MOST) return this.#fail(1009);
    if (isLast) this.on.text(Buffer.concat(this.#fragments.splice(0)).toString());
    return true;
  }

  #fail(code) {
    this.#rest = Buffer.alloc(0);
    this.on.close(code);
    return false;
  }
}

module.exports = { Reader, acceptKey, encode, encodeClose, encodeText, PONG };
