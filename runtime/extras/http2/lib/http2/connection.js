'use strict';

// What a session of http2 has with its socket: frames in and out, and timeouts.
//
// The timeout of a session or a stream: it expires when nothing was sent or received for long enough.

const timers = require('internal/timers');
const { codes: nodeCodes } = require('internal/errors');
const { validateFunction, validateNumber } = require('internal/validators');
const { setImmediate } = require('timers');
const binding = internalBinding('http2');
const frame = require('internal/async/context');
const { Buffer } = require('internal/buffer/class');
const { take } = internalBinding('stream');
const { Socket } = require('net');
const { codes, NghttpError } = require('internal/http2/constants');
const { decode } = require('internal/http2/headers');
const { http2Option } = require('internal/shared');

const kTimer = Symbol('silence');

function touch(owner) {
  const timer = owner[kTimer];
  if (timer !== undefined && timer !== null) timer.refresh();
}

function stopTimer(owner) {
  if (owner[kTimer] === undefined || owner[kTimer] === null) return;
  timers.clearTimeout(owner[kTimer]);
  owner[kTimer] = null;
}

// A method: setTimeout(msecs[, callback]). `expire` is called with the owner.
function setTimeoutWith(expire) {
  return function setTimeout(msecs, callback) {
    if (this.destroyed) return this;
    validateNumber(msecs, 'msecs');
    if (!(msecs >= 0 && msecs < Infinity))
      throw new nodeCodes.ERR_OUT_OF_RANGE('msecs', 'a non-negative finite number', msecs);
    if (callback !== undefined) validateFunction(callback, 'callback');
    this.timeout = msecs;
    stopTimer(this);
    if (msecs === 0) {
      if (callback !== undefined) this.removeListener('timeout', callback);
      return this;
    }
    this[kTimer] = timers.setTimeout(expire, Math.min(msecs, timers.TIMEOUT_MAX), this).unref();
    if (callback !== undefined) this.once('timeout', callback);
    return this;
  };
}

// Between a session and its socket: frames in, frames out.
//
// If the socket is a network socket, C reads from it directly (http2.c); data from TLS or from a stream of
// the program passes through this file. Output is collected in C and sent in one write: at once after frames were read,
// otherwise in the next immediate, so that everything until then is sent together.

const FastBuffer = Buffer[Symbol.species];

const kConnection = Symbol('http2 connection');

// The events of a session (methods of session.js), and of a stream (methods of stream.js).
const hears = {
  open: Symbol('a stream was opened by the other side'),
  settings: Symbol('settings'),
  ping: Symbol('ping'),
  goaway: Symbol('goaway'),
  alternative: Symbol('alternative service'),
  origins: Symbol('origins'),
  failed: Symbol('failed'),
  idle: Symbol('nothing is left to do'),
  activity: Symbol('activity'),
  head: Symbol('headers'),
  data: Symbol('data'),
  end: Symbol('end of data'),
  closed: Symbol('closed'),
  wantsTrailers: Symbol('wants trailers'),
  unsent: Symbol('a frame was not sent'),
  written: Symbol('written'),
  frame: Symbol('asynchronous context'),
};

const MEGABYTE = 1e6;

function limitsOf(options, server) {
  const number = (name, fallback) => (options[name] === undefined ? fallback : Number(options[name]));
  const reserved = number('maxReservedRemoteStreams', NaN);
  const resets = options.streamResetBurst !== undefined && options.streamResetRate !== undefined;
  const limits = new Float64Array(Object.keys(http2Option).length);
  limits[http2Option.kPeerStreams] = number('peerMaxConcurrentStreams', 100);
  limits[http2Option.kReservedStreams] = reserved < 0 ? 2 ** 32 - 1 : reserved;
  limits[http2Option.kSendBlock] = number('maxSendHeaderBlockLength', NaN);
  limits[http2Option.kDeflateTable] = number('maxDeflateDynamicTableSize', NaN);
  limits[http2Option.kSettingsCount] = Math.max(1, number('maxSettings', 32));
  limits[http2Option.kResetBurst] = resets ? options.streamResetBurst : NaN;
  limits[http2Option.kResetRate] = resets ? options.streamResetRate : NaN;
  limits[http2Option.kLooseBlanks] = options.strictFieldWhitespaceValidation === false ? 1 : 0;
  limits[http2Option.kPairs] = Math.max(server ? 4 : 1, number('maxHeaderListPairs', 128));
  limits[http2Option.kPadding] = number('paddingStrategy', 0);
  limits[http2Option.kMemory] = Math.max(1, number('maxSessionMemory', 10)) * MEGABYTE;
  limits[http2Option.kInvalidFrames] = number('maxSessionInvalidFrames', 1000);
  limits[http2Option.kRejectedStreams] = number('maxSessionRejectedStreams', 100);
  return limits;
}

class Connection {
  constructor(session, socket, server, options) {
    this.session = session;
    this.socket = socket;
    this.streams = new Map();
    this.frame = frame.current;
    this.handle = null; // the socket's own, where C reads it
    this.feeding = undefined;
    this.backlog = undefined;
    this.scheduled = false;
    this.waiting = undefined; // contexts and callbacks of writes whose bytes are about to be sent
    this.native = binding.create(this, server, limitsOf(options, server));
    if (this.native < 0) throw new NghttpError(this.native);
    frame.tracker?.create('HTTP2SESSION', this);
  }

  // ---- in ----

  open() {
    const { socket } = this;
    const handle = socket._handle;
    if (socket.readableLength === 0 && handle?.id >= 0 && binding.attach(this.native, handle.id)) {
      this.handle = handle;
      socket.resume();
      return;
    }
    socket.on('drain', () => this.flush(true));
    socket.on('data', (chunk) => this.feed(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
  }

  feed(chunk) {
    if (this.native < 0) return;
    if (this.feeding !== undefined) {
      (this.backlog ??= []).push(chunk);
      return;
    }
    const before = frame.current;
    this.feeding = chunk;
    const taken = binding.receive(this.native, chunk);
    this.feeding = undefined;
    frame.current = before;
    if (!taken) {
      (this.backlog ??= []).push(chunk);
      setImmediate(() => this.feedNext());
    } else {
      this.feedNext();
    }
  }

  feedNext() {
    const next = this.backlog?.shift();
    if (next !== undefined) this.feed(next);
  }

  // ---- out ----

  // Pending output is sent soon.
  wake() {
    if (this.scheduled || this.native < 0) return;
    this.scheduled = true;
    setImmediate(flushLater, this);
  }

  flush(again = false) {
    if (this.native < 0) return;
    const before = frame.current;
    binding.flush(this.native, again);
    frame.current = before;
  }

  // -> whether the socket accepts more. Without bytes, the streams are only noted: their bytes come in the next call.
  send(bytes, emptied) {
    const { socket, handle } = this;
    if (emptied !== undefined) {
      for (const id of emptied) {
        const stream = this.streams.get(id);
        const callback = stream?.[hears.written]();
        if (callback !== undefined) (this.waiting ??= []).push(stream[hears.frame], callback);
      }
    }
    if (bytes === undefined) return true;
    const { waiting } = this;
    this.waiting = undefined;
    const written = waiting === undefined ? undefined : () => callAll(waiting);
    if (socket.destroyed || (handle === null && !socket.writable)) {
      if (written !== undefined) process.nextTick(written);
      return true;
    }
    this.session[hears.activity]();
    const buffer = new FastBuffer(bytes);
    if (handle === null) {
      // A stream of the program may call back at once: the waiting callbacks are called in a separate turn.
      if (written !== undefined && !(socket instanceof Socket))
        return socket.write(buffer, () => setImmediate(written));
      return socket.write(buffer, written);
    }
    // Errors of writing are not reported: reading will find that the peer is gone.
    const result = handle.write(buffer, undefined, () => {
      written?.();
      this.flush(true);
    });
    if (result !== 1) written?.();
    return result !== 1;
  }

  free() {
    if (this.native < 0) return;
    binding.free(this.native);
    this.native = -1;
    this.backlog = undefined;
    frame.tracker?.destroy(this);
  }
}

function callAll(waiting) {
  const before = frame.current;
  for (let i = 0; i < waiting.length; i += 2) {
    frame.current = waiting[i];
    waiting[i + 1]();
  }
  frame.current = before;
}

function flushLater(connection) {
  connection.scheduled = false;
  connection.flush();
}

// ---- C's calls; `this` is the connection ----

// Each call is made in the context of the stream's maker, or else of the session's.
function enter(connection, stream) {
  connection.session[hears.activity]();
  frame.current = stream === undefined ? connection.frame : stream[hears.frame];
  frame.tracker?.enter(stream ?? connection);
}

function leave(before) {
  frame.tracker?.leave();
  frame.current = before;
}

function forStream(event) {
  return function (id, first, second) {
    const stream = this.streams.get(id);
    if (stream === undefined) return;
    const before = frame.current;
    enter(this, stream);
    stream[event](first, second);
    leave(before);
  };
}

function forSession(event) {
  return function (first, second, third) {
    const before = frame.current;
    enter(this, undefined);
    this.session[event](first, second, third);
    leave(before);
  };
}

const bufferOf = (memory) => (memory === undefined ? undefined : new FastBuffer(memory));

const onPing = forSession(hears.ping);
const onGoaway = forSession(hears.goaway);
const onFailed = forSession(hears.failed);
const onIdle = forSession(hears.idle);

binding.setCallbacks({
  head(id, category, flags, list, secrets, parent) {
    const before = frame.current;
    const stream = this.streams.get(id);
    const headers = decode(list, secrets);
    enter(this, stream);
    if (stream !== undefined) stream[hears.head](headers, flags, list, category);
    else this.session[hears.open](id, headers, flags, list, parent);
    leave(before);
  },
  data(id, length, memory) {
    const stream = this.streams.get(id);
    if (stream === undefined) return;
    // before any code of the program's
    const chunk = memory === undefined ? take(new Uint8Array(length)) : new FastBuffer(memory);
    const before = frame.current;
    enter(this, stream);
    stream[hears.data](chunk);
    leave(before);
  },
  end: forStream(hears.end),
  closed: forStream(hears.closed),
  trailers: forStream(hears.wantsTrailers),
  send(bytes, emptied) {
    const before = frame.current;
    const more = this.send(bytes, emptied);
    frame.current = before;
    return more;
  },
  settings: forSession(hears.settings),
  ping(answer, payload) {
    onPing.call(this, answer, bufferOf(payload));
  },
  goaway(code, last, data) {
    onGoaway.call(this, code, last, bufferOf(data));
  },
  alternative: forSession(hears.alternative),
  origins: forSession(hears.origins),
  unsent(id, error, type) {
    const stream = this.streams.get(id);
    const before = frame.current;
    enter(this, stream);
    (stream ?? this.session)[hears.unsent](type, error, id);
    frame.current = before;
  },
  failed(number) {
    if (number === 0) onIdle.call(this);
    else onFailed.call(this, number === 1 ? new codes.ERR_HTTP2_TOO_MANY_INVALID_FRAMES() : new NghttpError(number));
  },
});

module.exports = { kTimer, setTimeoutWith, stopTimer, touch, Connection, binding, hears, kConnection };
