'use strict';

// Keys for the rest of crypto: the makers of key objects, and what the other parts need of the files around this one.

const { codes, binding, getArrayBufferOrView, toBytes } = require('internal/crypto/util');
const objects = require('internal/crypto/key_object');
const input = require('internal/crypto/key_input');
const { readForm, writeJwk } = require('internal/crypto/key_forms');
const brands = require('internal/crypto/brands');
const { Buffer } = require('internal/buffer/class');

const { SecretKeyObject, PublicKeyObject, PrivateKeyObject, isKeyObject, slotsOf } = objects;

function createSecretKey(key, encoding) {
  if (!input.isBytes(key)) throw new codes.ERR_INVALID_ARG_TYPE('key', input.memoryKinds, key);
  const bytes = toBytes(getArrayBufferOrView(key, 'key', encoding));
  return new SecretKeyObject(Buffer.copyBytesFrom(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
}

// Without the private numbers, so that the object cannot reveal them.
function publicHalf(handle) {
  return input.readDer(false, new Uint8Array(binding.keyExport(handle, false, false, 'spki')));
}

const objectIn = (argument) => [argument, argument?.key].find(input.isKey);

function createPublicKey(key) {
  const object = objectIn(key);
  if (object !== undefined) {
    const { type } = getKeySlots(object);
    if (type !== 'private') throw new codes.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(type, 'private');
  }
  const { handle, isPrivate } = input.preparePublicKey(key);
  return new PublicKeyObject(isPrivate ? publicHalf(handle) : handle);
}

function createPrivateKey(key) {
  const object = objectIn(key);
  if (object !== undefined) throw new codes.ERR_INVALID_ARG_TYPE('key', input.creationKinds, object);
  return new PrivateKeyObject(input.preparePrivateKey(key, 'key', input.creationKinds).handle);
}

// ---------------------------------------------------------------- for others

function getKeySlots(key) {
  return isKeyObject(key) ? slotsOf(key) : require('internal/crypto/web/key').slotsOf(key);
}

// For the transfer to another thread.
function toPlain(object) {
  const { type, handle } = slotsOf(object);
  if (type === 'secret') return { type, bytes: new Uint8Array(handle) };
  return {
    type,
    bytes: new Uint8Array(binding.keyExport(handle, type === 'private', false, type === 'private' ? 'pkcs8' : 'spki')),
  };
}

function fromPlain({ type, bytes }) {
  return objects.fromHandle(type, type === 'secret' ? Buffer.from(bytes) : input.readDer(type === 'private', bytes));
}

module.exports = {
  ...objects,
  createSecretKey,
  createPublicKey,
  createPrivateKey,
  publicHalf,
  getKeySlots,
  toPlain,
  fromPlain,
  readForm,
  writeJwk,
  isCryptoKey: (value) => brands.isCryptoKey(value),
  preparePrivateKey: input.preparePrivateKey,
  preparePublicKey: input.preparePublicKey,
  curveKey: input.curveKey,
  readDer: input.readDer,
  pointOf: input.pointOf,
  handleOf: (object) => slotsOf(object).handle,
};
