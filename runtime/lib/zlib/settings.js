'use strict';

// The options of compressors and decompressors: checked, with their defaults, by tables. Each family (zlib, brotli,
// zstd) has its kinds of flushes and its way to set up an engine.

const { codes } = require('internal/errors');
const { validateBoolean } = require('internal/validators');
const { isArrayBufferView, isAnyArrayBuffer } = require('internal/util/types');
const constants = require('internal/zlib/constants');
const { Engine } = require('internal/zlib/engine');

const kMaxLength = require('buffer').kMaxLength;

// A finite number within its range; undefined and NaN give the default.
function number(value, name, least, most, usual) {
  if (value === undefined || Number.isNaN(value)) return usual;
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', value);
  if (!Number.isFinite(value)) throw new codes.ERR_OUT_OF_RANGE(name, 'a finite number', value);
  if (value < least || value > most) {
    throw new codes.ERR_OUT_OF_RANGE(name, most === Infinity ? `>= ${least}` : `>= ${least} and <= ${most}`, value);
  }
  return value;
}

function dictionaryOf({ dictionary }) {
  if (dictionary === undefined || isArrayBufferView(dictionary)) return dictionary;
  if (isAnyArrayBuffer(dictionary)) return new Uint8Array(dictionary);
  throw new codes.ERR_INVALID_ARG_TYPE(
    'options.dictionary',
    ['Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'],
    dictionary,
  );
}

// The parameters by their numbers. A number beyond those of the family, or one given twice ('0' and '00'), is refused.
function eachParam({ params }, most, InvalidParam, set) {
  if (!params) return;
  const seen = new Set();
  for (const [key, value] of Object.entries(params)) {
    const parameter = Number(key);
    if (!(parameter >= 0 && parameter <= most) || seen.has(parameter)) throw new InvalidParam(key);
    seen.add(parameter);
    if (typeof value !== 'number' && typeof value !== 'boolean') {
      throw new codes.ERR_INVALID_ARG_TYPE('options.params[key]', 'number', value);
    }
    set(parameter, Number(value));
  }
}

const largest = (prefix) =>
  Math.max(
    ...Object.keys(constants)
      .filter((name) => name.startsWith(prefix))
      .map((name) => constants[name]),
  );

function checkPledge(size) {
  const [Refusal, code, demand] =
    typeof size !== 'number'
      ? [TypeError, 'ERR_INVALID_ARG_TYPE', 'a number']
      : !Number.isSafeInteger(size)
        ? [RangeError, 'ERR_OUT_OF_RANGE', 'a safe integer']
        : size < 0
          ? [RangeError, 'ERR_OUT_OF_RANGE', 'non-negative']
          : [];
  if (Refusal !== undefined) throw Object.assign(new Refusal(`pledgedSrcSize must be ${demand}`), { code });
}

const families = {
  zlib: {
    flushes: {
      usual: constants.Z_NO_FLUSH,
      finish: constants.Z_FINISH,
      full: constants.Z_FULL_FLUSH,
      most: constants.Z_BLOCK,
    },
    engine(mode, options, settings) {
      const { Z_MIN_WINDOWBITS, Z_MAX_WINDOWBITS, Z_DEFAULT_WINDOWBITS, GZIP, GUNZIP, INFLATE, UNZIP, DEFLATERAW } =
        constants;
      const decompressesWithHeader = mode === INFLATE || mode === GUNZIP || mode === UNZIP;
      let windowBits = 0; // as the header says
      if (!decompressesWithHeader || (options.windowBits !== 0 && options.windowBits != null)) {
        // Gzip does not support a window of 8 bits.
        const least = mode === GZIP ? 9 : Z_MIN_WINDOWBITS;
        windowBits = number(options.windowBits, 'options.windowBits', least, Z_MAX_WINDOWBITS, Z_DEFAULT_WINDOWBITS);
      }
      const level = number(
        options.level,
        'options.level',
        constants.Z_MIN_LEVEL,
        constants.Z_MAX_LEVEL,
        constants.Z_DEFAULT_COMPRESSION,
      );
      const { Z_MIN_MEMLEVEL, Z_MAX_MEMLEVEL, Z_DEFAULT_MEMLEVEL, Z_DEFAULT_STRATEGY, Z_FIXED } = constants;
      const memLevel = number(options.memLevel, 'options.memLevel', Z_MIN_MEMLEVEL, Z_MAX_MEMLEVEL, Z_DEFAULT_MEMLEVEL);
      const strategy = number(options.strategy, 'options.strategy', Z_DEFAULT_STRATEGY, Z_FIXED, Z_DEFAULT_STRATEGY);
      const dictionary = dictionaryOf(options);
      const engine = new Engine(mode);
      if (mode === DEFLATERAW && windowBits === 8) windowBits = 9; // zlib's minimum
      engine.init(windowBits, level, memLevel, strategy, dictionary, settings.rejectGarbageAfterEnd);
      settings.level = level;
      settings.strategy = strategy;
      return engine;
    },
  },
  brotli: {
    flushes: {
      usual: constants.BROTLI_OPERATION_PROCESS,
      finish: constants.BROTLI_OPERATION_FINISH,
      full: constants.BROTLI_OPERATION_FLUSH,
      most: constants.BROTLI_OPERATION_EMIT_METADATA,
    },
    engine(mode, options) {
      const params = new Uint32Array(16).fill(0xffffffff);
      eachParam(
        options,
        largest('BROTLI_PARAM_'),
        codes.ERR_BROTLI_INVALID_PARAM,
        (key, value) => (params[key] = value),
      );
      if (options.dictionary !== undefined)
        throw new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('options.dictionary of brotli');
      const engine = new Engine(mode);
      if (!engine.initBrotli(params)) throw new codes.ERR_ZLIB_INITIALIZATION_FAILED();
      return engine;
    },
  },
  zstd: {
    flushes: {
      usual: constants.ZSTD_e_continue,
      finish: constants.ZSTD_e_end,
      full: constants.ZSTD_e_flush,
      most: constants.ZSTD_e_end,
    },
    engine(mode, options) {
      const compresses = mode === constants.ZSTD_COMPRESS;
      const pairs = [];
      eachParam(options, largest(compresses ? 'ZSTD_c_' : 'ZSTD_d_'), codes.ERR_ZSTD_INVALID_PARAM, (key, value) =>
        pairs.push(key, value),
      );
      const { pledgedSrcSize } = options;
      if (pledgedSrcSize !== undefined) checkPledge(pledgedSrcSize);
      const dictionary = dictionaryOf(options);
      const engine = new Engine(mode);
      const failure = engine.initZstd(new Int32Array(pairs), pledgedSrcSize, dictionary);
      if (failure !== undefined) throw new codes.ERR_ZLIB_INITIALIZATION_FAILED('Setting parameter failed');
      return engine;
    },
  },
};

// All settings of a stream, or of a single call. `format` is a row of the table in runtime/lib/node/zlib.js.
function settingsFor({ family, mode }, options) {
  const { flushes, engine } = families[family];
  const given = options ?? {};
  const settings = {
    mode,
    flushes,
    chunkSize: number(given.chunkSize, 'options.chunkSize', constants.Z_MIN_CHUNK, Infinity, constants.Z_DEFAULT_CHUNK),
    flush: number(given.flush, 'options.flush', 0, flushes.most, flushes.usual),
    finishFlush: number(given.finishFlush, 'options.finishFlush', 0, flushes.most, flushes.finish),
    maxOutputLength: number(given.maxOutputLength, 'options.maxOutputLength', 1, kMaxLength, kMaxLength),
    rejectGarbageAfterEnd: given.rejectGarbageAfterEnd ?? false,
    info: given.info,
    level: undefined,
    strategy: undefined,
    engine: undefined,
  };
  validateBoolean(settings.rejectGarbageAfterEnd, 'options.rejectGarbageAfterEnd');
  settings.engine = engine(mode, given, settings);
  return settings;
}

module.exports = { settingsFor, number };
