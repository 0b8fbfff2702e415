'use strict';

// stream.Duplex: a Readable with the methods of a Writable.

const { Stream } = require('internal/deps/readable-stream/lib/internal/streams/legacy');
const { addAbortSignal } = require('internal/deps/readable-stream/lib/internal/streams/add-abort-signal');
const life = require('internal/streams/life_cycle');
const { attachReadable } = require('internal/streams/readable_state');
const { attachWritable } = require('internal/streams/writable_state');
const Readable = require('internal/streams/readable');
const Writable = require('internal/streams/writable');
const { eventsOf, extend } = require('internal/streams/properties');

const layOutEvents = eventsOf('close error prefinish finish drain data end readable');

module.exports = Duplex;

function Duplex(options) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  layOutEvents(this);
  attachReadable(this, options, true);
  attachWritable(this, options, true);
  this.allowHalfOpen = options?.allowHalfOpen !== false;
  if (options?.readable === false)
    Object.assign(this._readableState, { readable: false, ended: true, endEmitted: true });
  if (options?.writable === false)
    Object.assign(this._writableState, { writable: false, ending: true, ended: true, finished: true });
  if (options?.signal) addAbortSignal(options.signal, this);
  Stream.call(this, options);
  this._writableState.whenConstructed();
  this._readableState.whenConstructed();
}

life.setDuplex(Duplex);
extend(Duplex, Readable);

for (const name of ['write', 'cork', 'uncork', 'setDefaultEncoding', '_write', '_writev', 'end', 'destroy'])
  Duplex.prototype[name] = Writable.prototype[name];
for (const name of [
  'writable',
  'writableHighWaterMark',
  'writableObjectMode',
  'writableBuffer',
  'writableLength',
  'writableFinished',
  'writableCorked',
  'writableEnded',
  'writableNeedDrain',
]) {
  Object.defineProperty(Duplex.prototype, name, Object.getOwnPropertyDescriptor(Writable.prototype, name));
}

Object.defineProperty(Duplex.prototype, 'destroyed', {
  __proto__: null,
  configurable: true,
  enumerable: false,
  get() {
    return Boolean(this._readableState?.destroyed && this._writableState?.destroyed);
  },
  set(value) {
    if (!this._readableState || !this._writableState) return;
    this._readableState.destroyed = this._writableState.destroyed = value;
  },
});

// If there are two streams in one, the writable side gets the error of the readable one before the whole gets it. That
// it was closed too early is an error, too.
Duplex.from = function (body) {
  if (typeof body === 'function') return require('internal/streams/generated').duplexFromFunction(body);
  const { readable, writable } = body ?? {};
  if (typeof readable?.on === 'function' && typeof writable?.destroy === 'function') {
    require('stream').finished(readable, { writable: false }, (error) => {
      if (error && !writable.destroyed) writable.destroy(error);
    });
  }
  return require('internal/deps/readable-stream/lib/internal/streams/duplexify')(body, 'body');
};
Duplex.fromWeb = (pair, options) => require('internal/webstreams/to_node').duplexFromWeb(pair, options);
Duplex.toWeb = (duplex, options) => require('internal/webstreams/from_node').duplexToWeb(duplex, options);
