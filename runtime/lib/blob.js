'use strict';

// Blob and File: immutable bytes with a type. The parts are kept as they are given (views are copied) and read one
// after the other.

const { codes } = require('internal/errors');
const { isAnyArrayBuffer } = require('internal/util/types');

const kParts = Symbol('kParts');
const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kMaxChunk = 65536;
const noBytes = new Uint8Array(0);
const badType = /[^\u0020-\u007e]/;

let encoder;
function encode(text) {
  encoder ??= new (require('internal/encoding').TextEncoder)();
  return encoder.encode(text);
}

function concat(parts) {
  if (parts.length === 0) return noBytes;
  if (parts.length === 1) return parts[0];
  let length = 0;
  for (const part of parts) length += part.length;
  const result = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

function getSource(source, endings) {
  if (isBlob(source)) return [source.size, source[kParts]];
  if (isAnyArrayBuffer(source)) source = new Uint8Array(source).slice();
  else if (ArrayBuffer.isView(source))
    source = new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice();
  else {
    source = `${source}`;
    if (endings === 'native') source = source.replace(/\r\n|\r|\n/g, '\n');
    source = encode(source);
  }
  return [source.length, [source]];
}

function toSequence(value) {
  if (
    value === null ||
    (typeof value !== 'object' && typeof value !== 'function') ||
    typeof value[Symbol.iterator] !== 'function'
  ) {
    const error = new codes.ERR_INVALID_ARG_TYPE('sources', 'a sequence', value);
    error.message = 'Value cannot be converted to sequence.';
    throw error;
  }
  return value;
}

const states = new WeakMap();

function stateOf(value) {
  const state = typeof value === 'object' && value !== null ? states.get(value) : undefined;
  if (state === undefined) throw new codes.ERR_INVALID_THIS('Blob');
  return state;
}

function normalizeType(type) {
  type = `${type}`;
  return badType.test(type) ? '' : type.toLowerCase();
}

class Blob {
  constructor(sources = [], options = undefined) {
    sources = toSequence(sources);
    if (options != null && typeof options !== 'object' && typeof options !== 'function') {
      throw new codes.ERR_INVALID_ARG_TYPE('options', 'a dictionary', options);
    }
    const type = options?.type ?? '';
    let endings = options?.endings ?? 'transparent';
    endings = `${endings}`;
    if (endings !== 'transparent' && endings !== 'native')
      throw new codes.ERR_INVALID_ARG_VALUE('options.endings', endings);
    let size = 0;
    let idle = 0; // empty parts: they count when the blob is read
    const parts = [];
    for (const source of sources) {
      const [length, made] = getSource(source, endings);
      if (isBlob(source)) idle += states.get(source).idle;
      else if (length === 0) idle++;
      if (length > 0) {
        size += length;
        parts.push(...made);
      }
    }
    if (size > 0x1fffffffffffff) throw new codes.ERR_BUFFER_TOO_LARGE(0x1fffffffffffff);
    this[kParts] = parts;
    Object.defineProperty(this, kParts, { __proto__: null, enumerable: false });
    states.set(this, { size, type: normalizeType(type), idle });
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `Blob ${require('internal/util/inspect').inspect({ size: this.size, type: this.type }, inner)}`;
  }

  get type() {
    return stateOf(this).type;
  }

  get size() {
    return stateOf(this).size;
  }

  slice(start = 0, end = this.size, type = '') {
    const { size } = stateOf(this);
    start = Number(start) || 0;
    end = end === undefined ? size : Number(end) || 0;
    start = Math.trunc(start);
    end = Math.trunc(end);
    start = start < 0 ? Math.max(size + start, 0) : Math.min(start, size);
    end = end < 0 ? Math.max(size + end, 0) : Math.min(end, size);
    const span = Math.max(end - start, 0);
    const parts = [];
    let position = 0;
    let idle = 0;
    for (const part of this[kParts]) {
      if (span === 0 && isBytes(part)) break;
      const from = Math.max(start - position, 0);
      const to = Math.min(start + span - position, part.length);
      if (to > from || !isBytes(part)) parts.push(part.subarray(from, Math.max(from, to)));
      else idle++;
      position += part.length;
      if (position >= start + span) break;
    }
    return makeBlob(parts, span, type, idle);
  }

  arrayBuffer() {
    return read(this, (bytes) => bytes.slice().buffer);
  }

  bytes() {
    return read(this, (bytes) => bytes).then((bytes) => bytes.slice());
  }

  text() {
    return read(this, (bytes) => bytes).then((bytes) => {
      const { TextDecoder } = require('internal/encoding');
      return new TextDecoder().decode(bytes);
    });
  }

  stream() {
    stateOf(this);
    const { ReadableStream } = require('stream/web');
    const parts = this[kParts];
    let index = 0;
    let offset = 0;
    const give = (controller, chunk) => {
      offset += chunk.length;
      if (offset === parts[index].length) {
        index++;
        offset = 0;
      }
      controller.enqueue(chunk);
    };
    const end = (controller) => {
      controller.close();
      controller.byobRequest?.respond(0);
    };
    // Data in memory is given one part at a time: the first at once, each other one after two turns of the loop, the
    // end after one.
    return new ReadableStream(
      {
        type: 'bytes',
        pull(controller) {
          while (index < parts.length && parts[index].length === 0 && isBytes(parts[index])) index++;
          const isEnd = index === parts.length;
          if (isEnd && parts.length === 0) return end(controller);
          if (!isEnd && !isBytes(parts[index])) {
            // An empty file is checked, too: it may have changed.
            return parts[index].load(offset, Math.min(offset + kMaxChunk, parts[index].length)).then((chunk) => {
              if (chunk.length > 0) return give(controller, chunk);
              index++;
              return this.pull(controller);
            });
          }
          if (index === 0) return give(controller, parts[0].slice());
          return new Promise((resolve) => {
            const finish = () => resolve(isEnd ? end(controller) : give(controller, parts[index].slice()));
            setImmediate(isEnd ? finish : () => setImmediate(finish));
          });
        },
      },
      { highWaterMark: 0 },
    );
  }

  textStream() {
    const { TextDecoderStream } = require('stream/web');
    return this.stream().pipeThrough(new TextDecoderStream());
  }
}

function read(blob, finish) {
  try {
    stateOf(blob);
  } catch (err) {
    return Promise.reject(err);
  }
  const parts = blob[kParts];
  if (!parts.every(isBytes)) {
    return Promise.all(parts.map((part) => (isBytes(part) ? part : part.load(0, part.length)))).then((loaded) =>
      finish(concat(loaded)),
    );
  }
  // One job for the first part, two for each other one, including empty ones.
  let jobs = 2 * (parts.length + states.get(blob).idle) - 1;
  if (jobs < 0) return Promise.resolve(finish(concat(parts)));
  return new Promise((resolve) => {
    const step = () => {
      if (--jobs > 0) queueMicrotask(step);
      else resolve(finish(concat(parts)));
    };
    queueMicrotask(step);
  });
}

function makeBlob(parts, size, type, idle = 0) {
  const blob = new Blob();
  blob[kParts] = parts;
  states.set(blob, { size, type: normalizeType(type), idle });
  return blob;
}

Object.defineProperties(Blob.prototype, {
  size: { __proto__: null, enumerable: true },
  type: { __proto__: null, enumerable: true },
  slice: { __proto__: null, enumerable: true },
  stream: { __proto__: null, enumerable: true },
  text: { __proto__: null, enumerable: true },
  arrayBuffer: { __proto__: null, enumerable: true },
  bytes: { __proto__: null, enumerable: true },
  textStream: { __proto__: null, enumerable: true },
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'Blob' },
});

function isBlob(value) {
  return typeof value === 'object' && value !== null && states.has(value);
}

class File extends Blob {
  #name;
  #lastModified;

  constructor(fileBits, fileName, options = undefined) {
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('fileBits', 'fileName');
    super(fileBits, options);
    let { lastModified } = options ?? {};
    lastModified = lastModified !== undefined ? +lastModified : Date.now();
    if (lastModified !== lastModified || !Number.isFinite(lastModified)) lastModified = 0;
    this.#name = `${fileName}`.toWellFormed();
    this.#lastModified = Math.trunc(lastModified);
  }

  get name() {
    if (!isFile(this)) throw new codes.ERR_INVALID_THIS('File');
    return this.#name;
  }

  get lastModified() {
    if (!isFile(this)) throw new codes.ERR_INVALID_THIS('File');
    return this.#lastModified;
  }

  static isFile(value) {
    return typeof value === 'object' && value !== null && #name in value;
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `File ${require('internal/util/inspect').inspect(
      {
        size: this.size,
        type: this.type,
        name: this.#name,
        lastModified: this.#lastModified,
      },
      inner,
    )}`;
  }
}
const isFile = File.isFile;
delete File.isFile;
Object.defineProperties(File.prototype, {
  name: { __proto__: null, enumerable: true },
  lastModified: { __proto__: null, enumerable: true },
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'File' },
});

// ---------------------------------------------------------------- object URLs

const objectUrls = new Map();
let nextId = 1;

function createObjectURL(blob) {
  if (!isBlob(blob)) throw new codes.ERR_INVALID_ARG_TYPE('obj', 'Blob', blob);
  const hex = () =>
    Math.floor(Math.random() * 0x10000)
      .toString(16)
      .padStart(4, '0');
  const last = (nextId++ & 0xffff).toString(16).padStart(4, '0');
  const id = `${hex()}${hex()}-${hex()}-4${hex().slice(1)}-a${hex().slice(1)}-${hex()}${hex()}${last}`;
  objectUrls.set(id, blob);
  return `blob:nodedata:${id}`;
}

function idOf(url) {
  const text = `${url}`;
  const match = /^blob:nodedata:([^?#]*)/.exec(text);
  return match === null ? undefined : match[1];
}

function revokeObjectURL(url) {
  const id = idOf(url);
  if (id !== undefined) objectUrls.delete(id);
}

function resolveObjectURL(url) {
  const id = idOf(url);
  const blob = id === undefined ? undefined : objectUrls.get(id);
  return blob === undefined ? undefined : makeBlob(blob[kParts], blob.size, blob.type, stateOf(blob).idle);
}

// Gives a new blob the bytes of another one.
function adopt(target, source) {
  target[kParts] = source[kParts];
  states.set(target, { ...stateOf(source) });
}

// Parts that are no bytes have a length, subarray(from, to), and load(from, to), which returns a promise
// of bytes (see internal/fs/blob).
const isBytes = (part) => part instanceof Uint8Array;

function createBlobFromParts(parts, size, type) {
  const blob = makeBlob(parts, size, '');
  states.get(blob).type = type;
  return blob;
}

// Whether all of it is in memory.
const isLoaded = (blob) => blob[kParts].every(isBytes);

module.exports = {
  Blob,
  File,
  isBlob,
  isFile,
  createObjectURL,
  revokeObjectURL,
  resolveObjectURL,
  createBlobFromParts,
  isLoaded,
  adopt,
  kParts,
};
