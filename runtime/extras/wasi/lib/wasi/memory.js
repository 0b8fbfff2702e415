'use strict';

// The guest's memory. Any call may replace it by a larger one, so no reference to it is kept. An access outside of it
// is a RangeError, which becomes an error number for the guest.

const { Buffer } = require('internal/buffer/class');
const { typeOfMode } = require('internal/wasi/numbers');

class Memory {
  #memory;

  constructor(memory) {
    this.#memory = memory;
  }

  get view() {
    return new DataView(this.#memory.buffer);
  }

  bytes(at, length) {
    return new Uint8Array(this.#memory.buffer, at, length);
  }

  text(at, length) {
    return Buffer.from(this.bytes(at, length)).toString();
  }

  setU32(at, value) {
    this.view.setUint32(at, value, true);
  }

  setU64(at, value) {
    this.view.setBigUint64(at, BigInt(value), true);
  }

  // [offset, length] of the pieces of a vector
  pieces(at, count) {
    const { view } = this;
    return Array.from({ length: count }, (_, i) => {
      const piece = [view.getUint32(at + i * 8, true), view.getUint32(at + i * 8 + 4, true)];
      if (piece[0] + piece[1] > view.byteLength) throw new RangeError('outside of memory');
      return piece;
    });
  }

  // Zero-terminated texts, and their positions.
  setTexts(pointersAt, textsAt, texts) {
    const { view } = this;
    let at = textsAt;
    texts.forEach((text, i) => {
      view.setUint32(pointersAt + i * 4, at, true);
      this.bytes(at, text.length).set(text);
      at += text.length;
    });
  }

  // The result of the binding's stat (runtime/extras/wasi/wasi_path.c).
  setFileStat(at, [device, inode, mode, links, size, accessed, modified, changed]) {
    const { view } = this;
    view.setBigUint64(at, device, true);
    view.setBigUint64(at + 8, inode, true);
    view.setBigUint64(at + 16, 0n, true);
    view.setUint8(at + 16, typeOfMode(Number(mode)));
    [links, size, accessed, modified, changed].forEach((value, i) => view.setBigUint64(at + 24 + i * 8, value, true));
  }
}

module.exports = { Memory };
