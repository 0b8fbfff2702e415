'use strict';

// The handle of a net.Socket, as that socket sees it once TLS uses it: the socket can still close it, read its
// properties and write to it without TLS; only TLS reads from it.

const binding = internalBinding('tls');
const { Buffer } = require('internal/buffer/class');

function bypass(handle, wire) {
  const view = Object.create(handle);
  // The same callback comes with the view, whose wire is the carrier's.
  const expect = (result, callback) => {
    if (result === 1) handle._expect((status) => callback(status, view));
    return result;
  };
  const bytesOf = (chunk, encoding) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
  return Object.assign(view, {
    wire,
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

module.exports = { bypass };
