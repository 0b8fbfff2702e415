'use strict';

// The stream that a program gets for an upgrade whose request has a body: what it writes goes to the socket at once; it
// reads the bytes that follow the body. Reading from it discards an unread body.

const { Duplex } = require('stream');
const { isConsumed } = require('internal/http/incoming');

class UpgradeStream extends Duplex {
  constructor(socket, request) {
    super({ allowHalfOpen: true, autoDestroy: true });
    this.socket = socket;
    this.request = request;
    this.begun = false;
    this.wanted = false;
    socket.once('close', () => this.destroy());
  }

  // The body is over: the rest belongs to this stream.
  begin(head) {
    const { socket } = this;
    this.begun = true;
    socket.on('end', () => this.push(null));
    socket.on('data', (chunk) => {
      if (!this.push(chunk)) socket.pause();
    });
    if (head.length > 0) this.push(head);
    if (!this.wanted) socket.pause();
  }

  _read() {
    this.wanted = true;
    if (this.begun) this.socket.resume();
    else if (!isConsumed(this.request)) this.request.resume();
  }

  _write(chunk, encoding, callback) {
    this.socket.write(chunk, encoding, callback);
  }

  _final(callback) {
    this.socket.end(callback);
  }

  _destroy(error, callback) {
    this.socket.destroy();
    callback(error);
  }
}

module.exports = { UpgradeStream };
