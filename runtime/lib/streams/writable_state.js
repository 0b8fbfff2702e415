'use strict';

// The writable side of a stream, known as its `_writableState`: the queue, the chunks that the sink is
// writing, and the callbacks.
//
// A chunk is passed to the sink (_write, or _writev for several) if the sink is not busy; otherwise it waits in the
// queue. If the sink calls back synchronously, the callback of the write is called in the next tick, where neighbours
// with the same callback share one record; if it calls back later, the callback is called at once. After end() and the
// last chunk come _final, 'prefinish', and a tick later 'finish'.

const { codes } = require('internal/errors');
const { construct, fail, blame } = require('internal/streams/life_cycle');
const { waterMark } = require('internal/streams/properties');

const silent = () => {};
const kNone = Object.freeze([]); // an empty queue: most streams never need a list of their own

// A pending callback of a write, to be called `count` times.
class Receipt {
  count = 1;

  constructor(callback) {
    this.callback = callback;
  }
}

class WritableState {
  // State of the stream's life (see life.js).
  constructed = true;
  errored = null;
  destroyed = false;
  closed = false;
  errorEmitted = false;
  closeEmitted = false;
  autoDestroy = true;
  emitClose = true;

  objectMode = false;
  decodeStrings = true;
  defaultEncoding = 'utf8';
  highWaterMark = 0;

  length = 0; // of all chunks that are not written
  pendingcb = 0; // callbacks, and steps of the end, that are due
  corked = 0;
  needDrain = false;
  writing = false; // the sink has something in its hands
  sync = false; // and has not returned
  bufferProcessing = false;

  ending = false; // end() was called
  ended = false; // and has returned
  finalCalled = false;
  prefinished = false;
  finished = false;
  writable = undefined; // false: there is no such side

  #stream;
  #queue = kNone;
  #next = 0; // the first of the queue that waits
  #size = 0; // of what the sink has
  #callback = silent; // of what the sink has
  #receipt; // the one that can still take more
  #enders = kNone; // the callbacks of end()
  #onwrite; // made when a sink needs it

  constructor(options, stream, isDuplex) {
    this.#stream = stream;
    this.objectMode = Boolean(options && (options.objectMode || (isDuplex && options.writableObjectMode)));
    this.highWaterMark = waterMark(this.objectMode, options, isDuplex ? 'writableHighWaterMark' : undefined);
    if (!options) return;
    if (options.decodeStrings === false) this.decodeStrings = false;
    if (options.emitClose === false) this.emitClose = false;
    if (options.autoDestroy === false) this.autoDestroy = false;
    const { defaultEncoding } = options;
    if (defaultEncoding != null && defaultEncoding !== 'utf8' && defaultEncoding !== 'utf-8') {
      if (!Buffer.isEncoding(defaultEncoding)) throw new codes.ERR_UNKNOWN_ENCODING(defaultEncoding);
      this.defaultEncoding = defaultEncoding;
    }
  }

  // The callback of the sink.
  get onwrite() {
    return (this.#onwrite ??= (error) => this.#answer(error));
  }

  // ---- chunks in ----

  // Whether there is room for more.
  take(chunk, encoding, callback) {
    const size = this.objectMode ? 1 : chunk.length;
    this.length += size;
    this.pendingcb++;
    if (
      this.writing ||
      this.corked > 0 ||
      this.bufferProcessing ||
      this.errored !== null ||
      !this.constructed ||
      this.#next < this.#queue.length
    ) {
      if (this.#queue === kNone) this.#queue = [];
      this.#queue.push({ chunk, encoding, callback });
    } else {
      this.#hand(chunk, encoding, size, callback);
    }
    const hasRoom = this.length < this.highWaterMark || this.length === 0;
    if (!hasRoom) this.needDrain = true;
    return hasRoom && this.errored === null && !this.destroyed;
  }

  #hand(chunk, encoding, size, callback) {
    this.#size = size;
    this.#callback = callback;
    this.writing = true;
    this.sync = true;
    if (this.destroyed) this.#answer(new codes.ERR_STREAM_DESTROYED('write'));
    else this.#stream._write(chunk, encoding, this.onwrite);
    this.sync = false;
  }

  #handAll() {
    const waiting = this.#next === 0 ? this.#queue : this.#queue.slice(this.#next);
    this.#emptyQueue();
    waiting.allBuffers = !this.objectMode && waiting.every(({ encoding }) => encoding === 'buffer');
    this.pendingcb -= waiting.length - 1;
    this.#size = this.length;
    this.#callback = waiting.every(({ callback }) => callback === silent)
      ? silent
      : (error) => {
          for (const { callback } of waiting) callback(error);
        };
    this.writing = true;
    this.sync = true;
    this.#stream._writev(waiting, this.onwrite);
    this.sync = false;
  }

  #emptyQueue() {
    this.#queue = kNone;
    this.#next = 0;
  }

  // Passes queued chunks on, until the sink is asynchronous.
  flush() {
    if (
      this.corked > 0 ||
      this.bufferProcessing ||
      this.destroyed ||
      !this.constructed ||
      this.#next >= this.#queue.length
    )
      return;
    this.bufferProcessing = true;
    if (this.#queue.length - this.#next > 1 && this.#stream._writev) {
      this.#handAll();
    } else {
      do {
        const { chunk, encoding, callback } = this.#queue[this.#next];
        this.#queue[this.#next++] = undefined;
        this.#hand(chunk, encoding, this.objectMode ? 1 : chunk.length, callback);
      } while (!this.writing && this.#next < this.#queue.length);
      if (this.#next === this.#queue.length) {
        if (this.#next > 0) this.#queue.length = this.#next = 0;
      } else if (this.#next > 256) {
        this.#queue = this.#queue.slice(this.#next);
        this.#next = 0;
      }
    }
    this.bufferProcessing = false;
  }

  cork() {
    this.corked++;
  }

  uncork() {
    if (this.corked === 0) return;
    this.corked--;
    if (!this.writing) this.flush();
  }

  // ---- callbacks of the sink ----

  #answer(error) {
    if (!this.writing) {
      fail(this.#stream, new codes.ERR_MULTIPLE_CALLBACK());
      return;
    }
    const { sync } = this;
    const callback = this.#callback;
    this.writing = false;
    this.length -= this.#size;
    this.#callback = silent;
    this.#size = 0;
    if (error) {
      blame(this.#stream, error);
      if (sync) process.nextTick(() => this.#refuse(callback, error));
      else this.#refuse(callback, error);
      return;
    }
    if (this.#next < this.#queue.length) this.flush();
    if (sync) this.#tellLater(callback);
    else this.#tell(callback, 1);
  }

  #refuse(callback, error) {
    this.pendingcb--;
    callback(error);
    this.abandon();
    fail(this.#stream, error);
  }

  #tellLater(callback) {
    // Without a callback and without listeners there is no need to wait for the tick.
    if (callback === silent && !this.objectMode && !this.needDrain && !this.destroyed) {
      this.pendingcb--;
      if (this.ending) this.finishIfDone();
      return;
    }
    if (this.#receipt !== undefined && this.#receipt.callback === callback) {
      this.#receipt.count++;
      return;
    }
    const receipt = new Receipt(callback);
    this.#receipt = receipt;
    process.nextTick(() => {
      if (this.#receipt === receipt) this.#receipt = undefined;
      this.#tell(receipt.callback, receipt.count);
    });
  }

  #tell(callback, count) {
    if (this.needDrain && this.length === 0 && !this.ending && !this.destroyed) {
      this.needDrain = false;
      this.#stream.emit('drain');
    }
    for (; count > 0; count--) {
      this.pendingcb--;
      callback(null);
    }
    if (this.destroyed) this.abandon();
    if (this.ending) this.finishIfDone();
  }

  // The queued chunks will not be written. The chunks that the sink is writing are awaited.
  abandon() {
    if (this.writing) return;
    const waiting = this.#queue.slice(this.#next);
    this.#emptyQueue();
    for (const { chunk, callback } of waiting) {
      this.length -= this.objectMode ? 1 : chunk.length;
      this.pendingcb--;
      callback(this.errored ?? new codes.ERR_STREAM_DESTROYED('write'));
    }
    this.#dismiss(this.errored ?? new codes.ERR_STREAM_DESTROYED('end'));
  }

  get isAwaited() {
    return this.#next < this.#queue.length || this.#enders.length > 0;
  }

  // ---- the end ----

  end() {
    this.ending = true;
    this.finishIfDone();
    this.ended = true;
  }

  whenFinished(callback) {
    if (this.#enders === kNone) this.#enders = [];
    this.#enders.push(callback);
  }

  #dismiss(error) {
    if (this.#enders.length === 0) return;
    const callbacks = this.#enders;
    this.#enders = kNone;
    for (const callback of callbacks) callback(error);
  }

  get #isDone() {
    return (
      this.ending &&
      this.length === 0 &&
      !this.writing &&
      !this.destroyed &&
      this.constructed &&
      !this.finished &&
      !this.errored &&
      !this.errorEmitted &&
      !this.closeEmitted &&
      !this.bufferProcessing &&
      this.#next >= this.#queue.length
    );
  }

  finishIfDone(isTick = false) {
    if (!this.#isDone) return;
    if (!this.prefinished && !this.finalCalled) {
      if (typeof this.#stream._final === 'function') {
        this.#finalize();
        return;
      }
      this.prefinished = true;
      this.#stream.emit('prefinish');
    }
    if (!this.prefinished || this.pendingcb > 0 || !this.#isDone) return;
    this.pendingcb++;
    if (isTick) {
      this.#finish();
      return;
    }
    process.nextTick(() => {
      if (this.#isDone) this.#finish();
      else this.pendingcb--;
    });
  }

  #finalize() {
    this.finalCalled = true;
    this.pendingcb++;
    let isAnswered = false;
    let isWithinCall = true;
    const over = (error) => {
      if (isAnswered) {
        fail(this.#stream, error ?? new codes.ERR_MULTIPLE_CALLBACK());
        return;
      }
      isAnswered = true;
      this.pendingcb--;
      if (error) {
        this.#dismiss(error);
        fail(this.#stream, error, isWithinCall);
      } else if (this.#isDone) {
        this.prefinished = true;
        this.#stream.emit('prefinish');
        this.pendingcb++;
        process.nextTick(() => this.#finish());
      }
    };
    try {
      this.#stream._final(over);
    } catch (error) {
      over(error);
    }
    isWithinCall = false;
  }

  #finish() {
    this.pendingcb--;
    this.finished = true;
    this.#dismiss(null);
    const stream = this.#stream;
    stream.emit('finish');
    if (!this.autoDestroy) return;
    const readable = stream._readableState;
    if (!readable || (readable.autoDestroy && (readable.endEmitted || readable.readable === false))) stream.destroy();
  }

  // ---- life ----

  whenConstructed() {
    construct(this.#stream, () => {
      if (!this.writing) this.flush();
      if (this.ending) this.finishIfDone(true);
    });
  }

  // Resets the state, for _undestroy.
  begin() {
    this.ended = this.ending = this.finished = this.writable === false;
    this.finalCalled = this.prefinished = false;
  }

  // ---- public names ----

  getBuffer() {
    return this.#queue.slice(this.#next);
  }

  get buffered() {
    return this.getBuffer();
  }

  get bufferedRequestCount() {
    return this.#queue.length - this.#next;
  }

  get writelen() {
    return this.#size;
  }

  get writecb() {
    return this.#callback === silent ? null : this.#callback;
  }
}

// The options that implement a method, and that method.
const kMethods = Object.entries({
  write: '_write',
  writev: '_writev',
  destroy: '_destroy',
  final: '_final',
  construct: '_construct',
});

// Gives a new stream its writable side, with the methods that the options implement.
function attachWritable(stream, options, isDuplex) {
  stream._writableState = new WritableState(options, stream, isDuplex);
  if (!options) return;
  for (const [name, method] of kMethods) if (typeof options[name] === 'function') stream[method] = options[name];
}

module.exports = { WritableState, attachWritable, silent };
