'use strict';

// Handles under a connection with TLS: the one of the network, and stand-ins of programs.
//
// What programs that stand in for the network find on the handle of a client with TLS, by Node's names: they put
// functions of their own there, and say themselves that the handshake is done. A handle whose `start` is not ours is
// such a one: no handshake takes place on it.

const binding = internalBinding('tls');
const { kOwner } = require('internal/stream_base');
const { Buffer } = require('internal/buffer/class');

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

// The handle of a net.Socket, as that socket sees it once TLS uses it: the socket can still close it, read its
// properties and write to it without TLS; only TLS reads from it.

function bypass(handle, connection) {
  const view = Object.create(handle);
  // The same callback comes with the view, whose connection is the underlying socket's.
  const expect = (result, callback) => {
    if (result === 1) handle._expect((status) => callback(status, view));
    return result;
  };
  const bytesOf = (chunk, encoding) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
  return Object.assign(view, {
    connection,
    onread: undefined,
    reading: true,
    readStart: () => 0,
    readStop: () => 0,
    close: (callback) => handle.close(callback),
    reset: handle.reset && ((callback) => handle.reset(callback)),
    write: (chunk, encoding, callback) => expect(binding.writeRaw(handle.id, bytesOf(chunk, encoding)), callback),
    writev(chunks, callback) {
      const all = Buffer.concat(chunks.map(({ chunk, encoding }) => bytesOf(chunk, encoding)));
      return expect(binding.writeRaw(handle.id, all), callback);
    },
    shutdown(callback) {
      const result = binding.shutRaw(handle.id);
      if (result !== 1) return result;
      handle._onshutdown = callback;
      return 0;
    },
  });
}

module.exports = { names, isStandIn, answerOf, bypass };
