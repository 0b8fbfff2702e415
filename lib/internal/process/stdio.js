'use strict';

// process.stdin, stdout and stderr: made when first touched, by what the descriptors are. Writing is synchronous, to files,
// pipes and terminals alike: what was printed is there, even when the program ends at once.

const { guessHandleType } = require('internal/stream_base');

function get(fd) {
  internalBinding('runtime').stdioTouched = true;
  internalBinding('runtime').fillConsole();
  return fd === 0 ? getStdin() : getOutput(fd);
}

// ---- writing ----

function makeFileStream(fd) {
  const { Writable } = require('stream');
  const { writeSync } = require('fs');
  function SyncWriteStream() {
    Writable.call(this, { autoDestroy: true });
    this.fd = fd;
    this.readable = false;
    this.autoClose = false;
  }
  SyncWriteStream.prototype = Object.create(Writable.prototype, { constructor: { value: SyncWriteStream, configurable: true, writable: true } });
  SyncWriteStream.prototype._write = function(chunk, encoding, callback) {
    try {
      for (let done = 0; done < chunk.length;) done += writeSync(fd, chunk, done, chunk.length - done);
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  };
  return new SyncWriteStream();
}

function makeOutput(fd) {
  let stream;
  switch (guessHandleType(fd)) {
    case 'TTY':
      stream = new (require('tty').WriteStream)(fd);
      stream._type = 'tty';
      break;
    case 'FILE':
      stream = makeFileStream(fd);
      stream._type = 'fs';
      break;
    case 'PIPE':
    case 'TCP': {
      const { Socket } = require('net');
      const channel = process.channel && process.channel.fd === fd ? process[require('internal/child_process/ipc').kChannel] : undefined;
      stream = channel !== undefined ? new Socket({ handle: channel, readable: false, writable: true, manualStart: true }) :
        new Socket({ fd, readable: false, writable: true, manualStart: true });
      if (channel === undefined) stream._handle.setBlocking(true);
      stream._type = 'pipe';
      break;
    }
    default: {
      // Nothing that can be written to: what is written is gone.
      const { Writable } = require('stream');
      stream = new Writable({
        write(buffer, encoding, callback) {
          callback();
        },
      });
    }
  }
  if (stream._handle?.unref) stream._handle.unref();
  return stream;
}

// The streams of the process stay open as long as it lives: being destroyed leaves no trace.
function dummyDestroy(error, callback) {
  callback(error);
  this._undestroy();
  // 'close' is for those who wait for it.
  if (!this._writableState.emitClose) process.nextTick(() => this.emit('close'));
}

function getOutput(fd) {
  const stream = makeOutput(fd);
  stream.fd = fd;
  stream._isStdio = true;
  stream.destroySoon = stream.destroy;
  stream._destroy = dummyDestroy;
  if (stream.isTTY) process.on('SIGWINCH', () => stream._refreshSize());
  return stream;
}

// ---- reading ----

function makeInput(fd) {
  switch (guessHandleType(fd)) {
    case 'TTY': {
      const { ReadStream } = require('tty');
      return new ReadStream(fd);
    }
    case 'FILE': {
      const { ReadStream } = require('fs');
      return new ReadStream(null, { fd, autoClose: false });
    }
    case 'PIPE':
    case 'TCP': {
      const { Socket } = require('net');
      const channel = process.channel && process.channel.fd === fd ? process[require('internal/child_process/ipc').kChannel] : undefined;
      const stream = channel !== undefined ? new Socket({ handle: channel, readable: true, writable: false, manualStart: true }) :
        new Socket({ fd, readable: true, writable: false, manualStart: true });
      stream._type = 'pipe';
      return stream;
    }
    default: {
      const { Readable } = require('stream');
      const stream = new Readable({ read() {} });
      stream.push(null);
      return stream;
    }
  }
}

function getStdin() {
  const stdin = makeInput(0);
  stdin.fd = 0;
  const stop = () => {
    if (!stdin._handle?.reading) return;
    stdin._handle.reading = false;
    stdin._handle.readStop();
  };
  // Nothing is read before somebody wants it.
  if (stdin._handle?.readStop) {
    stdin._handle.reading = false;
    stdin._readableState.reading = false;
    stdin._handle.readStop();
  }
  // A paused terminal or pipe does not keep the process alive; what comes meanwhile waits in the kernel.
  stdin.on('pause', () => {
    process.nextTick(() => {
      if (!stdin._handle || stdin.readableFlowing) return;
      if (stdin._handle.reading) {
        stdin._readableState.reading = false;
        stop();
      }
    });
  });
  return stdin;
}

module.exports = { get };
