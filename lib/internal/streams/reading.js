'use strict';

// What Node 26's Readable does otherwise than readable-stream's, put over the package's methods.

const { validateObject } = require('internal/validators');

function install(Readable) {
  const { prototype } = Readable;
  const { read: readSized, pipe: pipeUnguarded, pause: pauseAlways, resume: resumeAlways, setEncoding: decodeFrom } = prototype;

  // Without a size, one chunk as it was pushed: only text is joined. The package would take all that there is, also what
  // its call of _read brings; so the size of the first chunk is named to it. It is asked for nothing, first, when there is
  // no chunk yet, and once more when the last chunk was taken after the end was seen.
  prototype.read = function(size) {
    const state = this._readableState;
    if (state.flowing || state.decoder !== null || (size !== undefined && !Number.isNaN(Number.parseInt(size, 10))) || state.objectMode) {
      return readSized.call(this, size);
    }
    let asked = false;
    if (state.length === 0) {
      if (state.ended) return readSized.call(this);
      state.emittedReadable = false;
      readSized.call(this, 0);
      if (state.length === 0) return state.ended ? readSized.call(this) : null;
      asked = true;
    }
    const { highWaterMark, reading } = state;
    const { length } = state.buffer.first();
    if (length > highWaterMark) state.highWaterMark = length; // a large chunk is not a wish for large reads
    if (asked) state.reading = true; // once is enough
    const chunk = readSized.call(this, length);
    if (asked) state.reading = reading;
    state.highWaterMark = highWaterMark;
    if (state.length === 0 && state.ended) readSized.call(this, 0);
    return chunk;
  };

  // A destination that throws is destroyed with what it threw. The package's listener keeps its name in the list, so that the
  // package finds it when it unpipes.
  prototype.pipe = function(destination, options) {
    Reflect.apply(pipeUnguarded, this, [destination, options]);
    const events = this._events;
    const listeners = events.data;
    const deliver = typeof listeners === 'function' ? listeners : listeners?.at(-1);
    if (deliver === undefined) return destination;
    const guarded = function(chunk) {
      try {
        deliver.call(this, chunk);
      } catch (error) {
        destination.destroy(error);
      }
    };
    guarded.listener = deliver;
    if (typeof listeners === 'function') events.data = guarded;
    else listeners[listeners.length - 1] = guarded;
    return destination;
  };

  // What is incomplete when the source has ended stays so: it is shown as a replacement character.
  prototype.setEncoding = function(encoding) {
    Reflect.apply(decodeFrom, this, [encoding]);
    const state = this._readableState;
    const rest = state.ended ? state.decoder.end() : '';
    if (rest !== '') {
      state.buffer.push(rest);
      state.length += rest.length;
    }
    return this;
  };

  // What is destroyed does not go on, nor stop, any more.
  prototype.resume = function() {
    return this._readableState.destroyed ? this : resumeAlways.call(this);
  };

  prototype.pause = function() {
    const state = this._readableState;
    return state.destroyed || state.errored ? this : pauseAlways.call(this);
  };

  prototype[Symbol.asyncIterator] = function() {
    return require('internal/streams/iterating').iterate(this);
  };

  prototype.iterator = function(options) {
    if (options !== undefined) validateObject(options, 'options');
    return require('internal/streams/iterating').iterate(this, options);
  };

  // A source of the old kind: it calls back with 'data' and knows pause and resume, perhaps.
  prototype.wrap = function(source) {
    let held = false;
    source.on('data', (chunk) => {
      if (this.push(chunk) || !source.pause) return;
      held = true;
      source.pause();
    });
    source.on('end', () => this.push(null));
    source.on('error', (error) => require('internal/deps/readable-stream/lib/internal/streams/destroy').errorOrDestroy(this, error));
    for (const event of ['close', 'destroy']) source.on(event, () => this.destroy());
    this._read = () => {
      if (!held || !source.resume) return;
      held = false;
      source.resume();
    };
    for (const name of Object.keys(source)) {
      if (this[name] === undefined && typeof source[name] === 'function') this[name] = source[name].bind(source);
    }
    return this;
  };

  Readable.fromWeb = (stream, options) => require('internal/webstreams/to_node').readableFromWeb(stream, options);
  Readable.toWeb = (stream, options) => require('internal/webstreams/from_node').readableToWeb(stream, options);
}

module.exports = { install };
