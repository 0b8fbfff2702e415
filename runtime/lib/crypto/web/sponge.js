'use strict';

// Functions of the Keccak family that the library lacks, made from those that it has: cSHAKE and KMAC (NIST SP
// 800-185). TurboSHAKE and KangarooTwelve (RFC 9861) are in the binding.

const { binding } = require('internal/crypto/util');
const { Work } = require('internal/crypto/work');
const { viewOf } = require('internal/crypto/web/algorithms');
const { Buffer } = require('internal/buffer/class');

// The rate of the sponge in bytes.
const rateOf = (name) => (name.endsWith('128') ? 168 : 136);
const keccakOf = (name) => (name.endsWith('128') ? 'KECCAK-KMAC-128' : 'KECCAK-KMAC-256');

function bytesOfNumber(number) {
  const bytes = [];
  do {
    bytes.unshift(number % 256);
    number = Math.floor(number / 256);
  } while (number > 0);
  return bytes;
}

// A number with its length before it, or after it.
function leftEncode(number) {
  const bytes = bytesOfNumber(number);
  return Buffer.from([bytes.length, ...bytes]);
}

function rightEncode(number) {
  const bytes = bytesOfNumber(number);
  return Buffer.from([...bytes, bytes.length]);
}

const encodeString = (bytes, bits = bytes.length * 8) => Buffer.concat([leftEncode(bits), bytes]);

// Padded with zeros to a whole number of blocks; the length of a block precedes it.
function bytePad(bytes, rate) {
  const padded = Buffer.concat([leftEncode(rate), bytes]);
  return Buffer.concat([padded], Math.ceil(padded.length / rate) * rate);
}

const prefix = (name, label, customization) =>
  bytePad(Buffer.concat([encodeString(label), encodeString(customization)]), rateOf(name));

function kmacParts(name, key, keyBits, customization, data, outputBits) {
  return [
    prefix(name, Buffer.from('KMAC'), customization),
    bytePad(encodeString(key, keyBits), rateOf(name)),
    data,
    rightEncode(outputBits),
  ];
}

function turbo(name, data, length, domain = 0x1f) {
  return new Work(binding.messageTurbo, [rateOf(name), viewOf(data), domain, length], (value) => value);
}

// The customization follows the message, and its length follows it.
function kangaroo(name, data, length, customization) {
  const custom = customization === undefined ? new Uint8Array() : viewOf(customization);
  const size = custom.length === 0 ? Buffer.of(0) : rightEncode(custom.length);
  return new Work(
    binding.messageKangaroo,
    [rateOf(name), Buffer.concat([viewOf(data), custom, size]), length],
    (value) => value,
  );
}

module.exports = { keccakOf, prefix, kmacParts, turbo, kangaroo };
