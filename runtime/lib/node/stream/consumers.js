'use strict';

// stream/consumers: the whole contents of a stream. Any iterable is collected into a blob, from which the binary forms
// are made; text is decoded as it arrives, because a character may be split between two chunks.

async function collect(stream) {
  const { Blob } = require('internal/blob');
  const pieces = [];
  for await (const chunk of stream) pieces.push(chunk);
  return new Blob(pieces);
}

async function decode(stream) {
  const { TextDecoder } = require('internal/encoding');
  const decoder = new TextDecoder();
  const pieces = [];
  for await (const chunk of stream)
    pieces.push(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
  pieces.push(decoder.decode());
  return pieces.join('');
}

module.exports = {
  arrayBuffer: async (stream) => (await collect(stream)).arrayBuffer(),
  blob: collect,
  buffer: async (stream) => require('internal/buffer/class').Buffer.from(await module.exports.arrayBuffer(stream)),
  bytes: async (stream) => (await collect(stream)).bytes(),
  text: decode,
  json: async (stream) => JSON.parse(await decode(stream)),
};
for (const [name, consume] of Object.entries(module.exports))
  Object.defineProperty(consume, 'name', { __proto__: null, value: name });
