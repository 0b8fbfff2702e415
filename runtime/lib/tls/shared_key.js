'use strict';

// Pre-shared keys (TLS-PSK): checks the result of the program's pskCallback. OpenSSL asks for a key during a handshake
// and cannot wait.

const { Buffer } = require('internal/buffer/class');
const { codes } = require('internal/errors');
const { isArrayBufferView } = require('internal/util/types');
const { validateObject, validateString } = require('internal/validators');

const nobody = { key: undefined, identity: undefined };

function keyBytes(name, key, room) {
  if (!isArrayBufferView(key)) throw new codes.ERR_INVALID_ARG_TYPE(name, ['Buffer', 'TypedArray', 'DataView'], key);
  if (key.byteLength > room) {
    throw new codes.ERR_INVALID_ARG_VALUE(name, key, `Pre-shared key exceeds ${room} bytes`);
  }
  return new Uint8Array(key.buffer, key.byteOffset, key.byteLength);
}

function forServer(link, callback, identity, room) {
  const key = callback.call(link.socket, link.socket, identity);
  return key === undefined || key === null ? nobody : { key: keyBytes('ret', key, room), identity: undefined };
}

function forClient(link, callback, hint, keyRoom, identityRoom) {
  const answer = callback.call(link.socket, hint);
  if (answer === undefined || answer === null) return nobody;
  validateObject(answer, 'ret');
  const key = keyBytes('ret.psk', answer.psk, keyRoom);
  const { identity } = answer;
  validateString(identity, 'ret.identity');
  if (Buffer.byteLength(identity) > identityRoom) {
    throw new codes.ERR_INVALID_ARG_VALUE('ret.identity', identity, `PSK identity exceeds ${identityRoom} bytes`);
  }
  return { key, identity };
}

function ask(link, callback, about, keyRoom, identityRoom) {
  return link.isServer
    ? forServer(link, callback, about, keyRoom)
    : forClient(link, callback, about, keyRoom, identityRoom);
}

module.exports = { ask };
