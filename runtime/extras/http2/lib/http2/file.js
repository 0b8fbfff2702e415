'use strict';

// Files as responses: read piece by piece, each when the last one has been sent, without the Duplex, which ends when
// the file does.

const fs = require('fs');
const { setImmediate } = require('timers');
const { Buffer } = require('internal/buffer/class');
const { binding } = require('internal/http2/connection');
const { codes } = require('internal/http2/constants');
const { kState } = require('internal/http2/stream');
const { answerHeaders, withoutPayload } = require('internal/http2/server_stream');

const PIECE = 64 * 1024;
const NGHTTP2_INTERNAL_ERROR = 2;

function checkOptions(options) {
  const settings = { ...options };
  for (const [name, type] of [
    ['offset', 'number'],
    ['length', 'number'],
    ['statCheck', 'function'],
  ]) {
    if (settings[name] !== undefined && typeof settings[name] !== type)
      throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, settings[name]);
  }
  return settings;
}

function prepare(stream, headers, options) {
  stream.mustBeUnanswered();
  const settings = checkOptions(options);
  const { object, status } = answerHeaders(headers);
  if (withoutPayload.has(status)) throw new codes.ERR_HTTP2_PAYLOAD_FORBIDDEN(status);
  return { object, settings };
}

// Sends a descriptor's bytes; `release` is called when it is no longer needed.
function send(stream, fd, headers, { offset, length, waitForTrailers }, release) {
  const state = stream[kState];
  if (stream.destroyed || stream.closed) {
    release();
    return;
  }
  const { list, object, status } = answerHeaders(headers);
  // Only seekable files have positions; other files are read in sequence.
  let at = offset > 0 || length > 0 ? (offset ?? 0) : offset === undefined || offset < 0 ? -1 : offset;
  let left = length >= 0 ? length : Infinity;
  try {
    stream.submit(list, object, status, { waitForTrailers });
  } catch (error) {
    release();
    stream.destroy(error);
    return;
  }
  if (stream.headRequest) {
    release();
    return;
  }
  state.pump = true;
  stream.end();
  const memory = Buffer.allocUnsafeSlow(PIECE);
  const finish = (error) => {
    release();
    if (stream.destroyed) return;
    if (error) stream.close(NGHTTP2_INTERNAL_ERROR);
    else stream.endData();
  };
  // An invalid descriptor is detected before something else gets its number.
  try {
    fs.fstatSync(fd);
  } catch (error) {
    setImmediate(finish, error); // the headers have left by then
    return;
  }
  const next = () => {
    if (stream.destroyed || !state.open) {
      finish();
      return;
    }
    const size = Math.min(PIECE, left);
    if (size === 0) {
      finish();
      return;
    }
    fs.read(fd, memory, 0, size, at < 0 ? null : at, (error, count) => {
      if (error || count === 0 || stream.destroyed || !state.open) {
        finish(error);
        return;
      }
      if (at >= 0) at += count;
      left -= count;
      binding.write(state.connection.native, state.id, memory.subarray(0, count), false);
      state.written = next;
      state.connection.wake();
    });
  };
  next();
}

function respondWithFD(stream, fd, headers, options) {
  const { object, settings } = prepare(stream, headers, options);
  const handle = fd !== null && typeof fd === 'object' && typeof fd.fd === 'number' ? fd : undefined;
  if (handle === undefined && typeof fd !== 'number')
    throw new codes.ERR_INVALID_ARG_TYPE('fd', ['number', 'FileHandle'], fd);
  const number = handle === undefined ? fd : handle.fd;
  const go = () => send(stream, number, object, settings, () => {});
  if (settings.statCheck === undefined) {
    go();
    return;
  }
  fs.fstat(number, (error, stat) => {
    if (stream.destroyed || stream.closed) return;
    if (error) stream.destroy(error);
    else if (checkStat(stream, stat, object, settings)) go();
  });
}

// The program may refuse, after it has answered itself.
function checkStat(stream, stat, headers, settings) {
  const { offset = 0, length = -1 } = settings;
  const seen = { offset, length };
  if (settings.statCheck.call(stream, stat, headers, seen) === false) return false;
  return !stream.headersSent && !stream.destroyed;
}

function respondWithFile(stream, path, headers, options) {
  const { object, settings } = prepare(stream, headers, options);
  const fail = (error) => {
    if (settings.onError) settings.onError(error);
    else stream.destroy(error);
  };
  fs.open(path, 'r', (problem, fd) => {
    if (problem) {
      fail(problem);
      return;
    }
    const release = () => fs.close(fd, () => {});
    if (stream.destroyed || stream.closed) {
      release();
      return;
    }
    fs.fstat(fd, (error, stat) => {
      if (stream.destroyed || stream.closed) {
        release();
        return;
      }
      const bad = error ?? unfit(stat, settings);
      if (bad) {
        release();
        fail(bad);
        return;
      }
      if (settings.statCheck !== undefined && !checkStat(stream, stat, object, settings)) {
        release();
        return;
      }
      if (stat.isFile()) {
        const offset = settings.offset > 0 ? settings.offset : 0;
        const rest = Math.max(0, stat.size - offset);
        settings.offset = offset;
        settings.length = settings.length === undefined || settings.length < 0 ? rest : Math.min(rest, settings.length);
        object['content-length'] = settings.length;
      }
      send(stream, fd, object, settings, release);
    });
  });
}

function unfit(stat, { offset, length }) {
  if (stat.isFile()) return undefined;
  if (stat.isDirectory()) return new codes.ERR_HTTP2_SEND_FILE();
  return offset !== undefined || length !== undefined ? new codes.ERR_HTTP2_SEND_FILE_NOSEEK() : undefined;
}

module.exports = { respondWithFD, respondWithFile };
