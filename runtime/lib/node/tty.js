'use strict';

// The module `tty`: terminals as streams.

const net = require('net');
const { codes, ErrnoException, uvErrmap } = require('internal/errors');
const { TTY } = require('internal/stream_base');
const { getColorDepth, hasColors } = require('internal/tty');
const { isInt32 } = require('internal/validators');
const binding = internalBinding('stream');

function isatty(fd) {
  return isInt32(fd) && fd >= 0 && binding.isTTY(fd);
}

function open(fd) {
  if (!isInt32(fd) || fd < 0) throw new codes.ERR_INVALID_FD(fd);
  const handle = new TTY(fd);
  if (handle.id >= 0) return handle;
  const [code, message] = uvErrmap(handle.id);
  throw new codes.ERR_TTY_INIT_FAILED({ errno: handle.id, code, message, syscall: 'uv_tty_init' });
}

// Both may be called without `new`, so they are functions; they make sockets.
function makeSocket(Kind, target, options) {
  return Reflect.construct(net.Socket, [{ manualStart: true, ...options }], target ?? Kind);
}

function inherit(Kind, methods) {
  Object.setPrototypeOf(Kind, net.Socket);
  Object.setPrototypeOf(Kind.prototype, net.Socket.prototype);
  for (const name of Object.keys(methods)) Kind.prototype[name] = methods[name];
}

function ReadStream(fd, options) {
  const stream = makeSocket(ReadStream, new.target, { highWaterMark: 0, handle: open(fd), ...options });
  stream.isRaw = false;
  stream.isTTY = true;
  return stream;
}

inherit(ReadStream, {
  setRawMode(wanted) {
    const mode = Boolean(wanted);
    const status = this._handle?.setRawMode(mode);
    if (status) this.emit('error', new ErrnoException(status, 'setRawMode'));
    else this.isRaw = mode;
    return this;
  },
});

// [columns, rows], or an error number.
function sizeOf(handle) {
  const size = [0, 0];
  const status = handle.getWindowSize(size);
  return status === 0 ? size : status;
}

function WriteStream(fd) {
  const handle = open(fd);
  const stream = makeSocket(WriteStream, new.target, { highWaterMark: undefined, handle });
  handle.setBlocking(true); // output is written synchronously: it is complete before the program goes on, or ends
  const size = sizeOf(handle);
  if (Array.isArray(size)) [stream.columns, stream.rows] = size;
  return stream;
}

// The module `readline` implements the movements of the cursor.
const cursor = (name) =>
  ({
    [name](...args) {
      return require('readline')[name](this, ...args);
    },
  })[name];

inherit(WriteStream, {
  isTTY: true,
  getColorDepth,
  hasColors,

  // Called when the terminal's size may have changed.
  _refreshSize() {
    if (!this._handle) return;
    const size = sizeOf(this._handle);
    if (!Array.isArray(size)) {
      this.emit('error', new ErrnoException(size, 'getWindowSize'));
    } else if (size[0] !== this.columns || size[1] !== this.rows) {
      [this.columns, this.rows] = size;
      this.emit('resize');
    }
  },

  getWindowSize() {
    return [this.columns, this.rows];
  },

  cursorTo: cursor('cursorTo'),
  moveCursor: cursor('moveCursor'),
  clearLine: cursor('clearLine'),
  clearScreenDown: cursor('clearScreenDown'),
});

module.exports = { isatty, ReadStream, WriteStream };
