'use strict';
// Messages of Protocol Buffers, as far as exports need them: numbers, texts and messages in fields. A field with the
// value 0 or '' is left out, which means the same.

const kChunk = 1 << 16;

class Message {
  constructor() {
    this.bytes = Buffer.alloc(256);
    this.length = 0;
  }
  room(size) {
    if (this.length + size <= this.bytes.length) return;
    const larger = Buffer.alloc(Math.max(this.bytes.length * 2, this.length + size + kChunk));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
  // Whole numbers below 2 ** 53; bits beyond 32 cannot be shifted.
  varint(value) {
    this.room(10);
    while (value >= 0x80) {
      this.bytes[this.length++] = (value % 0x80) + 0x80;
      value = Math.floor(value / 0x80);
    }
    this.bytes[this.length++] = value;
  }
  number(field, value) {
    if (value === 0) return this;
    this.varint(field * 8);
    this.varint(value);
    return this;
  }
  raw(field, bytes) {
    this.varint(field * 8 + 2);
    this.varint(bytes.length);
    this.room(bytes.length);
    bytes.copy(this.bytes, this.length);
    this.length += bytes.length;
    return this;
  }
  text(field, text) {
    return text === '' ? this : this.raw(field, Buffer.from(text));
  }
  // A list of texts has its empty ones, too.
  texts(field, list) {
    for (const text of list) this.raw(field, Buffer.from(text));
    return this;
  }
  message(field, message) {
    return this.raw(field, message.done());
  }
  packed(field, numbers) {
    const list = new Message();
    for (const each of numbers) list.varint(each);
    return this.message(field, list);
  }
  done() {
    return this.bytes.subarray(0, this.length);
  }
}

module.exports = { Message };
