'use strict';

// What Node 26's Writable does otherwise than readable-stream's, put over the package's methods. It must run before the
// package's Duplex is loaded, which copies these methods.

const { codes } = require('internal/deps/readable-stream/lib/ours/errors');

const kDefaultEncoding = Symbol('default encoding');
const kCallback = Symbol('callback');
const kDressed = Symbol('dressed callback');

// The constructors of both states assign `defaultEncoding`: here it is seen that there is such an encoding.
function checkDefaultEncoding(State, read) {
  Object.defineProperty(State.prototype, 'defaultEncoding', {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get: read,
    set(encoding) {
      if (encoding !== 'utf8' && !Buffer.isEncoding(encoding)) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
      this[kDefaultEncoding] = encoding;
    },
  });
}

function install(Readable, Writable) {
  const { prototype } = Writable;
  const { write: writeAny, end: endQuietly } = prototype;

  checkDefaultEncoding(Readable.ReadableState, function() {
    return this[kDefaultEncoding];
  });
  // An object has no encoding, unless its writer names one.
  checkDefaultEncoding(Writable.WritableState, function() {
    return this.objectMode ? undefined : this[kDefaultEncoding];
  });

  // A callback hears null when nothing went wrong. The package compares the callbacks of consecutive writes, so the same
  // one is dressed only once.
  function dressed(state, callback) {
    if (state[kCallback] !== callback) {
      state[kCallback] = callback;
      state[kDressed] = (error) => callback(error ?? null);
    }
    return state[kDressed];
  }

  // Between the end of _construct and the tick in which the package writes what was kept until then, a chunk would be
  // written before the older ones: it must be kept, too.
  function isOvertaking(state) {
    return state.bufferedIndex < state.buffered.length && !state.writing && state.corked === 0 && state.constructed && !state.bufferProcessing;
  }

  prototype.write = function(chunk, encoding, callback) {
    if (typeof encoding === 'function') {
      callback = encoding;
      encoding = undefined;
    }
    const state = this._writableState;
    // 'buffer' is how the stream itself names what is not text.
    if (encoding === 'buffer' && typeof chunk === 'string' && !state.objectMode) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    const told = typeof callback === 'function' ? dressed(state, callback) : undefined;
    if (!isOvertaking(state)) return writeAny.call(this, chunk, encoding, told);
    state.corked++;
    const room = writeAny.call(this, chunk, encoding, told);
    state.corked--;
    return room;
  };

  prototype.end = function(...args) {
    const last = args.length - 1;
    if (last >= 0 && args[0] != null && typeof args[0] !== 'function' && isOvertaking(this._writableState)) {
      this.write(args[0], typeof args[1] === 'function' ? undefined : args[1]);
      args[0] = undefined;
    }
    const callback = args[last];
    if (typeof callback === 'function' && last < 3) args[last] = (error) => callback(error ?? null);
    return Reflect.apply(endQuietly, this, args);
  };

  Writable.fromWeb = (stream, options) => require('internal/webstreams/to_node').writableFromWeb(stream, options);
  Writable.toWeb = (stream, options) => require('internal/webstreams/from_node').writableToWeb(stream, options);
}

module.exports = { install };
