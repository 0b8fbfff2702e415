'use strict';

// process.stdin, stdout and stderr: made on first use, by the type of the descriptors. Writing is synchronous, to
// files, pipes and terminals alike: the output is complete even if the program ends at once.

const { guessHandleType } = require('internal/stream_base');

// A pipe may be the channel to the parent, which has a handle already.
function socketFor(fd, direction) {
  const isChannel = process.channel && process.channel.fd === fd;
  const handle = isChannel ? process[require('internal/child_process/ipc').kChannel] : undefined;
  const { Socket } = require('net');
  const socket = new Socket({ ...direction, manualStart: true, ...(handle === undefined ? { fd } : { handle }) });
  if (direction.writable && handle === undefined) socket._handle.setBlocking(true);
  return socket;
}

// ---- writing ----

function fileOutput(fd) {
  const { Writable } = require('stream');
  const { writeSync } = require('fs');
  class SyncWriteStream extends Writable {
    constructor() {
      super({ autoDestroy: true });
      this.fd = fd;
      this.readable = false;
      this.autoClose = false;
    }

    _write(chunk, encoding, callback) {
      let problem;
      try {
        for (let done = 0; done < chunk.length;) done += writeSync(fd, chunk, done, chunk.length - done);
      } catch (error) {
        problem = error;
      }
      callback(problem);
    }
  }
  return new SyncWriteStream();
}

// By the type of descriptor: [value of `_type`, constructor of the stream]
const pipeOutput = ['pipe', (fd) => socketFor(fd, { readable: false, writable: true })];
const outputs = {
  __proto__: null,
  TTY: ['tty', (fd) => new (require('tty').WriteStream)(fd)],
  FILE: ['fs', fileOutput],
  PIPE: pipeOutput,
  TCP: pipeOutput,
};

// If the descriptor is not writable, output is discarded.
const nowhere = [undefined, () => new (require('stream').Writable)({ write: (chunk, encoding, done) => done() })];

// The streams of the process stay open as long as it lives: destroying one only emits 'close'.
function surviveDestroy(error, callback) {
  callback(error);
  this._undestroy();
  if (!this._writableState.emitClose) process.nextTick(() => this.emit('close'));
}

function openOutput(fd) {
  const [type, make] = outputs[guessHandleType(fd)] ?? nowhere;
  const stream = make(fd);
  if (type !== undefined) stream._type = type;
  stream._handle?.unref?.();
  Object.assign(stream, { fd, _isStdio: true, destroySoon: stream.destroy, _destroy: surviveDestroy });
  if (stream.isTTY) process.on('SIGWINCH', () => stream._refreshSize());
  return stream;
}

// ---- reading ----

const pipeInput = (fd) => Object.assign(socketFor(fd, { readable: true, writable: false }), { _type: 'pipe' });
const inputs = {
  __proto__: null,
  TTY: (fd) => new (require('tty').ReadStream)(fd),
  FILE: (fd) => new (require('fs').ReadStream)(null, { fd, autoClose: false }),
  PIPE: pipeInput,
  TCP: pipeInput,
};

function emptyInput() {
  const stream = new (require('stream').Readable)({ read() {} });
  stream.push(null);
  return stream;
}

// Stops a handle that may be reading.
function rest(stream) {
  stream._readableState.reading = false;
  stream._handle.reading = false;
  stream._handle.readStop();
}

function openInput() {
  const stream = (inputs[guessHandleType(0)] ?? emptyInput)(0);
  stream.fd = 0;
  // Nothing is read before the program asks for it. While the stream is paused, it does not keep the process alive, and
  // input waits in the kernel.
  if (stream._handle?.readStop) rest(stream);
  const restIfPaused = () => {
    if (stream._handle?.reading && !stream.readableFlowing) rest(stream);
  };
  stream.on('pause', () => process.nextTick(restIfPaused));
  return stream;
}

function get(fd) {
  const runtime = internalBinding('runtime');
  runtime.stdioTouched = true;
  runtime.fillConsole();
  return fd === 0 ? openInput() : openOutput(fd);
}

module.exports = { get };
