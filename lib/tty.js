'use strict';

// The module `tty`: terminals as streams.

const net = require('net');
const { codes, ErrnoException } = require('internal/errors');
const { TTY } = require('internal/stream_base');
const { getColorDepth, hasColors } = require('internal/tty');
const binding = internalBinding('stream');

const { ERR_INVALID_FD, ERR_TTY_INIT_FAILED } = codes;

function isatty(fd) {
  return Number.isInteger(fd) && fd >= 0 && fd <= 2147483647 && binding.isTTY(fd);
}

function open(fd) {
  if (fd >> 0 !== fd || fd < 0) throw new ERR_INVALID_FD(fd);
  const handle = new TTY(fd);
  if (handle.id < 0) {
    const [code, message] = require('internal/errors').uvErrmap(handle.id);
    throw new ERR_TTY_INIT_FAILED({ errno: handle.id, code, message, syscall: 'uv_tty_init' });
  }
  return handle;
}

function ReadStream(fd, options) {
  if (!(this instanceof ReadStream)) return new ReadStream(fd, options);
  const handle = open(fd);
  net.Socket.call(this, { highWaterMark: 0, handle, manualStart: true, ...options });
  this.isRaw = false;
  this.isTTY = true;
}
Object.setPrototypeOf(ReadStream.prototype, net.Socket.prototype);
Object.setPrototypeOf(ReadStream, net.Socket);

ReadStream.prototype.setRawMode = function(flag) {
  flag = !!flag;
  const err = this._handle?.setRawMode(flag);
  if (err) {
    this.emit('error', new ErrnoException(err, 'setRawMode'));
    return this;
  }
  this.isRaw = flag;
  return this;
};

function WriteStream(fd) {
  if (!(this instanceof WriteStream)) return new WriteStream(fd);
  const handle = open(fd);
  net.Socket.call(this, { highWaterMark: undefined, handle, manualStart: true });
  // What a program prints is there before it goes on (or ends).
  handle.setBlocking(true);
  const size = new Array(2);
  if (handle.getWindowSize(size) === 0) {
    this.columns = size[0];
    this.rows = size[1];
  }
}
Object.setPrototypeOf(WriteStream.prototype, net.Socket.prototype);
Object.setPrototypeOf(WriteStream, net.Socket);

WriteStream.prototype.isTTY = true;
WriteStream.prototype.getColorDepth = getColorDepth;
WriteStream.prototype.hasColors = hasColors;

WriteStream.prototype._refreshSize = function() {
  const oldColumns = this.columns;
  const oldRows = this.rows;
  const size = new Array(2);
  const err = this._handle?.getWindowSize(size);
  if (err) {
    this.emit('error', new ErrnoException(err, 'getWindowSize'));
    return;
  }
  const [columns, rows] = size;
  if (oldColumns !== columns || oldRows !== rows) {
    this.columns = columns;
    this.rows = rows;
    this.emit('resize');
  }
};

WriteStream.prototype.cursorTo = function(x, y, callback) {
  return require('readline').cursorTo(this, x, y, callback);
};

WriteStream.prototype.moveCursor = function(dx, dy, callback) {
  return require('readline').moveCursor(this, dx, dy, callback);
};

WriteStream.prototype.clearLine = function(direction, callback) {
  return require('readline').clearLine(this, direction, callback);
};

WriteStream.prototype.clearScreenDown = function(callback) {
  return require('readline').clearScreenDown(this, callback);
};

WriteStream.prototype.getWindowSize = function() {
  return [this.columns, this.rows];
};

module.exports = { isatty, ReadStream, WriteStream };
