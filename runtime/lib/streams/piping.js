'use strict';

// readable.pipe(destination): the chunks of the one are written to the other, and the source pauses while a destination
// is full.

const EventEmitter = require('events');
const { fail } = require('internal/streams/life_cycle');

class Pipe {
  #source;
  #destination;
  #isUndone = false;
  #waitsForDrain = false; // listens for 'drain'
  #endListener;

  constructor(source, destination, ends) {
    this.#source = source;
    this.#destination = destination;
    const state = source._readableState;
    if (state.pipes.length === 1 && !state.multiAwaitDrain) {
      state.multiAwaitDrain = true;
      state.awaitDrainWriters = new Set(state.awaitDrainWriters ? [state.awaitDrainWriters] : []);
    }
    if (state.pipes.length === 0) state.pipes = [destination];
    else state.pipes.push(destination);
    this.#endListener = ends ? this.#onEnd : this.#leave;
    if (state.endEmitted) process.nextTick(this.#endListener);
    else source.once('end', this.#endListener);
    destination.on('unpipe', this.#onUnpipe);
    source.on('data', this.#onData);
    // Some destinations have no such method, or one with another meaning.
    EventEmitter.prototype.prependListener.call(destination, 'error', this.#onError);
    destination.once('close', this.#onClose);
    destination.once('finish', this.#onFinish);
    destination.emit('pipe', source);
    if (destination.writableNeedDrain === true) this.#hold();
    else if (!state.flowing) source.resume();
  }

  #onData = (chunk) => {
    try {
      if (this.#destination.write(chunk) === false) this.#hold();
    } catch (error) {
      this.#destination.destroy(error);
    }
  };

  // The destination is full.
  #hold() {
    const state = this.#source._readableState;
    if (!this.#isUndone) {
      if (state.pipes.length === 1 && state.pipes[0] === this.#destination) {
        state.awaitDrainWriters = this.#destination;
        state.multiAwaitDrain = false;
      } else if (state.pipes.length > 1 && state.pipes.includes(this.#destination)) {
        state.awaitDrainWriters.add(this.#destination);
      }
      this.#source.pause();
    }
    if (this.#waitsForDrain) return;
    this.#waitsForDrain = true;
    this.#destination.on('drain', this.#onDrain);
  }

  #onDrain = () => {
    const state = this.#source._readableState;
    if (state.awaitDrainWriters === this.#destination) state.awaitDrainWriters = null;
    else if (state.multiAwaitDrain) state.awaitDrainWriters.delete(this.#destination);
    const isFree = !state.awaitDrainWriters || state.awaitDrainWriters.size === 0;
    if (isFree && this.#source.listenerCount('data') > 0) this.#source.resume();
  };

  #onEnd = () => this.#destination.end();

  #leave = () => this.#source.unpipe(this.#destination);

  #onClose = () => {
    this.#destination.removeListener('finish', this.#onFinish);
    this.#leave();
  };

  #onFinish = () => {
    this.#destination.removeListener('close', this.#onClose);
    this.#leave();
  };

  // An error without another listener is still thrown.
  #onError = (error) => {
    const destination = this.#destination;
    this.#leave();
    destination.removeListener('error', this.#onError);
    if (destination.listenerCount('error') > 0) return;
    const state = destination._writableState ?? destination._readableState;
    if (state && !state.errorEmitted) fail(destination, error);
    else destination.emit('error', error);
  };

  #onUnpipe = (source, info) => {
    if (source !== this.#source || info?.hasUnpiped !== false) return;
    info.hasUnpiped = true;
    this.#undo();
  };

  #undo() {
    const destination = this.#destination;
    const source = this.#source;
    for (const [event, listener] of [
      ['close', this.#onClose],
      ['finish', this.#onFinish],
      ['drain', this.#onDrain],
      ['error', this.#onError],
      ['unpipe', this.#onUnpipe],
    ]) {
      destination.removeListener(event, listener);
    }
    source.removeListener('end', this.#endListener);
    source.removeListener('data', this.#onData);
    this.#isUndone = true;
    // The source must not wait for a destination that is closed.
    if (!this.#waitsForDrain || !source._readableState.awaitDrainWriters) return;
    const { _writableState: state } = destination;
    if (!state || state.needDrain || state.errored || state.destroyed) this.#onDrain();
  }
}

// The methods of Readable.

function pipe(destination, options) {
  const ends = (!options || options.end !== false) && destination !== process.stdout && destination !== process.stderr;
  new Pipe(this, destination, ends);
  return destination;
}

function unpipe(destination) {
  const state = this._readableState;
  if (state.pipes.length === 0) return this;
  if (destination) {
    const place = state.pipes.indexOf(destination);
    if (place === -1) return this;
    state.pipes.splice(place, 1);
    if (state.pipes.length === 0) this.pause();
    destination.emit('unpipe', this, { hasUnpiped: false });
    return this;
  }
  const destinations = state.pipes;
  state.pipes = [];
  this.pause();
  for (const each of destinations) each.emit('unpipe', this, { hasUnpiped: false });
  return this;
}

module.exports = { pipe, unpipe };
