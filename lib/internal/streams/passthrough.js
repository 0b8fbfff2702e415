'use strict';

// PassThrough: the transform that changes nothing.

module.exports = PassThrough;

const Transform = require('internal/streams/transform');

Object.setPrototypeOf(PassThrough.prototype, Transform.prototype);
Object.setPrototypeOf(PassThrough, Transform);

function PassThrough(options) {
  if (!(this instanceof PassThrough)) return new PassThrough(options);
  Transform.call(this, options);
}

PassThrough.prototype._transform = function (chunk, encoding, callback) {
  callback(null, chunk);
};
