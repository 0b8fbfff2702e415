'use strict';

// A compressor or decompressor of the C side. It works in steps: from a part of the input into a part of the output,
// synchronously or on a thread. After a step, `state` has the rest of the output's room and of the input. Packages that
// use a stream's `_handle` directly call these methods by name.

const { E } = require('internal/errors');
const asyncContext = require('internal/async/context');
const constants = require('internal/zlib/constants');
const { isSharedArrayBuffer } = require('internal/util/types');

const binding = internalBinding('zlib');

E('ERR_ZSTD_INVALID_PARAM', '%s is not a valid zstd parameter', RangeError);
E('ERR_TRAILING_JUNK_AFTER_STREAM_END', 'Trailing junk found after the end of the compressed stream', TypeError);
E('ERR_ZLIB_INITIALIZATION_FAILED', (message = 'Initialization failed') => message, Error);

const steps = new Map(); // by number: what to call when the step is done, and in which asynchronous context
let lastStep = 0;

binding.setCallback((number) => {
  const { engine, done, context } = steps.get(number);
  const { tracker } = asyncContext;
  steps.delete(number);
  asyncContext.current = context;
  tracker?.enter(engine);
  done();
  tracker?.leave();
  asyncContext.current = undefined;
});

const namesOf = (prefix) =>
  new Map(
    Object.keys(constants)
      .filter((name) => name.startsWith(prefix))
      .map((name) => [constants[name], name]),
  );

const zlibNames = new Map([
  [0, 'Z_OK'],
  [1, 'Z_STREAM_END'],
  [2, 'Z_NEED_DICT'],
  [-1, 'Z_ERRNO'],
  [-2, 'Z_STREAM_ERROR'],
  [-3, 'Z_DATA_ERROR'],
  [-4, 'Z_MEM_ERROR'],
  [-5, 'Z_BUF_ERROR'],
  [-6, 'Z_VERSION_ERROR'],
]);
let zstdNames;
let brotliNames;

function codeOf(errno, code) {
  if (code === undefined) return zlibNames.get(errno);
  if (code === 'ZSTD') return (zstdNames ??= namesOf('ZSTD_error_')).get(errno) ?? 'ZSTD_error_GENERIC';
  if (code.startsWith('ERR_') || code.startsWith('Z_')) return code;
  // Node uses the name of the constant without the name of the library.
  const name = (brotliNames ??= namesOf('BROTLI_DECODER_ERROR_')).get(errno);
  return `ERR_${name === undefined ? code : name.slice('BROTLI_DECODER'.length)}`;
}

// Shared memory, which others may change or detach while the libraries read it, is copied first.
function steady(input) {
  const { buffer } = input;
  if (!isSharedArrayBuffer(buffer) && !buffer.resizable) return input;
  return new Uint8Array(new Uint8Array(buffer, input.byteOffset, input.byteLength));
}

class Zlib {
  #native;
  #closed = false;
  #atWork = false;
  state = new Uint32Array(2);

  constructor(mode) {
    this.#native = binding.create(mode, this.state);
    asyncContext.tracker?.create('ZLIB', this);
  }

  init(windowBits, level, memLevel, strategy, dictionary, onlyFirst) {
    binding.init(this.#native, windowBits, level, memLevel, strategy, dictionary, onlyFirst);
  }

  initBrotli(params) {
    return binding.initBrotli(this.#native, params);
  }

  // Returns the error, if there is one.
  initZstd(params, pledgedSize, dictionary) {
    return binding.initZstd(this.#native, params, pledgedSize, dictionary);
  }

  // The error of the last step.
  get failure() {
    const row = binding.error(this.#native);
    if (row === undefined) return undefined;
    const [errno, message, code] = row;
    return Object.assign(new Error(message), { errno, code: codeOf(errno, code) });
  }

  writeSync(flush, input, inputAt, inputLength, output, outputAt, room) {
    binding.write(this.#native, -1, flush, input, inputAt, inputLength, output, outputAt, room);
  }

  write(flush, input, inputAt, inputLength, output, outputAt, room, done) {
    const number = (lastStep = (lastStep + 1) & 0x3fffffff);
    this.#atWork = true;
    steps.set(number, {
      engine: this,
      context: asyncContext.current,
      done: () => {
        this.#atWork = false;
        done();
      },
    });
    binding.write(this.#native, number, flush, input, inputAt, inputLength, output, outputAt, room);
  }

  params(level, strategy) {
    return binding.params(this.#native, level, strategy);
  }

  reset() {
    if (this.#atWork) throw new Error('Cannot reset zlib stream while a write is in progress');
    return binding.reset(this.#native);
  }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    binding.close(this.#native);
    asyncContext.tracker?.destroy(this);
  }
}

module.exports = { Engine: Zlib, crc32: binding.crc32, steady };
