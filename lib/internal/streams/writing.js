'use strict';

// What Node 26's Writable does otherwise than readable-stream's, put over the package's methods. It must run before the
// package's Duplex is loaded, which copies these methods.

const { codes } = require('internal/deps/readable-stream/lib/ours/errors');

const kDefaultEncoding = Symbol('default encoding');
const kCallback = Symbol('callback');
const kDressed = Symbol('dressed callback');
const kCallbacksDue = Symbol('callbacks due');
const kInEnd = Symbol('in end');
const kFailedInEnd = Symbol('failed in end');

const nothing = () => {};

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
      state[kDressed] = (error) => {
        state[kCallbacksDue]--;
        callback(error ?? null);
      };
    }
    state[kCallbacksDue] = (state[kCallbacksDue] ?? 0) + 1;
    return state[kDressed];
  }

  // Between the end of _construct and the tick in which the package writes what was kept until then, a chunk would be
  // written before the older ones: it must be kept, too.
  function isOvertaking(state) {
    const isIdle = !state.writing && state.corked === 0 && !state.bufferProcessing;
    return isIdle && state.constructed && state.bufferedIndex < state.buffered.length;
  }

  prototype.write = function(chunk, encoding, callback) {
    if (typeof encoding === 'function') {
      callback = encoding;
      encoding = undefined;
    }
    const state = this._writableState;
    // 'buffer' is how the stream itself names what is not text.
    if (encoding === 'buffer' && typeof chunk === 'string' && !state.objectMode) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    // A stream of objects tells of every write.
    const told = typeof callback === 'function' ? dressed(state, callback) : state.objectMode ? dressed(state, nothing) : undefined;
    const needsDrain = state.needDrain;
    if (isOvertaking(state)) {
      state.corked++;
      const room = writeAny.call(this, chunk, encoding, told);
      state.corked--;
      return room;
    }
    if (writeAny.call(this, chunk, encoding, told)) return true;
    if (state.errored || state.destroyed) {
      state.needDrain = true; // a pipe that waits for it is let go when it is undone
    } else if (!needsDrain && (state.length < state.highWaterMark || state.length === 0) && !state.ending) {
      // What was written at once has left its room.
      state.needDrain = false;
      return true;
    }
    return false;
  };

  // A stream without _final finishes a tick after its last write is done, and after the callbacks of its writes: as one whose
  // _final calls back. The package looks for _final when it is about to finish; in end() itself it does the right thing alone.
  Object.defineProperty(prototype, '_final', {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      const state = this._writableState;
      if (state === undefined || (state[kInEnd] && !state[kCallbacksDue] && state.pendingcb === 0)) return undefined;
      return finishLater;
    },
    set(value) {
      Object.defineProperty(this, '_final', { __proto__: null, value, writable: true, configurable: true, enumerable: true });
    },
  });

  function finishLater(callback) {
    if (this._writableState[kCallbacksDue] > 0) process.nextTick(callback);
    else callback();
  }

  prototype.end = function(...args) {
    const last = args.length - 1;
    if (last >= 0 && args[0] != null && typeof args[0] !== 'function' && isOvertaking(this._writableState)) {
      this.write(args[0], typeof args[1] === 'function' ? undefined : args[1]);
      args[0] = undefined;
    }
    const state = this._writableState;
    const callback = typeof args[last] === 'function' && last < 3 ? args[last] : undefined;
    let isTold = false;
    const tell = (error) => {
      if (isTold) return;
      isTold = true;
      callback(error ?? null);
    };
    if (callback !== undefined) {
      args[last] = (error) => {
        if (error && state.prefinished && !state.finished) {
          // It is about to finish: being destroyed comes too late.
          this.prependOnceListener('finish', () => tell(null));
        } else if (error && state[kFailedInEnd] && state.autoDestroy && state.emitClose) {
          // A failure of _final within end() is told after the stream is closed.
          this.once('close', () => tell(error));
          process.nextTick(() => process.nextTick(tell, error)); // an error that nobody listens for keeps 'close' away
        } else {
          tell(error);
        }
      };
    }
    state[kInEnd] = true;
    try {
      return Reflect.apply(endQuietly, this, args);
    } finally {
      state[kInEnd] = false;
      state[kFailedInEnd] = state.finalCalled && Boolean(state.errored);
      // Of a stream that is not destroyed by its failures the package does not tell this one.
      if (state[kFailedInEnd] && !state.autoDestroy && callback !== undefined) process.nextTick(tell, state.errored);
    }
  };

  Writable.fromWeb = (stream, options) => require('internal/webstreams/to_node').writableFromWeb(stream, options);
  Writable.toWeb = (stream, options) => require('internal/webstreams/from_node').writableToWeb(stream, options);
}

// Node 26's Duplex and Transform, likewise.
function installDuplex(Duplex, Transform) {
  const { from } = Duplex;
  const { _write: transformNow } = Transform.prototype;

  // Of two streams in one, the writable side hears of an error of the readable one.
  Duplex.from = function(body) {
    const duplex = from(body);
    const { readable, writable } = body ?? {};
    if (typeof readable?.on === 'function' && typeof writable?.destroy === 'function') {
      readable.on('error', (error) => {
        if (!writable.destroyed) writable.destroy(error);
      });
    }
    return duplex;
  };

  // A transform whose readable side has ended takes what is still written in ticks of their own: a source that is faster
  // than the end would write for ever.
  Transform.prototype._write = function(chunk, encoding, callback) {
    Reflect.apply(transformNow, this, [chunk, encoding, (error) => {
      if (!error && this._readableState.ended) process.nextTick(callback);
      else callback(error);
    }]);
  };
}

module.exports = { install, installDuplex };
