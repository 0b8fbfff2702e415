'use strict';

// stream.duplexPair: two duplex streams, each of which reads what is written to the other. A side that has pushed a
// chunk into its peer is told so, and may write the next, when the peer asks for more: nothing is buffered twice.

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
    // Nobody reads on for the sake of nothing.
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

  // An error stays on its side; the other one is cut off. Without an error the other one may read to its end.
  _destroy(error, done) {
    process.nextTick(error ? () => this.#peer.destroy() : () => this.#peer.push(null));
    done(error);
  }
}

module.exports = { duplexPair: (options) => Side.couple(options) };
