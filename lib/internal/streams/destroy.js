'use strict';

// The ends of a stream's life: constructing and destroying, the same for readables, writables and both in one.
// Errors and 'close' are told in a later tick, the error first and only once.

const { codes, aggregateTwoErrors, AbortError } = require('internal/errors');
const { kIsDestroyed, isDestroyed, isFinished, isServerRequest } = require('internal/streams/utils');

const kDestroy = Symbol('kDestroy');
const kConstruct = Symbol('kConstruct');

function markErrored(err, w, r) {
  if (!err) return;
  // The stack is made now, while the frames that led here are still known.
  void err.stack;
  if (w && !w.errored) w.errored = err;
  if (r && !r.errored) r.errored = err;
}

function destroy(err, callback) {
  const r = this._readableState;
  const w = this._writableState;
  const s = w || r;
  if (w?.destroyed || r?.destroyed) {
    if (typeof callback === 'function') callback();
    return this;
  }
  markErrored(err, w, r);
  if (w) w.destroyed = true;
  if (r) r.destroyed = true;
  if (s && !s.constructed) {
    this.once(kDestroy, function (er) {
      runDestroy(this, aggregateTwoErrors(er, err), callback);
    });
  } else {
    runDestroy(this, err, callback);
  }
  return this;
}

function runDestroy(self, err, callback) {
  let called = false;
  function onDestroy(er) {
    if (called) return;
    called = true;
    const r = self._readableState;
    const w = self._writableState;
    markErrored(er, w, r);
    if (w) w.closed = true;
    if (r) r.closed = true;
    if (typeof callback === 'function') callback(er);
    if (er) process.nextTick(emitErrorCloseNT, self, er);
    else process.nextTick(emitCloseNT, self);
  }
  try {
    self._destroy(err || null, onDestroy);
  } catch (er) {
    onDestroy(er);
  }
}

function emitErrorCloseNT(self, err) {
  emitErrorNT(self, err);
  emitCloseNT(self);
}

function emitCloseNT(self) {
  const r = self._readableState;
  const w = self._writableState;
  if (w) w.closeEmitted = true;
  if (r) r.closeEmitted = true;
  if (w?.emitClose || r?.emitClose) self.emit('close');
}

function emitErrorNT(self, err) {
  const r = self._readableState;
  const w = self._writableState;
  if (w?.errorEmitted || r?.errorEmitted) return;
  if (w) w.errorEmitted = true;
  if (r) r.errorEmitted = true;
  self.emit('error', err);
}

function undestroy() {
  const r = this._readableState;
  const w = this._writableState;
  if (r) {
    r.constructed = true;
    r.closed = false;
    r.closeEmitted = false;
    r.destroyed = false;
    r.errored = null;
    r.errorEmitted = false;
    r.reading = false;
    r.ended = r.readable === false;
    r.endEmitted = r.readable === false;
  }
  if (w) {
    w.constructed = true;
    w.destroyed = false;
    w.closed = false;
    w.closeEmitted = false;
    w.errored = null;
    w.errorEmitted = false;
    w.finalCalled = false;
    w.prefinished = false;
    w.ended = w.writable === false;
    w.ending = w.writable === false;
    w.finished = w.writable === false;
  }
}

// An error: the stream ends with it, or (without autoDestroy) only tells it.
function errorOrDestroy(stream, err, sync) {
  const r = stream._readableState;
  const w = stream._writableState;
  if (w?.destroyed || r?.destroyed) return this;
  if (r?.autoDestroy || w?.autoDestroy) {
    stream.destroy(err);
  } else if (err) {
    markErrored(err, w, r);
    if (sync) process.nextTick(emitErrorNT, stream, err);
    else emitErrorNT(stream, err);
  }
  return undefined;
}

function construct(stream, callback) {
  if (typeof stream._construct !== 'function') return;
  const r = stream._readableState;
  const w = stream._writableState;
  if (r) r.constructed = false;
  if (w) w.constructed = false;
  stream.once(kConstruct, callback);
  // A duplex asks twice: once is enough.
  if (stream.listenerCount(kConstruct) > 1) return;
  process.nextTick(constructNT, stream);
}

function constructNT(stream) {
  let called = false;
  function onConstruct(err) {
    if (called) {
      errorOrDestroy(stream, err ?? new codes.ERR_MULTIPLE_CALLBACK());
      return;
    }
    called = true;
    const r = stream._readableState;
    const w = stream._writableState;
    const s = w || r;
    if (r) r.constructed = true;
    if (w) w.constructed = true;
    if (s.destroyed) {
      stream.emit(kDestroy, err);
    } else if (err) {
      errorOrDestroy(stream, err, true);
    } else {
      stream.emit(kConstruct);
    }
  }
  try {
    stream._construct((err) => {
      process.nextTick(onConstruct, err);
    });
  } catch (err) {
    process.nextTick(onConstruct, err);
  }
}

function isRequest(stream) {
  return stream?.setHeader && typeof stream.abort === 'function';
}

function emitCloseLegacy(stream) {
  stream.emit('close');
}

function emitErrorCloseLegacy(stream, err) {
  stream.emit('error', err);
  process.nextTick(emitCloseLegacy, stream);
}

// Destroys anything that is a stream in some way.
function destroyer(stream, err) {
  if (!stream || isDestroyed(stream)) return;
  if (!err && !isFinished(stream)) err = new AbortError();
  if (isServerRequest(stream)) {
    stream.socket = null;
    stream.destroy(err);
  } else if (isRequest(stream)) {
    stream.abort();
  } else if (isRequest(stream.req)) {
    stream.req.abort();
  } else if (typeof stream.destroy === 'function') {
    stream.destroy(err);
  } else if (typeof stream.close === 'function') {
    stream.close();
  } else if (err) {
    process.nextTick(emitErrorCloseLegacy, stream, err);
  } else {
    process.nextTick(emitCloseLegacy, stream);
  }
  if (!stream.destroyed) stream[kIsDestroyed] = true;
}

module.exports = { construct, destroyer, destroy, undestroy, errorOrDestroy };
