'use strict';

// Two duplexes, each of which reads what is written to the other.

const { Duplex } = require('stream');

const kCallback = Symbol('Callback');
const kOtherSide = Symbol('OtherSide');

class DuplexSide extends Duplex {
  constructor(options) {
    super(options);
    this[kCallback] = null;
    this[kOtherSide] = null;
  }

  _read() {
    const callback = this[kCallback];
    if (callback) {
      this[kCallback] = null;
      callback();
    }
  }

  _write(chunk, encoding, callback) {
    if (chunk.length === 0) {
      process.nextTick(callback);
    } else {
      this[kOtherSide].push(chunk);
      this[kOtherSide][kCallback] = callback;
    }
  }

  _final(callback) {
    this[kOtherSide].on('end', callback);
    this[kOtherSide].push(null);
  }

  _destroy(err, callback) {
    const other = this[kOtherSide];
    if (other !== null && !other.destroyed) {
      process.nextTick(() => {
        if (other.destroyed) return;
        // The other side closes; the error is not its own.
        if (err) other.destroy();
        else other.push(null);
      });
    }
    callback(err);
  }
}

module.exports = function duplexPair(options) {
  const side0 = new DuplexSide(options);
  const side1 = new DuplexSide(options);
  side0[kOtherSide] = side1;
  side1[kOtherSide] = side0;
  return [side0, side1];
};
