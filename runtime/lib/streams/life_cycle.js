'use strict';

// The life cycle of a stream: _construct, destroy() and the events of failures.
//
// A stream has one or two sides, its `_readableState` and its `_writableState`; both have the same flags: constructed,
// errored, destroyed, closed, errorEmitted, closeEmitted. They are set on both.

const { codes, AbortError, aggregateTwoErrors } = require('internal/errors');

const kConstruction = Symbol('construction');

// Old programs call Readable or Writable on objects that are a Duplex.
let Duplex;
const setDuplex = (constructor) => {
  Duplex = constructor;
};
const isDuplex = (object) => Duplex !== undefined && object instanceof Duplex;

const sidesOf = (stream) => [stream._readableState, stream._writableState].filter(Boolean);

// ---- construction ----

// A stream with a _construct works only after that has called back.
class Construction {
  listeners = []; // go to work when all is well
  destroyLater; // what destroy() has to do still, when it came in between
  #isAnswered = false;

  constructor(stream) {
    this.stream = stream;
    process.nextTick(() => this.#begin());
  }

  #begin() {
    const answer = (error) => process.nextTick(() => this.#end(error));
    try {
      this.stream._construct(answer);
    } catch (error) {
      answer(error);
    }
  }

  #end(error) {
    const { stream } = this;
    if (this.#isAnswered) {
      fail(stream, error ?? new codes.ERR_MULTIPLE_CALLBACK(), true);
      return;
    }
    this.#isAnswered = true;
    stream[kConstruction] = undefined;
    for (const side of sidesOf(stream)) side.constructed = true;
    if (this.destroyLater !== undefined) this.destroyLater(error);
    else if (error) fail(stream, error, true);
    else for (const listener of this.listeners) listener();
  }
}

// `go` is called when the stream is constructed; a stream without _construct is constructed from the start.
function construct(stream, go) {
  if (typeof stream._construct !== 'function') return;
  for (const side of sidesOf(stream)) side.constructed = false;
  stream[kConstruction] ??= new Construction(stream);
  stream[kConstruction].listeners.push(go);
}

// ---- destruction ----

// Remembers the first error.
function blame(stream, error) {
  const { _readableState: readable, _writableState: writable } = stream;
  if (readable && !readable.errored) readable.errored = error;
  if (writable && !writable.errored) writable.errored = error;
}

const isDestroyed = ({ _readableState: readable, _writableState: writable }) =>
  Boolean(readable?.destroyed || writable?.destroyed);

function tellError(stream, error) {
  const { _readableState: readable, _writableState: writable } = stream;
  if (readable?.errorEmitted || writable?.errorEmitted) return;
  if (readable) readable.errorEmitted = true;
  if (writable) writable.errorEmitted = true;
  stream.emit('error', error);
}

function tellClose(stream) {
  const { _readableState: readable, _writableState: writable } = stream;
  if (readable) readable.closeEmitted = true;
  if (writable) writable.closeEmitted = true;
  if (readable?.emitClose || writable?.emitClose) stream.emit('close');
}

// If a listener for 'error' throws, 'close' is not emitted.
function tellBoth(stream, error) {
  tellError(stream, error);
  tellClose(stream);
}

// Calls _destroy, which may be asynchronous; then the stream is closed, and emits 'close' a tick later.
function destroyNow(stream, reason, callback) {
  let isOver = false;
  const over = (error) => {
    if (isOver) return;
    isOver = true;
    if (error) blame(stream, error);
    const { _readableState: readable, _writableState: writable } = stream;
    if (readable) readable.closed = true;
    if (writable) writable.closed = true;
    if (typeof callback === 'function') callback(error);
    if (error) process.nextTick(tellBoth, stream, error);
    else process.nextTick(tellClose, stream);
  };
  try {
    stream._destroy(reason || null, over);
  } catch (error) {
    over(error);
  }
}

// The method `destroy` of streams.
function destroy(reason, callback) {
  const { _readableState: readable, _writableState: writable } = this;
  if (readable?.destroyed || writable?.destroyed) {
    if (typeof callback === 'function') callback();
    return this;
  }
  if (reason) blame(this, reason);
  if (readable) readable.destroyed = true;
  if (writable) writable.destroyed = true;
  const construction = this[kConstruction];
  if (construction === undefined) destroyNow(this, reason, callback);
  else construction.destroyLater = (error) => destroyNow(this, aggregateTwoErrors(error, reason), callback);
  return this;
}

// An error of the stream's own work: it destroys the stream, or is only emitted. An error within a call of the program
// is emitted in the next tick.
function fail(stream, error, isWithinCall) {
  if (isDestroyed(stream)) return;
  const { _readableState: readable, _writableState: writable } = stream;
  if (readable?.autoDestroy || writable?.autoDestroy) {
    stream.destroy(error);
    return;
  }
  if (!error) return;
  blame(stream, error);
  if (isWithinCall) process.nextTick(tellError, stream, error);
  else tellError(stream, error);
}

// ---- reuse ----

// The method _undestroy: resets the state of a new stream.
function undestroy() {
  for (const side of sidesOf(this)) {
    side.constructed = true;
    side.closed = side.closeEmitted = side.destroyed = side.errorEmitted = false;
    side.errored = null;
    side.begin();
  }
}

// The method for `await using`: leaving the block early destroys the stream, which is no error.
function disposer(isOver) {
  return async function () {
    let reason;
    if (!this.destroyed) {
      reason = isOver(this) ? null : new AbortError();
      this.destroy(reason);
    }
    await new Promise((resolve, reject) => {
      require('stream').finished(this, (error) => (error && error !== reason ? reject(error) : resolve(null)));
    });
  };
}

module.exports = { construct, destroy, undestroy, fail, blame, disposer, isDuplex, setDuplex };
