'use strict';

// What programs that stand in for the network find on the handle of a client with TLS, by Node's names: they put
// functions of their own there, and say themselves that the handshake is done. A handle whose `start` is not ours is
// such a one: no handshake takes place on it.

const binding = internalBinding('tls');
const { kOwner } = require('internal/stream_base');

const agreed = (link) => (link === undefined || link.number < 0 ? false : binding.agreed(link.number));

const names = {
  start() {},
  getALPNNegotiatedProtocol() {
    return agreed(this.link);
  },
  verifyError() {
    return this.link?.verifyError() ?? null;
  },
  onhandshakedone() {
    const socket = this[kOwner];
    socket.alpnProtocol = this.getALPNNegotiatedProtocol();
    socket.servername = socket._tlsOptions.servername || false;
    socket._secureEstablished = true;
    socket.secureConnecting = false;
    socket.emit('secure');
  },
  onnewsession(id, session) {
    this[kOwner].emit('session', session);
  },
};

const isStandIn = (handle) => handle.start !== undefined && handle.start !== names.start;

// What such a handle says, if the program has put an answer there.
const answerOf = (handle, name, otherwise) => (typeof handle[name] === 'function' ? handle[name]() : otherwise);

module.exports = { names, isStandIn, answerOf };
