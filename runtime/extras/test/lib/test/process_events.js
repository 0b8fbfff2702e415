'use strict';

// The events of a test file's process on their way to the parent: frames of a length and a serialized event, through a
// separate pipe, so that they do not mix with the file's output.

const { serialize, deserialize } = require('v8');
const { inspect } = require('internal/util/inspect');

const variable = 'ROTA_TEST_EVENTS';
const head = 4;

// Serialization keeps only the name, message and stack of an error.
function pack(value, depth = 0) {
  if (value === null || typeof value !== 'object')
    return typeof value === 'function' || typeof value === 'symbol' ? inspect(value) : value;
  if (depth > 8) return inspect(value);
  if (value instanceof Error) {
    const own = {};
    for (const key of Object.keys(value)) own[key] = pack(value[key], depth + 1);
    const packed = { __packed: true, name: value.name, message: value.message, stack: value.stack, own };
    if (Object.hasOwn(value, 'cause')) packed.cause = { value: pack(value.cause, depth + 1) };
    return packed;
  }
  try {
    serialize(value);
    return value;
  } catch {
    return inspect(value);
  }
}

function unpack(value) {
  if (value === null || typeof value !== 'object' || value.__packed !== true) return value;
  const error = new Error(value.message);
  const hide = (name, content) =>
    Object.defineProperty(error, name, {
      __proto__: null,
      value: content,
      configurable: true,
      writable: true,
      enumerable: false,
    });
  hide('stack', value.stack);
  if (value.name !== 'Error') hide('name', value.name);
  for (const key of Object.keys(value.own)) error[key] = unpack(value.own[key]);
  if (value.cause !== undefined && !('cause' in value.own)) hide('cause', unpack(value.cause.value));
  return error;
}

function packEvent({ type, data }) {
  const packed = { ...data };
  if (data.details?.error !== undefined) packed.details = { ...data.details, error: pack(data.details.error) };
  if (type === 'test:log') packed.data = pack(data.data);
  return { type, data: packed };
}

function unpackEvent({ type, data }) {
  if (data.details?.error !== undefined) data.details.error = unpack(data.details.error);
  return { type, data };
}

function writeAll(fd, bytes) {
  const { writeSync } = require('fs');
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') return;
    }
  }
}

// In the file's process: a function that sends the events of a stream, or nothing if there is no such parent. A
// grandchild inherits the variable, but has another parent.
function toParent() {
  const [fd, pid] = (process.env[variable] ?? '').split(':').map(Number);
  if (!(fd > 2) || pid !== process.ppid) return undefined;
  return (stream) =>
    stream.on('data', (event) => {
      const body = serialize(packEvent(event));
      const frame = Buffer.allocUnsafe(head + body.length);
      frame.writeUInt32BE(body.length, 0);
      body.copy(frame, head);
      writeAll(fd, frame);
    });
}

// In the parent: calls `take` with each event from `pipe`.
function fromChild(pipe, take) {
  let rest = Buffer.alloc(0);
  pipe.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= head) {
      const end = head + rest.readUInt32BE(0);
      if (rest.length < end) break;
      take(unpackEvent(deserialize(rest.subarray(head, end))));
      rest = rest.subarray(end);
    }
  });
}

const environment = () => ({ NODE_TEST_CONTEXT: 'child-v8', [variable]: `3:${process.pid}` });

module.exports = { toParent, fromChild, environment };
