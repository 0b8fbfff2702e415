'use strict';

// Transform: what is written is transformed and can be read. While the reading side is full, the write's callback waits.

module.exports = Transform;

const { codes } = require('internal/errors');
const Duplex = require('internal/streams/duplex');
const { getHighWaterMark } = require('internal/streams/state');

Object.setPrototypeOf(Transform.prototype, Duplex.prototype);
Object.setPrototypeOf(Transform, Duplex);

const kCallback = Symbol('kCallback');

function Transform(options) {
  if (!(this instanceof Transform)) return new Transform(options);
  // With a reading side of zero, a written chunk must be asked for, or nothing would ever move.
  const mark = options ? getHighWaterMark({ objectMode: !!(options.objectMode || options.readableObjectMode) }, options, 'readableHighWaterMark', true) : null;
  if (mark === 0) {
    options = {
      ...options,
      highWaterMark: null,
      readableHighWaterMark: mark,
      writableHighWaterMark: options.writableHighWaterMark || 0,
    };
  }
  Duplex.call(this, options);
  this._readableState.sync = false;
  this[kCallback] = null;
  if (options) {
    if (typeof options.transform === 'function') this._transform = options.transform;
    if (typeof options.flush === 'function') this._flush = options.flush;
  }
  this.on('prefinish', prefinish);
}

function final(callback) {
  if (typeof this._flush === 'function' && !this.destroyed) {
    this._flush((err, data) => {
      if (err) {
        if (callback) callback(err);
        else this.destroy(err);
        return;
      }
      if (data != null) this.push(data);
      this.push(null);
      if (callback) callback();
    });
  } else {
    this.push(null);
    if (callback) callback();
  }
}

// A subclass with its own _final still ends the reading side.
function prefinish() {
  if (this._final !== final) final.call(this);
}

Transform.prototype._final = final;

Transform.prototype._transform = function (chunk, encoding, callback) {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_transform()');
};

Transform.prototype._write = function (chunk, encoding, callback) {
  const rState = this._readableState;
  const wState = this._writableState;
  const length = rState.length;
  this._transform(chunk, encoding, (err, value) => {
    if (err) {
      callback(err);
      return;
    }
    if (value != null) this.push(value);
    if (rState.ended) {
      // Nobody will read any more: the rest is let through.
      process.nextTick(callback);
    } else if (wState.ended || length === rState.length || rState.length < rState.highWaterMark) {
      callback();
    } else {
      this[kCallback] = callback;
    }
  });
};

Transform.prototype._read = function () {
  if (this[kCallback]) {
    const callback = this[kCallback];
    this[kCallback] = null;
    callback();
  }
};
