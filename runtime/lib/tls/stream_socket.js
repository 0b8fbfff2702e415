'use strict';

// A Duplex of any kind with the interface of a socket. TLS here does not need it; packages (http2-wrapper, and with it
// got) take the class from `tlsSocket._handle._parentWrap.constructor` to wrap the streams that they tunnel through.

const { Duplex } = require('stream');

class JSStreamSocket extends Duplex {
  constructor(stream) {
    super({ allowHalfOpen: stream.allowHalfOpen !== false, decodeStrings: false });
    this.stream = stream;
    stream.on('data', (chunk) => {
      if (!this.push(chunk)) stream.pause();
    });
    stream.on('end', () => this.push(null));
    stream.on('error', (error) => this.destroy(error));
    stream.on('close', () => this.destroy());
  }

  _read() {
    this.stream.resume();
  }

  _write(chunk, encoding, callback) {
    this.stream.write(chunk, encoding, callback);
  }

  _final(callback) {
    this.stream.end(() => callback());
  }

  _destroy(error, callback) {
    this.stream.destroy();
    callback(error);
  }
}

// Methods of a socket are forwarded to the stream, if it has them.
for (const name of ['ref', 'unref', 'setNoDelay', 'setKeepAlive', 'setTimeout']) {
  JSStreamSocket.prototype[name] = function (...args) {
    this.stream[name]?.(...args);
    return this;
  };
}

module.exports = { JSStreamSocket };
