'use strict';

// process.stdin, stdout and stderr.

const { writeSync, kind } = internalBinding('stdio');

function makeWritable(fd) {
  const { Writable } = require('stream');
  const type = kind(fd);
  const stream = new Writable({
    decodeStrings: false,
    emitClose: false,
    autoDestroy: true,
    write(chunk, encoding, callback) {
      const data = typeof chunk === 'string' && encoding !== 'utf8' && encoding !== 'utf-8' && encoding !== 'buffer' ?
        Buffer.from(chunk, encoding) : chunk;
      const err = writeSync(fd, data);
      if (err < 0 && err !== -32) {
        callback(require('internal/errors').uvException({ errno: err, syscall: 'write' }));
        return;
      }
      if (err < 0) {
        callback(Object.assign(new Error('write EPIPE'), { errno: err, code: 'EPIPE', syscall: 'write' }));
        return;
      }
      callback();
    },
  });
  // Standard output stays open as long as the program lives.
  stream.destroySoon = stream.destroy;
  stream._destroy = function(error, callback) {
    callback(error);
  };
  stream.fd = fd;
  stream._type = type === 'TTY' ? 'tty' : type === 'FILE' ? 'fs' : 'pipe';
  stream._isStdio = true;
  if (type === 'TTY') {
    stream.isTTY = true;
    stream.columns = 80;
    stream.rows = 24;
    stream.getColorDepth = () => (process.env.NO_COLOR ? 1 : /256color/.test(process.env.TERM ?? '') ? 8 : 4);
    stream.hasColors = (count = 16) => 2 ** stream.getColorDepth() >= count;
    stream.getWindowSize = () => [stream.columns, stream.rows];
  }
  return stream;
}

function get(fd) {
  internalBinding('runtime').stdioTouched = true;
  internalBinding('runtime').fillConsole();
  if (fd === 0) return makeReadable();
  return makeWritable(fd);
}

function makeReadable() {
  const { Readable } = require('stream');
  let done = false;
  const stream = new Readable({
    highWaterMark: 65536,
    read() {
      if (done) return;
      done = true;
      setImmediate(() => {
        const text = internalBinding('stdio').readAll(0);
        if (text) stream.push(Buffer.from(text));
        stream.push(null);
      });
    },
  });
  stream.fd = 0;
  return stream;
}

module.exports = { get };
