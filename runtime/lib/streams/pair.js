'use strict';

// stream.duplexPair: two duplex streams, each of which reads what is written to the other. The callback of a write is
// called when the peer asks for more: nothing is buffered twice.

const { Duplex } = require('stream');

class Side extends Duplex {
  #peer;
  #delivered; // tells the peer's writer that its last chunk was taken

  static couple(options) {
    const sides = [new Side(options), new Side(options)];
    sides[0].#peer = sides[1];
    sides[1].#peer = sides[0];
    return sides;
  }

  _read() {
    const delivered = this.#delivered;
    this.#delivered = undefined;
    delivered?.();
  }

  _write(chunk, encoding, done) {
    // An empty chunk is not passed on.
    if (chunk.length === 0) {
      process.nextTick(done);
      return;
    }
    this.#peer.#delivered = done;
    this.#peer.push(chunk);
  }

  _final(done) {
    this.#peer.on('end', done);
    this.#peer.push(null);
  }

  // An error stays on its side; the other side is destroyed. Without an error the other side may read to its end.
  _destroy(error, done) {
    process.nextTick(error ? () => this.#peer.destroy() : () => this.#peer.push(null));
    done(error);
  }
}

module.exports = { duplexPair: (options) => Side.couple(options) };
