'use strict';

// stream/consumers: all of a stream at once, as bytes, text or JSON.

async function blob(stream) {
  const { Blob } = require('internal/blob');
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return new Blob(chunks);
}

async function arrayBuffer(stream) {
  const all = await blob(stream);
  return all.arrayBuffer();
}

async function bytes(stream) {
  const all = await blob(stream);
  return all.bytes();
}

async function buffer(stream) {
  const { Buffer } = require('buffer');
  return Buffer.from(await arrayBuffer(stream));
}

async function text(stream) {
  const { TextDecoder } = require('internal/encoding');
  const decoder = new TextDecoder();
  let result = '';
  for await (const chunk of stream) {
    if (typeof chunk === 'string') result += chunk;
    else result += decoder.decode(chunk, { stream: true });
  }
  return result + decoder.decode(undefined, { stream: false });
}

async function json(stream) {
  return JSON.parse(await text(stream));
}

module.exports = { arrayBuffer, blob, buffer, bytes, text, json };
