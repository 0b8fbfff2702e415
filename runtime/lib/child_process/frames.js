'use strict';

// The framing of messages in the channel between two processes. There are two formats:
//   Lines: JSON, one message a line.
//   Blocks: structured clones (internal/child_process/clone.js), each behind its length in four bytes.
// feed(bytes, message, bad) calls back for each complete message, and for each that cannot be read: an invalid frame is
// an error, and the next one is read all the same.

const { Buffer } = require('internal/buffer/class');
const { StringDecoder } = require('string_decoder');

class Lines {
  #decoder = new StringDecoder('utf8');
  #rest = '';

  feed(bytes, message, bad) {
    let text = this.#decoder.write(bytes);
    let from = 0;
    for (let end; (end = text.indexOf('\n', from)) !== -1; from = end + 1) {
      const line = this.#rest + text.slice(from, end);
      this.#rest = '';
      let value;
      try {
        value = JSON.parse(line);
      } catch (error) {
        bad(error);
        continue;
      }
      message(value);
    }
    if (from !== 0) text = text.slice(from);
    this.#rest += text;
  }

  encode(message) {
    return `${JSON.stringify(message)}\n`;
  }
}

const HEAD = 4;

class Blocks {
  #pieces = [];
  #length = 0;

  feed(bytes, message, bad) {
    const { deserialize } = require('internal/child_process/clone');
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    let size;
    while ((size = this.#nextSize()) !== undefined && this.#length >= HEAD + size) {
      const all = this.#join();
      this.#pieces = [all.subarray(HEAD + size)];
      this.#length -= HEAD + size;
      let value;
      try {
        value = deserialize(all.subarray(HEAD, HEAD + size));
      } catch (error) {
        bad(error);
        continue;
      }
      message(value);
    }
  }

  // Pieces are joined only when a block is complete, or its head is split.
  #join() {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
    return this.#pieces[0];
  }

  #nextSize() {
    if (this.#length < HEAD) return undefined;
    const first = this.#pieces[0].length >= HEAD ? this.#pieces[0] : this.#join();
    return first.readUInt32BE(0);
  }

  encode(message) {
    const body = require('internal/child_process/clone').serialize(message);
    const block = Buffer.allocUnsafe(HEAD + body.length);
    block.writeUInt32BE(body.length, 0);
    block.set(body, HEAD);
    return block;
  }
}

module.exports = { framesFor: (serialization) => (serialization === 'advanced' ? new Blocks() : new Lines()) };
